import { type Failure, notFound } from '../../../contract/errors.js'
import type { Frozen } from '../../../support/freeze.js'
import type { Tables } from '../../shared/context.js'
import { activeChildren } from '../archive/actions.js'
import type { FeatureRecord } from '../features/schema.js'

/** A refusal of a parent for a feature: dependencies are one deep, and within one project. */
export function checkParent(tables: Tables, child: Frozen<FeatureRecord>, parentName: string): Failure | undefined {
  const parent = tables.features.get(parentName)
  if (child.name === parentName) return refusal(`The feature "${parentName}" can't depend on itself.`)
  if (parent === undefined || parent.archived) return refusal(`There is no active feature named "${parentName}".`)
  if (parent.project !== child.project) {
    return notFound(`The feature "${parentName}" is not in the project "${child.project}".`)
  }
  if (parent.dependencies.length > 0) {
    return refusal(`The feature "${parentName}" depends on another one, so nothing can depend on it.`)
  }
  if (activeChildren(tables, child.name).length > 0) {
    return refusal(`Other features depend on "${child.name}", so it can't depend on one itself.`)
  }
  return undefined
}

function refusal(message: string): Failure {
  return { kind: 'invalidOperation', message }
}
