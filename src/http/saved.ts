import { mockErrorAnswer, toMockError } from './mock-answer.js'
import type { Outcome } from './service.js'

/** An answer goes out when the change that it reports, or shows, can no longer be lost. */
export async function whenSaved(saving: Promise<void>, outcome: Outcome): Promise<Outcome> {
  try {
    await saving
    return outcome
  } catch (error) {
    return { ...outcome, answer: mockErrorAnswer(toMockError(error)) }
  }
}
