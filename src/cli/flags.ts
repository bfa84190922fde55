import { type Command, Option } from 'commander'
import type { ProfileName } from '../contract/profile.js'
import { profiles } from '../contract/profiles.js'
import { DEFAULT_HOST, DEFAULT_PORT } from '../doors/node.js'
import type { Latency } from '../scenarios/scenario.js'
import type { Io } from './io.js'
import * as read from './values.js'

/** What the flags of `start` and `exec` come to. What was not given is undefined. */
export interface StartFlags {
  port?: number
  host?: string
  allowHost: readonly string[]
  allowOrigin: readonly string[]
  scenario?: string
  seed?: string
  now?: string
  journalSize?: number
  fixtures: readonly string[]
  scenarios?: string
  profile?: ProfileName
  basePath?: string
  latency?: Latency
  state?: string
  ui?: string
  watch?: boolean
  json?: boolean
  quiet?: boolean
}

interface Flag {
  /** As commander writes it; without a value it is a switch. */
  usage: string
  help: string
  /** Whether it can be given several times. */
  repeatable?: boolean
  /** Reads a value; throws an `Error` that says what was expected. Left out for a switch. */
  read?(text: string): unknown
}

const profileNames = Object.keys(profiles)

/** THE table of flags. Each has a twin in the environment, which the flag itself overrules. */
const flags: Readonly<Record<keyof StartFlags, Flag>> = {
  port: {
    usage: '-p, --port <number>',
    help: `port to listen at, 0 picks a free one (start: ${DEFAULT_PORT}, exec: 0)`,
    read: read.port,
  },
  host: {
    usage: '--host <address>',
    help: `address to listen at (default ${DEFAULT_HOST}: this machine only)`,
    read: read.text,
  },
  allowHost: {
    usage: '--allow-host <name>',
    help: 'answer requests for this host, too (repeatable)',
    repeatable: true,
    read: read.host,
  },
  allowOrigin: {
    usage: '--allow-origin <origin>',
    help: 'let pages of this origin control the mock, too (repeatable)',
    repeatable: true,
    read: read.origin,
  },
  scenario: {
    usage: '-s, --scenario <names>',
    help: 'scenario to start with, several joined by commas (default: default)',
    read: read.text,
  },
  seed: { usage: '--seed <text>', help: 'the same ids and secrets each time', read: read.text },
  now: { usage: '--now <date>', help: 'freeze the clock, such as 2026-11-20T12:00:00Z', read: read.date },
  journalSize: {
    usage: '--journal-size <number>',
    help: 'requests that the journal keeps (default 1000)',
    read: read.journalSize,
  },
  fixtures: {
    usage: '-f, --fixtures <file>',
    help: 'JSON state to add to every scenario (repeatable)',
    repeatable: true,
    read: read.text,
  },
  scenarios: { usage: '--scenarios <dir>', help: 'folder of your own scenarios, as .json files', read: read.text },
  profile: {
    usage: '--profile <name>',
    help: `what to answer like: ${profileNames.join(', ')}`,
    read: read.oneOf(profileNames),
  },
  basePath: { usage: '--base-path <path>', help: 'path that everything lies below, such as /flags', read: read.path },
  latency: {
    usage: '--latency <ms>',
    help: 'milliseconds that every answer takes: 200, or between two bounds: 100-500',
    read: read.latency,
  },
  state: {
    usage: '--state <file>',
    help: 'load the state from this file at start and save each change to it',
    read: read.text,
  },
  ui: { usage: '--ui <dir>', help: "serve a built copy of the service's frontend at /", read: read.text },
  watch: { usage: '-w, --watch', help: 'start afresh when a fixture or scenario file changes' },
  json: { usage: '--json', help: 'print one line of JSON when ready, in place of the banner' },
  quiet: { usage: '-q, --quiet', help: 'print neither banner nor log' },
}

const keys = Object.keys(flags) as (keyof StartFlags)[]

export function addFlags(command: Command): Command {
  for (const key of keys) command.addOption(toOption(flags[key]))
  return command
}

/** What was given, by flag or else by the environment. Throws a `UsageError` for a value that a flag does not take. */
export function readFlags(given: Readonly<Record<string, unknown>>, env: Io['env']): StartFlags {
  const values = keys.map((key) => [key, readFlag(flags[key], given[key], env)])
  return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as StartFlags
}

function toOption({ usage, help, repeatable }: Flag): Option {
  const option = new Option(usage, help)
  return repeatable ? option.argParser((text: string, before: readonly string[] = []) => [...before, text]) : option
}

function readFlag(flag: Flag, byFlag: unknown, env: Io['env']): unknown {
  const name = new Option(flag.usage).name()
  const twin = `FLAGDOUBLE_${name.replaceAll('-', '_').toUpperCase()}`
  const value = byFlag ?? (env[twin] || undefined)
  const source = byFlag === undefined ? twin : `--${name}`
  const readOne = (text: unknown) => read.parse(source, text, flag.read ?? read.yesOrNo)
  if (flag.repeatable) return (Array.isArray(value) ? value : read.list(value ?? '')).map(readOne)
  return value === undefined ? undefined : readOne(value)
}
