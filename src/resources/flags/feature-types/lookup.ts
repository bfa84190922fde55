import type { ZodType } from 'zod'
import type { Tables } from '../../shared/context.js'
import { builtInFeatureTypes } from './schema.js'

/** A schema that accepts the types in the table: the ready-made one, unless a fixture changed the types. */
export function schemaForTypes<Body>(
  tables: Tables,
  readyMade: ZodType<Body>,
  schemaWith: (types: readonly string[]) => ZodType<Body>,
): ZodType<Body> {
  const types = tables.featureTypes.list().map(({ id }) => id)
  const asBuiltIn = types.length === builtInFeatureTypes.length && types.every((id, i) => id === builtInFeatureTypes[i])
  return asBuiltIn ? readyMade : schemaWith(types)
}
