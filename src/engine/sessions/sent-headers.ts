import { hideIn, REDACTED, redactPath } from './redact.js'

/** Headers as they come: of a `Request`, as Node lists them (names and values in turn), or by name. */
export type SentHeaders = Headers | readonly string[] | Readonly<Record<string, string>>

/** Headers whose value is secret. */
const SECRET: ReadonlySet<string> = new Set([
  'authorization',
  'cookie',
  'proxy-authorization',
  'set-cookie',
  'unleash-secret',
  'x-api-key',
  'x-auth-token',
  'x-access-token',
  'x-csrf-token',
  'x-flagdouble-access',
  'x-session-id',
  'x-xsrf-token',
])

/** Headers that hold an address, which may be relative. */
const ADDRESSES: ReadonlySet<string> = new Set([
  'content-location',
  'location',
  'origin',
  'referer',
  'x-forwarded-uri',
  'x-original-uri',
  'x-original-url',
])

/** A name and a value on each pair of lines: neither can hold a line break. */
export function headersText(headers: SentHeaders): string {
  if (isList(headers)) return headers.join('\n')
  let text = ''
  for (const [name, value] of isIterable(headers) ? headers : Object.entries(headers)) text += `${name}\n${value}\n`
  return text.slice(0, -1)
}

/** What is known about some headers. */
interface Around {
  /** Secrets of the request's path: answers may quote them. */
  secrets: readonly string[]
  /** Whether the key in `Authorization` is nobody's secret. */
  showsKey: boolean
}

/** Headers by name in lower case, without what is secret. Repeated ones are joined, as the web standard does. */
export function readHeaders(text: string, { secrets, showsKey }: Around): Record<string, string> {
  const read = new Map<string, string>()
  for (const [name, value] of pairsIn(text)) {
    const isHidden = SECRET.has(name) && !(showsKey && name === 'authorization')
    const shown = isHidden ? REDACTED : ADDRESSES.has(name) ? redactAddress(value) : value
    const before = read.get(name)
    read.set(name, before === undefined || shown === REDACTED ? shown : `${before}, ${shown}`)
  }
  return hideIn(Object.fromEntries(read), secrets) as Record<string, string>
}

/** An address without its secrets, and without a name and a password before its host. */
function redactAddress(address: string): string {
  return redactPath(address.replace(/^([\w+.-]*:?\/\/)[^/?#@]*@/, `$1${REDACTED}@`), null).path
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
