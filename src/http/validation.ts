import type * as z from 'zod'
import type { Detail } from '../contract/errors.js'
import { show, valueAt } from '../support/json-path.js'

type Issue = z.core.$ZodIssue

/** The faults that an issue of the schema tells of, each with its place below a root: `/body/name`. */
export function describeIssues(issue: Issue, given: unknown, root: string): Detail[] {
  const path = pointer(root, issue.path)
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      message: `The property "${key}" is not known here.`,
      path: pointer(root, [...issue.path, key]),
    }))
  }
  if (valueAt(given, issue.path) === undefined)
    return [{ message: `The property "${label(issue)}" is required.`, path }]
  return [{ message: `${subject(issue)} ${expectation(issue, valueAt(given, issue.path))}`, path }]
}

/** `['environments', 0]` → `/body/environments/0` */
function pointer(root: string, path: readonly PropertyKey[]): string {
  return [root, ...path.map((key) => String(key).replaceAll('~', '~0').replaceAll('/', '~1'))].join('/')
}

function label({ path }: Issue): string {
  return path.map(String).join('.')
}

function subject(issue: Issue): string {
  return issue.path.length === 0 ? 'The body' : `The property "${label(issue)}"`
}

function expectation(issue: Issue, found: unknown): string {
  if (issue.code === 'invalid_type') return `must be ${article(issue.expected)}; ${show(found)} was sent.`
  if (issue.code === 'invalid_value')
    return `must be one of ${issue.values.map(String).join(', ')}; ${show(found)} was sent.`
  return `${issue.message}; ${show(found)} was sent.`
}

function article(expected: string): string {
  return /^[aeiou]/.test(expected) ? `an ${expected}` : `a ${expected}`
}
