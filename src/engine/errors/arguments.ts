import { type AnyFunction, startStackAtCallOf } from '../../support/errors.js'
import { isObject, show } from '../../support/json.js'
import { didYouMean } from '../../support/nearest.js'
import { MockError } from './mock-errors.js'

/** Runs the body of a public function, so that the stack of a `MockError` starts at the caller's line. */
export function atCallSite<Value>(called: AnyFunction, work: () => Value): Value {
  try {
    return work()
  } catch (error) {
    if (error instanceof MockError) startStackAtCallOf(called, error)
    throw error
  }
}

/** Wraps the functions of an object in `atCallSite`. */
export function withCallerStacks<Members extends object>(members: Members): Members {
  for (const [name, work] of Object.entries(members)) {
    if (typeof work === 'function') Reflect.set(members, name, atCallSiteOf(work as AnyFunction))
  }
  return members
}

function atCallSiteOf(work: AnyFunction): AnyFunction {
  const called: AnyFunction = (...args) => atCallSite(called, () => work(...args))
  return called
}

/** Throws `INVALID_ARGUMENT` unless the argument is a function. */
export function expectFunction(given: unknown, call: string): void {
  if (typeof given !== 'function') throw invalidArgument(call, 'a function', given)
}

/** Throws `INVALID_ARGUMENT` unless the argument is a string. */
export function expectString(given: unknown, call: string): void {
  if (typeof given !== 'string') throw invalidArgument(call, 'a string', given)
}

/** Throws `INVALID_ARGUMENT` unless the argument is an object with no members besides the known ones. */
export function expectOptions(given: unknown, call: string, known: readonly string[]): void {
  if (!isObject(given)) throw invalidArgument(call, 'an object of options', given)
  const unknown = Object.keys(given).find((name) => !known.includes(name))
  if (unknown === undefined) return
  const problem = `${call} has no option "${unknown}".${didYouMean(unknown, known)}`
  const hint = `The options are ${known.join(', ')}. ${exampleOf(call) ?? ''}`.trim()
  throw new MockError('INVALID_OPTION', problem, hint)
}

/** The arguments of a right call of public functions. */
const EXAMPLES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    createMock: "{ scenario: 'empty' }",
    startServer: "{ scenario: 'empty' }, { port: 4242 }",
    createHandlers: "mock, { baseUrl: 'https://flags.example.com' }",
    'mock.enable': "'new-checkout', 'beta'",
    'mock.disable': "'new-checkout', 'beta'",
    'mock.setVariant': "'button', 'blue'",
    'mock.tellFlags': "{ 'new-checkout': 'off' }",
    'mock.useScenario': "'empty', 'slow'",
    'mock.session': "'nora'",
    'mock.client': "{ userId: '7', properties: { plan: 'pro' } }",
    'mock.onRequest': '(entry) => console.log(entry.path)',
    'requests.waitFor': '{ status: 200 }, { timeout: 1000 }',
  }),
)

/** A sentence with a right call. Undefined for the other functions. */
function exampleOf(call: string): string | undefined {
  const given = EXAMPLES.get(call)
  return given && `An example: ${call}(${given})`
}

/** The error for an invalid argument of a public function. */
export function invalidArgument(call: string, expected: string, given: unknown): MockError {
  return new MockError(
    'INVALID_ARGUMENT',
    `${call} takes ${expected}, not ${show(given)}.`,
    exampleOf(call) ?? 'Its types and docs/create-mock.md describe its arguments.',
  )
}
