import { type Command, Option } from 'commander'
import * as z from 'zod'
import { optionSchemas } from '../../engine/mock/options.js'
import type { ApiTokenRecord } from '../../service/resources/people/api-tokens.js'
import { serverOptionSchemas } from '../adapters/node/arguments.js'
import { DEFAULT_HOST, DEFAULT_PORT } from '../adapters/node.js'
import { isJsonText } from '../files/json-file.js'
import type { Io } from './io.js'
import { decodeNumber, decodePaths, decodeRange, list, type OptionText, readOption, text, yesOrNo } from './values.js'

/** The settings from Unleash's own variables, beyond those of flags. */
export interface ServiceSettings {
  /** The variables that are set. */
  names: readonly string[]
  /** Whether the server runs in place of Unleash. */
  isInPlace: boolean
  apiTokens: InitialToken[]
  /** Effects that users of the variables might not expect. */
  notices: string[]
  username?: string
  password?: string
  /** The export file to import at the start, and the target of its features. */
  file?: string
  project?: string
  environment?: string
  /** The file with the flags for Edge's offline mode. */
  bootstrap?: string
  enabledEnvironments?: string[]
  frontendApiOrigins?: string[]
  /** The start of the links in responses. */
  url?: string
}

export interface InitialToken
  extends Pick<ApiTokenRecord, 'secret' | 'type' | 'tokenName' | 'environment' | 'projects'> {}

export interface Flag {
  /** In commander's syntax. A flag without a value is a switch. */
  usage: string
  help: string
  repeatable?: boolean
  /** The parser of the value. Default: for a switch. */
  value?: OptionText
}

const { allowHosts, host, port, proxy } = serverOptionSchemas

/** The table of flags. Each can also be set by an environment variable; the flag takes precedence. */
export const flagTable = {
  port: {
    usage: '-p, --port <number>',
    help: `port to listen on; 0 picks a free one (start: ${DEFAULT_PORT}, exec: 0)`,
    value: { schema: port, decode: decodeNumber },
  },
  host: {
    usage: '--host <address>',
    help: `address to listen on (default ${DEFAULT_HOST}: this machine only)`,
    value: { schema: host },
  },
  allowHost: {
    usage: '--allow-host <name>',
    help: 'also accept requests for this host (repeatable)',
    repeatable: true,
    value: { schema: allowHosts.element },
  },
  allowOrigin: {
    usage: '--allow-origin <origin>',
    help: 'also let pages of this origin control the mock (repeatable)',
    repeatable: true,
    value: { schema: optionSchemas.allowOrigins.element },
  },
  auth: {
    usage: '--no-auth',
    help: 'let requests without an API token, or with any, act as an admin, and SDKs as with `*:development`',
  },
  anyKey: {
    usage: '--auth <kind>',
    help: 'any: requests need an API token, but it can be any string',
    value: { schema: z.literal('any', 'must be any, or --no-auth, which needs no API token') },
  },
  tokenFormat: {
    usage: '--token-format <format>',
    help: 'form of new API tokens: v1, or v2 as in later versions of Unleash (default: v1)',
    value: { schema: optionSchemas.tokenFormat },
  },
  scenario: {
    usage: '-s, --scenario <names>',
    help: 'scenario to start with; combine several with commas (default: default)',
    value: text,
  },
  seed: { usage: '--seed <text>', help: 'seed that makes ids and secrets the same each time', value: text },
  now: {
    usage: '--now <date>',
    help: 'freeze the clock at a date such as 2026-11-20T12:00:00Z',
    value: { schema: optionSchemas.now },
  },
  journalSize: {
    usage: '--journal-size <number>',
    help: 'number of requests in the request journal (default 1000)',
    value: { schema: optionSchemas.journalSize, decode: decodeNumber },
  },
  fixtures: {
    usage: '-f, --fixtures <file>',
    help: 'JSON file with seed data for every scenario (repeatable); - is standard input. The variable also takes JSON',
    repeatable: true,
    value: text,
  },
  scenarios: { usage: '--scenarios <dir>', help: 'folder with your own scenarios, as .json files', value: text },
  profile: {
    usage: '--profile <name>',
    help: 'documented (default) responds as the document says (200 for a clone), unleash-8 as Unleash 8.2',
    value: { schema: optionSchemas.profile },
  },
  basePath: {
    usage: '--base-path <path>',
    help: 'path prefix of every route, such as /flags',
    value: { schema: optionSchemas.basePath },
  },
  paths: {
    usage: '--paths <paths>',
    help: 'paths of a gateway, separated by commas: /proxy=/api/frontend',
    value: { schema: optionSchemas.paths, decode: decodePaths, example: '/proxy=/api/frontend' },
  },
  baseUrl: {
    usage: '--base-url <url>',
    help: 'base URL of the links in responses (default: the address of the server)',
    value: { schema: optionSchemas.baseUrl },
  },
  latency: {
    usage: '--latency <ms>',
    help: 'delay of every response in milliseconds: 200, or a range: 100-500',
    value: { schema: optionSchemas.latency, decode: decodeRange },
  },
  state: {
    usage: '--state <file>',
    help: 'save all sessions in this file, and load it at startup',
    value: text,
  },
  stateSync: { usage: '--state-sync', help: 'respond to a change only once it is on disk; needs --state' },
  ui: { usage: '--ui <dir>', help: "serve a build of Unleash's frontend at /", value: text },
  cert: { usage: '--cert <file>', help: 'serve HTTPS with this certificate (PEM); needs --cert-key', value: text },
  certKey: { usage: '--cert-key <file>', help: 'the private key of --cert (PEM)', value: text },
  proxy: {
    usage: '--proxy <url>',
    help: "forward requests that match no Unleash path to your app's backend",
    value: { schema: proxy },
  },
  watch: { usage: '-w, --watch', help: 'reload fixture and scenario files when they change; your changes stay' },
  json: { usage: '--json', help: 'print one line of JSON instead of the banner when ready' },
  quiet: { usage: '-q, --quiet', help: 'print no banner and no log' },
} as const satisfies Readonly<Record<string, Flag>>

