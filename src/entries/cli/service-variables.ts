import type { PartialState } from '../../engine/state/partial-state.js'
import { didYouMean, nearWholeOf } from '../../support/nearest.js'
import { withoutTrailing } from '../../support/text.js'
import { UsageError } from '../files/usage-error.js'
import { exposureNotice } from './banner.js'
import {
  type Flag,
  type FlagName,
  flagTable,
  flagVariables,
  type InitialToken,
  readFlags,
  type ServiceSettings,
  type StartFlags,
  withoutServiceLinks,
} from './flags.js'
import type { Io } from './io.js'
import { list, type OptionText, readOption } from './values.js'

/** A variable of Unleash, and its meaning here. */
interface ServiceVariable {
  means: string
  /** The flag with the same meaning. */
  flag?: FlagName
  /** The variable that takes precedence. */
  unless?: string
  /** The variable without which it has no effect here. */
  needs?: string
  /** Whether it means that the server runs in place of Unleash. */
  selects?: boolean
  /** Parses its text. Throws a `UsageError`. */
  read(text: string, name: string): Partial<ServiceSettings> & { flags?: Partial<StartFlags> }
}

/** An invalid value is only a notice if Unleash would start with it. */
class IgnoredValue extends UsageError {}

/** A variable with the meaning of a flag. */
function ofFlag(flag: FlagName, means: string, shape = (text: string) => text): ServiceVariable {
  const read = (text: string, name: string) => {
    const { value }: Flag = flagTable[flag]
    return { flags: { [flag]: value === undefined ? text : readLenient(name, shape(text), value) } }
  }
  return { means, flag, read }
}

function readLenient(name: string, text: string, value: OptionText): unknown {
  try {
    return readOption(name, text, value)
  } catch (error) {
    throw error instanceof UsageError ? new IgnoredValue(error.message, error.hint) : error
  }
}

function ofTokens(type: 'admin' | 'backend' | 'frontend', means: string): ServiceVariable {
  return { means, flag: 'fixtures', selects: true, read: (text, name) => ({ apiTokens: readTokens(type, text, name) }) }
}

/** Edge accepts any text as a token. Without the usual format, it is valid for all projects. */
function ofEdgeTokens(type: 'backend' | 'frontend', means: string): ServiceVariable {
  const read = (text: string) => ({
    apiTokens: list(text).map((secret) => {
      const { project = '*', environment = 'development' } = TOKEN.exec(secret)?.groups ?? {}
      return { secret, type, tokenName: 'edge', environment, projects: [project] }
    }),
  })
  return { means, flag: 'fixtures', needs: 'BOOTSTRAP_FILE', read }
}

function ofText(key: 'username' | 'password' | 'file' | 'project' | 'environment', means: string): ServiceVariable {
  return { means, flag: 'fixtures', selects: true, read: (text) => ({ [key]: text }) }
}

function ofList(key: 'enabledEnvironments' | 'frontendApiOrigins', means: string): ServiceVariable {
  return { means, flag: 'fixtures', read: (text) => ({ [key]: list(text) }) }
}

/** Unleash starts with any text, and only links that need a URL fail. */
function readUrl(text: string, name: string): Partial<ServiceSettings> {
  return { url: withoutTrailing(String(readLenient(name, text, flagTable.baseUrl.value)), '/') }
}

/** Only the login types of the open-source edition are modelled. */
function readAuthType(text: string, name: string): { flags?: Partial<StartFlags> } {
  // In any case, as Unleash reads it.
  const type = text.toLowerCase()
  if (type === 'none') return { flags: { auth: false } }
  if (['open-source', 'open_source'].includes(type)) return {}
  throw new IgnoredValue(`${name} can't be "${text}".`, 'It must be open-source or none.')
}

/** Unleash accepts a base path with or without slashes around it. */
function inSlashes(path: string): string {
  const inner = withoutTrailing(path, '/').replace(/^\/+/, '')
  return inner && `/${inner}`
}

