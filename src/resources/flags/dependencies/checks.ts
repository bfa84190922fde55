import { type Failure, notFound } from '../../../contract/errors.js'
import type { Frozen } from '../../../support/freeze.js'
import type { Tables } from '../../shared/context.js'
import type { FeatureRecord } from '../features/schema.js'
import { activeChildren } from './lookup.js'

/** Fails if a feature can't have this parent. Dependencies are one level deep and stay within a project. */
export function checkParent(tables: Tables, child: Frozen<FeatureRecord>, parentName: string): Failure | undefined {
  const parent = tables.features.get(parentName)
  if (child.name === parentName) return invalid(`The feature "${parentName}" can't depend on itself.`)
  if (parent === undefined || parent.archived) return invalid(`There is no active feature named "${parentName}".`)
  if (parent.dependencies.length > 0) {
    return invalid(`The feature "${parentName}" depends on another feature, so no feature can depend on it.`)
  }
  if (activeChildren(tables, child.name).length > 0) {
    return invalid(`Other features depend on "${child.name}", so it can't depend on a feature itself.`)
  }
  if (parent.project !== child.project) {
    return notFound(`The feature "${parentName}" is not in the project "${child.project}".`)
  }
  return undefined
}

function invalid(message: string): Failure {
  return { kind: 'invalidOperation', message }
}