export type FlagName = keyof typeof flagTable

const keys = Object.keys(flagTable) as FlagName[]

type ValueOf<One extends Flag> = One extends { value: OptionText<infer Value> } ? Value : boolean

type Repeatable = { [Name in FlagName]: (typeof flagTable)[Name] extends { repeatable: true } ? Name : never }[FlagName]

/** The values of the flags of `start` and `exec`. A missing flag is undefined. */
export type StartFlags = { [Name in Exclude<FlagName, Repeatable>]?: ValueOf<(typeof flagTable)[Name]> } & {
  [Name in Repeatable]: readonly ValueOf<(typeof flagTable)[Name]>[]
} & {
  /** The settings from Unleash's own variables, if any is set. */
  service?: ServiceSettings
}

/** Adds flags to a command. Default: all of them. */
export function addFlags(command: Command, names = keys): Command {
  for (const key of names) command.addOption(toOption(flagTable[key]))
  return command
}

/** The values of flags, or else of the environment. Throws a `UsageError` for an invalid value. */
export function readFlags(given: Readonly<Record<string, unknown>>, env: Io['env'], names = keys): StartFlags {
  const own = withoutServiceLinks(env)
  // Commander stores `--no-auth` and `--auth any` in one place.
  const { auth, ...others } = given
  const sorted = typeof auth === 'string' ? { ...others, anyKey: auth } : given
  const values = names.map((key) => [key, readFlag(flagTable[key], sorted[key], own)])
  return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as StartFlags
}

/** Names that Kubernetes makes from the name of a service, and Docker from the name of a linked container. */
const LINK = /_SERVICE_(?:HOST|PORT\w*)$|_PORT_\d+_(?:TCP|UDP|SCTP)(?:_\w+)?$|_ENV_/
const LINKED_PORT = /^(?:tcp|udp|sctp):\/\//

/** Leaves out the variables that describe other services: a service named flagdouble sets FLAGDOUBLE_PORT=tcp://10.0.0.1:4242. */
export function withoutServiceLinks(env: Io['env']): Io['env'] {
  const isLink = (name: string, text = '') => LINK.test(name) || (name.endsWith('_PORT') && LINKED_PORT.test(text))
  return Object.fromEntries(Object.entries(env).filter(([name, text]) => !isLink(name, text)))
}

function toOption({ usage, help, repeatable }: Flag): Option {
  const option = new Option(usage, help)
  return repeatable ? option.argParser((text: string, before: readonly string[] = []) => [...before, text]) : option
}

function variableOf({ usage }: Flag): string {
  return `FLAGDOUBLE_${new Option(usage).name().replaceAll('-', '_').toUpperCase()}`
}

/** The environment variables of all flags. */
export const flagVariables: readonly string[] = keys.map((key) => variableOf(flagTable[key]))

function readFlag(flag: Flag, given: unknown, env: Io['env']): unknown {
  const option = new Option(flag.usage)
  const name = option.name()
  // Without a `--no-…` flag, Commander sets its option to true.
  const byFlag = option.negate && given === true ? undefined : given
  const variable = variableOf(flag)
  const value = byFlag ?? (env[variable] || undefined)
  const source = byFlag === undefined ? variable : `--${name}`
  const readOne = (one: unknown) => readOption(source, one, flag.value ?? yesOrNo)
  const listed = () => (isJsonText(String(value)) ? [value] : list(value ?? ''))
  if (flag.repeatable) return (Array.isArray(value) ? value : listed()).map(readOne)
  if (value === undefined) return undefined
  return option.negate && byFlag === undefined ? !readOne(value) : readOne(value)
}
