import * as z from 'zod'
import { badData, type Failure, reject } from '../../contract/errors.js'
import { checkFeatureLimit, checkNaming, findActiveProject } from '../projects/projects.operations.js'
import { patchDocument, patchesSchema } from '../shared/json-patch.js'
import { object } from '../shared/object.js'
import { operations, patch, post, put } from '../shared/rows.js'
import { named, toInstant } from '../shared/schema.js'
import { builtInFeatureTypes } from './feature-types.js'
import { schemaForTypes } from './feature-types.operations.js'
import {
  batchFeaturesSchema,
  createFeatureRecord,
  createFeatureSchema,
  createFeatureSchemaWith,
  featureName,
  featureSettings,
  type StoredFeature,
  sentFeatureSchema,
  updateFeatureRecord,
} from './features.js'
import {
  changedFeatureView,
  checkNameIsFree,
  creationIn,
  type FeatureEvent,
  featurePath,
  findAllInProject,
  findInProject,
  logCreation,
  saveFeature,
  summarizeFeature,
} from './features.model.js'
import { checkTagsExist } from './tags.operations.js'

/** The body of an update of a feature, for these types. */
function updateFeatureSchemaWith(types: readonly string[]) {
  return createFeatureSchemaWith(types)
    .pick({ ...featureSettings, archived: true })
    .extend({ name: z.unknown().optional() })
}

const updateFeatureSchema = named('updateFeatureSchema', () => updateFeatureSchemaWith(builtInFeatureTypes).shape)

/** A feature after a patch, which can have any type. */
const patchedFeatureSchema = object(
  () => sentFeatureSchema.extend({ type: z.string().min(1, 'must not be empty').optional() }).shape,
)

/** A patch can't change a feature's variants, which have their own operations. */
const NO_VARIANTS: Failure = {
  kind: 'operationDenied',
  message: 'The variants of a feature are not changed here but on the path of the feature that ends with "/variants".',
}

export function metadataUpdated(before: StoredFeature, after: StoredFeature): FeatureEvent {
  return { type: 'feature-metadata-updated', data: summarizeFeature(after), preData: summarizeFeature(before) }
}

/** The event of a feature that became stale or active; otherwise none. */
function staleEvents(before: StoredFeature, after: StoredFeature): FeatureEvent[] {
  if (before.stale === after.stale) return []
  return [{ type: after.stale ? 'feature-stale-on' : 'feature-stale-off', data: null }]
}

export const featureOperations = operations('Features', {
  createFeature: post('/api/admin/projects/:projectId/features', {
    summary: 'Create a feature, disabled in every environment of its project',
    permission: 'CREATE_FEATURE',
    body: createFeatureSchema,
    bodyFor: (tables) => schemaForTypes(tables, createFeatureSchema, createFeatureSchemaWith),
    success: { status: 201, description: 'The feature', view: changedFeatureView },
    errors: [404, 409],
    run: ({ params, body, context, tables }) => {
      reject(featureName.check(body.name))
      reject(checkNameIsFree(tables, body.name))
      const project = findActiveProject(tables, params.projectId)
      reject(
        checkNaming(project, body.name) ??
          checkFeatureLimit(tables, project.id) ??
          checkTagsExist(tables, body.tags ?? []),
      )

      const tags = body.tags?.map(({ type, value }) => ({ type, value }))
      const feature = createFeatureRecord(
        { ...body, tags, createdAt: body.createdAt && toInstant(body.createdAt) },
        creationIn(context, project.id, body.name),
      )
      tables.features.insert(feature)
      logCreation(context, feature)
      return { body: feature }
    },
  }),

  validateFeature: post('/api/admin/features/validate', {
    summary: 'Check whether a name can be given to a feature, in a project if one is named',
    body: named('validateFeatureSchema', () => ({
      name: featureName.schema,
      projectId: z.string().nullable().optional(),
    })),
    success: { status: 200, description: 'The name can be used' },
    errors: [409],
    run: ({ body, tables }) => {
      const project = tables.projects.get(body.projectId ?? '')
      reject(
        featureName.check(body.name) ??
          checkNameIsFree(tables, body.name) ??
          (project && checkNaming(project, body.name)),
      )
    },
  }),

  updateFeature: put(featurePath, {
    summary: 'Replace the metadata of a feature; omitted fields return to their defaults',
    permission: 'UPDATE_FEATURE',
    body: updateFeatureSchema,
    bodyFor: (tables) => schemaForTypes(tables, updateFeatureSchema, updateFeatureSchemaWith),
    success: { status: 200, description: 'The feature', view: changedFeatureView },
    run: ({ params, body, context }) => {
      const { featureName: name } = params
      if ((body.name || name) !== name) reject(badData(`The feature "${name}" can't be renamed.`, '/body/name'))
      const found = findInProject(context.tables, params)
      const changed = updateFeatureRecord(found, body, toInstant(context.now))
      return { body: saveFeature(context, changed, [metadataUpdated(found, changed)]) }
    },
  }),

  patchFeature: patch(featurePath, {
    summary: 'Change the metadata of a feature with a JSON Patch',
    permission: 'UPDATE_FEATURE',
    body: patchesSchema,
    success: { status: 200, description: 'The feature', view: changedFeatureView },
    run: ({ params, body, context }) => {
      const found = findInProject(context.tables, params)
      if (body.some(({ path }) => path.includes('/variants'))) reject(NO_VARIANTS)
      const patched = patchDocument(summarizeFeature(found), body, patchedFeatureSchema)
      const changed = updateFeatureRecord(found, patched, toInstant(context.now))
      return { body: saveFeature(context, changed, [metadataUpdated(found, changed), ...staleEvents(found, changed)]) }
    },
  }),

  staleFeatures: post('/api/admin/projects/:projectId/stale', {
    summary: 'Mark several features as stale or active',
    permission: 'UPDATE_FEATURE',
    body: batchFeaturesSchema.extend({ stale: z.boolean() }).meta({ id: 'batchStaleSchema' }),
    success: { status: 202, description: 'The features are marked' },
    run: ({ params, body: { features, stale }, context }) => {
      const found = findAllInProject(context.tables, features, params.projectId)
      for (const feature of found) {
        const changed = { ...feature, stale }
        saveFeature(context, changed, staleEvents(feature, changed), { asGroup: false })
      }
    },
  }),
})
