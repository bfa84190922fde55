import { CommanderError } from 'commander'
import { MockError } from '../contract/mock-errors.js'
import { UsageError } from '../files/usage-error.js'
import { didYouMean } from '../support/nearest.js'
import { suggestFlag } from './flags.js'
import type { Io } from './io.js'
import { commandNames, createProgram, type Done } from './program.js'

/** The exit code for errors that the user can fix. */
export const USAGE = 2
const BUG = 1

/** Reports an error on standard error: one line with the problem, one with a hint. Returns the exit code. */
export function report(error: unknown, { stderr }: Pick<Io, 'stderr'>): number {
  const { message, hint, code } = explain(error)
  stderr.write(`flagdouble: ${message}\nhint: ${hint}\n`)
  return code
}

function explain(error: unknown): { message: string; hint: string; code: number } {
  if (error instanceof UsageError) return { message: error.message, hint: error.hint, code: USAGE }
  if (error instanceof MockError) return { message: error.fault, hint: error.hint, code: USAGE }
  if (error instanceof CommanderError) {
    const [message = ''] = error.message.replace(/^error: /, '').split('\n')
    return { message: `${message.replace(/\.$/, '')}.`, hint: 'See `flagdouble --help`.', code: USAGE }
  }
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { message: `failed: ${trace}`, hint: 'This is a bug in flagdouble. Please report it.', code: BUG }
}

/**
 * Runs the command line and returns the exit code. Touches the process only through `io`.
 *
 * @example
 * process.exitCode = await run(['start', '--port', '0'], io)
 */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  let exitCode = 0
  const done: Done = (code) => {
    exitCode = code
  }
  const program = createProgram(io, done)
  try {
    rejectUnknownCommand(commandNames(program), argv)
    await program.parseAsync(argv, { from: 'user' })
    return exitCode
  } catch (error) {
    return isHelp(error) ? 0 : report(suggestFlag(error, program, argv), io)
  }
}

/** Commander would pass an unknown word to the default command. */
function rejectUnknownCommand(known: readonly string[], [word]: readonly string[]): void {
  if (word === undefined || word.startsWith('-') || known.includes(word)) return
  throw new UsageError(
    `There is no command "${word}".`,
    `${didYouMean(word, known)} Commands: ${known.join(', ')}.`.trim(),
  )
}

function isHelp(error: unknown): boolean {
  return error instanceof CommanderError && error.exitCode === 0
}