/** THE table of Unleash's own variables. */
export const serviceVariables: Readonly<Record<string, ServiceVariable>> = {
  INIT_ADMIN_API_TOKENS: ofTokens('admin', 'admin API tokens, comma-separated: `*:*.secret`'),
  INIT_BACKEND_API_TOKENS: ofTokens(
    'backend',
    'API tokens of server-side SDKs, comma-separated: `project:environment.secret`',
  ),
  INIT_CLIENT_API_TOKENS: {
    ...ofTokens('backend', 'older name of `INIT_BACKEND_API_TOKENS`'),
    unless: 'INIT_BACKEND_API_TOKENS',
  },
  INIT_FRONTEND_API_TOKENS: ofTokens(
    'frontend',
    'API tokens of frontend SDKs, comma-separated: `project:environment.secret`',
  ),
  UNLEASH_DEFAULT_ADMIN_USERNAME: ofText('username', 'the username of the admin; needs the password'),
  UNLEASH_DEFAULT_ADMIN_PASSWORD: ofText('password', "the admin's password; needs the username"),
  IMPORT_FILE: ofText(
    'file',
    'an Unleash export file to import at startup; state exports of Unleash 4 and 5 keep their own environments',
  ),
  IMPORT_PROJECT: ofText('project', 'the project to import into (default: `default`)'),
  IMPORT_ENVIRONMENT: ofText('environment', 'the environment to import into (default: `development`)'),
  ENABLED_ENVIRONMENTS: ofList(
    'enabledEnvironments',
    'the enabled environments, comma-separated; all others are disabled, and leave their projects',
  ),
  UNLEASH_FRONTEND_API_ORIGINS: ofList(
    'frontendApiOrigins',
    'the origins whose pages can call `/api/frontend`, comma-separated',
  ),
  BOOTSTRAP_FILE: {
    means: 'the flags that Unleash Edge serves in its offline mode; the default port is then 3063',
    flag: 'fixtures',
    selects: true,
    read: (text) => ({ bootstrap: text, flags: { port: EDGE_PORT } }),
  },
  TOKENS: ofEdgeTokens('backend', 'the same as `CLIENT_TOKENS`, from older versions of Edge'),
  CLIENT_TOKENS: ofEdgeTokens(
    'backend',
    'with `BOOTSTRAP_FILE`: API tokens of server-side SDKs, comma-separated, of any form',
  ),
  FRONTEND_TOKENS: ofEdgeTokens(
    'frontend',
    'with `BOOTSTRAP_FILE`: API tokens of frontend SDKs, comma-separated, of any form',
  ),
  'DATABASE_…': { means: 'ignored, because flagdouble needs no database', selects: true, read: () => ({}) },
  AUTH_TYPE: { means: '`none`: requests need no API token', flag: 'auth', selects: true, read: readAuthType },
  HTTP_HOST: ofFlag('host', 'the address to listen on'),
  HTTP_PORT: ofFlag('port', 'the port to listen on'),
  PORT: { ...ofFlag('port', 'the same'), unless: 'HTTP_PORT' },
  BASE_URI_PATH: ofFlag('basePath', 'the path prefix of every route', inSlashes),
  UNLEASH_URL: { means: 'the base URL of the links in responses; no path changes', flag: 'baseUrl', read: readUrl },
}

/** Edge's default port. */
const EDGE_PORT = 3063

/** The defaults of a server in place of Unleash. */
const IN_ITS_PLACE = { profile: 'unleash-8', scenario: 'fresh-server' } as const

/** The flags of `start`, or else the values of Unleash's own variables. */
export function readStartFlags(given: Readonly<Record<string, unknown>>, env: Io['env']): StartFlags {
  const [ofService, own] = [readServiceVariables(env), readFlags(given, env)]
  const flags = { ...ofService, ...own }
  // A copied variable must not open the server to a network, so the flag is also needed.
  const isOpened = flags.auth === false && own.auth === undefined
  if (isOpened && exposureNotice(flags) !== undefined && !env.FLAGDOUBLE_CONTAINER) {
    throw new UsageError(
      `AUTH_TYPE can't be "none" at the address ${flags.host}: other machines could change everything without an API token.`,
      'Listen at 127.0.0.1, or add --no-auth.',
    )
  }
  return flags
}

/** The flags of `exec`. It reads only the API tokens from Unleash's variables: the others can belong to the command. */
export function readExecFlags(given: Readonly<Record<string, unknown>>, env: Io['env']): StartFlags {
  const tokens = Object.entries(env).filter(([name]) => /^INIT_\w+_API_TOKENS$/.test(name))
  return { ...readServiceVariables(Object.fromEntries(tokens)), ...readFlags(given, env) }
}

/** Variables of flagdouble that aren't flags of `start`. */
const OTHER_VARIABLES = ['KEY', 'URL', 'CONTAINER', 'ACCESS', 'DOMAIN']

/** The starts of Unleash's variables. Those that any program's variables can have, such as `HTTP_`, aren't here. */
const PREFIXES = ['INIT_', 'UNLEASH_', 'IMPORT_', 'ENABLED_', 'AUTH_', 'BOOTSTRAP_']

/** Whether a variable has the end of another, and a misspelt FLAGDOUBLE before it. */
function isOtherPrefix(name: string, known: string): boolean {
  const end = known.slice('FLAGDOUBLE'.length)
  if (name.startsWith('FLAGDOUBLE_') || !name.toUpperCase().endsWith(end)) return false
  return nearWholeOf(name.slice(0, -end.length), ['FLAGDOUBLE']) !== undefined
}

