import { hasSecretField, hideIn, hideSent, REDACTED, redactPath, secretsOf } from './redact.js'
/** Headers as they come: of a `Request`, as Node lists them (names and values in turn), or by name. */
export type SentHeaders = Headers | readonly string[] | Readonly<Record<string, string>>

/** Headers whose value is secret, whoever sent them. */
const SECRET_NAME =
  /authori[sz]ation|\bauth\b|cookie|password|passwd|secret|token|credential|signature|jwt|[cx]srf|access$|key$/

/** Where nobody knows what is secret, the values of other headers than these are left out. */
const HARMLESS =
  /^(accept(-.*)?|access-control-.*|age|allow|cache-control|connection|content-(encoding|language|length|type)|date|dnt|expires|host|if-modified-since|last-modified|origin|pragma|retry-after|sec-.*|server|te|transfer-encoding|upgrade(-insecure-requests)?|user-agent|vary|x-mock-.*)$/

/** Credentials after the name of a way to authenticate. */
const SCHEME = /\b(bearer|basic|digest)\s+\S+/gi

/** A name and a value on each pair of lines: neither can hold a line break. */
export function headersText(headers: SentHeaders): string {
  if (isList(headers)) return headers.join('\n')
  let text = ''
  const add = (value: string, name: string) => {
    text += text === '' ? `${name}\n${value}` : `\n${name}\n${value}`
  }
  // Not by its class: test environments bring classes of their own.
  if (isIterable(headers)) headers.forEach(add)
  else for (const name in headers) add(headers[name] ?? '', name)
  return text
}

/** What is secret around some headers. */
interface Around {
  /** Secrets of the request's path and body. */
  secrets: readonly string[]
  /** Keys in the request's headers: others may quote them. */
  keys: readonly string[]
  /** Whether the request was passed on, so that nobody knows what is secret. */
  isForeign: boolean
}

/** Headers by name in lower case, without what is secret. Repeated ones are joined, as the web standard does. */
export function readHeaders(text: string, { secrets, keys, isForeign }: Around): Record<string, string> {
  const read = new Map<string, string>()
  for (const [name, value] of pairsIn(text)) {
    const shown = isForeign && !HARMLESS.test(name) ? REDACTED : redactValue(name, value, keys)
    const before = read.get(name)
    read.set(name, before === undefined || shown === REDACTED ? shown : `${before}, ${shown}`)
  }
  return hideSent(Object.fromEntries(read), { secrets: [...secrets], isPartial: false }) as Record<string, string>
}

/** The keys and cookies in headers. */
export function keysIn(text: string): string[] {
  const values = pairsIn(text).flatMap(([name, value]) => (SECRET_NAME.test(name) ? [value] : []))
  return values.flatMap((value) => [value, ...value.split(/[\s;,=]+/)]).filter((key) => key.length >= SHORTEST_KEY)
}

/** Shorter parts of a cookie or a key are words such as `Bearer`. */
const SHORTEST_KEY = 8

function redactValue(name: string, value: string, keys: readonly string[]): string {
  if (SECRET_NAME.test(name)) return REDACTED
  const isAddress = ADDRESS_NAME.test(name) || /^(https?:\/)?\//i.test(value)
  if (!isAddress && hasSecretField(value, secretsOf(null))) return REDACTED
  const shown = isAddress ? redactPath(value, null).path : value
  return keys.reduce(hideIn, shown).replace(SCHEME, REDACTED).replace(WORD, withoutKey)
}

/** Takes linear time, as each match takes all that it can and never fails. */
const WORD = /[^\s,;="'<>/?&()]+/g

/** Redacts what looks like a key of the service: `project:environment.secret` or `user:secret`. */
function withoutKey(word: string): string {
  const colon = word.indexOf(':')
  const secret = word.slice(word.startsWith('user:') ? colon + 1 : word.indexOf('.', colon) + 1)
  const isKey = colon > 0 && word.length - secret.length > colon && secret.length >= SHORTEST_KEY
  return isKey ? REDACTED : word
}

/** Headers that hold an address, which may be relative. */
const ADDRESS_NAME = /location$|^referer$|^origin$/

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

function isIterable(headers: SentHeaders): headers is Headers {
  return typeof headers.forEach === 'function'
}

function isList(headers: SentHeaders): headers is readonly string[] {
  return Array.isArray(headers)
}
