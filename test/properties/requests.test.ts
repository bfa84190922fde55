import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { createMock, operationIds } from '../../src/index.js'
import type { OperationRow } from '../../src/service/api/operations.js'
import { errorStatusesOf, successSchema, successStatus } from '../../src/service/contract/operation.js'
import type { Profile } from '../../src/service/contract/profile.js'
import { profiles } from '../../src/service/contract/profiles.js'
import {
  ADMIN,
  type Answer,
  CLIENT,
  EDITOR,
  expectErrorObject,
  FIXED,
  FRONTEND,
  onEveryAdapter,
  read,
  VIEWER,
} from '../support/adapters.js'
import { acceptedBody, examplePath, MEETING } from '../support/any-request.js'
import { KEYS } from '../support/example-requests.js'
import { rowOf, rows } from '../support/requests.js'
import { RUNS, someOf } from '../support/runs.js'

const codePoint = fc.nat({ max: 0x10_ffff })
/** Text in a path or a query. */
const webText = fc
  .array(
    fc.oneof(
      { weight: 9, arbitrary: fc.constantFrom(..."azAZ09-._~!$&'()*+,;=:@/") },
      codePoint
        .filter((point) => point < 0xd800 || point > 0xdfff)
        .map((point) => encodeURIComponent(String.fromCodePoint(point))),
    ),
  )
  .map((characters) => characters.join(''))

