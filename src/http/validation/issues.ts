import type * as z from 'zod'
import type { Detail } from '../../contract/errors.js'
import { show, valueAt } from '../../support/json-path.js'

export type Issue = z.core.$ZodIssue

/** Marks an issue as a rule: something about a value that goes beyond its type and format. */
export function isRule(issue: Issue): boolean {
  return issue.code === 'custom' && issue.params?.rule === true
}

/**
 * The issue that the service's validator meets first. In an object it looks for the type, then for what is missing,
 * then for what is too much, and only then into the properties, in their order.
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

/** The faults that an issue of the schema tells of, each with its place below a root: `/body/name`. */
export function describeIssues(issue: Issue, given: unknown, root: string): Detail[] {
  const path = pointer(root, issue.path)
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      message: `The object "${path}" takes no property "${pointer(path, [key])}".`,
      path: pointer(path, [key]),
    }))
  }
  if (valueAt(given, issue.path) === undefined) return [{ message: `The property "${path}" is required.`, path }]
  return [{ message: `The property "${path}" ${expectation(issue, valueAt(given, issue.path))}`, path }]
}

/** What a value that fits none of its alternatives meets first in each of them. */
export function alternativesOf({ errors, path }: z.core.$ZodIssueInvalidUnion, given: unknown): Issue[] {
  return errors
    .filter((issues) => issues.length > 0)
    .map((issues) => {
      const placed = issues.map((issue) => ({ ...issue, path: [...path, ...issue.path] }))
      return firstIssue(placed, given, path.length)
    })
}

/** The fault of a value as a whole. */
export function fitsNone(path: string): Detail {
  return { message: `"${path}" must be exactly one of the things that it can be.`, path }
}

/** `['environments', 0]` → `/body/environments/0` */
export function pointer(root: string, path: readonly PropertyKey[]): string {
  return [root, ...path.map((key) => String(key).replaceAll('~', '~0').replaceAll('/', '~1'))].join('/')
}

function expectation(issue: Issue, found: unknown): string {
  const sent = `${quote(found)} was sent.`
  if (issue.code === 'invalid_type') return `must be ${article(issue.expected)}; ${sent}`
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.map(String).join(', ')}; ${sent}`
  return `${issue.message}; ${sent}`
}

/** What was sent, whole, as the service quotes it; in words where it is nested too deeply to be written. */
function quote(found: unknown): string {
  try {
    return JSON.stringify(found)
  } catch {
    return show(found)
  }
}

function article(expected: string): string {
  return /^[aeiou]/.test(expected) ? `an ${expected}` : `a ${expected}`
}
