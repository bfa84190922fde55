import { REDACTED } from './redact.js'

/** Headers as they come: of a `Request`, as Node lists them (names and values in turn), or by name. */
export type SentHeaders = Headers | readonly string[] | Readonly<Record<string, string>>

/** Headers whose value is secret, or is an address that may hold a secret. */
const SECRET: ReadonlySet<string> = new Set([
  'authorization',
  'cookie',
  'proxy-authorization',
  'referer',
  'set-cookie',
  'unleash-secret',
  'x-api-key',
  'x-auth-token',
  'x-access-token',
  'x-csrf-token',
  'x-flagdouble-access',
  'x-forwarded-uri',
  'x-original-uri',
  'x-original-url',
  'x-session-id',
  'x-xsrf-token',
])

/** A name and a value on each pair of lines: neither can hold a line break. */
export function headersText(headers: SentHeaders): string {
  if (isList(headers)) return headers.join('\n')
  let text = ''
  for (const [name, value] of isIterable(headers) ? headers : Object.entries(headers)) text += `${name}\n${value}\n`
  return text.slice(0, -1)
}

/**
 * Headers by name in lower case, without what is secret; the key in `Authorization` may be nobody's secret. Repeated ones
 * are joined, as the web standard does.
 */
export function readHeaders(text: string, showsKey: boolean): Record<string, string> {
  const read = new Map<string, string>()
  for (const [name, value] of pairsIn(text)) {
    const isHidden = SECRET.has(name) && !(showsKey && name === 'authorization')
    const shown = isHidden ? REDACTED : value
    const before = read.get(name)
    read.set(name, before === undefined || isHidden ? shown : `${before}, ${shown}`)
  }
  return Object.fromEntries(read)
}

/** The value of a header, by its name in lower case. */
export function headerIn(text: string, name: string): string | undefined {
  return pairsIn(text).find(([sent]) => sent === name)?.[1]
}

/** Without the pseudo-headers of HTTP/2. */
function pairsIn(text: string): [name: string, value: string][] {
  const lines = text === '' ? [] : text.split('\n')
  const pairs: [string, string][] = []
  for (let at = 0; at < lines.length; at += 2) {
    const name = (lines[at] ?? '').toLowerCase()
    if (!name.startsWith(':')) pairs.push([name, lines[at + 1] ?? ''])
  }
  return pairs
}

/** Not by its class: test environments bring classes of their own. */
function isIterable(headers: SentHeaders): headers is Headers {
  return typeof headers.forEach === 'function'
}

function isList(headers: SentHeaders): headers is readonly string[] {
  return Array.isArray(headers)
}
