import { type OperationRow, operations } from '../api/operations.js'
import { holdsSecrets, secretFields } from '../contract/secrets.js'
import { none } from '../support/freeze.js'
import { valueAt } from '../support/json.js'
import { percentDecodedOrRaw } from '../support/text.js'

/** What stands for a value that is not to be shown. */
export const REDACTED = '[redacted]'

/** Levels of nesting that are shown; deeper ones only say that they are there. */
const DEEPEST_READ = 100

/** Something without its secrets, and what the secrets were. */
export interface Redacted<Value = unknown> {
  value: Value
  secrets: string[]
  /** Whether something was left out because it couldn't be parsed: an error that quotes it may quote a secret. */
  isPartial: boolean
}

/**
 * A body without its secrets. JSON becomes its value, a form stays text. In a body that is neither, everything from the
 * first name of a secret on is left out, for nobody knows where the secret ends. Takes linear time.
 */
export function redactBody(text: string, secrets: Secrets): Redacted {
  const redactor = new Redactor(secrets)
  return { value: redactor.text(text, 0), ...redactor.found }
}

/** The beginning of JSON that was cut: everything from the first secret field on is left out. */
export function redactCut(text: string, secrets: Secrets): string {
  const end = firstFieldEnd(text, secrets)
  return end === undefined ? text : text.slice(0, end) + REDACTED
}

/** The pairs of a query or a form without their secrets. */
function redactPairs(text: string, secrets: Secrets): Redacted<string> {
  const redactor = new Redactor(secrets)
  return { value: redactor.pairs(text), ...redactor.found }
}

/** Whether a text has a secret field somewhere, such as `password: x`, `{'password': …` or `password=x`. */
export function hasSecretField(text: string, secrets: Secrets): boolean {
  return firstFieldEnd(text, secrets) !== undefined
}

class Redactor {
  readonly found = { secrets: [] as string[], isPartial: false }
  readonly #secrets: Secrets

  constructor(secrets: Secrets) {
    this.#secrets = secrets
  }

  text(text: string, depth: number): unknown {
    try {
      return this.value(JSON.parse(text), depth)
    } catch {
      const isForm = text.includes('=') && !looksLikeJson(text)
      return isForm ? this.pairs(text) : this.#malformed(text)
    }
  }

  value(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return looksLikeJson(value) ? this.#inner(value, depth + 1) : value
    if (typeof value !== 'object' || value === null) return value
    if (depth >= DEEPEST_READ) return '[nested deeper]'
    if (Array.isArray(value)) return value.map((item) => this.value(item, depth + 1))
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.#field(key, item, depth + 1)]))
  }

