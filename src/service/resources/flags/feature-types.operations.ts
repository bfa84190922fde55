import type { ZodType } from 'zod'
import * as z from 'zod'
import { logEvent } from '../instance/events.operations.js'
import type { Tables } from '../shared/context.js'
import { findRecord } from '../shared/lookup.js'
import { get, ok, operations, put } from '../shared/rows.js'
import { named, versioned } from '../shared/schema.js'
import { builtInFeatureTypes, featureTypeSchema } from './feature-types.js'

/** A schema that accepts the types in the table: the prepared schema, unless a fixture changed the types. */
export function schemaForTypes<Body>(
  tables: Tables,
  readyMade: ZodType<Body>,
  schemaWith: (types: readonly string[]) => ZodType<Body>,
): ZodType<Body> {
  const types = tables.featureTypes.list().map(({ id }) => id)
  const asBuiltIn = types.length === builtInFeatureTypes.length && types.every((id, i) => id === builtInFeatureTypes[i])
  return asBuiltIn ? readyMade : schemaWith(types)
}

export const featureTypeOperations = operations('Feature types', {
  getAllFeatureTypes: get('/api/admin/feature-types', {
    summary: 'List the feature types',
    success: ok(
      'The feature types',
      versioned('featureTypesSchema', () => ({ types: z.array(featureTypeSchema) })),
    ),
    run: ({ context }) => ({ body: { version: 1, types: context.tables.featureTypes.list() } }),
  }),

  updateFeatureTypeLifetime: put('/api/admin/feature-types/:id/lifetime', {
    summary: 'Set the expected lifetime of features of a type, in days',
    permission: 'ADMIN',
    body: named('updateFeatureTypeLifetimeSchema', () => ({
      lifetimeDays: z.int().min(0).max(2_147_483_647).nullable(),
    })),
    success: ok('The feature type', featureTypeSchema),
    run: ({ params, body, context }) => {
      const found = findRecord(context.tables.featureTypes, params.id.toLowerCase(), 'feature type')
      // 0 days also mean no limit, because coercion turns null into 0.
      const changed = { ...found, lifetimeDays: body.lifetimeDays || null }
      context.tables.featureTypes.replace(changed)
      logEvent(context, { type: 'feature-type-updated', data: changed, preData: found })
      return { body: changed }
    },
  }),
})
