import { expect, it, onTestFinished, vi } from 'vitest'
import { toMockError } from '../../src/engine/http/answer.js'
import { MockError } from '../../src/service/contract/mock-errors.js'

it('an internal error keeps its cause, and is printed with its stack', () => {
  const print = vi.spyOn(console, 'error').mockReturnValue()
  onTestFinished(() => print.mockRestore())
  const bug = new TypeError('x is not a function')
  const error = toMockError(bug)
  expect([error.code, error.cause]).toEqual(['INTERNAL', bug])
  expect(print.mock.calls.flat()).toContain(bug)
})

it('an intended error of flagdouble is not printed like a bug', () => {
  const print = vi.spyOn(console, 'error').mockReturnValue()
  onTestFinished(() => print.mockRestore())
  const meant = new MockError('UNKNOWN_SCENARIO', 'There is none.', 'Use another.')
  expect(toMockError(meant)).toBe(meant)
  expect(print).not.toHaveBeenCalled()
})
