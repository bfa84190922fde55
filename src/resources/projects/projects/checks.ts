import type { Failure } from '../../../contract/errors.js'
import type { Frozen } from '../../../support/freeze.js'
import { compileExpression } from '../../../support/linear-expression.js'
import type { Tables } from '../../shared/context.js'
import type { ProjectRecord } from './schema.js'

/** Rejects a feature name that does not match the project's pattern. */
export function checkNaming(project: Frozen<ProjectRecord> | undefined, name: string): Failure | undefined {
  const { pattern = null, example = null, description = null } = project?.featureNaming ?? {}
  if (matchesNaming(project, name)) return undefined
  const hints = [
    example === null ? '' : ` An example: "${example}".`,
    description === null ? '' : ` The pattern's description is: "${description}".`,
  ]
  const message = `The name "${name}" does not match the project's pattern "${pattern}".${hints.join('')}`
  return { kind: 'brokenPattern', message, details: [{ message, path: '/body/name' }] }
}

/** Whether a name matches the pattern of a project, if it has one. */
export function matchesNaming(project: Frozen<ProjectRecord> | undefined, name: string): boolean {
  const { pattern = null } = project?.featureNaming ?? {}
  return pattern === null || matchesWhole(pattern, name)
}

function matchesWhole(pattern: string, name: string): boolean {
  const expression = compileExpression(pattern, { syntax: 'javascript' })
  return expression.ok && expression.value.testWhole(name)
}

/** Rejects one more feature in a project that has reached its limit. */
export function checkFeatureLimit(tables: Tables, projectId: string): Failure | undefined {
  const limit = tables.projects.get(projectId)?.featureLimit ?? null
  if (limit === null || tables.features.count('activeInProject', projectId) < limit) return undefined
  return {
    kind: 'invalidOperation',
    message: `The project ${projectId} already has the maximum number of features: ${limit}.`,
  }
}