/** A path segment as sent, well-formed or not. */
const segment = fc.oneof(
  fc
    .string({ unit: 'grapheme', minLength: 1 })
    .filter((text) => !/^\.+$/.test(text))
    .map(encodeURIComponent),
  fc.stringMatching(/^x[%0-9A-Fa-f._~!$&'()*+,;=:@-]{1,12}$/),
  fc.constantFrom('default', 'checkout-redesign', 'live-invite', '__proto__', 'constructor', '%2F', '%00', '1'),
)
const key = fc.oneof(
  fc.constantFrom(ADMIN, ADMIN, EDITOR, VIEWER, CLIENT, FRONTEND, ''),
  fc.string({ unit: 'grapheme-ascii' }).filter(isHeaderValue),
)
const contentType = fc.oneof(
  { weight: 4, arbitrary: fc.constant('application/json') },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme-ascii' }).filter(isHeaderValue) },
)

/** Nearly valid bodies: known properties with values of any kind. */
const nearly = fc.dictionary(
  fc.constantFrom(
    'name',
    'replaceGroupId',
    'expiresAt',
    'enabled',
    'email',
    'username',
    'password',
    '__proto__',
    'tags',
  ),
  fc.oneof(fc.jsonValue(), fc.date({ noInvalidDate: true }).map(String), fc.constantFrom(FIXED.now, 'x', true, null)),
)
/** Text of any code points, including halves of pairs. `fc.string` first builds a map of all, which takes a second. */
const anyText = fc.array(codePoint).map((points) => String.fromCodePoint(...points))
const body = fc.oneof(
  fc.jsonValue().map((value) => JSON.stringify(value)),
  nearly.map((value) => JSON.stringify(value)),
  anyText,
  fc.uint8Array().map((bytes) => new Uint8Array(bytes)),
)
const header = fc.tuple(
  fc.constantFrom('accept', 'x-mock-scenario', 'x-mock-session', 'content-encoding', 'content-language', 'cookie'),
  fc.oneof(
    fc.constantFrom('gzip', 'deflate', 'default', 'empty', 'mock-scenario=empty', 'mock-session=x'),
    fc.string({ unit: 'grapheme-ascii' }).filter(isHeaderValue),
  ),
)
const query = fc.oneof(
  fc.constant(''),
  webText.map((text) => `?${text}`),
)

// Signing out redirects, and fetch would follow to a place without the mock.
const idsOfAnswers = operationIds.filter((id) => !id.startsWith('logout'))

const anyRequest = fc.record({
  id: fc.constantFrom(...idsOfAnswers),
  segments: fc.array(segment, { minLength: 3, maxLength: 3 }),
  key,
  contentType,
  body,
  headers: fc.array(header, { maxLength: 2 }).map((pairs) => Object.fromEntries(pairs)),
  query,
})

/** Every possible status of a response to an operation. */
function statusesOf(row: OperationRow, profile: Profile): number[] {
  return [successStatus(row, profile), ...errorStatusesOf(row, profile)]
}

const detail = z.strictObject({ message: z.string().optional(), path: z.string().optional() })
const validation = z.strictObject({ message: z.string(), validationErrors: z.array(z.string()) })

/** The errors of Unleash: nothing, a message, or a whole object. */
const serviceError = z.union([
  z.undefined(),
  z.strictObject({ message: z.string() }),
  z.strictObject({ error: z.string() }),
  z.looseObject({ name: z.string(), message: z.string(), details: z.array(z.union([detail, validation])) }),
])

describe.each(['documented', 'unleash-8'] as const)('random requests in the profile %s', (name) => {
  const profile = profiles[name]

  function expectPromised(row: OperationRow, { status, headers, body }: Answer): void {
    if (headers.has('x-mock-error')) {
      expect([status, headers.get('x-mock-error')]).toEqual([400, 'UNKNOWN_SCENARIO'])
      return
    }
    expect(statusesOf(row, profile)).toContain(status)
    if (status >= 400 && name === 'unleash-8') serviceError.parse(body)
    if (status >= 400 || successSchema(row, profile) !== undefined) return
    if (row.success.text === undefined) expect(body).toBeUndefined()
    else expect(body).toBeTypeOf('string')
  }

  onEveryAdapter(
    'any request',
    (client) => {
      it('any request gets a status of its operation, and a body that matches its schema', async () => {
        await fc.assert(
          fc.asyncProperty(anyRequest, async ({ id, segments, key, contentType, body, headers, query }) => {
            const row = rowOf(id)
            let next = 0
            const path = row.path.replaceAll(/:\w+/g, () => segments[next++] ?? 'x') + query
            const hasBody = row.method !== 'GET'
            // `send` knows the schemas of responses, and checks them.
            const answer = await client.send(row.method, path, hasBody ? body : undefined, {
              key,
              headers: { ...headers, ...(hasBody ? { 'content-type': contentType } : {}) },
            })
            expectPromised(row, answer)
            // In maintenance mode, all later responses would be 503.
            if (id === 'toggleMaintenance') client.mock.reset()
          }),
          { numRuns: 7 * RUNS },
        )
      })
    },
    { ...FIXED, profile: name },
  )
})

it('any path gets a response, and never an internal error', async () => {
  const mock = createMock(FIXED)
  const path = fc.oneof(
    fc.array(segment, { maxLength: 8 }).map((segments) => `/${segments.join('/')}`),
    webText.map((text) => `/${text}`),
  )
  const method = fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'PROPFIND')
  await fc.assert(
    fc.asyncProperty(path, method, async (somewhere, how) => {
      const url = `http://localhost${somewhere}`
      fc.pre(URL.canParse(url))
      const answer = await read(await mock.fetch(new Request(url, { method: how, headers: { authorization: ADMIN } })))
      expect(answer.headers.get('x-mock-error')).not.toBe('INTERNAL')
      if (answer.status >= 400 && how !== 'HEAD') expectErrorObject(answer)
      expect([200, 202, 204, 302, 400, 404, 415, 501]).toContain(answer.status)
    }),
    { numRuns: 34 * RUNS },
  )
})

/** JSON without a text form, and half of a surrogate pair. */
const ODD = ['{"toString":1,"valueOf":1}', '"\\ud800"']

/** JSON that is too deep for a recursive function. */
const DEEP = `${'['.repeat(20_000)}${']'.repeat(20_000)}`

/** Copies of a body, each with a mark in another place: for an existing property, or for one more. */
function marked(body: unknown): unknown[] {
  if (Array.isArray(body)) return ['@', ...body.flatMap((item, i) => marked(item).map((one) => body.with(i, one)))]
  if (typeof body !== 'object' || body === null) return ['@']
  const inside = Object.entries(body).flatMap(([name, value]) => marked(value).map((one) => ({ ...body, [name]: one })))
  return ['@', { ...body, more: '@' }, ...inside]
}

it('no value anywhere in a body causes an internal error', async () => {
  const mock = createMock({ ...FIXED, profile: 'unleash-8', fixtures: MEETING })
  const failed: string[] = []
  for (const row of someOf(rows.filter(({ body }) => body !== undefined))) {
    mock.reset()
    const bodies = marked(acceptedBody(row) ?? {}).map((body) => JSON.stringify(body))
    for (const body of bodies.flatMap((text) => [...ODD, DEEP].map((odd) => text.replace('"@"', odd)))) {
      const answer = await mock.fetch(
        new Request(`http://localhost${examplePath(row)}`, {
          method: row.method,
          headers: { authorization: KEYS[row.access] ?? '', 'content-type': 'application/json' },
          body,
        }),
      )
      if (answer.headers.get('x-mock-error') === 'INTERNAL') failed.push(`${row.id} ${body.slice(0, 200)}`)
    }
  }
  expect(failed).toEqual([])
})

it('no value anywhere in a record causes an internal error', () => {
  const mock = createMock({ ...FIXED, fixtures: MEETING })
  const { version, ...lists } = mock.state()
  for (const [list, records] of Object.entries(lists)) {
    for (const given of marked(records[0])) {
      for (const odd of ODD) {
        try {
          mock.add(JSON.parse(JSON.stringify({ [list]: [given] }).replace('"@"', odd)))
          mock.reset()
        } catch (error) {
          expect(error).toMatchObject({ code: 'INVALID_STATE' })
        }
      }
    }
  }
})

it('any state is accepted or rejected as a whole', () => {
  const mock = createMock(FIXED)
  const list = fc.constantFrom('features', 'signupTokens', 'users', 'roles', 'projects', 'environments', 'events')
  const entry = fc.dictionary(
    fc.constantFrom(
      'name',
      'secret',
      'id',
      'project',
      'environments',
      'createdAt',
      'role',
      'users',
      'type',
      '__proto__',
    ),
    fc.oneof(fc.jsonValue(), fc.constantFrom('default', 'now', 'now-1d', 1, 3, { id: 3 }, [])),
  )
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), fc.dictionary(list, fc.array(entry))), (given) => {
      const before = mock.state()
      try {
        mock.add(given as never)
      } catch (error) {
        expect(error).toMatchObject({ code: 'INVALID_STATE' })
        expect(mock.state()).toEqual(before)
        return
      }
      const after = mock.state()
      mock.restore(after)
      expect(mock.state()).toEqual(after)
      mock.reset()
    }),
    { numRuns: 20 * RUNS },
  )
})

function isHeaderValue(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text)
}
