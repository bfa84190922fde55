import type * as z from 'zod'
import type { ZodType } from 'zod'
import type { Detail, Failure } from '../../service/contract/errors.js'
import type { Profile } from '../../service/contract/profile.js'
import { holdsSecrets } from '../../service/contract/secrets.js'
import { isTooDeep, show, valueAt } from '../../support/json.js'
import { FAULTS_TOLD } from '../../support/text.js'
import type { CheckedRow } from './call.js'

type Issue = z.core.$ZodIssue

/** Whether an issue comes from a rule beyond types and formats. */
function isRule(issue: Issue): boolean {
  return issue.code === 'custom' && issue.params?.rule === true
}

/**
 * The issue that Unleash's validator, AJV, reports first. In an object it checks the type, then missing properties, then
 * unknown properties, and then the properties in their order.
 */
function firstIssue(issues: readonly Issue[], given: unknown, depth = 0): Issue {
  const [next] = issues
  if (next === undefined) throw new Error('There is no issue.')
  const isExtra = (issue: Issue) => issue.path.length === depth && issue.code === 'unrecognized_keys'
  const found =
    issues.find((issue) => issue.path.length === depth && !isExtra(issue)) ??
    issues.find((issue) => issue.path.length === depth + 1 && valueAt(given, issue.path) === undefined) ??
    issues.find(isExtra)
  if (found !== undefined) return found
  return firstIssue(
    issues.filter((issue) => issue.path[depth] === next.path[depth]),
    given,
    depth + 1,
  )
}

/** The place of a value, and whether an error can quote it. */
interface FaultPlace {
  root: string
  quotes: boolean
}

/** The errors for an issue of the schema, each with its place below a root: `/body/name`. */
function describeIssues(issue: Issue, given: unknown, { root, quotes }: FaultPlace): Detail[] {
  const path = pointer(root, issue.path)
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.slice(0, FAULTS_TOLD).map((key) => ({
      message: `The object "${path}" takes no property "${pointer(path, [key])}".`,
      path: pointer(path, [key]),
    }))
  }
  if (valueAt(given, issue.path) === undefined) return [{ message: `The property "${path}" is required.`, path }]
  const end = quotes ? `; ${quote(valueAt(given, issue.path))} was sent.` : '.'
  return [{ message: `The property "${path}" ${expectation(issue, end)}`, path }]
}

/** The first issue in each alternative of a value that matches none. */
function alternativesOf({ errors, path }: z.core.$ZodIssueInvalidUnion, given: unknown): Issue[] {
  return errors
    .filter((issues) => issues.length > 0)
    .map((issues) => {
      const placed = issues.map((issue) => ({ ...issue, path: [...path, ...issue.path] }))
      return firstIssue(placed, given, path.length)
    })
}

/** The error for a value that fits none of its alternatives. It quotes the value, unless it can hold a secret. */
function fitsNone(found: unknown, path: readonly PropertyKey[], { root, quotes }: FaultPlace): Detail {
  const place = pointer(root, path)
  const end = quotes ? `; ${quote(valueAt(found, path))} was sent.` : '.'
  return { message: `"${place}" must match exactly one of its alternatives${end}`, path: place }
}

/** Whether an issue is that a place must hold an object. */
function needsObject({ code, path, ...issue }: Issue, place: readonly PropertyKey[]): boolean {
  return code === 'invalid_type' && 'expected' in issue && issue.expected === 'object' && path.length === place.length
}

/** `['environments', 0]` → `/body/environments/0` */
export function pointer(root: string, path: readonly PropertyKey[]): string {
  return [root, ...path.map((key) => String(key).replaceAll('~', '~0').replaceAll('/', '~1'))].join('/')
}

function expectation(issue: Issue, end: string): string {
  if (issue.code === 'invalid_type') return `must be ${article(issue.expected)}${end}`
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}${end}`
  return `${issue.message}${end}`
}

/** The maximum nesting to quote. JavaScript engines give up at different depths. */
const LEVELS_QUOTED = 1000

/** The sent value, quoted in full as Unleash does, or described if it is nested too deeply. */
function quote(found: unknown): string {
  return isTooDeep(found, LEVELS_QUOTED) ? show(found) : JSON.stringify(found)
}

function article(expected: string): string {
  return /^[aeiou]/.test(expected) ? `an ${expected}` : `a ${expected}`
}

/** Whether a value was sent, and is neither an object nor an array. */
function isScalar(found: unknown): boolean {
  return found === null || (found !== undefined && typeof found !== 'object')
}

/** The part of a request that a shape describes. */
export type RequestPart = 'body' | 'query'

/**
 * The failure for a part that doesn't match its shape, with the errors that the profile tells. Undefined if it only
 * breaks rules that the profile leaves to the operation.
 */
export function failureOfPart(
  found: readonly Issue[],
  given: unknown,
  { part, shape, row, profile }: { part: RequestPart; shape: ZodType; row: CheckedRow; profile: Profile },
): Failure | undefined {
  const { faults, leavesRules } = profile.schema
  const root = `/${part}`
  const counts = (issue: Issue) => !leavesRules || !isRule(issue)
  const told = found.filter(counts)
  // Other errors can come after the first hundred that don't count.
  const issues = told.length > 0 ? told : (shape.safeParse(given).error?.issues.filter(counts) ?? [])
  if (issues.length === 0) return undefined
  // A secret can be in the wrong field.
  const quotes = !holdsSecrets(shape)
  const place = { root, quotes }
  const describe = (issue: Issue): Detail[] =>
    describeIssues(issue, given, place).map((detail) =>
      faults === 'first' && issue.code === 'invalid_value' && isScalar(valueAt(given, issue.path))
        ? { ...detail, path: String(issue.path.at(-1)) }
        : detail,
    )
  const firstFaults = (first: Issue): Detail[] => {
    const hasAlternatives = part === 'body' && row.bodyHasAlternatives === true && first.path.length > 0
    const whole = hasAlternatives ? [fitsNone(given, [], place)] : []
    const isMissing = valueAt(given, first.path) === undefined
    if (first.code !== 'invalid_union' || isMissing) return [...describe(first).slice(0, 1), ...whole]
    const firsts = alternativesOf(first, given)
    const messages = firsts.flatMap((issue) => describe(issue).slice(0, 1))
    if (firsts.every((issue) => needsObject(issue, first.path))) return messages.slice(0, 1)
    return [...messages, fitsNone(given, first.path, place), ...whole]
  }
  const details =
    faults === 'all' ? issues.flatMap(describe).slice(0, FAULTS_TOLD) : firstFaults(firstIssue(issues, given))
  const message = `The ${part} is invalid: ${details.map((detail) => detail.message).join(' ')}`
  return { kind: 'badData', message, details }
}
