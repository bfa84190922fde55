import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeEach, describe, expect } from 'vitest'
import { createMock, type Mock, type MockOptions } from '../../src/engine/mock/mock.js'
import { CORE } from '../../src/engine/mock/session.js'
import { createHandlers, listenOptions } from '../../src/entries/adapters/msw.js'
import { startServer } from '../../src/entries/adapters/node.js'
import { type OperationRow, operations } from '../../src/service/api/operations.js'
import { errorStatusesOf, successSchema } from '../../src/service/contract/operation.js'
import type { Profile } from '../../src/service/contract/profile.js'
import { profiles } from '../../src/service/contract/profiles.js'
import { runtimeAdapters } from './runtimes.js'
import { stopWorkers } from './worker-session.js'

/** A way to use a mock: tests check every behaviour in each of them. */
export interface Adapter {
  mock: Mock
  /** The origin of the mock for this adapter. */
  origin: string
  fetch(path: string, init?: RequestInit): Promise<Response>
  close(): Promise<void>
}

type Opener = (options: MockOptions) => Promise<Adapter>

const ownAdapters: Record<string, Opener> = {
  async 'mock.fetch'(options) {
    const mock = createMock(options)
    const origin = 'http://localhost:4242'
    return { mock, origin, fetch: (path, init) => mock.fetch(new Request(origin + path, init)), close: async () => {} }
  },
  async 'a Node server'(options) {
    const server = await startServer(createMock(options), { port: 0 })
    const { mock, url: origin } = server
    return { mock, origin, fetch: (path, init) => fetch(origin + path, init), close: () => server.close() }
  },
  async 'msw handlers'(options) {
    const mock = createMock(options)
    const origin = 'https://flags.example.com'
    const hasBase = options.baseUrl !== undefined || options.basePath !== undefined
    const server = setupServer(...createHandlers(mock, hasBase ? {} : { baseUrl: origin }))
    server.listen(listenOptions() as Parameters<typeof server.listen>[0])
    const close = async () => server.close()
    return { mock, origin, fetch: (path, init) => fetch(origin + path, init), close }
  },
}

/** In the project `runtimes`, the adapters are other runtimes that serve the built package. */
const openers = new Map(Object.entries(process.env.FLAGDOUBLE_ADAPTERS === 'runtimes' ? runtimeAdapters : ownAdapters))

/** In `npm test`, one item for a suite, chosen by the suite's name; elsewhere all. */
export function chosenFor<Item>(suite: string, all: readonly Item[]): Item[] {
  if (process.env.FLAGDOUBLE_ADAPTERS !== undefined) return [...all]
  const sum = [...suite].reduce((total, character) => total + (character.codePointAt(0) ?? 0), 0)
  return all.filter((_, at) => at === sum % all.length)
}

export const ADMIN = '*:*.mock-admin'
export const EDITOR = 'user:mock-editor'
export const VIEWER = 'user:mock-viewer'
export const CLIENT = '*:development.mock-client'
export const FRONTEND = '*:development.mock-frontend'

/** The frozen time of test worlds. */
export const NOW = '2026-11-20T12:00:00.000Z'

/** The default seed and time of a test's mock. */
export const FIXED: MockOptions = { seed: 'tests', now: NOW }

export interface Answer {
  status: number
  headers: Headers
  /** The JSON body; undefined if it is empty. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
  body: any
}

export interface Client {
  adapter: Adapter
  mock: Mock
  /** Sends a JSON request as the admin, or with another API token, or (null) without one; checks the response's shape. */
  send(method: string, path: string, body?: unknown, options?: SendOptions): Promise<Answer>
}

export interface SendOptions {
  key?: string | null
  headers?: Record<string, string>
}

/**
 * Runs a suite on every adapter, or in `npm test` on one. By default, each test has a fresh mock, with a seed and a
 * frozen clock.
 */
