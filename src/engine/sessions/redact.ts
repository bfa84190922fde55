import { type OperationRow, operations } from '../../service/api/operations.js'
import { holdsSecrets, secretFields } from '../../service/contract/secrets.js'
import { percentDecodedOrRaw, segmentsOf } from '../../support/text.js'
import { secretFieldsOf } from '../state/state-fault.js'

/** The replacement for a secret value. */
export const REDACTED = '[redacted]'

/** The maximum nesting to read; deeper values are only mentioned. */
const DEEPEST_READ = 100

/** Whether a field or a parameter is secret, by its name. */
export type IsSecret = (name: string) => boolean

const rows = operations as readonly OperationRow[]
const byId: ReadonlyMap<string | null, OperationRow> = new Map(rows.map((row) => [row.id, row]))
const marked = new Map<string | null, ReadonlySet<string>>()

/** The names that an operation marks as secret. For null (no operation): all names that any operation marks. */
function namesMarkedBy(operation: string | null): ReadonlySet<string> {
  let names = marked.get(operation)
  if (names === undefined) {
    const row = byId.get(operation)
    names = new Set((row === undefined ? rows : [row]).flatMap(shapesOf).flatMap(secretFields))
    marked.set(operation, names)
  }
  return names
}

function shapesOf({ body, query, success: { schema, view } }: OperationRow) {
  const views = view === undefined ? [] : Object.values(view).map((presentation) => presentation.schema)
  return [body, query, schema, ...views].filter((shape) => shape !== undefined)
}

/** A value without its secret fields. */
function redactFields(value: unknown, isSecret: IsSecret, depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (depth >= DEEPEST_READ) return '[nested deeper]'
  if (Array.isArray(value)) return value.map((item) => redactFields(item, isSecret, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      isSecret(name) ? REDACTED : redactFields(item, isSecret, depth + 1),
    ]),
  )
}

/** A record without the fields that its table marks as secret. */
export function redactRecord(table: string, record: object): unknown {
  const secrets = secretFieldsOf(table)
  return redactFields(record, (name) => secrets.includes(name))
}

/**
 * The parsed body without its secret fields: JSON, or else text. Text that isn't JSON, such as cut JSON, has no fields:
 * it is left out if the operation has secrets.
 */
export function redactBody(text: string, operation: string | null): unknown {
  const names = namesMarkedBy(operation)
  try {
    return redactFields(JSON.parse(text), (name) => names.has(name))
  } catch {
    return names.size === 0 ? text : REDACTED
  }
}

/** Whether an operation takes secrets in its body, so that an invalid body can have them anywhere. */
export function takesSecrets(operation: string | null): boolean {
  const schema = byId.get(operation)?.body
  return schema !== undefined && holdsSecrets(schema)
}

/** A path with its query, without the parameters that operations mark as secret. Most paths cost nothing. */
export function redactPath(path: string, operation: string | null): string {
  const queryStart = path.indexOf('?')
  const above = queryStart === -1 ? path : path.slice(0, queryStart)
  const shown = redactParams(above, operation)
  return queryStart === -1 ? shown : `${shown}?${redactQuery(path.slice(queryStart + 1), operation)}`
}

function redactQuery(query: string, operation: string | null): string {
  const names = new Set([...namesMarkedBy(operation)].map((name) => name.toLowerCase()))
  if (names.size === 0) return query
  const pairs = query.split('&').map((pair) => {
    const [name = ''] = pair.split('=')
    return names.has(percentDecodedOrRaw(name.replaceAll('+', ' ')).toLowerCase()) ? `${name}=${REDACTED}` : pair
  })
  return pairs.join('&')
}

const withSecretParams = rows.filter(({ secretParams }) => secretParams !== undefined)
const rowWithSecrets: ReadonlyMap<string, OperationRow> = new Map(withSecretParams.map((row) => [row.id, row]))

/** A path without an operation can be that of an operation with another method. */
function redactParams(path: string, operation: string | null): string {
  const row = operation === null ? withSecretParams.find((one) => leadsTo(one, path)) : rowWithSecrets.get(operation)
  if (row === undefined) return path
  const sent = segmentsOf(path)
  const { secretParams = [] } = row
  const hidden = segmentsOf(row.path).map(
    (segment) => secretParams.includes(segment.slice(1)) && segment.startsWith(':'),
  )
  const above = sent.length - hidden.length
  return `/${sent.map((segment, i) => (hidden[i - above] === true ? REDACTED : segment)).join('/')}`
}

/** Whether a path, with or without a base path, has the fixed segments of an operation. */
function leadsTo(row: OperationRow, path: string): boolean {
  const segments = segmentsOf(row.path)
  const last = segmentsOf(path).slice(-segments.length)
  return (
    last.length === segments.length &&
    segments.every((segment, i) => segment.startsWith(':') || segment.toLowerCase() === last[i]?.toLowerCase())
  )
}

/** Headers in any form: of a `Request`, in Node's list (names and values in turn), or by name. */
export type SentHeaders = Headers | readonly string[] | Readonly<Record<string, string>>

/** Headers whose value is secret, by words in their names, or is a URL that can contain a secret. */
const SECRET =
  /(^|-)token$|authorization|secret|password|api-?key|cookie|^referer$|-ur[il]$|^x-session-id$|^x-flagdouble-access$/

/** A name and a value on each pair of lines: neither can contain a line break. */
export function headersText(headers: SentHeaders): string {
  if (Array.isArray(headers)) return headers.join('\n')
  // Not by its class: test environments replace the class.
  const pairs = typeof headers.forEach === 'function' ? (headers as Headers) : Object.entries(headers)
  let text = ''
  for (const [name, value] of pairs) text += `${name}\n${value}\n`
  return text.slice(0, -1)
}

/**
 * Headers by name in lower case, without secrets; `showsKey` keeps an API token in `Authorization` that isn't a secret.
 * Repeated headers are joined, as in the web standard.
 */
export function readHeaders(text: string, showsKey: boolean): Record<string, string> {
  const read = new Map<string, string>()
  for (const [name, value] of pairsIn(text)) {
    // Of several API tokens, only the first is known to be no secret.
    const isKey = showsKey && name === 'authorization'
    const before = read.get(name)
    if (isKey && before !== undefined) continue
    const isHidden = SECRET.test(name) && !isKey
    const shown = isHidden ? REDACTED : isKey ? (value.split(', ', 1)[0] ?? '') : value
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
