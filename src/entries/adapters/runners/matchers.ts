import { atCallSite, expectOptions, invalidArgument } from '../../../engine/errors/arguments.js'
import { expectMock } from '../../../engine/mock/recognize.js'
import type { MockSession } from '../../../engine/mock/session.js'
import type { JournalEntry } from '../../../engine/sessions/journal.js'
import type { OperationId } from '../../../service/api/operations.js'
import { isObject } from '../../../support/json.js'
import { listRequests } from './requests.js'

/** The conditions of `toHaveReceived`. Every part can be or contain an asymmetric matcher. */
export interface ReceivedRequest {
  /** The number of such requests. Default: at least one. */
  times?: number
  /** The status of the response. */
  status?: unknown
  /** Part of the request's body: objects can have more fields. */
  body?: unknown
  /** Part of the response's body. */
  response?: unknown
  /** The path with the query, such as `/api/admin/projects?archived=true`. */
  path?: unknown
  /** The scenario that responded. */
  scenario?: unknown
}

declare global {
  namespace Chai {
    // Both majors of Vitest build their assertions on this interface. Their own interfaces have different type parameters.
    interface Assertion {
      /**
       * Whether the mock received requests for an operation: at least once, a number of times, or with certain contents.
       *
       * @example
       * expect(mock).toHaveReceived('cloneFeature')
       * expect(mock).toHaveReceived('cloneFeature', 2)
       * expect(mock).toHaveReceived('cloneFeature', { body: { name: 'copy' }, status: 200 })
       */
      toHaveReceived(operation: OperationId, expected?: number | ReceivedRequest): void
    }
  }
}

const FIELDS = {
  status: 'status',
  body: 'requestBody',
  response: 'responseBody',
  path: 'path',
  scenario: 'scenario',
} as const

type MatcherField = keyof typeof FIELDS

/** The relevant part of a runner's `this` in a matcher. */
interface MatcherContext {
  equals(one: unknown, other: unknown, testers?: never[]): boolean
  utils: object
}

/** The matcher for `expect.extend` of Vitest, Jest and Playwright. */
export function toHaveReceived(
  this: MatcherContext,
  received: unknown,
  operation: OperationId,
  expected: number | ReceivedRequest = {},
) {
  return atCallSite(toHaveReceived, () => {
    expectMock(received, 'toHaveReceived')
    if (typeof operation !== 'string') throw invalidArgument('toHaveReceived', 'the name of an operation', operation)
    const { times, ...like } = checked(expected)
    const { requests } = received as MockSession
    const asked = requests.find({ operation })
    const { subsetEquality, iterableEquality } = this.utils as Partial<Record<string, never>>
    const equality = [subsetEquality, iterableEquality].filter((tester) => tester !== undefined)
    const fitting = asked.filter((entry) => this.equals(partsOf(entry, like), like, equality)).length
    const pass = times === undefined ? fitting > 0 : fitting === times
    const fault = sentence({
      operation,
      times,
      isLike: Object.keys(like).length > 0,
      asked: asked.length,
      fitting,
      pass,
    })
    const message = () => `${fault}\n\n${listRequests(requests.all())}`
    return { pass, message, ...difference(asked, fitting, times, like) }
  })
}

function checked(expected: unknown): ReceivedRequest {
  const given = typeof expected === 'number' ? { times: expected } : expected
  if (!isObject(given)) throw invalidArgument('toHaveReceived', 'a number or an object', expected)
  expectOptions(given, 'toHaveReceived', ['times', ...Object.keys(FIELDS)])
  const { times } = given as ReceivedRequest
  if (times !== undefined && !(Number.isInteger(times) && times >= 0)) {
    throw invalidArgument('toHaveReceived', 'a whole number of times', times)
  }
  return given
}

/** The expected parts of an entry. Only the expected fields of objects, so that a diff stays short. */
function partsOf(entry: JournalEntry, like: ReceivedRequest): Record<string, unknown> {
  const parts = Object.entries(like) as [MatcherField, unknown][]
  return Object.fromEntries(parts.map(([name, expected]) => [name, expectedFields(entry[FIELDS[name]], expected)]))
}

function expectedFields(value: unknown, expected: unknown): unknown {
  if (!isObject(value) || !isObject(expected) || 'asymmetricMatch' in expected) return value
  const shared = Object.keys(expected).filter((name) => Object.hasOwn(value, name))
  return Object.fromEntries(shared.map((name) => [name, expectedFields(value[name], expected[name])]))
}

interface Finding {
  operation: OperationId
  times: number | undefined
  /** Whether the call has conditions besides the operation. */
  isLike: boolean
  /** The number of requests for the operation. */
  asked: number
  /** The number of matching requests. */
  fitting: number
  pass: boolean
}

function sentence({ operation, times, isLike, asked, fitting, pass }: Finding): string {
  const wanted = times === undefined ? '' : ` ${counted(times)}`
  const alike = isLike ? ' with these values' : ''
  return `expected the mock${pass ? ' not' : ''} to receive ${operation}${alike}${wanted}, but ${found()}`

  function found(): string {
    if (asked === 0) return 'it never did'
    if (fitting === 0) return asked === 1 ? 'the only request differs' : `all ${asked} requests differ`
    return `it did ${counted(fitting)}`
  }
}

function counted(times: number): string {
  if (times === 0) return 'never'
  return times === 1 ? 'once' : `${times} times`
}

/** Vitest's diff: the last request's parts or, if only the number is wrong, the numbers. */
function difference(asked: readonly JournalEntry[], fitting: number, times: number | undefined, like: ReceivedRequest) {
  const last = asked.at(-1)
  if (last === undefined) return {}
  if (fitting === 0 && Object.keys(like).length > 0) return { actual: partsOf(last, like), expected: like }
  return times === undefined ? {} : { actual: fitting, expected: times }
}
