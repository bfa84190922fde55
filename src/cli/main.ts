import { Command } from 'commander'
import { didYouMean } from '../support/nearest.js'
import { version } from '../version.js'
import { report } from './errors.js'
import { addFlags, readFlags } from './flags.js'
import { type Io, UsageError } from './io.js'

const EXAMPLES = `
Examples:
  flagdouble                                      start at http://127.0.0.1:4242
  flagdouble --scenario expired-token,slow        start with two scenarios combined
  flagdouble --fixtures my.json --watch           add your own state, reload it on changes
  flagdouble --state flags.json                   keep changes across restarts
  flagdouble exec -- npm test                     start, run the tests with FLAGDOUBLE_URL set, stop

\`flagdouble start --help\` lists the flags. Exit codes: 0 success, 2 an error you can fix.`

const ENVIRONMENT = `
Each flag can also be set by an environment variable, such as FLAGDOUBLE_PORT or FLAGDOUBLE_ALLOW_HOST;
repeatable ones take a comma-separated list there. The flag takes precedence.`

/**
 * Runs the command line and returns the exit code. Touches the process only through `io`.
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
    rejectUnknownCommand(program, argv)
    await program.parseAsync(argv, { from: 'user' })
    return exitCode
  } catch (error) {
    return isHelp(error) ? 0 : report(error, io)
  }
}

/** Receives a command's exit code. */
type Done = (exitCode: number) => void

function createProgram(io: Io, done: Done): Command {
  const program = new Command('flagdouble')
    .description('A stateful double of the admin API of a feature-flag service, with scenarios.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help, also for a command')
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
    .description('start the server (the default)')
    .addHelpText('after', ENVIRONMENT)
    .action(async (given) => {
      const { start } = await import('./start.js')
      done(await start(readFlags(given, io.env), io))
    })

  addFlags(program.command('exec'))
    .passThroughOptions()
    .description('run a command with a server and FLAGDOUBLE_URL, then stop and pass its exit code through')
    .argument('[command...]', 'the command, after two dashes')
    .addHelpText('after', ENVIRONMENT)
    .action(async (command, given) => {
      const { exec } = await import('./exec.js')
      done(await exec(readFlags(given, io.env), command, io))
    })
}

function addPrintingCommands(program: Command, io: Io, done: Done): void {
  program
    .command('scenarios')
    .description('list the scenarios with their promises')
    .option('--scenarios <dir>', 'include your own, from a folder of .json files')
    .option('--json', 'as JSON')
    .action(async (given) => {
      const { scenarios } = await import('./scenarios.js')
      done(await scenarios(given, io))
    })

  program
    .command('validate')
    .description('check fixture and scenario files and report every error')
    .argument('[file...]', 'JSON files, or folders with them')
    .action(async (files) => {
      const { validate } = await import('./validate.js')
      done(await validate(files, io))
    })

  program
    .command('openapi')
    .description('print the OpenAPI document of the modelled operations')
    .action(async () => {
      const { openapi } = await import('./openapi.js')
      done(await openapi(io))
    })
}

/** Commander would pass an unknown word to the default command. */
function rejectUnknownCommand(program: Command, [word]: readonly string[]): void {
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
