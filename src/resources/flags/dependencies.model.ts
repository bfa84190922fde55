import { type Failure, notFound } from '../../contract/errors.js'
import type { Frozen } from '../../support/freeze.js'
import type { Tables } from '../shared/context.js'
import type { FeatureRecord } from './features.js'

type Stored = Frozen<FeatureRecord>

/** The names of the features that can be a feature's parent: those without parents of their own. */
export function parentOptions(child: Stored, others: readonly Stored[]): string[] {
  return others
    .filter(({ name, dependencies }) => name !== child.name && dependencies.length === 0)
    .map(({ name }) => name)
    .toSorted()
}

/** The names of the variants of a feature's strategies and environments. */
export function variantNames({ environments }: Stored): string[] {
  const variants = environments.flatMap((environment) => [
    ...environment.variants,
    ...environment.strategies.flatMap((strategy) => strategy.variants),
  ])
  return [...new Set(variants.map(({ name }) => name))].toSorted()
}

/** The names of the active features that depend on this one, apart from those given. */
export function activeChildren(tables: Tables, parent: string, except: readonly string[] = []): string[] {
  return tables.features
    .by('parent', parent)
    .filter(({ name, archived }) => !archived && !except.includes(name))
    .map(({ name }) => name)
}

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