export function onEveryAdapter(name: string, suite: (client: Client) => void, options: MockOptions = FIXED): void {
  afterAll(stopWorkers)
  describe.each(chosenFor(name, [...openers.keys()]))(`${name}, by %s`, (adapterName) => {
    const client = {} as { -readonly [Key in keyof Client]: Client[Key] }
    beforeEach(async () => {
      const opener = openers.get(adapterName)
      if (opener === undefined) throw new Error(`No adapter ${adapterName}`)
      client.adapter = await opener(options)
      client.mock = client.adapter.mock
      client.send = (...args) => send(client.adapter, profiles[options.profile ?? 'documented'], ...args)
    })
    afterEach(async () => {
      await client.adapter.close()
    })
    suite(client)
  })
}

async function send(
  adapter: Adapter,
  profile: Profile,
  method: string,
  path: string,
  body?: unknown,
  { key = ADMIN, headers = {} }: SendOptions = {},
): Promise<Answer> {
  const response = await adapter.fetch(path, {
    method,
    headers: {
      ...(key === null ? {} : { authorization: key }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: isRaw(body) ? body : JSON.stringify(body) }),
  })
  const answer = await read(response)
  const asDocumented = profile.name === 'documented'
  if (asDocumented && answer.body !== undefined && typeof answer.body !== 'string') {
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  }
  if (method === 'HEAD') expect(answer.body).toBeUndefined()
  else if (response.ok) expectShape(adapter, profile, method, path, answer)
  else if (response.status >= 400 && !answer.headers.has('x-mock-forced')) {
    if (asDocumented) expectErrorObject(answer)
    expectListed(adapter, profile, method, path, answer)
  }
  return answer
}

/** A body to be sent unchanged: JSON text, or bytes. */
function isRaw(body: unknown): body is string | Uint8Array<ArrayBuffer> {
  return typeof body === 'string' || body instanceof Uint8Array
}

/** A response, read to its end. */
export async function read(response: Response): Promise<Answer> {
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? true
  const body = text === '' ? undefined : isJson ? JSON.parse(text) : text
  return { status: response.status, headers: response.headers, body }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** Every rejection is an error object: Unleash's, or flagdouble's own, which is marked. */
export function expectErrorObject({ status, headers, body }: Answer): void {
  const code = headers.get('x-mock-error')
  if (code !== null) {
    const text = expect.stringMatching(/./)
    expect(body).toEqual({ name: 'MockError', code, message: text, hint: text })
    return
  }
  const { details, ...always } = body
  const text = expect.stringMatching(/./)
  expect(always).toEqual({ id: expect.stringMatching(UUID), name: text, message: text })
  expect(details === undefined).toBe(status !== 400)
  for (const detail of details ?? []) expect(detail).toEqual({ message: text, path: expect.stringMatching(/^\//) })
}

/** Every success response has exactly the documented shape of its row. */
function expectShape(
  { mock, origin }: Adapter,
  profile: Profile,
  method: string,
  path: string,
  { body }: Answer,
): void {
  const operation = operationAt(mock, method, origin + path)
  const schema = operation === undefined ? undefined : successSchema(operation, profile)
  if (schema === undefined) return
  const parsed = schema.safeParse(body)
  expect(parsed.error?.issues ?? []).toEqual([])
  if (parsed.success) expect(body).toEqual(parsed.data)
}

/** The OpenAPI document lists the status of every rejection by an operation. */
function expectListed({ mock, origin }: Adapter, profile: Profile, method: string, path: string, answer: Answer): void {
  const operation = operationAt(mock, method, origin + path)
  if (operation === undefined || answer.headers.has('x-mock-error')) return
  expect(errorStatusesOf(operation, profile), `the errors of ${operation.id}`).toContain(answer.status)
}

function operationAt(mock: Mock, method: string, url: string): OperationRow | undefined {
  const id = mock[CORE].match(method, url, true)
  return (operations as readonly OperationRow[]).find((row) => row.id === id)
}
