import { Command } from 'commander'
import { version } from '../../version.js'
import { addFlags, readFlags } from './flags.js'
import type { Io } from './io.js'
import { commandNamed } from './misuse.js'
import { readExecFlags, readStartFlags } from './service-variables.js'

const ENVIRONMENT = `
Each option can also be set by an environment variable, such as FLAGDOUBLE_PORT or FLAGDOUBLE_ALLOW_HOST. Separate the
values of a repeatable option with commas. The option takes precedence. Unleash's own variables also work:
INIT_ADMIN_API_TOKENS, UNLEASH_DEFAULT_ADMIN_USERNAME, IMPORT_FILE, HTTP_PORT … (docs/replace-unleash.md).`

export type Done = (exitCode: number) => void

/** Adds `start`, `exec` and `health`, which have the same flags. Returns `start`, the default. */
function addServingCommands(program: Command, io: Io, done: Done): Command {
  const start = addFlags(program.command('start', { isDefault: true }))
    .description('start the server (the default)')
    .addHelpText('after', ENVIRONMENT)
    .action((given) => import('./start.js').then(({ start }) => start(readStartFlags(given, io.env), io)).then(done))

  addFlags(program.command('exec'))
    .passThroughOptions()
    .description('start a server, run a command with FLAGDOUBLE_URL, and return the exit code of the command')
    .argument('[command...]', 'the command, after two dashes')
    .option('--flag-coverage', 'at the end, print the flags that were seen only on, only off, or never')
    .option('--min-flag-coverage <percent>', 'exit with 1 if fewer of your flags were seen both on and off')
    .option('--flag-coverage-file <file>', 'write the flag coverage as JSON, for flagdouble flag-coverage')
    .option('--against <file>', 'compare the flag coverage with a file that pull wrote in production')
    .addHelpText('after', ENVIRONMENT)
    .action((command, given) =>
      import('./exec.js')
        .then(({ exec, coverageFlags }) =>
          exec({ ...readExecFlags(given, io.env), ...coverageFlags(given) }, command, io),
        )
        .then(done),
    )

  addFlags(program.command('health'))
    .description('check the health of a running server, with the flags of its start')
    .addHelpText('after', ENVIRONMENT)
    .action((given) => import('./health.js').then(({ health }) => health(given, io)).then(done))
  return start
}

function addPrintingCommands(program: Command, io: Io, done: Done): void {
  program
    .command('init')
    .description('write a starter fixture that editors complete, or the notes for coding assistants')
    .argument('[file]', 'output file (default: flagdouble.json, or AGENTS.md with --agents)')
    .option('--agents', "write flagdouble's notes for coding assistants into AGENTS.md, between two marks")
    .action((file, { agents }) =>
      import('./init.js').then(({ init, initAgents }) => (agents ? initAgents(file, io) : init(file, io))).then(done),
    )

  program
    .command('scenarios')
    .description('list the scenarios, each with its description')
    .option('--scenarios <dir>', 'folder with your own scenarios, as .json files')
    .option('--json', 'print JSON')
    .action((given) => import('./print.js').then(({ scenarios }) => scenarios(given, io)).then(done))

  program
    .command('validate')
    .description('check fixture and scenario files and report every error')
    .argument('[file...]', 'JSON files, or folders of JSON files')
    .action((files) => import('./validate.js').then(({ validate }) => validate(files, io)).then(done))

  program
    .command('flag-coverage')
    .description('print the flag coverage of several runs together')
    .argument('[file...]', 'files of the reporters (outputFile) and of exec (--flag-coverage-file)')
    .option('--min <percent>', 'exit with 1 if fewer of your flags were seen both on and off')
    .option('--against <file>', 'compare with a file that pull wrote in production')
    .action((files, given) =>
      import('./flag-coverage.js').then(({ flagCoverage }) => flagCoverage(files, given, io)).then(done),
    )

  addFlags(program.command('openapi'), ['profile'])
    .description('print the OpenAPI document of the modelled operations')
    .action((given) =>
      import('./print.js').then(({ openapi }) => openapi(readFlags(given, io.env, ['profile']), io)).then(done),
    )
}

const KEY = `
pull reads the API token from FLAGDOUBLE_KEY, or asks for it: a personal access token, or an admin API token. It
changes nothing in the instance.`

