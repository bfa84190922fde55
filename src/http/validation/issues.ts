import type * as z from 'zod'
import type { Detail } from '../../contract/errors.js'
import { show, valueAt } from '../../support/json-path.js'

export type Issue = z.core.$ZodIssue

/** Whether an issue comes from a rule beyond types and formats. */
export function isRule(issue: Issue): boolean {
  return issue.code === 'custom' && issue.params?.rule === true
}

/**
 * The issue that the service's validator, AJV, reports first. In an object it checks the type, then missing properties,
 * then unknown ones, and then the properties in their order.
 */
export function firstIssue(issues: readonly Issue[], given: unknown, depth = 0): Issue {
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

/** Where a value stands, and whether a fault may quote what was sent. */
interface Place {
  root: string
  quotes: boolean
}

/** The faults that an issue of the schema stands for, each with its place below a root: `/body/name`. */
export function describeIssues(issue: Issue, given: unknown, { root, quotes }: Place): Detail[] {
  const path = pointer(root, issue.path)
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      message: `The object "${path}" takes no property "${pointer(path, [key])}".`,
      path: pointer(path, [key]),
    }))
  }
  if (valueAt(given, issue.path) === undefined) return [{ message: `The property "${path}" is required.`, path }]
  return [
    {
      message: `The property "${path}" ${expectation(issue, quotes ? `; ${quote(valueAt(given, issue.path))} was sent.` : '.')}`,
      path,
    },
  ]
}

/** The first issue in each alternative of a value that fits none of them. */
export function alternativesOf({ errors, path }: z.core.$ZodIssueInvalidUnion, given: unknown): Issue[] {
  return errors
    .filter((issues) => issues.length > 0)
    .map((issues) => {
      const placed = issues.map((issue) => ({ ...issue, path: [...path, ...issue.path] }))
      return firstIssue(placed, given, path.length)
    })
}

/** The fault of a value that fits none of its alternatives. */
export function fitsNone(path: string): Detail {
  return { message: `"${path}" must match exactly one of its alternatives.`, path }
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

/** Levels of nesting that are quoted. JavaScript engines give up at different depths. */
const LEVELS_QUOTED = 1000

/** The sent value, quoted in full as the service does, or described if it is nested too deeply. */
function quote(found: unknown): string {
  return isDeeper(found, LEVELS_QUOTED) ? show(found) : JSON.stringify(found)
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1))
}

function article(expected: string): string {
  return /^[aeiou]/.test(expected) ? `an ${expected}` : `a ${expected}`
}
