import * as z from 'zod'

const constraintOperators = [
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
    /** The field of the context, such as `userId` or `appName`. */
    contextName: z.string(),
    /** How the field is compared. */
    operator: z.enum(constraintOperators),
    /** Whether upper and lower case are the same. Default: false. */
    caseInsensitive: z.boolean().optional(),
    /** Whether the condition is negated. Default: false. */
    inverted: z.boolean().optional(),
    /** The values to compare with, for `IN`, `NOT_IN` and the operators that begin with `STR_`. */
    values: z.array(z.string()).optional(),
    /** The value to compare with, for all other operators. */
    value: z.string().optional(),
  })
  .meta({ id: 'constraintSchema' })

export type Constraint = z.infer<typeof constraintSchema>

/** A constraint as a client sends it. */
export const sentConstraintSchema = z
  .strictObject({
    ...constraintSchema.shape,
    /** The value to compare with, for all other operators. */
    value: z.string().min(1, 'must not be empty').optional(),
  })
  .meta({ id: 'sentConstraintSchema' })
