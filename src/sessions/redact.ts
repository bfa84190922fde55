import type { Secrets } from './secrets.js'

/** What stands for a value that is not to be shown. */
export const REDACTED = '[redacted]'

/** Levels of nesting that are shown; deeper ones only say that they are there. */
const DEEPEST = 100

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
export function redactPairs(text: string, secrets: Secrets): Redacted<string> {
  const redactor = new Redactor(secrets)
  return { value: redactor.pairs(text), ...redactor.found }
}

/** Whether a text has a secret field somewhere, such as `password: x`, `{'password': …` or `password=x`. */
export function hasSecretField(text: string, secrets: Secrets): boolean {
  return firstFieldEnd(text, secrets) !== undefined
}

/** Percent-decoded, or as it is where the encoding is malformed. */
export function decoded(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
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
      const isForm = text.includes('=') && !/^\s*["'[{]/.test(text)
      return isForm ? this.pairs(text) : this.#malformed(text)
    }
  }

  value(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return looksLikeJson(value) ? this.#inner(value, depth + 1) : value
    if (typeof value !== 'object' || value === null) return value
    if (depth >= DEEPEST) return '[nested deeper]'
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
    const value = depth < DEEPEST ? this.text(text, depth) : REDACTED
    if (typeof value === 'string') return value
    return this.found.secrets.length === before ? text : JSON.stringify(value)
  }

  #pair(pair: string): string {
    const split = pair.indexOf('=')
    const name = decoded((split === -1 ? pair : pair.slice(0, split)).replaceAll('+', ' '))
    const sent = split === -1 ? '' : pair.slice(split + 1)
    const value = decoded(sent.replaceAll('+', ' '))
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
  if (depth === DEEPEST) return []
  const names = Array.isArray(value) ? [] : Object.keys(value)
  return [...names, ...Object.values(value).flatMap((inner) => textsIn(inner, depth + 1))]
}

/** Texts by which an error may quote a secret value. */
function collectLeaves(value: unknown, leaves: string[], depth: number): void {
  if (typeof value === 'object' && value !== null) {
    if (depth < DEEPEST) for (const item of Object.values(value)) collectLeaves(item, leaves, depth + 1)
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
