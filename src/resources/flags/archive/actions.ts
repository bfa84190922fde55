import type { Failure } from '../../../contract/errors.js'
import type { Frozen } from '../../../support/freeze.js'
import { findActiveProject } from '../../projects/projects/lookup.js'
import type { OperationContext, Tables } from '../../shared/context.js'
import { favoritesOf } from '../favorites/lookup.js'
import { saveFeature } from '../features/actions.js'
import { logFeatureEvent } from '../features/log.js'
import { summarizeFeature } from '../features/present.js'
import { archiveFeatureRecord, reviveFeatureRecord } from '../features/rules.js'
import type { FeatureRecord } from '../features/schema.js'

type Stored = Frozen<FeatureRecord>

/** The active features that depend on one, but for those that go with it. */
export function activeChildren(tables: Tables, parent: string, leaving: readonly string[] = []): string[] {
  return tables.features
    .by('parent', parent)
    .filter(({ name, archived }) => !archived && !leaving.includes(name))
    .map(({ name }) => name)
}

/** A refusal to archive features that others depend on which stay. */
export function checkNoChildrenStay(tables: Tables, leaving: readonly string[]): Failure | undefined {
  for (const parent of leaving) {
    const children = activeChildren(tables, parent, leaving)
    if (children.length > 0) {
      const names = children.map((name) => `"${name}"`).join(', ')
      const message = `The feature "${parent}" has dependants (${names}) and can't be archived before them.`
      return { kind: 'invalidOperation', message }
    }
  }
  return undefined
}

export function archive(context: OperationContext, feature: Stored): void {
  const archived = archiveFeatureRecord(feature, context.now.toISOString())
  saveFeature(context, archived, [{ type: 'feature-archived', data: null }])
}

/** Brings an archived feature back; an active one is left as it is. */
export function revive(context: OperationContext, feature: Stored): Failure | undefined {
  if (!feature.archived) return undefined
  const project = findActiveProject(context.tables, feature.project)
  if (!project.ok) return project.failure
  const revived = reviveFeatureRecord(feature, context.now.toISOString())
  saveFeature(context, revived, [{ type: 'feature-revived', data: null }])
  return undefined
}

/** Deletes an archived feature, and all that points at it; an active one is left as it is. */
export function remove(context: OperationContext, feature: Stored): undefined {
  if (!feature.archived) return
  const { features, favorites } = context.tables
  for (const child of features.by('parent', feature.name)) {
    features.replace({ ...child, dependencies: child.dependencies.filter((one) => one.feature !== feature.name) })
  }
  for (const key of favoritesOf(context.tables, 'feature', feature.name)) favorites.remove(key)
  features.remove(feature.name)
  logFeatureEvent(context, feature, {
    type: 'feature-deleted',
    data: null,
    preData: summarizeFeature(feature),
    groupId: context.ids.ulid(context.now.getTime()),
  })
}
