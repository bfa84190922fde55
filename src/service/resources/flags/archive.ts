import * as z from 'zod'
import { type Failure, reject } from '../../contract/errors.js'
import { logEvent } from '../instance/events.operations.js'
import { findActiveProject } from '../projects/projects.operations.js'
import type { OperationContext, Tables } from '../shared/context.js'
import { del, ok, operations, post } from '../shared/rows.js'
import { named, toInstant } from '../shared/schema.js'
import { favoritesOf } from './favorites.model.js'
import { archiveFeatureRecord, batchFeaturesSchema, reviveFeatureRecord, type StoredFeature } from './features.js'
import {
  childrenOf,
  featurePath,
  findAllInProject,
  findFeature,
  findInProject,
  newGroup,
  saveFeature,
  summarizeFeature,
} from './features.model.js'

const validateArchiveFeaturesSchema = named('validateArchiveFeaturesSchema', () => ({
  parentsWithChildFeatures: z.array(z.string()),
  hasDeletedDependencies: z.boolean(),
}))

/** Fails if another feature depends on one of these features. */
function checkNoChildrenStay(tables: Tables, leaving: readonly string[]): Failure | undefined {
  const all = new Set(leaving)
  for (const parent of all) {
    const children = childrenOf(tables, parent, all)
    if (children.length > 0) {
      const names = children.map((name) => `"${name}"`).join(', ')
      const message = `The feature "${parent}" can't be archived or deleted while other features depend on it: ${names}.`
      return { kind: 'invalidOperation', message }
    }
  }
  return undefined
}

/** Archives a feature, which ends its dependencies. */
export function archive(context: OperationContext, feature: StoredFeature, group: { groupId?: string } = {}): void {
  const archived = { ...archiveFeatureRecord(feature, toInstant(context.now)), dependencies: [] }
  const freed = feature.dependencies.length === 0 ? [] : [{ type: 'feature-dependencies-removed', data: null }]
  saveFeature(context, archived, [...freed, { type: 'feature-archived', data: null }], group)
}

/** Revives a feature. An active one gets disabled. */
export function revive(context: OperationContext, feature: StoredFeature, group: { groupId?: string } = {}): undefined {
  findActiveProject(context.tables, feature.project)
  const revived = reviveFeatureRecord(feature, toInstant(context.now))
  saveFeature(context, revived, [{ type: 'feature-revived', data: null }], group)
}

/** Deletes an archived feature and every reference to it; leaves an active one unchanged. */
export function remove(
  context: OperationContext,
  feature: StoredFeature,
  groupId = context.ids.ulid(context.now.getTime()),
): void {
  if (!feature.archived) return
  const { features, favorites } = context.tables
  for (const child of features.by('parent', feature.name)) {
    features.replace({ ...child, dependencies: child.dependencies.filter((one) => one.feature !== feature.name) })
  }
  for (const key of favoritesOf(context.tables, 'feature', feature.name)) favorites.remove(key)
  features.remove(feature.name)
  logEvent(context, { type: 'feature-deleted', data: null, preData: summarizeFeature(feature), groupId }, feature)
}

export const archiveOperations = operations('Archive', {
  archiveFeature: del(featurePath, {
    summary: 'Archive a feature; no other feature can take its name',
    permission: 'DELETE_FEATURE',
    success: { status: 202, description: 'The feature is archived' },
    run: ({ params, context }) => {
      const found = findInProject(context.tables, params)
      reject(checkNoChildrenStay(context.tables, [params.featureName]))
      archive(context, found)
    },
  }),

  archiveFeatures: post('/api/admin/projects/:projectId/archive', {
    summary: 'Archive several features',
    permission: 'DELETE_FEATURE',
    body: batchFeaturesSchema,
    success: { status: 202, description: 'The features are archived' },
    run: ({ params, body, context }) => {
      const found = findAllInProject(context.tables, body.features, params.projectId, 'byCreation')
      reject(checkNoChildrenStay(context.tables, body.features))
      const group = newGroup(context)
      for (const feature of found) if (!feature.archived) archive(context, feature, group)
    },
  }),

  validateArchiveFeatures: post('/api/admin/projects/:projectId/archive/validate', {
    summary: 'Check what prevents several features from being archived',
    permission: 'DELETE_FEATURE',
    body: batchFeaturesSchema,
    success: ok('The reasons', validateArchiveFeaturesSchema),
    errors: [],
    run: ({ body: { features }, tables }) => {
      const leaving = new Set(features)
      const parents = new Set([...leaving].filter((name) => childrenOf(tables, name, leaving).length > 0))
      return {
        body: {
          parentsWithChildFeatures: features.filter((name) => parents.has(name)),
          hasDeletedDependencies: features.some(
            (name) =>
              (tables.features.get(name)?.dependencies.length ?? 0) > 0 || tables.features.count('parent', name) > 0,
          ),
        },
      }
    },
  }),

  reviveFeature: post('/api/admin/archive/revive/:featureName', {
    summary: 'Revive a feature, disabled everywhere',
    permission: 'UPDATE_FEATURE',
    success: { status: 200, description: 'The feature is active' },
    run: ({ params, context }) => revive(context, findFeature(context.tables, params.featureName)),
  }),

  reviveFeatures: post('/api/admin/projects/:projectId/revive', {
    summary: 'Revive several archived features',
    permission: 'UPDATE_FEATURE',
    body: batchFeaturesSchema,
    success: { status: 200, description: 'The features are active' },
    run: ({ params, body, context }) => {
      findActiveProject(context.tables, params.projectId)
      const found = findAllInProject(context.tables, body.features, params.projectId)
      const group = newGroup(context)
      for (const feature of found) if (feature.archived) revive(context, feature, group)
    },
  }),

  deleteFeature: del('/api/admin/archive/:featureName', {
    summary: 'Delete an archived feature permanently; an active one is left unchanged',
    permission: 'DELETE_FEATURE',
    success: { status: 200, description: 'No archived feature has this name' },
    run: ({ params, context }) => {
      const feature = context.tables.features.get(params.featureName)
      if (feature === undefined) return
      reject(checkNoChildrenStay(context.tables, [feature.name]))
      remove(context, feature)
    },
  }),

  deleteFeatures: post('/api/admin/projects/:projectId/delete', {
    summary: 'Delete several archived features permanently',
    permission: 'DELETE_FEATURE',
    body: batchFeaturesSchema,
    success: { status: 200, description: 'The features are deleted' },
    run: ({ params, body, context }) => {
      const found = findAllInProject(context.tables, body.features, params.projectId, 'byCreation')
      reject(checkNoChildrenStay(context.tables, body.features))
      const { groupId } = newGroup(context)
      for (const feature of found) remove(context, feature, groupId)
    },
  }),
})
