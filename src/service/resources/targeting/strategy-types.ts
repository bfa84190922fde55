import * as z from 'zod'
import type { Frozen } from '../../../support/freeze.js'
import type { Failure } from '../../contract/errors.js'
import { nameRule } from '../shared/checks.js'
import { field, given, optional, whole } from '../shared/fields.js'
import { object } from '../shared/object.js'
import { named } from '../shared/schema.js'
import { defineTable } from '../shared/table.js'

export const strategyTypeName = nameRule({ shortest: 1, longest: 100 })

/** A parameter, as sent: only the name and the type are required. */
export const parameterSchema = object(() => ({
  name: field(z.string(), 'The name.'),
  type: field(z.enum(['string', 'percentage', 'list', 'number', 'boolean']), 'The type of its value.'),
  description: field(z.string().optional(), 'The description.'),
  required: field(z.boolean().optional(), 'Whether it is required.'),
}))

/** A strategy type: the template of features' strategies. */
export const strategyTypeSchema = named('strategySchema', () => ({
  name: given(z.string().min(1), strategyTypeName.schema, 'The name, as used in strategies.'),
  displayName: optional(z.string().nullable(), null, 'The display name.'),
  title: optional(z.string().nullable(), null, 'The title.'),
  description: optional(z.string().nullable(), null, 'The description.'),
  editable: optional(
    z.boolean().meta({ description: 'Whether it can be changed and deleted, unlike built-in types' }),
    true,
    'Whether users can change and delete it, unlike built-in types.',
  ),
  deprecated: optional(z.boolean(), false, 'Whether it is deprecated.'),
  parameters: whole(optional(z.array(parameterSchema), [], 'The parameters of its strategies.')),
}))

export type StrategyType = z.infer<typeof strategyTypeSchema>

export const strategyTypeTable = defineTable({
  meaning: 'Types of strategies. Only `name` is needed.',
  record: strategyTypeSchema,
  keyName: 'a type of strategies',
  key: ({ name }) => name,
})

/** The types that every Unleash instance has. */
export const builtInStrategyTypes: readonly string[] = [
  'default',
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
