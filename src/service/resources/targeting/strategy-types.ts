import * as z from 'zod'
import type { Frozen } from '../../../support/freeze.js'
import type { Failure } from '../../contract/errors.js'
import { nameRule } from '../shared/checks.js'
import { completed, given, givenShape, optional } from '../shared/fields.js'
import { named } from '../shared/schema.js'
import { defineTable } from '../shared/table.js'

export const strategyTypeName = nameRule({ shortest: 1, longest: 100 })

const parameterSchema = z.object({
  name: z.string(),
  type: z.enum(['string', 'percentage', 'list', 'number', 'boolean']),
  description: optional(z.string(), ''),
  required: optional(z.boolean(), false),
})

/** A parameter in a request: only the name and the type are required. */
export const sentParameterSchema = z.object(givenShape(parameterSchema))

/** A strategy type: the template of features' strategies. */
export const strategyTypeSchema = named('strategySchema', {
  name: given(z.string().min(1), strategyTypeName.schema),
  displayName: optional(z.string().nullable(), null),
  title: optional(z.string().nullable(), null),
  description: optional(z.string().nullable(), null),
  editable: optional(
    z.boolean().meta({ description: 'Whether it can be changed and deleted, unlike built-in types' }),
    true,
  ),
  deprecated: optional(z.boolean(), false),
  parameters: given(z.array(parameterSchema), z.array(sentParameterSchema), []),
})

export type StrategyType = z.infer<typeof strategyTypeSchema>

/** The parameters of a strategy type, with defaults for omitted fields. */
export function parametersOf(
  { parameters = [] }: { parameters?: readonly Readonly<z.infer<typeof sentParameterSchema>>[] | undefined },
  context: { now: Date },
) {
  return { parameters: parameters.map((parameter) => completed(parameterSchema, parameter, context)) }
}

export const strategyTypeTable = defineTable({
  record: strategyTypeSchema,
  keyName: 'a type of strategies',
  key: ({ name }) => name,
  own: parametersOf,
})

/** The type that every SDK knows. */
const DEFAULT = 'default'

/** The types that every Unleash instance has. */
export const builtInStrategyTypes: readonly string[] = [
  DEFAULT,
  'flexibleRollout',
  'remoteAddress',
  'applicationHostname',
]

/** Fails if a strategy type is built in. */
export function checkEditable({ name, editable }: Frozen<StrategyType>): Failure | undefined {
  if (editable) return undefined
  const message = `The strategy type "${name}" is built in, so it can't be changed or deleted.`
  return { kind: 'invalidOperation', message }
}

/** Fails if a strategy type can't be deprecated or reactivated. */
export function checkDeprecatable(name: string): Failure | undefined {
  if (name !== DEFAULT) return undefined
  return { kind: 'invalidOperation', message: `The strategy type "${name}" can't be deprecated.` }
}
