import { mockErrorAnswer, toMockError } from './mock-answer.js'
import type { Call, Outcome } from './service.js'

/** Whether a call may have changed something. Others don't wait for what is being saved. */
export function mayChange({ request: { method }, found }: Call): boolean {
  if (method !== 'GET' && method !== 'HEAD') return true
  return found?.target.kind === 'operation' && found.target.row.writes !== undefined
}

/** The answer goes out when the change that it reports can no longer be lost. */
export async function whenSaved(saving: Promise<void>, outcome: Outcome): Promise<Outcome> {
  try {
    await saving
    return outcome
  } catch (error) {
    return { ...outcome, answer: mockErrorAnswer(toMockError(error)) }
  }
}
