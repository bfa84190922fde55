import { type Command, CommanderError } from 'commander'
import { didYouMean } from '../../support/nearest.js'
import { UsageError } from '../files/usage-error.js'

const OF_EDGE =
  "Unleash Edge's command is not needed: remove it, and set BOOTSTRAP_FILE, and CLIENT_TOKENS or FRONTEND_TOKENS."
const CHANGES = 'Ctrl-C stops a mock. Its panel at /__mock/ and its HTTP calls change it (docs/control-api.md).'

/** Words that aren't commands, each with what to write or do. */
const NO_COMMANDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    offline: OF_EDGE,
    edge: OF_EDGE,
    version: '`flagdouble --version` prints the version.',
    import:
      'To start with a file: flagdouble --fixtures FILE. To read the flags of an Unleash instance: flagdouble pull URL.',
    stop: CHANGES,
    reset: CHANGES,
    enable: CHANGES,
    disable: CHANGES,
    set: CHANGES,
    undo: CHANGES,
  }),
)

/** Words of other tools, each with the command for the same. */
const SAME_COMMAND: ReadonlyMap<string, string> = new Map(
  Object.entries({
    serve: 'start',
    server: 'start',
    run: 'start',
    dev: 'start',
    up: 'start',
    mock: 'start',
    check: 'validate',
    lint: 'validate',
    status: 'health',
    ping: 'health',
    coverage: 'flag-coverage',
    fetch: 'pull',
    download: 'pull',
  }),
)

/** The command with this name. Throws a `UsageError` with the intended command or flag, or else all names. */
export function commandNamed(name: string, { commands }: Command): Command {
  const found = commands.find((command) => command.name() === name)
  if (found !== undefined) return found
  const other = NO_COMMANDS.get(name)
  if (other !== undefined) throw new UsageError(`Unknown command "${name}".`, other)
  const flag = flagFor(name, startCommand(commands))
  if (flag !== undefined) throw new UsageError(`"${name}" is not a command.`, `Did you mean flagdouble ${flag}?`)
  const known = commands.map((command) => command.name())
  const same = SAME_COMMAND.get(name)
  const meant = same === undefined ? didYouMean(name, known) : ` Did you mean "${same}"?`
  const hint = `${meant} Commands: ${known.join(', ')}.`.trim()
  throw new UsageError(`Unknown command "${name}".`, hint)
}

function startCommand(commands: readonly Command[]): Command | undefined {
  return commands.find((one) => one.name() === 'start')
}

/** The flag of a command with which a word has an effect: a number is a port, and a `.json` file a fixture. */
function flagFor(word: string, command: Command | undefined): string | undefined {
  const has = (flag: string) => command?.options.some(({ long }) => long === flag)
  const isFile = /\.json[c5]?$/i.test(word)
  const flags = [
    ...(/^\d+$/.test(word) ? ['--port'] : []),
    ...(isFile ? ['--fixtures', '--out'] : []),
    ...(command?.name() === 'scenarios' ? ['--scenarios'] : []),
  ]
  const flag = flags.find(has)
  return flag && `${flag} ${word}`
}

/** Commander's error as an error that says what to write. Returns other errors unchanged. */
export function explainMisuse(error: unknown, program: Command, argv: readonly string[]): unknown {
  if (!(error instanceof CommanderError)) return error
  const { commands } = program
  const command = commands.find((one) => one.name() === argv[0]) ?? startCommand(commands)
  const [, quoted = ''] = /'([^']+)/.exec(error.message) ?? []
  if (error.code === 'commander.unknownOption') return unknownFlag(quoted, command, program)
  if (error.code === 'commander.optionMissingArgument') return missingValue(quoted)
  if (error.code === 'commander.missingArgument') {
    return new UsageError(`${command?.name()} needs the argument ${quoted}.`, usageOf(command))
  }
  if (error.code !== 'commander.excessArguments') return error
  return flagWithoutValue(command, argv) ?? excessWord(command, commands, argv) ?? error
}

/** `Write: flagdouble pull URL` */
function usageOf(command: Command | undefined): string {
  const words = command?.registeredArguments.map((argument) => argument.name().toUpperCase()) ?? []
  return `Write: flagdouble ${[command?.name(), ...words].join(' ')}. \`flagdouble ${command?.name()} --help\` explains it.`
}

/** `-p, --port <number>` → `--port needs a value.` */
function missingValue(usage: string): UsageError {
  const written = usage.replace(/^-\w, /, '')
  const [name] = written.split(' ')
  return new UsageError(`${name} needs a value.`, `Write ${written}.`)
}

