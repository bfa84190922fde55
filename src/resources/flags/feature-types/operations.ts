import { ok } from '../../../support/result.js'
import { logEvent } from '../../instance/events/actions.js'
import { findRecord } from '../../shared/lookup.js'
import { defineOperation } from '../../shared/operation.js'
import { featureTypeSchema, featureTypesSchema, updateFeatureTypeLifetimeSchema } from './schema.js'

const tag = 'Feature types'

const getAllFeatureTypes = defineOperation({
  id: 'getAllFeatureTypes',
  method: 'GET',
  path: '/api/admin/feature-types',
  summary: 'List the feature types',
  tag,
  success: { status: 200, description: 'The feature types', schema: featureTypesSchema },
  run: ({ context }) => ok({ body: { version: 1, types: context.tables.featureTypes.list() } }),
})

const updateFeatureTypeLifetime = defineOperation({
  id: 'updateFeatureTypeLifetime',
  method: 'PUT',
  path: '/api/admin/feature-types/:id/lifetime',
  summary: 'Set the expected lifetime of features of a type, in days',
  tag,
  permission: 'ADMIN',
  body: updateFeatureTypeLifetimeSchema,
  success: { status: 200, description: 'The feature type', schema: featureTypeSchema },
  errors: [404],
  run: ({ params, body, context }) => {
    const found = findRecord(context.tables.featureTypes, params.id, 'feature type')
    if (!found.ok) return found
    const changed = { ...found.value, lifetimeDays: body.lifetimeDays }
    context.tables.featureTypes.replace(changed)
    logEvent(context, { type: 'feature-type-updated', data: changed, preData: found.value })
    return ok({ body: changed })
  },
})

export const featureTypeOperations = [getAllFeatureTypes, updateFeatureTypeLifetime] as const
