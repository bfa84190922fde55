import { CommanderError } from 'commander'
import { UsageError } from '../files/usage-error.js'
import { didYouMean } from '../support/nearest.js'
import { suggestFlag } from './flags.js'
import { type Io, report } from './io.js'
import { commandNames, createProgram, type Done } from './program.js'

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
