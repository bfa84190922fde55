import * as z from 'zod'

export const constraintOperators = [
  'NOT_IN',
  'IN',
  'STR_ENDS_WITH',
  'STR_STARTS_WITH',
  'STR_CONTAINS',
  'NUM_EQ',
  'NUM_GT',
  'NUM_GTE',
  'NUM_LT',
  'NUM_LTE',
  'DATE_AFTER',
  'DATE_BEFORE',
  'SEMVER_EQ',
  'SEMVER_GT',
  'SEMVER_LT',
  'SEMVER_GTE',
  'SEMVER_LTE',
  'REGEX',
] as const

export type ConstraintOperator = (typeof constraintOperators)[number]

/** A condition on the context, part of a strategy or a segment. */
export const constraintSchema = z
  .object({
    contextName: z.string(),
    operator: z.enum(constraintOperators),
    caseInsensitive: z.boolean().optional(),
    inverted: z.boolean().optional(),
    values: z.array(z.string()).optional(),
    value: z.string().optional(),
  })
  .meta({ id: 'constraintSchema' })

export type Constraint = z.infer<typeof constraintSchema>

/** A constraint as a client sends it. */
export const sentConstraintSchema = z
  .strictObject({ ...constraintSchema.shape, value: z.string().min(1, 'must not be empty').optional() })
  .meta({ id: 'sentConstraintSchema' })
