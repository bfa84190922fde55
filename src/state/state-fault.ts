import type * as z from 'zod'
import type { DataFault } from '../contract/mock-errors.js'
import { show, valueAt } from '../support/json-path.js'
import { didYouMean } from '../support/nearest.js'

type Issue = z.core.$ZodIssue

/** A fault of the schema in words: what was expected, and what was found. */
export function describeIssue(issue: Issue, given: unknown): DataFault {
  const path = jsonPath(issue.path)
  if (issue.code === 'unrecognized_keys') {
    const names = issue.keys.slice(0, LISTED).map((key) => `"${key}"`)
    const more = issue.keys.length > LISTED ? ` (and ${issue.keys.length - LISTED} more)` : ''
    return { path, message: `${names.join(', ')}${more} is not known here` }
  }
  const found = valueAt(given, issue.path)
  return { path, message: `${expectation(issue)}, found ${show(found)}${meant(issue, found)}` }
}

/** Known names up to which the one that was meant is looked for: comparing them costs time. */
const MOST_COMPARED = 1000

/** A reference that leads nowhere. */
export function danglingReference(
  path: string,
  what: string,
  found: string | number,
  known: readonly (string | number)[],
): DataFault {
  const hint = known.length > MOST_COMPARED ? '' : didYouMean(String(found), known.map(String))
  return { path, message: `expected ${what} that exists, found ${show(found)}${hint && `.${hint}`}` }
}

export function jsonPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, key) => text + (typeof key === 'number' ? `[${key}]` : `.${String(key)}`), '$')
}

/** Values that a message lists; of more it only tells how many there are, and which one is near. */
const LISTED = 10

function meant(issue: Issue, found: unknown): string {
  if (issue.code !== 'invalid_value' || typeof found !== 'string') return ''
  const hint = didYouMean(found, issue.values.map(String))
  return hint && `.${hint}`
}

function expectation(issue: Issue): string {
  if (issue.code === 'invalid_type') return `expected ${issue.expected}`
  if (issue.code === 'invalid_value' && issue.values.length > LISTED)
    return `expected one of ${issue.values.length} names`
  if (issue.code === 'invalid_value') return `expected ${issue.values.map((value) => show(value)).join(' or ')}`
  return issue.message
}