/** Adds the commands that import flags from Unleash and export them. */
function addTransferCommands(program: Command, io: Io, done: Done): void {
  program
    .command('pull')
    .description('save the flags of an Unleash instance as a fixture')
    .argument('<url>', 'URL of the instance, such as https://flags.example.com')
    .option('--project <id>', 'only this project (repeatable)', collect)
    .option('--environment <name>', 'only this environment (repeatable)', collect)
    .option('-o, --out <file>', 'output file; - is standard output (default: named after the host)')
    .addHelpText('after', KEY)
    .action((url, given) => import('./pull.js').then(({ pull }) => pull(url, given, io)).then(done))
  program
    .command('export')
    .description("export flags in Unleash's format")
    .option('-f, --fixtures <file>', 'export from this fixture (repeatable)', collect)
    .option('--state <file>', 'export from this state file')
    .option('--url <url>', 'export from a running mock')
    .option('--project <id>', 'only this project (repeatable)', collect)
    .option('--environment <name>', 'environment whose strategies to export (default: development)')
    .option('-o, --out <file>', 'output file (default: standard output)')
    .action((given) => import('./export.js').then(({ exportFlags }) => exportFlags(given, io)).then(done))
}

function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value]
}

function addHelpCommand(program: Command): void {
  program
    .command('help')
    .description('print help, or help for a command')
    .argument('[command]')
    .action((name?: string) => (name === undefined ? program : commandNamed(name, program)).outputHelp())
}

const EXAMPLES = `
Examples:
  flagdouble                                      start at http://127.0.0.1:4242
  flagdouble --scenario expired-token,slow        start with two scenarios combined
  flagdouble init                                 write a starter flagdouble.json
  flagdouble init --agents                        write notes for coding assistants into AGENTS.md
  flagdouble --fixtures flagdouble.json --watch   add your own data, reload it on changes
  flagdouble --state flags.json                   save changes across restarts
  flagdouble pull https://flags.example.com       save your own flags as a fixture
  flagdouble export --state flags.json            export the changed flags in Unleash's format
  flagdouble exec -- npm test                     start, run the tests with FLAGDOUBLE_URL set, stop

\`flagdouble help <command>\` lists the options of a command.`

/** Each exit code with its meaning. The help and the documentation show them. */
export const exitCodes: readonly (readonly [code: string, meaning: string])[] = [
  ['0', 'success'],
  ['1', 'a bug in flagdouble, no healthy server (health), or too little flag coverage (exec, flag-coverage)'],
  ['2', 'an error that you can fix, such as an invalid option, an invalid file or a port in use'],
  ['other', 'exec returns the exit code of its command: 127 if the command does not exist, 126 if it cannot run'],
]

const EXIT_CODES = exitCodes.map(([code, meaning]) => `\n  ${code.padEnd(7)}${meaning}`).join('')

/** The width of the help in columns, for any terminal. */
const HELP_WIDTH = 110

/** The command line as commander's program. `done` receives the exit code of the command that ran. */
export function createProgram(io: Io, done: Done): Command {
  const program = new Command('flagdouble')
    .description('A stateful mock of Unleash: its Admin, Client and Frontend APIs, with scenarios.')
    .usage('[command] [options]')
    .version(version, '-v, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand(false)
    .showSuggestionAfterError(false)
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      outputError: () => undefined,
      getOutHelpWidth: () => HELP_WIDTH,
    })
  const start = addServingCommands(program, io, done)
  addPrintingCommands(program, io, done)
  addTransferCommands(program, io, done)
  addHelpCommand(program)
  return program.addHelpText(
    'after',
    () => `\nOptions of start:\n${flagsOf(start)}\n${EXAMPLES}\n\nExit codes:${EXIT_CODES}`,
  )
}

/** The flags of a command, as its own help lists them. */
function flagsOf(command: Command): string {
  const help = command.createHelp()
  help.prepareContext({ helpWidth: HELP_WIDTH })
  const flags = help.visibleOptions(command).filter((option) => option.long !== '--help')
  const width = Math.max(...flags.map((option) => help.optionTerm(option).length))
  return flags
    .map((option) => help.formatItem(help.optionTerm(option), width, help.optionDescription(option), help))
    .join('\n')
}
