import { FRONTEND_PROFILE, tellsWhereToSignIn } from '../contract/profiles.js'
import { describeKeys } from '../control/keys.js'
import type { RunningServer } from '../doors/node.js'
import { version } from '../version.js'
import type { StartFlags } from './flags.js'
import type { Io } from './io.js'
import { createStyle } from './style.js'

/** Keys shown at most; a fixture may hold many. */
const KEYS_SHOWN = 6

/** What people want to know right after starting the server. */
export function banner({ url, mock }: RunningServer, flags: StartFlags, io: Io): string {
  const { bold, dim, accent } = createStyle(io)
  const keys = describeKeys(mock.state(), mock.clock.now()).slice(0, KEYS_SHOWN)
  const width = Math.max(...keys.map(({ authorization }) => authorization.length))
  const active = mock.activeScenarios.join(',')
  const example = active === 'expired-token' ? 'empty' : 'expired-token'
  const key = keys[0]?.authorization ?? ''
  const lines = [
    `${bold(`flagdouble ${version}`)} ${dim('is ready; stop it with Ctrl-C')}`,
    '',
    `  Service   ${accent(url)}`,
    `  Panel     ${url}/__mock/`,
    `  OpenAPI   ${url}/docs/openapi.json`,
    '',
    `  ${bold('Authorization')} ${dim('(header values to copy, and what each may do)')}`,
    ...keys.map(({ authorization, may }) => `    ${authorization.padEnd(width)}  ${dim(may)}`),
    '',
    `  ${bold('Scenario')}  ${accent(active)}  ${dim(`(${url}/__mock/scenarios lists all; to switch:)`)}`,
    `    one request    ${url}/api/admin/projects?scenario=${example}`,
    `                   or the header x-mock-scenario: ${example}`,
    `    every request  curl -X PUT ${url}/__mock/scenario -d '{"name":"${example}"}'`,
    `    a browser      ${url}/__mock/use/${example}`,
    '',
    `  ${bold('Try it')}`,
    `    curl -H 'Authorization: ${key}' ${url}/api/admin/projects`,
    ...notes(url, flags).map((note) => `\n  ${note}`),
    '',
  ]
  return `${lines.join('\n')}\n`
}

function notes(url: string, { host, state, watch, fixtures, scenarios: folder, ui, profile }: StartFlags): string[] {
  const watched = [...fixtures, ...(folder === undefined ? [] : [folder])]
  return [
    ...(host === '0.0.0.0' || host === '::'
      ? ['Other machines can reach it. For requests that use another host name, add --allow-host NAME.']
      : []),
    ...(ui === undefined ? [] : [frontendNote(url, profile)]),
    ...(state === undefined ? [] : [`The state is saved to ${state}.`]),
    ...(watch && watched.length > 0 ? [`Watching ${watched.join(', ')}.`] : []),
  ]
}

function frontendNote(url: string, profile = FRONTEND_PROFILE): string {
  return tellsWhereToSignIn(profile)
    ? `The frontend is at ${url}/, with the profile ${profile}. Sign in as admin with the password flagdouble.`
    : `Nobody can sign in to the frontend: the profile ${profile} doesn't tell it where. Use --profile ${FRONTEND_PROFILE}.`
}
