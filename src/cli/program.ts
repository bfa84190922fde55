import { Command } from 'commander'
import { version } from '../version.js'
import { addHelpCommand, addPrintingCommands, addServingCommands, type Done } from './commands.js'
import type { Io } from './io.js'

const EXAMPLES = `
Examples:
  flagdouble                                      start at http://127.0.0.1:4242
  flagdouble --scenario expired-token,slow        start with two scenarios combined
  flagdouble init                                 write a starter flagdouble.json
  flagdouble --fixtures flagdouble.json --watch   add your own state, reload it on changes
  flagdouble --state flags.json                   keep changes across restarts
  flagdouble exec -- npm test                     start, run the tests with FLAGDOUBLE_URL set, stop

\`flagdouble help <command>\` tells more about a command. Exit codes: 0 success, 2 an error you can fix.`

/** Columns of the help, whatever the terminal. */
const HELP_WIDTH = 110

/** The command line as commander's program. `done` receives the exit code of the command that ran. */
export function createProgram(io: Io, done: Done): Command {
  const program = new Command('flagdouble')
    .description('A stateful double of the admin API of a feature-flag service, with scenarios.')
    .usage('[command] [flags]')
    .version(version, '-v, --version', 'print the version')
    .helpOption('-h, --help', 'print help, also for a command')
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
  addHelpCommand(program)
  return program.addHelpText('after', () => `\nFlags of start:\n${flagsOf(start)}\n${EXAMPLES}`)
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
