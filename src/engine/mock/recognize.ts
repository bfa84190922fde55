import { isObject } from '../../support/json.js'
import { version } from '../../version.js'
import { invalidArgument } from '../errors/arguments.js'
import { MockError } from '../errors/mock-errors.js'
import type { Mock } from './mock.js'
import { CORE } from './session.js'

/**
 * Whether a value is a mock, one of its sessions, or the result of `useMock`, of this copy of the package or of another.
 * Throws `INVALID_ARGUMENT` for a mock of another version.
 */
export function isMock(given: unknown, call: string): given is Mock {
  if (!isObject(given) || !(CORE in given)) return false
  const { [CORE]: core } = given as unknown as Mock
  // Outside of a running test, `useMock` has no core.
  if (core === undefined || core.version === version) return true
  throw new MockError(
    'INVALID_ARGUMENT',
    `${call} comes from flagdouble ${version}, but the mock comes from ${core.version ?? 'another version'}: two copies of the package are installed.`,
    '`npm ls flagdouble` lists both. Install one version, and import everything from it.',
  )
}

/** Throws `INVALID_ARGUMENT` unless the value is a mock, one of its sessions, or the result of `useMock`. */
export function expectMock(given: unknown, call: string): void {
  if (!isMock(given, call)) throw invalidArgument(call, 'a mock', given)
}
