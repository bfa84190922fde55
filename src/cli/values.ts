import { BACKEND_SHAPE, isBackend } from '../adapters/node/arguments.js'
import { UsageError } from '../files/usage-error.js'
import { type Latency, latencySchema } from '../scenarios/scenario.js'
import { readInstant } from '../support/calendar.js'
import { reasonOf } from '../support/errors.js'
import { didYouMean } from '../support/nearest.js'
import { withoutTrailing } from '../support/text.js'

/** Parses a flag's value, or throws a `UsageError` with the flag, the value and what was expected. */
export function parse<Value>(flag: string, given: unknown, read: (text: string) => Value): Value {
  const text = String(given)
  try {
    return read(text)
  } catch (error) {
    throw new UsageError(`${flag} can't be "${text}".`, reasonOf(error))
  }
}

/** `'a, b'` → `['a', 'b']` */
export function list(given: unknown): string[] {
  return String(given)
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

export function text(given: string): string {
  if (given.trim() === '') throw new Error('It must not be empty.')
  return given
}

export function port(given: string): number {
  return wholeNumber(given, 65_535)
}

export function journalSize(given: string): number {
  return wholeNumber(given, 1_000_000)
}

/** An ISO 8601 date, with or without a time. */
export function date(given: string): string {
  if (readInstant(given) === undefined) throw new Error('Use a date such as 2026-11-20T12:00:00Z.')
  return given
}

/** A host as in a URL, with or without a port. */
export function host(given: string): string {
  const url = `http://${given}`
  const isHost = !/[\s/?#@]/.test(given) && URL.canParse(url)
  if (!isHost) throw new Error('Use a host alone, such as flags.example.com or flags.example.com:8080.')
  return given
}

export function backend(given: string): string {
  if (!isBackend(given)) throw new Error(`Use a URL with ${BACKEND_SHAPE}.`)
  return given
}

export function origin(given: string): string {
  const isOrigin = URL.canParse(given) && new URL(given).origin === given.toLowerCase()
  if (!isOrigin) throw new Error('Use an origin: scheme, host and port, such as https://app.example.com.')
  return given.toLowerCase()
}

/** A path that begins with a slash and doesn't end with one; empty for the root. */
export function path(given: string): string {
  const trimmed = withoutTrailing(given, '/')
  if (/^(\/[\w.~-]+)*$/.test(trimmed) && !/\/\.{1,2}(\/|$)/.test(trimmed)) return trimmed
  throw new Error('Use a path that begins with a slash, with letters, digits, - and _, such as /flags.')
}

/** `'200'`, or `'100-500'` */
export function latency(given: string): Latency {
  const [, min, max] = /^(\d+(?:\.\d+)?)(?:-(\d+(?:\.\d+)?))?$/.exec(given) ?? []
  const value = max === undefined ? Number(min) : { min: Number(min), max: Number(max) }
  if (latencySchema.safeParse(value).success) return value
  throw new Error('Use milliseconds up to 3600000: 200, or a range: 100-500.')
}

export function oneOf(known: readonly string[]): (given: string) => string {
  return (given) => {
    if (known.includes(given)) return given
    throw new Error(`${didYouMean(given, known)} Known: ${known.join(', ')}.`.trim())
  }
}

export function yesOrNo(given: string): boolean {
  if (['true', '1', 'yes', 'on'].includes(given.toLowerCase())) return true
  if (['false', '0', 'no', 'off'].includes(given.toLowerCase())) return false
  throw new Error('Use true or false.')
}

function wholeNumber(given: string, max: number): number {
  if (/^\d+$/.test(given) && Number(given) <= max) return Number(given)
  throw new Error(`Use a whole number from 0 to ${max}.`)
}