  pairs(text: string): string {
    return text
      .split('&')
      .map((pair) => this.#pair(pair))
      .join('&')
  }

  #field(key: string, value: unknown, depth: number): unknown {
    if (!this.#secrets.isSecret(key)) return this.value(value, depth)
    collectLeaves(value, this.found.secrets, depth)
    return REDACTED
  }

  /** A string that is JSON in itself stays a string. It is left alone if it holds no secret. */
  #inner(text: string, depth: number): string {
    if (!this.#secrets.anyName.test(text) && !text.includes('\\u')) return text
    const before = this.found.secrets.length
    const value = depth < DEEPEST_READ ? this.text(text, depth) : REDACTED
    if (typeof value === 'string') return value
    return this.found.secrets.length === before ? text : JSON.stringify(value)
  }

  #pair(pair: string): string {
    const split = pair.indexOf('=')
    const name = percentDecodedOrRaw((split === -1 ? pair : pair.slice(0, split)).replaceAll('+', ' '))
    const sent = split === -1 ? '' : pair.slice(split + 1)
    const value = percentDecodedOrRaw(sent.replaceAll('+', ' '))
    const isSecret = this.#secrets.isSecret(name)
    if (!isSecret && !hasSecretField(value, this.#secrets) && !hasSecretField(name, this.#secrets)) return pair
    this.found.secrets.push(sent, value)
    return isSecret && /^[\w.[\]-]+$/.test(name)
      ? `${pair.slice(0, Math.max(split, 0) || pair.length)}=${REDACTED}`
      : REDACTED
  }

  #malformed(text: string): string {
    const readable = text.replace(/\\u([0-9a-f]{4})/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
    const first = this.#secrets.anyName.exec(readable)
    if (first === null) return text
    this.found.isPartial = true
    return readable.slice(0, first.index + first[0].length) + REDACTED
  }
}

function looksLikeJson(text: string): boolean {
  return /^\s*["'[{]/.test(text)
}

/** All texts of a value that is left out, and the names of its fields. */
export function textsIn(value: unknown, depth = 0): string[] {
  if (typeof value !== 'object' || value === null) return value === null ? [] : [String(value)]
  if (depth === DEEPEST_READ) return []
  const names = Array.isArray(value) ? [] : Object.keys(value)
  return [...names, ...Object.values(value).flatMap((inner) => textsIn(inner, depth + 1))]
}

/** Texts by which an error may quote a secret value. */
function collectLeaves(value: unknown, leaves: string[], depth: number): void {
  if (typeof value === 'object' && value !== null) {
    if (depth < DEEPEST_READ) for (const item of Object.values(value)) collectLeaves(item, leaves, depth + 1)
  } else if (value !== null) leaves.push(String(value))
}

/** Where the first secret field's name, with its colon or equals sign, ends. */
function firstFieldEnd(text: string, { isSecret, anyName }: Secrets): number | undefined {
  if (!anyName.test(text)) return undefined
  // Each match begins where the last one ended, and nothing in it can match in two ways, so this takes linear time.
  for (const match of text.matchAll(/(\w+)["'\\\s]*([:=])?/g)) {
    const [whole, name = '', sign] = match
    if (sign !== undefined && isSecret(name)) return match.index + whole.length
  }
  return undefined
}

/** Secrets that are looked for one by one. If there are more, all texts of the answer are left out. */
const MOST_SOUGHT = 40

/** A secret that is this short is replaced only where it stands alone, lest it be found in every word. */
const SHORT_SECRET = 6

/** A response without the secrets that its request sent: errors quote what was sent. */
export function hideSent(response: unknown, { secrets, isPartial }: Pick<Redacted, 'secrets' | 'isPartial'>): unknown {
  const sought = soughtTexts(secrets)
  if (sought.length === 0 && !isPartial) return response
  if (sought.length > MOST_SOUGHT) return mapTexts(response, () => REDACTED)
  return mapTexts(response, (text) => {
    const known = sought.reduce(hideIn, text)
    return isPartial ? withoutQuotes(known) : known
  })
}

/** Each secret as it is and as JSON writes it, longest first. */
function soughtTexts(secrets: readonly string[]): string[] {
  const texts = secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)])
  return [...new Set(texts)].filter((text) => text !== '').toSorted((one, other) => other.length - one.length)
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapTexts(item, change)]))
}

export function hideIn(text: string, secret: string): string {
  if (secret.length >= SHORT_SECRET) return text.replaceAll(secret, () => REDACTED)
  let hidden = ''
  let from = 0
  for (let at = text.indexOf(secret); at !== -1; at = text.indexOf(secret, at + 1)) {
    if (at < from || isInWord(text, at, secret.length)) continue
    hidden += text.slice(from, at) + REDACTED
    from = at + secret.length
  }
  return hidden + text.slice(from)
}

function isInWord(text: string, at: number, length: number): boolean {
  const isLetter = (character: string | undefined) => character !== undefined && /\w/.test(character)
  return isLetter(text[at - 1]) || isLetter(text[at + length])
}

