import * as z from 'zod'

/**
 * A parent of a feature. The feature is on only where its parent is on (or off, if `enabled` is false) and, if variants
 * are named, has one of them.
 */
export const dependencySchema = z
  .object({
    feature: z.string(),
    enabled: z.boolean().optional(),
    variants: z.array(z.string()).optional(),
  })
  .meta({ id: 'dependencySchema' })

export const createDependentFeatureSchema = z
  .object({
    feature: z.string().meta({ description: 'The name of the parent' }),
    enabled: z.boolean().optional(),
    variants: z.array(z.string()).optional(),
  })
  .meta({ id: 'createDependentFeatureSchema' })

export const parentFeatureOptionsSchema = z.array(z.string()).meta({ id: 'parentFeatureOptionsSchema' })

export const parentVariantOptionsSchema = z.array(z.string()).meta({ id: 'parentVariantOptionsSchema' })

export const dependenciesExistSchema = z.boolean().meta({ id: 'dependenciesExistSchema' })
