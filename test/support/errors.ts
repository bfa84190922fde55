import { MockError } from '../../src/engine/errors/mock-errors.js'

/** The `MockError` that a function throws. */
export function errorOf(act: () => unknown): MockError {
  try {
    act()
  } catch (error) {
    if (error instanceof MockError) return error
    throw error
  }
  throw new Error('Nothing was thrown.')
}
