import { CommanderError } from 'commander'
import { type Io, printError, safeOutput } from './io.js'
import { commandNamed, explainMisuse } from './misuse.js'
import { createProgram, type Done } from './program.js'

/**
 * Runs the command line and returns the exit code. Touches the process only through `io`.
 *
 * @example
 * process.exitCode = await run(['start', '--port', '0'], io)
 */
export async function run(argv: readonly string[], given: Io): Promise<number> {
  const io = { ...given, stderr: safeOutput(given.stderr) }
  let exitCode = 0
  const done: Done = (code) => {
    exitCode = code
  }
  const program = createProgram(io, done)
  try {
    // Commander would pass an unknown word to the default command.
    if (argv[0]?.startsWith('-') === false) commandNamed(argv[0], program)
    await program.parseAsync(argv, { from: 'user' })
    return exitCode
  } catch (error) {
    const isHelp = error instanceof CommanderError && error.exitCode === 0
    return isHelp ? 0 : printError(explainMisuse(error, program, argv), io)
  }
}