/** A notice for each variable that is probably misspelt: it would have no effect. */
export function misspeltVariables(env: Io['env']): string[] {
  const names = Object.keys(withoutServiceLinks(env))
  const noticesFor = (prefix: string, known: readonly string[], isForeign: (hint: string) => boolean) =>
    names.flatMap((name) => {
      const rest = name.slice(prefix.length)
      if (!name.startsWith(prefix) || known.includes(rest)) return []
      const near = didYouMean(rest, known)
      const hint = near === '' ? '' : near.replaceAll(/"([^"]+)"/g, `${prefix}$1`)
      return isForeign(hint) ? [] : [`The variable ${name} is unknown and has no effect.${hint}`]
    })
  const flags = flagVariables.map((name) => name.slice('FLAGDOUBLE_'.length))
  const knownWith = (prefix: string) =>
    Object.keys(serviceVariables).flatMap((name) => (name.startsWith(prefix) ? [name.slice(prefix.length)] : []))
  const otherPrefixes = names.flatMap((name) => {
    const meant = flagVariables.find((known) => name !== known && isOtherPrefix(name, known))
    return meant === undefined ? [] : [`The variable ${name} is unknown and has no effect. Did you mean ${meant}?`]
  })
  return [
    ...noticesFor('FLAGDOUBLE_', [...flags, ...OTHER_VARIABLES], () => false),
    ...otherPrefixes,
    // Other programs also have variables with these prefixes: npm sets INIT_CWD.
    ...PREFIXES.flatMap((prefix) => noticesFor(prefix, knownWith(prefix), (hint) => hint === '')),
    ...ofOtherServers(env),
  ]
}

/** A notice for a variable of a server in front of Unleash that flagdouble is probably to replace. */
function ofOtherServers(env: Io['env']): string[] {
  const keys = ['UNLEASH_PROXY_CLIENT_KEYS', 'UNLEASH_PROXY_SECRETS'].find((name) => env[name])
  return [
    ...(env.UPSTREAM_URL && !env.BOOTSTRAP_FILE
      ? ['UPSTREAM_URL has no effect: flagdouble has its own flags. To accept the API tokens of Edge, add --auth any.']
      : []),
    ...(keys === undefined
      ? []
      : [`${keys} has no effect. To replace unleash-proxy, add --auth any --paths /proxy=/api/frontend.`]),
  ]
}

/** Throws a `UsageError` that names the invalid variable. */
function readServiceVariables(given: Io['env']): Partial<StartFlags> {
  const env = withoutServiceLinks(given)
  const set = Object.entries(serviceVariables).flatMap(([key, variable]) => {
    const names = key.endsWith('…') ? Object.keys(env).filter((name) => name.startsWith(key.slice(0, -1))) : [key]
    const { unless, needs } = variable
    const counts = (unless === undefined || !env[unless]) && (needs === undefined || env[needs])
    return names.filter((name) => env[name] && counts).map((name) => ({ name, ...variable }))
  })
  if (set.length === 0) return {}
  const isInPlace = set.some(({ selects }) => selects)
  const service: ServiceSettings = { names: set.map(({ name }) => name), isInPlace, apiTokens: [], notices: [] }
  const flags: Partial<StartFlags> = { ...(isInPlace && IN_ITS_PLACE), service }
  for (const { name, read } of set) {
    try {
      const { apiTokens = [], flags: own, ...rest } = read(env[name] ?? '', name)
      Object.assign(flags, own)
      Object.assign(service, rest, { apiTokens: [...service.apiTokens, ...apiTokens] })
    } catch (error) {
      if (!(error instanceof IgnoredValue)) throw error
      service.notices.push(`${error.message} It is ignored. ${error.hint}`)
    }
  }
  if (service.bootstrap !== undefined && service.apiTokens.length === 0) {
    throw new UsageError('BOOTSTRAP_FILE needs API tokens.', 'Set CLIENT_TOKENS or FRONTEND_TOKENS, as for Edge.')
  }
  service.notices.push(...loneLogin(service))
  return flags
}

/** The seed data for the variables. The last meaning of a repeated token counts. */
export function seedOf({ apiTokens, username, password, frontendApiOrigins }: ServiceSettings): PartialState {
  const hasLogin = username !== undefined && password !== undefined
  return {
    apiTokens: [...new Map(apiTokens.map((token) => [token.secret, token])).values()],
    users: hasLogin ? [{ id: 1, username, password, rootRole: 'Admin' }] : [],
    settings: frontendApiOrigins === undefined ? [] : [{ name: 'frontend', frontendApiOrigins }],
  }
}

function loneLogin({ username, password }: ServiceSettings): string[] {
  if ((username === undefined) === (password === undefined)) return []
  const [alone, missing] = username === undefined ? ['PASSWORD', 'USERNAME'] : ['USERNAME', 'PASSWORD']
  const prefix = 'UNLEASH_DEFAULT_ADMIN_'
  return [`${prefix}${alone} has no effect without ${prefix}${missing}, as in Unleash.`]
}

/** In 2022, Unleash's documentation had a colon before the secret. It still accepts that. */
const TOKEN = /^(?<project>[^:\s]+):(?<environment>[^:.\s]+)[.:](?<rest>\S+)$/

/** The error doesn't quote the text, because it is secret. */
function readTokens(type: 'admin' | 'backend' | 'frontend', text: string, name: string): InitialToken[] {
  return list(text).map((secret, i, all) => {
    const which = all.length === 1 ? 'Its token' : `Its token ${i + 1} of ${all.length}`
    const { project = '', environment = '' } = TOKEN.exec(secret)?.groups ?? {}
    const fault = tokenFault(type, project, environment)
    if (fault === undefined) return { secret, type, tokenName: 'admin', environment, projects: [project] }
    throw new UsageError(`${name} can't be used. ${which} ${fault}.`, 'Separate several tokens with commas.')
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