/** What to write in place of flags that many other tools have. */
const NO_FLAGS: readonly (readonly [names: RegExp, hint: string])[] = [
  [/^--(flags?|enable|disable|toggle)$/, 'To set the state of a flag: --scenario new-checkout:off.'],
  [/^--session$/, 'Each request names its session, in the header x-mock-session (docs/qa.md).'],
  [/^--env(ironment)?$/, 'The API token of an SDK names its environment: *:production.SECRET.'],
  [/^--(token|api-key|key)$/, 'pull reads the API token from the variable FLAGDOUBLE_KEY.'],
]

function unknownFlag(
  quoted: string,
  command: Command | undefined,
  { commands, options: general }: Command,
): UsageError {
  const [flag = ''] = quoted.split('=', 1)
  const name = flag.replace(/^-+/, '')
  const options = command?.options ?? []
  const known = options.flatMap(({ long }) => long?.replace(/^--/, '') ?? [])
  const unknown = (hint: string) => new UsageError(`unknown option '${flag}'.`, hint)
  if (known.includes(name)) {
    if (!flag.startsWith('--')) return unknown(`Did you mean --${name}?`)
    return new UsageError(`${flag} takes no value.`, `Write ${flag} alone, or leave it out.`)
  }
  const positive = name.replace(/^no-/, '')
  if (known.includes(positive)) return unknown(`Leave --${positive} out.`)
  const otherCase = [...general, ...options].find(({ short }) => short?.toLowerCase() === flag.toLowerCase())
  if (otherCase !== undefined) return unknown(`Did you mean ${otherCase.short}?`)
  const owner = commands.find((one) => one.options.some(({ long, short }) => long === flag || short === flag))
  const [, other] = NO_FLAGS.find(([names]) => names.test(flag)) ?? []
  if (owner !== undefined) {
    const own = `\`flagdouble ${command?.name()} --help\` lists its own.`
    return new UsageError(
      `${flag} isn't an option of ${command?.name()}.`,
      `It is one of \`flagdouble ${owner.name()}\`. ${(command?.name() === 'start' && other) || own}`,
    )
  }
  const longer = known.find((one) => one.endsWith(`-${name}`))
  const near =
    longer === undefined ? didYouMean(name, known).replaceAll(/"([^"]+)"/g, '--$1') : `Did you mean --${longer}?`
  return unknown(`${near || (other ?? '')} \`flagdouble ${command?.name()} --help\` lists all.`.trim())
}

/** The error for a flag whose value is missing, so that commander took the next flag as its value. */
function flagWithoutValue(command: Command | undefined, argv: readonly string[]): UsageError | undefined {
  const options = command?.options ?? []
  const isFlag = (word = '') => word.startsWith('--') || options.some(({ short }) => short === word)
  const at = argv.findIndex(
    (word, i) =>
      isFlag(argv[i + 1]) && options.some(({ required, short, long }) => required && [short, long].includes(word)),
  )
  if (at === -1) return undefined
  return new UsageError(`${argv[at]} needs a value, but ${argv[at + 1]} follows it.`, `Write ${argv[at]} VALUE.`)
}

/** The error for a word that belongs to no flag: perhaps a second value of the flag before it. */
function excessWord(
  command: Command | undefined,
  commands: readonly Command[],
  argv: readonly string[],
): UsageError | undefined {
  const words = argv[0] === command?.name() ? argv.slice(1) : argv
  const flagAt = (at: number) =>
    command?.options.find(({ short, long }) => [short, long].some((flag) => flag !== undefined && flag === words[at]))
  const isExtra = (word: string, i: number) => !word.startsWith('-') && flagAt(i - 1)?.required !== true
  const taken = command?.registeredArguments.length ?? 0
  const at = words.flatMap((word, i) => (isExtra(word, i) ? i : []))[taken]
  const word = at === undefined ? undefined : words[at]
  if (command === undefined || at === undefined || word === undefined) return undefined
  const [flag, value] = [flagAt(at - 2), words[at - 1]]
  const first = `${words[at - 2]} ${value}`
  const isRepeatable = flag !== undefined && flag.parseArg !== undefined
  const meant = isRepeatable
    ? `${first} ${words[at - 2]} ${word}`
    : flag?.long === '--scenario'
      ? `${first},${word}`
      : flagFor(word, command)
  const isCommand = commands.some((one) => one.name() === word)
  const hint = isCommand
    ? `Write the command first: flagdouble ${word} …`
    : meant === undefined
      ? `\`flagdouble ${command.name()} --help\` lists its options.`
      : `Did you mean ${meant}?`
  const takes =
    taken === 0 ? `takes no argument, but "${word}" was given` : `takes ${taken} argument, but "${word}" follows it`
  return new UsageError(`${command.name()} ${takes}.`, hint)
}
