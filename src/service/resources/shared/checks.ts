import type * as z from 'zod'
import { DEEPEST, isTooDeep, PROTO, show } from '../../../support/json.js'
import { badData, type Failure } from '../../contract/errors.js'
import { ruledText } from './schema.js'
import type { DataFault } from './table.js'

/** The rule for names that appear in paths: as a schema, and as a check for operations. */
export interface NameRule {
  schema: z.ZodType<string, string>
  /** The error of a name, such as `must not be empty`. */
  faultOf(name: string): string | undefined
  check(name: string): Failure | undefined
}

/** Characters that percent-encoding leaves unchanged. */
const URL_FRIENDLY = /^[\w.!~*'()-]+$/

/** Whether a text can be a segment of a URL's path without percent-encoding. */
export function isUrlFriendly(text: string): boolean {
  return URL_FRIENDLY.test(text) && text !== '.' && text !== '..'
}

/** A rule for names: URL-friendly characters, and limits for the length. */
export function nameRule({ shortest, longest }: { shortest: number; longest: number }): NameRule {
  const faultOf = (name: string): string | undefined => {
    if (name === '') return 'must not be empty'
    if (!isUrlFriendly(name)) return "can contain only URL-friendly characters: letters, digits, - _ . ! ~ * ' ( )"
    if (name.length < shortest) return `must not be shorter than ${shortest} characters`
    return name.length > longest ? `must not be longer than ${longest} characters` : undefined
  }
  return {
    schema: ruledText(faultOf).meta({ minLength: shortest, maxLength: longest }),
    faultOf,
    check(name) {
      const fault = faultOf(name)
      return fault === undefined
        ? undefined
        : badData(`The property "name" ${fault}; ${JSON.stringify(name)} was sent.`, '/body/name')
    },
  }
}

/** Fails for a value that is nested too deeply to be written as JSON. */
export function checkDepth(what: string, value: unknown, path: string): Failure | undefined {
  return isTooDeep(value) ? badData(`The ${what} is nested deeper than ${DEEPEST} levels.`, path) : undefined
}

/** Fails for a name that can't be a field of a record. */
export function checkFieldName(name: string, path: string): Failure | undefined {
  return name === PROTO ? badData(`"${path}" can't be "${PROTO}".`, path) : undefined
}

/** A 409 because another record has this name. */
export function nameTaken(what: string, name: string): Failure {
  return { kind: 'nameExists', message: `There is already a ${what} named "${name}".` }
}

/** An error for each repeated key in a list. `path` is the place of the list. */
export function duplicateFaults(path: string, keys: readonly (string | number)[]): DataFault[] {
  const seen = new Map<string | number, number>()
  const faults: DataFault[] = []
  for (const [position, key] of keys.entries()) {
    const first = seen.get(key)
    if (first === undefined) seen.set(key, position)
    else faults.push({ path: `${path}[${position}]`, message: `${show(key)} is a duplicate of [${first}]` })
  }
  return faults
}

/** A sum within the range of a snapshot: a larger sum becomes the maximum. */
export function cappedSum(one: number, other: number, most = Number.MAX_SAFE_INTEGER): number {
  return Math.max(-most, Math.min(most, one + other))
}

/** The index of the first text that repeats an earlier one, or -1. */
export function firstRepeated(texts: readonly string[]): number {
  const seen = new Set<string>()
  return texts.findIndex((text) => seen.size === seen.add(text).size)
}

/** The distinct texts, sorted. */
export function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)].toSorted()
}

/** Items in their sort order. Ties keep their order. */
export function inOrder<Item extends { readonly sortOrder: number }>(items: readonly Item[]): Item[] {
  return items.toSorted((one, other) => one.sortOrder - other.sortOrder)
}

/** Compares instants, or other texts, by the codes of their characters. */
export function ascending(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}

let letters: Intl.Collator | undefined

/** Compares texts by the locale en_US, the order of lists in Unleash's own interface: by letters and digits, then by case and punctuation. */
export function compareTexts(one: string, other: string): number {
  letters ??= new Intl.Collator('en', { ignorePunctuation: true })
  return letters.compare(one, other) || one.localeCompare(other)
}

/** Compares by name, for sorting. */
export function byName(one: { readonly name: string }, other: { readonly name: string }): number {
  return compareTexts(one.name, other.name)
}
