import { describeKeys, type KeyDescription } from '../../engine/control/keys.js'
import { isLoopbackHost } from '../../engine/http/senders.js'
import type { Mock } from '../../engine/mock/mock.js'
import { CORE, sessionOf } from '../../engine/mock/session.js'
import type { ProfileName } from '../../service/contract/profile.js'
import { FRONTEND_PROFILE, hiddenIn, tellsWhereToSignIn } from '../../service/contract/profiles.js'
import { quickStartKeys } from '../../service/resources/people/callers.js'
import { version } from '../../version.js'
import { DEFAULT_HOST, type RunningServer } from '../adapters/node.js'
import { isJsonText } from '../files/json-file.js'
import type { ServiceSettings, StartFlags } from './flags.js'
import type { Io } from './io.js'

type Style = (text: string) => string

/** Terminal styles. Without a terminal, or with `NO_COLOR` set, text stays plain. */
export function createStyle({ stdout, env }: Pick<Io, 'stdout' | 'env'>): Record<'bold' | 'dim' | 'accent', Style> {
  const plain = !stdout.isTTY || Boolean(env.NO_COLOR) || env.TERM === 'dumb'
  const style = (on: number, off: number): Style =>
    plain ? (text) => text : (text) => `\u001b[${on}m${text}\u001b[${off}m`
  return { bold: style(1, 22), dim: style(2, 22), accent: style(36, 39) }
}

/** Announces that the server is ready: a banner for users, or one line of JSON for programs. */
export function printBanner(server: RunningServer, flags: StartFlags, io: Io): void {
  if (flags.json) {
    io.stdout.write(readyLine(server, io))
  } else if (!flags.quiet) {
    io.stdout.write(banner(server, flags, io))
  }
}

/** `{"url":…,"port":…,"scenario":…,"pid":…}` */
export function readyLine({ url, port, mock }: RunningServer, { pid }: Io): string {
  return `${JSON.stringify({ url, port, scenario: sessionOf(mock).activeNames.join(','), pid })}\n`
}

/** A notice if other machines can reach the server. Otherwise undefined. */
export function exposureNotice({ host = DEFAULT_HOST }: Pick<StartFlags, 'host'>): string | undefined {
  if (isLoopbackHost(host.includes(':') ? `[${host}]` : host)) return undefined
  return (
    `warning: with --host ${host} other machines can reach this server. Its API tokens are public, so they can read and ` +
    'change everything. Requests that use a public host name need --allow-host NAME.'
  )
}

/** The maximum API tokens in the banner; a fixture can contain many. */
const KEYS_SHOWN = 6

/** In place of Unleash, a server shows only the API tokens of its variables. */
function keysToShow(mock: Mock, { service }: StartFlags): KeyDescription[] {
  const given = service?.apiTokens.length ? service.apiTokens.map(({ secret }) => secret) : undefined
  const keys = describeKeys(mock.state(), mock.clock.now())
  return given ? keys.filter(({ authorization: key }) => given.includes(key)) : keys.slice(0, KEYS_SHOWN)
}

/** The line about the API tokens of Unleash's quick start, if they work. */
function quickStartNotice(mock: Mock): string[] {
  const { apiTokens } = mock.state()
  const works = quickStartKeys((key) => apiTokens.some(({ secret }) => secret === key)).length > 0
  return works
    ? ["    the tokens of Unleash's quick start, such as default:development.unleash-insecure-api-token"]
    : []
}

/** The line that setups for Unleash wait for. */
const STARTED = 'Unleash has started.'

const NO_KEYS = '(no API token exists; set INIT_ADMIN_API_TOKENS, or sign in and create one)'

