import type { JournalEntry } from '../../../sessions/journal-entry.js'
import type { PanelView } from './api.js'

/** A journal entry as a shell command, with `$TOKEN` for the key, which the journal doesn't hold. */
export function toCurl(entry: JournalEntry, origin: string, { session }: Pick<PanelView, 'session'>): string {
  const { method, path, requestBody, scenario } = entry
  const headers = [
    '-H "Authorization: $TOKEN"',
    ...(session === '' ? [] : [`-H ${quoted(`x-mock-session: ${session}`)}`]),
    ...(scenario === '' ? [] : [`-H ${quoted(`x-mock-scenario: ${scenario}`)}`]),
  ]
  const text = typeof requestBody === 'string' ? requestBody : JSON.stringify(requestBody)
  const body = requestBody === null ? [] : ["-H 'Content-Type: application/json'", `--data-raw ${quoted(text)}`]
  return [`curl -X ${method} ${quoted(origin + path)}`, ...headers, ...body].join(' \\\n  ')
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
