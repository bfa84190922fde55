import { CommanderError } from 'commander'
import { MockError } from '../contract/mock-errors.js'
import { type Io, UsageError } from './io.js'

/** The exit code for whatever the user can mend. */
export const USAGE = 2
const BUG = 1

/** Tells an error on standard error: one line that says what is wrong, one that helps. The answer is the exit code. */
export function report(error: unknown, { stderr }: Pick<Io, 'stderr'>): number {
  const { message, hint, code } = explain(error)
  stderr.write(`flagdouble: ${message}\nhint: ${hint}\n`)
  return code
}

function explain(error: unknown): { message: string; hint: string; code: number } {
  if (error instanceof UsageError) return { message: error.message, hint: error.hint, code: USAGE }
  if (error instanceof MockError) return { message: error.fault, hint: error.hint, code: USAGE }
  if (error instanceof CommanderError) {
    const [message = '', suggestion = ''] = error.message.replace(/^error: /, '').split('\n')
    const didYouMean = suggestion.replace(/^\(|\)$/g, '')
    return {
      message: `${message.replace(/\.$/, '')}.`,
      hint: `${didYouMean} \`flagdouble --help\` tells more.`.trim(),
      code: USAGE,
    }
  }
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { message: `failed: ${trace}`, hint: 'This is a bug of flagdouble; please report it.', code: BUG }
}
