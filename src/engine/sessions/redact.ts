import type * as z from 'zod'
import { type OperationRow, operations } from '../../service/api/operations.js'
import { holdsSecrets, secretFields } from '../../service/contract/secrets.js'
import { tables } from '../../service/resources/tables.js'
import { none } from '../../support/freeze.js'
import { valueAt } from '../../support/json.js'
import { percentDecodedOrRaw } from '../../support/text.js'

/** What stands for a value that is not to be shown. */
export const REDACTED = '[redacted]'

/** Levels of nesting that are shown; deeper ones only say that they are there. */
const DEEPEST_READ = 100

/** Whether the field, or the parameter, of a name is secret. */
export type IsSecret = (name: string) => boolean

/** Parameters of queries that hold secrets, whether or not an operation takes them. */
const SECRET_PARAMETERS: ReadonlySet<string> = new Set(
  'token access_token refresh_token id_token api_key apikey api-key key secret client_secret auth authorization'.split(
    ' ',
  ),
)

const rows = operations as readonly OperationRow[]
const marked = new Map<string | null, ReadonlySet<string>>()

/** The names that an operation marks as secret, in lower case. For null, a request that none answers: all that any marks. */
function namesMarkedBy(operation: string | null): ReadonlySet<string> {
  let names = marked.get(operation)
  if (names === undefined) {
    const found = rows
      .filter(({ id }) => operation === null || id === operation)
      .flatMap(shapesOf)
      .flatMap(secretFields)
    names = new Set(found.map((name) => name.toLowerCase()))
    marked.set(operation, names)
  }
  return names
}

function shapesOf({ body, query, success: { schema, view } }: OperationRow) {
  const views = view === undefined ? [] : Object.values(view).map((presentation) => presentation.schema)
  return [body, query, schema, ...views].filter((shape) => shape !== undefined)
}

/** What is secret in the requests and responses of an operation. Passwords are so in every one. */
export function secretsOf(operation: string | null): IsSecret {
  const names = namesMarkedBy(operation)
  return (name) => {
    const lower = name.toLowerCase()
    // `token[]` is one of several tokens.
    return lower.includes('password') || names.has(lower.split('[', 1)[0] ?? '')
  }
}

/** A value without its secret fields, whose texts are added to a list. In a JSON Patch, the path names the field. */
export function redactFields(value: unknown, isSecret: IsSecret, found: string[] = [], depth = 0): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (depth >= DEEPEST_READ) return '[nested deeper]'
  if (Array.isArray(value)) return value.map((item) => redactFields(item, isSecret, found, depth + 1))
  const { path } = value as { path?: unknown }
  const patchesSecret = typeof path === 'string' && isSecret(path.slice(path.lastIndexOf('/') + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => {
      if (!isSecret(name) && !(patchesSecret && name === 'value')) {
        return [name, redactFields(item, isSecret, found, depth + 1)]
      }
      found.push(...textsIn(item))
      return [name, REDACTED]
    }),
  )
}

/** Whether a table marks a field of its records as secret. */
export function isSecretField(table: string, name: string): boolean {
  const definition = new Map<string, { record: z.ZodType }>(Object.entries(tables)).get(table)
  return definition !== undefined && secretFields(definition.record).includes(name)
}

/** A record without the fields that its table marks as secret. */
export function redactRecord(table: string, record: object): unknown {
  return redactFields(record, (name) => isSecretField(table, name))
}

/**
 * What a body says, without its secrets: the value of JSON, else text. Of what is neither JSON nor a form, nothing is shown
 * where an operation takes secrets, or where there is none: nobody knows where a secret would stand. What is left out of
 * the others is added to a list.
 */
export function redactBody(text: string, operation: string | null, found: string[] = []): unknown {
  const isSecret = secretsOf(operation)
  try {
    return redactFields(JSON.parse(text), isSecret, found)
  } catch {
    if (FORM.test(text)) return redactPairs(text, isSecret, found)
    return namesMarkedBy(operation).size === 0 ? text : REDACTED
  }
}

