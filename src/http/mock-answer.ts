import { MockError } from '../contract/mock-errors.js'
import { type Answer, jsonAnswer } from './answer.js'

/** The header that marks flagdouble's own answers. Its value is the error code. */
export const MOCK_ERROR_HEADER = 'x-mock-error'

/** The header with advice on an answer that is not flagdouble's own error. */
export const HINT_HEADER = 'x-mock-hint'

/** A header with advice. Headers carry Latin characters only, and names may be in any script. */
export function hintHeader(text: string | undefined): Record<string, string> {
  return text === undefined ? {} : { [HINT_HEADER]: text.replaceAll(/[^ -~]/g, '?') }
}

/** flagdouble's own error, marked so that nobody takes it for the service's answer. */
export function mockErrorAnswer(error: MockError): Answer {
  return jsonAnswer(error.status, error.toAnswer(), { [MOCK_ERROR_HEADER]: error.code })
}

/** The error that is answered when something throws. What is a bug is printed with its stack: an answer shows none. */
export function toMockError(error: unknown): MockError {
  if (error instanceof MockError) return error
  // biome-ignore lint/suspicious/noConsole: nobody else learns of it
  console.error('[flagdouble] This is a bug in flagdouble. Please report it.', error)
  const reason = error instanceof Error ? error.message : String(error)
  const hint = 'This is a bug in flagdouble. Please report it.'
  return new MockError('INTERNAL', `flagdouble failed: ${reason}`, hint, [], { cause: error })
}
