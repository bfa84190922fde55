import { headerText } from '../../support/text.js'
import { scenarioNames } from '../scenarios/catalogue.js'
import type { JournalEntry } from '../sessions/journal.js'
import { type CopyContext, checkComplete, keyOf } from './vitest-text.js'

/**
 * The shell command that repeats a request at the address of the call, with an API token of the caller or, if the caller
 * has none, of an administrator. Throws `INVALID_REQUEST` if the journal lacks part of the request.
 */
export function requestAsCurl(entry: JournalEntry, { session, request }: CopyContext): string {
  checkComplete(entry, 'a command')
  const { method, path, requestHeaders, requestBody, scenario, caller } = entry
  const world = session.world(scenarioNames(scenario))
  const admin = () => world.data.tables.apiTokens.list().find(({ type }) => type === 'admin')?.secret
  const key = keyOf(entry, world) ?? (caller === null ? undefined : admin())
  const type = requestHeaders['content-type']
  const headers = {
    ...(key !== undefined && { Authorization: key }),
    ...(session.name !== '' && { 'x-mock-session': headerText(session.name) }),
    'x-mock-scenario': headerText(scenario),
    // Otherwise curl adds its own type to a body.
    ...((type !== undefined || requestBody !== null) && { 'Content-Type': type ?? '' }),
  }
  const text = typeof requestBody === 'string' ? requestBody : JSON.stringify(requestBody)
  return [
    `curl -X ${method} ${quoted(new URL(request.url).origin + path)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`.trim())}`),
    ...(requestBody === null ? [] : [`--data-raw ${quoted(text)}`]),
  ].join(' \\\n  ')
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
