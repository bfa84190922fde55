import { type OperationId, operations } from '../api/operations.js'
import { createMock, type Mock } from '../mock/mock.js'
import type { PartialState } from '../state/partial-state.js'
import { isObject } from '../support/json.js'
import { compare, type Difference } from '../transfer/compare.js'
import type { ServiceClient } from './client.js'
import type { People } from './people.js'
import { pull } from './pull.js'
import { ignoredIn, NOT_COMPARED, questionsAbout } from './questions.js'

/** How the answers to an operation compare. */
export type Verdict = 'same' | 'differs' | 'they refuse' | 'not modelled'

/** What was found about an operation. One that is not modelled has the path of the service in place of its id. */
export interface OperationVerdict {
  operation: string
  result: Verdict
  /** How many requests were compared. */
  asked: number
  /** The status with which the service refused. */
  status?: number
  /** The first differences, each with the request that showed it. */
  differences: (Difference & { request: string })[]
  /** How many there are in all. */
  differing: number
}

/** What a mock that holds a service's data answers, held against the service itself. */
export interface Verification {
  /** The version that the service says it has. */
  version: string
  operations: readonly OperationVerdict[]
  /** Operations that are not compared, each with the reason. */
  notCompared: Readonly<Record<string, string>>
  /** What could not be pulled, in words. */
  missed: readonly string[]
}

export interface VerifyOptions {
  client: ServiceClient
  projects: readonly string[]
  people: People
  onProgress(done: number, total: number, what: string): void
}

/** Differences of an operation that are reported one by one. */
const SHOWN = 20

const KEY_OF_USER = 'user:verification'
const KEY = '*:*.mock-admin'

/** Pulls a service, asks it and a mock with the same data the same questions, and says where the answers differ. */
export async function verify(options: VerifyOptions): Promise<Verification> {
  const { client, people, projects, onProgress } = options
  const { state, version, userId, missed } = await pull(options)
  await using mock = mockWith(state, userId)
  const key = userId === undefined ? KEY : KEY_OF_USER
  const ofSomeProjects = projects.length > 0
  const questions = questionsAbout(mock.state(), ofSomeProjects)
  const verdicts = new Map<OperationId, OperationVerdict>()
  for (const [i, { operation, path }] of questions.entries()) {
    const verdict = verdicts.get(operation) ?? { operation, result: 'same', asked: 0, differences: [], differing: 0 }
    verdicts.set(operation, verdict)
    const theirs = await client.get(path)
    onProgress(i + 1, questions.length, operation)
    if (theirs.status === 401 || theirs.status === 403 || theirs.status >= 500) {
      if (verdict.asked === 0) Object.assign(verdict, { result: 'they refuse', status: theirs.status })
      continue
    }
    const ours = await mock.fetch(new Request(`${mock.baseUrl}${path}`, { headers: { authorization: key } }))
    const text = await ours.text()
    const body: unknown = text === '' ? undefined : JSON.parse(text)
    const found =
      theirs.status === ours.status
        ? differencesOf(people.replaceIn(theirs.body), body, ours.ok ? ignoredIn(operation, ofSomeProjects) : undefined)
        : [{ at: 'status', theirs: theirs.status, ours: ours.status }]
    note(verdict, `GET ${path}`, found)
  }
  const others = ofSomeProjects ? [] : await notModelled(client)
  return { version, operations: [...verdicts.values(), ...others], notCompared: NOT_COMPARED, missed }
}

/** The differences of two answers, without what is ignored. The texts of errors are our own: of these only the names count. */
function differencesOf(theirs: unknown, ours: unknown, ignored: ReadonlySet<string> | undefined): Difference[] {
  if (ignored !== undefined) return compare(theirs, ours, ignored)
  const nameOf = (body: unknown) => (isObject(body) ? body.name : undefined)
  return compare({ name: nameOf(theirs) }, { name: nameOf(ours) }, new Set())
}

function note(verdict: OperationVerdict, request: string, found: readonly Difference[]): void {
  delete verdict.status
  verdict.asked++
  verdict.differing += found.length
  verdict.result = verdict.differing > 0 ? 'differs' : 'same'
  const shown = found.slice(0, Math.max(0, SHOWN - verdict.differences.length))
  verdict.differences.push(...shown.map((one) => ({ request, ...one })))
}

/** A mock with what was pulled, and with nothing else of the kinds that were pulled. */
function mockWith(state: PartialState, userId: number | undefined): Mock {
  const mock = createMock({ profile: 'unleash-8', scenario: 'empty', fixtures: state })
  const { roles, apiTokens, ...others } = mock.state()
  const ofNobody = apiTokens.filter((token) => token.userId === null)
  // Built-in roles are in every service, and not pulled.
  mock.restore({ ...others, ...state, roles, apiTokens: ofNobody })
  if (userId !== undefined && mock.users.get(userId) === undefined)
    mock.add({ users: [{ id: userId, rootRole: 'Admin' }] })
  if (userId !== undefined)
    mock.add({ apiTokens: [{ secret: KEY_OF_USER, type: 'user', tokenName: 'verify', userId }] })
  return mock
}

/** What the service's own document lists for reading, and the mock does not have. */
async function notModelled(client: ServiceClient): Promise<OperationVerdict[]> {
  const { body } = await client.get('/docs/openapi.json')
  const modelled = new Set(operations.filter(({ method }) => method === 'GET').map(({ path }) => shapeOf(path)))
  const paths = isObject(body) && isObject(body.paths) ? Object.entries(body.paths) : []
  return paths
    .filter(([path, methods]) => path.startsWith('/api/admin/') && isObject(methods) && methods.get !== undefined)
    .filter(([path]) => !modelled.has(shapeOf(path)))
    .map(([path]) => ({ operation: `GET ${path}`, result: 'not modelled', asked: 0, differences: [], differing: 0 }))
}

/** A path without the names of its parameters, which each side writes in its own way. */
function shapeOf(path: string): string {
  return path.replaceAll(/\{[^{}]*\}|:\w+/g, '{}').replace(/\/$/, '')
}