/** A message about a body that can't be parsed quotes a part of it, which may begin anywhere in a secret. */
function withoutQuotes(message: string): string {
  const first = message.indexOf('"')
  return first === -1 ? message : message.slice(0, first) + REDACTED + message.slice(message.lastIndexOf('"') + 1)
}

/** What is secret in the requests and the responses of an operation. */
export interface Secrets {
  isSecret(name: string): boolean
  /** Finds the first of these names in any text. */
  readonly anyName: RegExp
}

/** Secret in every request, also as part of a longer name. */
const EVERYWHERE = 'password'

const rows = operations as readonly OperationRow[]
const known = new Map<string | null, Secrets>()

/** What is secret for an operation. For null, a request that no operation answers: what is secret for any of them. */
export function secretsOf(operation: string | null): Secrets {
  const found = known.get(operation)
  if (found !== undefined) return found
  const fields = rows.filter(({ id }) => operation === null || id === operation).flatMap(fieldsOf)
  const secrets = describe(new Set(fields.map((name) => name.toLowerCase())))
  known.set(operation, secrets)
  return secrets
}

/**
 * Whether a body is not what an operation that takes secrets expects, so that a secret may stand anywhere in it. A part
 * that is hidden already, as `isHidden` says, is none.
 */
export function isMisplaced(body: unknown, operation: string | null, isHidden: (value: unknown) => boolean): boolean {
  const schema = rows.find(({ id }) => id === operation)?.body
  if (schema === undefined || !holdsSecrets(schema)) return false
  const { error } = schema.safeParse(body)
  return error?.issues.some(({ path }) => !isHidden(valueAt(body, path))) ?? false
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

function fieldsOf({ body, query, success: { schema, view } }: OperationRow): string[] {
  const views = view === undefined ? [] : Object.values(view).map((presentation) => presentation.schema)
  return [body, query, schema, ...views].flatMap((shape) => (shape === undefined ? [] : secretFields(shape)))
}

function describe(names: ReadonlySet<string>): Secrets {
  return {
    isSecret(name) {
      const lower = name.toLowerCase()
      // `token[]` is one of several tokens.
      return lower.includes(EVERYWHERE) || names.has(lower.split('[', 1)[0] ?? '')
    },
    anyName: new RegExp([EVERYWHERE, ...names].join('|'), 'i'),
  }
}

/** A path with its query, without its secrets. Most requests have none, and cost nothing. */
export function redactPath(path: string, operation: string | null): { path: string; secrets: readonly string[] } {
  const queryStart = path.indexOf('?')
  const mayHoldSecret = operation === null || operationsWithSecretPath.has(operation)
  if (queryStart === -1 && !mayHoldSecret) return { path, secrets: none }
  const found = secretsOf(operation)
  const end = queryStart === -1 ? path.length : queryStart
  const secrets: string[] = []
  const above = mayHoldSecret ? redactSegments(path.slice(0, end), found, secrets) : path.slice(0, end)
  if (queryStart === -1) return { path: above, secrets }
  const query = redactPairs(path.slice(queryStart + 1), found)
  return { path: `${above}?${query.value}`, secrets: [...secrets, ...query.secrets] }
}

/** The segments after `api-tokens` are secret, whatever the rest of the path: it may be mistyped. */
function redactSegments(path: string, fields: Secrets, secrets: string[]): string {
  let isNext = false
  const segments = path.split('/').map((segment) => {
    if (segment === '' || segment === '.') return segment
    const plain = percentDecodedOrRaw(segment)
    const pieces = plain.toLowerCase().split('/')
    const isSecret = isNext || hasSecretField(plain, fields) || pieces.slice(0, -1).some(leadsToSecret)
    isNext = leadsToSecret(pieces.at(-1) ?? '')
    if (!isSecret) return segment
    secrets.push(segment, plain)
    return REDACTED
  })
  return secrets.length === 0 ? path : segments.join('/')
}

function leadsToSecret(segment: string): boolean {
  return segmentsBeforeSecret.has(segment)
}