const FORM = /^[\w%+.[\]*-]+=[^\s"'{}]*$/

/** JSON that was cut, without anything from its first secret field on. */
export function redactCut(text: string, operation: string | null): string {
  const names = [...namesMarkedBy(operation)]
  const first = names.length === 0 ? -1 : text.search(new RegExp(`"(${names.join('|')})":`, 'i'))
  return first === -1 ? text : text.slice(0, first) + REDACTED
}

/**
 * Whether a body is not what an operation that takes secrets expects, so that a secret may stand anywhere in it. A part
 * that is hidden already is none.
 */
export function isMisplaced(body: unknown, operation: string | null): boolean {
  const schema = rows.find(({ id }) => id === operation)?.body
  if (schema === undefined || !holdsSecrets(schema)) return false
  return schema.safeParse(body).error?.issues.some(({ path }) => valueAt(body, path) !== REDACTED) ?? false
}

/** The pairs of a query or a form without their secrets, which are added to a list. */
function redactPairs(text: string, isSecret: IsSecret, found: string[]): string {
  const pairs = text.split('&').map((pair) => {
    const [sentName = '', ...rest] = pair.split('=')
    if (!isSecret(percentDecodedOrRaw(sentName.replaceAll('+', ' ')))) return pair
    const value = rest.join('=')
    found.push(value, percentDecodedOrRaw(value.replaceAll('+', ' ')))
    return rest.length === 0 ? REDACTED : `${sentName}=${REDACTED}`
  })
  return pairs.join('&')
}

/** A path with its query, or a whole address, without its secrets, and what these were. Most paths cost nothing. */
export function redactPath(path: string, operation: string | null): { path: string; secrets: readonly string[] } {
  const queryStart = path.indexOf('?')
  const mayHoldSecret = operation === null || operationsWithSecretPath.has(operation)
  if (queryStart === -1 && !mayHoldSecret) return { path, secrets: none }
  const isMarked = secretsOf(operation)
  const isSecret = (name: string) => isMarked(name) || SECRET_PARAMETERS.has(name.toLowerCase().split('[', 1)[0] ?? '')
  const secrets: string[] = []
  const above = queryStart === -1 ? path : path.slice(0, queryStart)
  const shown = mayHoldSecret ? redactSegments(above, isSecret, secrets) : above
  const query = queryStart === -1 ? '' : `?${redactPairs(path.slice(queryStart + 1), isSecret, secrets)}`
  return { path: shown + query, secrets }
}

const operationsWithSecretPath: ReadonlySet<string> = new Set(
  rows.filter(({ secretParams }) => secretParams !== undefined).map(({ id }) => id),
)

/** The segments after which a path has a secret: `api-tokens`. */
const segmentsBeforeSecret: ReadonlySet<string> = new Set(
  rows.flatMap(({ path, secretParams = [] }) => {
    const segments = path.split('/')
    return secretParams.map((name) => segments[segments.indexOf(`:${name}`) - 1] ?? '')
  }),
)

/** In any path, even a mistyped one, what follows `api-tokens` is secret, and a segment that names a secret: `a;token=b`. */
function redactSegments(path: string, isSecret: IsSecret, found: string[]): string {
  let isNext = false
  const segments = path.split('/').map((segment) => {
    if (segment === '' || segment === '.') return segment
    const plain = percentDecodedOrRaw(segment)
    const pieces = plain.toLowerCase().split('/')
    const names = plain.split(/[;=]/).slice(1)
    const isHidden = isNext || pieces.slice(0, -1).some(leadsToSecret) || names.some(isSecret)
    isNext = leadsToSecret(pieces.at(-1) ?? '')
    if (!isHidden) return segment
    found.push(segment, plain)
    return REDACTED
  })
  return segments.join('/')
}

function leadsToSecret(segment: string): boolean {
  return segmentsBeforeSecret.has(segment.split(';', 1)[0] ?? '')
}

/** Texts that are looked for one by one. If there are more, all texts of an answer are left out. */
const MOST_SOUGHT = 100

/** Shorter texts are no secrets, and stand in every word. */
const SHORTEST_SECRET = 4

/** A value without texts that are secret: errors quote what was sent. */
export function hideIn(value: unknown, secrets: readonly string[]): unknown {
  const sought = secrets.filter(({ length }) => length >= SHORTEST_SECRET)
  if (sought.length === 0) return value
  const texts = [...new Set(sought.flatMap((text) => [text, JSON.stringify(text).slice(1, -1)]))]
  if (texts.length > MOST_SOUGHT) return mapTexts(value, () => REDACTED)
  texts.sort((one, other) => other.length - one.length)
  return mapTexts(value, (text) => texts.reduce((shown, secret) => shown.replaceAll(secret, () => REDACTED), text))
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapTexts(item, change)]))
}

/** All texts of a value, and the names of its fields. */
export function textsIn(value: unknown, depth = 0): string[] {
  if (typeof value !== 'object' || value === null) return value === null ? [] : [String(value)]
  if (depth === DEEPEST_READ) return []
  const names = Array.isArray(value) ? [] : Object.keys(value)
  return [...names, ...Object.values(value).flatMap((inner) => textsIn(inner, depth + 1))]
}
