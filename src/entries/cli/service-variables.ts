import type { PartialState } from '../../engine/state/partial-state.js'
import { withoutTrailing } from '../../support/text.js'
import { UsageError } from '../files/usage-error.js'
import {
  type Flag,
  type FlagName,
  flagTable,
  type InitialToken,
  readFlags,
  type ServiceSettings,
  type StartFlags,
} from './flags.js'
import type { Io } from './io.js'
import { list, readOption } from './values.js'

/** A variable of the service's own, and what it means here. */
interface ServiceVariable {
  means: string
  /** The flag that it stands for. */
  flag?: FlagName
  /** Reads its text. Throws a `UsageError`. */
  read(text: string, name: string): Partial<ServiceSettings> & { flags?: Partial<StartFlags> }
}

/** A variable that stands for a flag. */
function ofFlag(flag: FlagName, means: string, shape = (text: string) => text): ServiceVariable {
  const read = (text: string, name: string) => {
    const { value }: Flag = flagTable[flag]
    return { flags: { [flag]: value === undefined ? text : readOption(name, shape(text), value) } }
  }
  return { means, flag, read }
}

function ofTokens(type: 'admin' | 'backend' | 'frontend', means: string): ServiceVariable {
  return { means, flag: 'fixtures', read: (text, name) => ({ apiTokens: readTokens(type, text, name) }) }
}

function ofText(key: 'username' | 'password' | 'file' | 'project' | 'environment', means: string): ServiceVariable {
  return { means, flag: 'fixtures', read: (text) => ({ [key]: text }) }
}

/** The service takes a base path with or without slashes around it. */
function inSlashes(path: string): string {
  const inner = withoutTrailing(path, '/').replace(/^\/+/, '')
  return inner && `/${inner}`
}

/** THE table of the service's own variables. */
export const serviceVariables: Readonly<Record<string, ServiceVariable>> = {
  INIT_ADMIN_API_TOKENS: ofTokens('admin', 'admin API tokens, by commas: `*:*.secret`'),
  INIT_BACKEND_API_TOKENS: ofTokens('backend', "back-end SDKs' tokens, by commas: `project:environment.secret`"),
  INIT_CLIENT_API_TOKENS: ofTokens('backend', 'the same; read if `INIT_BACKEND_API_TOKENS` is not set'),
  INIT_FRONTEND_API_TOKENS: ofTokens('frontend', "front-end SDKs' tokens, by commas: `project:environment.secret`"),
  UNLEASH_DEFAULT_ADMIN_USERNAME: ofText('username', 'the name that the admin signs in with; needs the password'),
  UNLEASH_DEFAULT_ADMIN_PASSWORD: ofText('password', "the admin's password; needs the name"),
  IMPORT_FILE: ofText('file', "an export file of the service's, to start with"),
  IMPORT_PROJECT: ofText('project', 'the project that its features go to (default: `default`)'),
  IMPORT_ENVIRONMENT: ofText('environment', 'the environment that its strategies go to (default: `development`)'),
  HTTP_HOST: ofFlag('host', 'the address to listen at'),
  HTTP_PORT: ofFlag('port', 'the port to listen at'),
  BASE_URI_PATH: ofFlag('basePath', 'the path that prefixes every route', inSlashes),
  UNLEASH_URL: ofFlag('baseUrl', 'the start of the links in responses'),
}

/** Defaults of a server that takes the service's place. */
const IN_ITS_PLACE = { profile: 'unleash-8', scenario: 'fresh-server' } as const

/** The flags of `start` and `exec`: those that are given, or else what the service's own variables stand for. */
export function readStartFlags(given: Readonly<Record<string, unknown>>, env: Io['env']): StartFlags {
  return { ...readServiceVariables(env), ...readFlags(given, env) }
}

/** Throws a `UsageError` that names the variable that is wrong. */
function readServiceVariables(env: Io['env']): Partial<StartFlags> {
  const set = Object.entries(serviceVariables).filter(([name]) => env[name])
  if (set.length === 0) return {}
  const service: ServiceSettings = { names: set.map(([name]) => name), apiTokens: [] }
  const flags: Partial<StartFlags> = { ...IN_ITS_PLACE, service }
  for (const [name, { read }] of set) {
    const { apiTokens = [], flags: own, ...rest } = read(env[name] ?? '', name)
    Object.assign(flags, own)
    if (name === 'INIT_CLIENT_API_TOKENS' && env.INIT_BACKEND_API_TOKENS) continue
    Object.assign(service, rest, { apiTokens: [...service.apiTokens, ...apiTokens] })
  }
  return flags
}

/** The state that the variables describe. */
export function stateOf({ apiTokens, username, password }: ServiceSettings): PartialState {
  const hasLogin = username !== undefined && password !== undefined
  return { apiTokens, users: hasLogin ? [{ id: 1, username, password, rootRole: 'Admin' }] : [] }
}

/** What a person who has set the variables may not expect. */
export function warningOf({ username, password }: ServiceSettings): string | undefined {
  if ((username === undefined) === (password === undefined)) return undefined
  const [alone, missing] = username === undefined ? ['PASSWORD', 'USERNAME'] : ['USERNAME', 'PASSWORD']
  const prefix = 'UNLEASH_DEFAULT_ADMIN_'
  return `${prefix}${alone} has no effect without ${prefix}${missing}, as in the service.`
}

const TOKEN = /^(?<project>[^:\s]+):(?<environment>[^:.\s]+)\.(?<rest>\S+)$/

/** The text isn't quoted: it is secret. */
function readTokens(type: 'admin' | 'backend' | 'frontend', text: string, name: string): InitialToken[] {
  return list(text).map((secret, i, all) => {
    const which = all.length === 1 ? 'Its token' : `Its token ${i + 1} of ${all.length}`
    const { project = '', environment = '' } = TOKEN.exec(secret)?.groups ?? {}
    const fault = tokenFault(type, project, environment)
    if (fault === undefined) return { secret, type, tokenName: 'admin', environment, projects: [project] }
    throw new UsageError(`${name} can't be used. ${which} ${fault}.`, 'Several tokens are separated by commas.')
  })
}

function tokenFault(type: 'admin' | 'backend' | 'frontend', project: string, environment: string): string | undefined {
  if (project === '') return `must be ${type === 'admin' ? '*:*.secret' : 'project:environment.secret'}`
  if (type === 'admin') {
    const isForAll = project === '*' && environment === '*'
    return isForAll ? undefined : 'must be for all projects and environments, as admin tokens are: *:*.secret'
  }
  return environment === '*' ? "must name an environment, as SDKs' tokens do: project:environment.secret" : undefined
}
