import type { MockOptions } from '../../../engine/mock/mock.js'
import { expectOptions, invalidArgument } from '../../../service/contract/arguments.js'
import { type Env, variable } from './platform.js'

/** What each session may use. */
export interface SessionLimits {
  /** Default: 100. */
  requestsPerSecond?: number | undefined
  /** Characters of JSON that a session may store. Default: 16 MiB. */
  stateSize?: number | undefined
}

/** What `createWorker` takes. Variables of the environment take precedence. */
export interface WorkerOptions
  extends Pick<
    MockOptions,
    'scenario' | 'scenarios' | 'fixtures' | 'seed' | 'now' | 'profile' | 'latency' | 'allowOrigins' | 'cors'
  > {
  limits?: SessionLimits | undefined
}

/** Requests that a session's journal keeps. All of them are stored. */
const ENTRIES_STORED = 200

const NAMES = [
  'scenario',
  'scenarios',
  'fixtures',
  'seed',
  'now',
  'profile',
  'latency',
  'allowOrigins',
  'cors',
  'limits',
]

const DEFAULTS = { requestsPerSecond: 100, stateSize: 16 * 1024 * 1024 }

/** Throws `INVALID_OPTION` or `INVALID_ARGUMENT` for options that `createWorker` doesn't take. */
export function checkOptions(options: WorkerOptions): void {
  expectOptions(options, 'createWorker', NAMES)
  expectOptions(options.limits ?? {}, 'createWorker', Object.keys(DEFAULTS))
  for (const [name, value] of Object.entries(options.limits ?? {})) {
    if (value !== undefined && !(value > 0)) throw invalidArgument(`The limit ${name}`, 'a number above 0', value)
  }
}

export function limitsOf({ limits = {} }: WorkerOptions): typeof DEFAULTS {
  const { requestsPerSecond = DEFAULTS.requestsPerSecond, stateSize = DEFAULTS.stateSize } = limits
  return { requestsPerSecond, stateSize }
}

/** The options of each session's mock, which checks them. */
export function mockOptions({ limits: _, ...options }: WorkerOptions, env: Env): MockOptions {
  const origins = variable(env, 'FLAGDOUBLE_ALLOW_ORIGIN')?.split(',') ?? []
  const given = {
    scenario: variable(env, 'FLAGDOUBLE_SCENARIO'),
    profile: variable(env, 'FLAGDOUBLE_PROFILE'),
    seed: variable(env, 'FLAGDOUBLE_SEED'),
    now: variable(env, 'FLAGDOUBLE_NOW'),
  }
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  const allowOrigins = [...(options.allowOrigins ?? []), ...origins.map((origin) => origin.trim())]
  return { ...options, ...set, allowOrigins, journalSize: ENTRIES_STORED }
}
