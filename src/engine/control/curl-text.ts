import { headerText } from '../../support/text.js'
import { selectionIn } from '../scenarios/selection.js'
import type { JournalEntry } from '../sessions/journal.js'
import { apiTokenOf, type CopyContext, checkComplete } from './vitest-text.js'

/**
 * The shell command that repeats a request at the address of the call, with an API token of the caller or, if the caller
 * has none, of an administrator. Throws `INVALID_REQUEST` if the journal lacks part of the request.
 */
export function requestAsCurl(entry: JournalEntry, { session, request }: CopyContext): string {
  checkComplete(entry, 'a command')
  const { method, path, requestHeaders, requestBody, scenario, caller } = entry
  const world = session.world(selectionIn(scenario).scenarios)
  const admin = () => world.data.tables.apiTokens.list().find(({ type }) => type === 'admin')?.secret
  const key = apiTokenOf(entry, world) ?? (caller === null ? undefined : admin())
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
    // Otherwise curl expands brackets and braces in the address.
    `curl --globoff -X ${shellQuoted(method)} ${shellQuoted(new URL(request.url).origin + path)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${shellQuoted(`${name}: ${value}`.trim())}`),
    ...(requestBody === null ? [] : [`--data-raw ${shellQuoted(text)}`]),
  ].join(' \\\n  ')
}

/** Characters that could steer the terminal into which the command is pasted. */
const CONTROL = /\p{Cc}/u

/** A text as one word of a shell, `$'…'` if it contains control characters. */
function shellQuoted(text: string): string {
  if (!CONTROL.test(text)) return /^[\w-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
  const escaped = text.replaceAll(/[\\']|\p{Cc}/gu, (found) =>
    CONTROL.test(found) ? hexadecimal(found) : `\\${found}`,
  )
  return `$'${escaped}'`
}

/** The bytes of a text as escapes: `\\x1b`. */
function hexadecimal(text: string): string {
  const bytes = [...new TextEncoder().encode(text)]
  return bytes.map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('')
}
