import { Command } from 'commander'
import { didYouMean } from '../support/nearest.js'
import { version } from '../version.js'
import { report } from './errors.js'
import { addFlags, readFlags } from './flags.js'
import { type Io, UsageError } from './io.js'

const EXAMPLES = `
Examples:
  flagdouble                                      start at http://127.0.0.1:4242
  flagdouble --scenario expired-token,slow        start with two scenarios, one over the other
  flagdouble --fixtures my.json --watch           add state of your own, follow its changes
  flagdouble --state flags.json                   keep what is changed
  flagdouble exec -- npm test                     start, run the tests with FLAGDOUBLE_URL set, stop

\`flagdouble start --help\` lists the flags. Exit codes: 0 done, 2 something to mend.`

const TWINS = `
Each flag has a twin in the environment, such as FLAGDOUBLE_PORT or FLAGDOUBLE_ALLOW_HOST; repeatable ones take
a list with commas there. The flag goes before its twin.`

/**
 * The command line. The answer is the exit code; nothing of the process is touched, but for what `io` hands in.
 *
 * @example
 * process.exitCode = await run(['start', '--port', '0'], io)
 */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  let exitCode = 0
  const program = createProgram(io, (code) => {
    exitCode = code
  })
  try {
    refuseUnknownCommand(program, argv)
    await program.parseAsync(argv, { from: 'user' })
    return exitCode
  } catch (error) {
    return isHelp(error) ? 0 : report(error, io)
  }
}

/** Is told the exit code of a command that is done. */
type Done = (exitCode: number) => void

function createProgram(io: Io, done: Done): Command {
  const program = new Command('flagdouble')
    .description('A stateful double of the admin API of a feature-flag service, with scenarios.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help, also of a command')
    .helpCommand(false)
    .addHelpText('after', EXAMPLES)
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      outputError: () => undefined,
      getOutHelpWidth: () => 110,
    })
  addServingCommands(program, io, done)
  addPrintingCommands(program, io, done)
  return program
}

function addServingCommands(program: Command, io: Io, done: Done): void {
  addFlags(program.command('start', { isDefault: true }))
    .description('start the server (what flagdouble alone does)')
    .addHelpText('after', TWINS)
    .action(async (given) => {
      const { start } = await import('./start.js')
      done(await start(readFlags(given, io.env), io))
    })

  addFlags(program.command('exec'))
    .passThroughOptions()
    .description('start the server, run a command with FLAGDOUBLE_URL set, stop, hand on its exit code')
    .argument('[command...]', 'what to run, after two dashes')
    .addHelpText('after', TWINS)
    .action(async (command, given) => {
      const { exec } = await import('./exec.js')
      done(await exec(readFlags(given, io.env), command, io))
    })
}

function addPrintingCommands(program: Command, io: Io, done: Done): void {
  program
    .command('scenarios')
    .description('list the scenarios: the name and the promise of each')
    .option('--scenarios <dir>', 'your own too, from a folder of .json files')
    .option('--json', 'as JSON')
    .action(async (given) => {
      const { scenarios } = await import('./scenarios.js')
      done(await scenarios(given, io))
    })

  program
    .command('validate')
    .description('check fixture and scenario files, and tell every fault in them')
    .argument('[file...]', 'JSON files, or folders of them')
    .action(async (files) => {
      const { validate } = await import('./validate.js')
      done(await validate(files, io))
    })

  program
    .command('openapi')
    .description('print the OpenAPI document of what is modelled')
    .action(async () => {
      const { openapi } = await import('./openapi.js')
      done(await openapi(io))
    })
}

/** Commander would hand an unknown word to the default command. */
function refuseUnknownCommand(program: Command, [word]: readonly string[]): void {
  const known = program.commands.map((command) => command.name())
  if (word === undefined || word.startsWith('-') || known.includes(word)) return
  throw new UsageError(
    `There is no command "${word}".`,
    `${didYouMean(word, known)} Commands: ${known.join(', ')}.`.trim(),
  )
}

function isHelp(error: unknown): boolean {
  const codes = ['commander.help', 'commander.helpDisplayed', 'commander.version']
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}
