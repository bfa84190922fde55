import { createMock, type Mock } from '../../engine/mock/mock.js'
import type { PartialState } from '../../engine/state/partial-state.js'
import { compare, type Difference } from '../../engine/transfer/compare.js'
import { type OperationId, operations } from '../../service/api/operations.js'
import { isObject } from '../../support/json.js'
import { didYouMean } from '../../support/nearest.js'
import { UsageError } from '../files/usage-error.js'
import { BrokenAnswer, type ServiceClient } from './client.js'
import type { People } from './people.js'
import { pull } from './pull.js'
import { ignoredIn, NOT_COMPARED, type Question, questionsAbout } from './questions.js'

/** How the answers to an operation compare. */
export type Verdict = 'same' | 'differs' | 'they refuse' | 'not modelled'

/** What was found about an operation. One that is not modelled has the path of the service in place of its id. */
export interface OperationVerdict {
  operation: string
  result: Verdict
  /** How many requests were compared. */
  asked: number
  /** The highest status with which the service refused or failed, if it did for some request. */
  status?: number
  /** Whether that was expected: `allowRefused` names the operation. */
  allowed?: boolean
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
  /** Operations that the service may refuse to the key. */
  allowRefused: readonly string[]
  onProgress(done: number, total: number, what: string): void
}

/** Differences of an operation that are reported one by one. */
const SHOWN = 20

const KEY_OF_USER = 'user:verification'
const KEY = '*:*.mock-admin'

/**
 * Pulls a service, asks it and a mock with the same data the same questions, and says where the answers differ. Throws a
 * `UsageError` if it can't be tried, or if `allowRefused` names no operation.
 */
export async function verify(options: VerifyOptions): Promise<Verification> {
  const { client, projects, allowRefused, onProgress } = options
  expectOperations(allowRefused)
  const { state, version, userId, missed } = await pull(options)
  await using mock = mockWith(state, userId)
  const ofSomeProjects = projects.length > 0
  const questions = questionsAbout(mock.state(), ofSomeProjects)
  const verdicts = new Map<OperationId, OperationVerdict>()
  for (const [i, question] of questions.entries()) {
    const { operation } = question
    if (client.exhausted !== undefined) {
      missed.push(
        `${questions.length - i} of ${questions.length} questions: not asked any more, after ${client.exhausted}`,
      )
      break
    }
    const verdict = verdicts.get(operation) ?? { operation, result: 'same', asked: 0, differences: [], differing: 0 }
    verdicts.set(operation, verdict)
    await ask(question, verdict, mock, userId === undefined ? KEY : KEY_OF_USER, options)
    onProgress(i + 1, questions.length, operation)
  }
  const others = ofSomeProjects ? [] : await notModelled(client)
  return { version, operations: [...verdicts.values(), ...others], notCompared: NOT_COMPARED, missed }
}

/** Whether a verdict is bad news: the service answers otherwise, fails, or refuses what nobody allowed it to. */
export function isRed({ result, status = 0, allowed }: OperationVerdict): boolean {
  return result === 'differs' || status >= 500 || (result === 'they refuse' && !allowed)
}

function expectOperations(names: readonly string[]): void {
  const known = operations.map(({ id }) => String(id))
  const unknown = names.find((name) => !known.includes(name))
  if (unknown === undefined) return
  const hint = `${didYouMean(unknown, known)} The report of verify names them.`
  throw new UsageError(`--allow-refused: there is no operation "${unknown}".`, hint.trim())
}

/** Asks both sides a question, and enters in the verdict what that shows. */
async function ask(
  { operation, path }: Question,
  verdict: OperationVerdict,
  mock: Mock,
  key: string,
  { client, people, projects, allowRefused }: VerifyOptions,
): Promise<void> {
  const theirs = await answerOf(client, path)
  if (theirs === undefined) return
  const { status } = theirs
  if ([401, 403, 429].includes(status) || status >= 500) {
    verdict.status = Math.max(status, verdict.status ?? 0)
    verdict.allowed = allowRefused.includes(operation)
    if (verdict.result === 'same') verdict.result = 'they refuse'
    return
  }
  const ours = await mock.fetch(new Request(`${mock.baseUrl}${path}`, { headers: { authorization: key } }))
  const text = await ours.text()
  const body: unknown = text === '' ? undefined : JSON.parse(text)
  const ignored = ours.ok ? ignoredIn(operation, projects.length > 0) : undefined
  const found =
    status === ours.status
      ? differencesOf(people.replaceIn(theirs.body), body, ignored)
      : [{ at: 'status', theirs: status, ours: ours.status }]
  verdict.asked++
  verdict.differing += found.length
  if (found.length > 0) verdict.result = 'differs'
  const shown = found.slice(0, Math.max(0, SHOWN - verdict.differences.length))
  verdict.differences.push(...shown.map((one) => ({ request: `GET ${path}`, ...withoutUnknown(one) })))
}

/** The answer of the service. One that can't be read is an answer that differs. */
async function answerOf(client: ServiceClient, path: string) {
  try {
    return await client.get(path)
  } catch (error) {
    if (error instanceof BrokenAnswer) return { status: 200, body: error.message }
    throw error
  }
}

/** The differences of two answers, without what is ignored. The texts of errors are our own: of these only the names count. */
function differencesOf(theirs: unknown, ours: unknown, ignored: ReadonlySet<string> | undefined): Difference[] {
  if (ignored !== undefined) return compare(theirs, ours, ignored)
  const nameOf = (body: unknown) => (isObject(body) ? body.name : undefined)
  return compare({ name: nameOf(theirs) }, { name: nameOf(ours) }, new Set())
}

/** Of a property that the mock doesn't know, only the kind of its value: nobody knows what it is, so it may be a secret. */
function withoutUnknown(one: Difference): Difference {
  if (one.ours !== undefined || one.theirs === null) return one
  return { ...one, theirs: Array.isArray(one.theirs) ? 'an array' : KINDS[typeof one.theirs] }
}

const KINDS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
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
  const { body } = (await answerOf(client, '/docs/openapi.json')) ?? {}
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