/** The information that users need after the start. */
export function banner(server: RunningServer, flags: StartFlags, io: Io): string {
  const { url, mock } = server
  const { bold, dim, accent } = createStyle(io)
  const keys = keysToShow(mock, flags)
  const width = Math.max(...keys.map(({ authorization }) => authorization.length))
  const active = sessionOf(mock).activeNames.join(',')
  const { profile } = mock[CORE]
  const example = active === 'expired-token' ? 'empty' : 'expired-token'
  const lines = [
    `${bold(`flagdouble ${version}`)} ${dim('is ready; stop it with Ctrl-C')}`,
    `The profile ${accent(profile.name)} ${profile.responds}.`,
    '',
    `  Panel     ${accent(`${url}/__mock/`)}`,
    `  API       ${accent(url)}  ${dim(`(its operations: ${url}/docs/openapi.json)`)}`,
    `  Scenario  ${accent(active)}  ${dim('(to switch, use the panel or one of these)')}`,
    `    one request  ?scenario=${example}, or the header x-mock-scenario: ${example}`,
    `    a browser    ${url}/__mock/use/${example}`,
    `    all          curl -X PUT ${url}/__mock/scenario -d '{"name":"${example}"}'`,
    '',
    `  ${bold('Authorization')} ${dim(keys.length === 0 ? NO_KEYS : '(header values, and what each one allows)')}`,
    ...keys.map(({ authorization, allows }) => `    ${authorization.padEnd(width)}  ${dim(allows)}`),
    ...quickStartNotice(mock).map(dim),
    ...[...notices(server, flags), ...hiddenIn(profile, mock.state())].map((notice) => `\n  ${notice}`),
    '',
    ...(flags.service?.isInPlace ? [STARTED, ''] : []),
  ]
  return `${lines.join('\n')}\n`
}

function notices({ url, mock }: RunningServer, flags: StartFlags): string[] {
  const { host, state, watch, fixtures, scenarios: folder, ui, proxy, service } = flags
  const watched = [
    ...fixtures.filter((one) => !isJsonText(one)),
    ...[service?.file, service?.bootstrap, folder].filter((name) => name !== undefined),
  ]
  const { profile } = mock[CORE]
  const { defaultLogin } = profile.users
  return [
    ...(service === undefined ? [] : [serviceNotice(service, mock)]),
    ...(defaultLogin === undefined ? [] : [loginNotice(defaultLogin, service)]),
    ...(profile.open ? [OPEN] : profile.anyKey ? [ANY_KEY] : []),
    ...(host === '0.0.0.0' || host === '::'
      ? ['Other machines can reach it. For requests that use a public host name, add --allow-host NAME.']
      : []),
    ...(ui === undefined ? [] : [frontendNotice(url, profile.name)]),
    ...(proxy === undefined ? [] : [`All other requests go to ${proxy}.`]),
    ...(state === undefined ? [] : [`The state is saved to ${state}.`]),
    ...(watch && watched.length > 0 ? [`Watching ${watched.join(', ')}.`] : []),
  ]
}

/** A notice about Unleash variables that were read, and their effects. */
function serviceNotice({ names }: ServiceSettings, mock: Mock): string {
  const scenario = sessionOf(mock).activeNames.join(',')
  return `Configured by ${names.join(', ')}: profile ${mock[CORE].profile.name}, scenario ${scenario}.`
}

const OPEN =
  'Requests without an API token act as an admin, and those of SDKs, with any token or none, as with the token *:development.'

const ANY_KEY =
  'Any API token works: as an admin, or for SDKs, in the environment that it names or in development. Without one, the response is 401.'

function loginNotice(
  { username, password }: { username: string; password: string },
  service?: ServiceSettings,
): string {
  const isGiven = service?.username !== undefined && service.password !== undefined
  return isGiven
    ? `Sign in as ${service.username} with the password in UNLEASH_DEFAULT_ADMIN_PASSWORD.`
    : `Sign in as ${username} with the password ${password}.`
}

function frontendNotice(url: string, profile: ProfileName): string {
  return tellsWhereToSignIn(profile)
    ? `The frontend is at ${url}/, with the profile ${profile}.`
    : `Users can't sign in to the frontend with the profile ${profile}. Use --profile ${FRONTEND_PROFILE}.`
}
