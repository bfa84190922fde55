import * as z from 'zod'
import type { Failure } from '../../contract/errors.js'
import type { Frozen } from '../../support/freeze.js'
import { nameRule } from '../shared/checks.js'
import { defineTable } from '../shared/table.js'

export const strategyTypeName = nameRule({ shortest: 1, longest: 100 })

const parameterSchema = z.object({
  /** Its name. */
  name: z.string(),
  /** What it holds. */
  type: z.enum(['string', 'percentage', 'list', 'number', 'boolean']),
  /** What it is for. */
  description: z.string(),
  /** Whether each strategy must have it. Default: false. */
  required: z.boolean(),
})

/** A strategy type: what the strategies of features are made from. */
export const strategyTypeSchema = z
  .object({
    name: z.string().min(1),
    /** The name to show. */
    displayName: z.string().nullable(),
    /** A title. Default: null. */
    title: z.string().nullable(),
    /** What it does. Default: null. */
    description: z.string().nullable(),
    /** Whether it can be changed and deleted; built-in types can't. Default: true. */
    editable: z.boolean().meta({ description: 'Whether it can be changed and deleted; built-in types can not' }),
    /** Whether it should no longer be used. Default: false. */
    deprecated: z.boolean(),
    parameters: z.array(parameterSchema),
  })
  .meta({ id: 'strategySchema' })

export type StrategyType = z.infer<typeof strategyTypeSchema>

export const strategyTypesSchema = z
  .object({ version: z.literal(1), strategies: z.array(strategyTypeSchema) })
  .meta({ id: 'strategiesSchema' })

/** A parameter as a client sends it: only the name and the type are required. */
export const sentParameterSchema = parameterSchema.partial({ description: true, required: true })

export const createStrategySchema = z
  .object({
    name: strategyTypeName.schema,
    title: z.string().optional(),
    description: z.string().optional(),
    deprecated: z.boolean().optional(),
    parameters: z.array(sentParameterSchema),
  })
  .meta({ id: 'createStrategySchema' })

export const updateStrategySchema = z
  .object({ description: z.string().optional(), parameters: z.array(sentParameterSchema) })
  .meta({ id: 'updateStrategySchema' })

interface StrategyTypeInput {
  name: string
  displayName?: string | null | undefined
  title?: string | null | undefined
  description?: string | null | undefined
  editable?: boolean | undefined
  deprecated?: boolean | undefined
  parameters?: readonly Readonly<z.infer<typeof sentParameterSchema>>[] | undefined
}

/** A strategy type, with defaults for omitted fields. */
export function createStrategyTypeRecord(input: StrategyTypeInput): StrategyType {
  return {
    name: input.name,
    displayName: input.displayName ?? null,
    title: input.title ?? null,
    description: input.description ?? null,
    editable: input.editable ?? true,
    deprecated: input.deprecated ?? false,
    parameters: (input.parameters ?? []).map(({ name, type, description = '', required = false }) => ({
      name,
      type,
      description,
      required,
    })),
  }
}

export const strategyTypeTable = defineTable({
  record: strategyTypeSchema,
  keyName: 'a type of strategies',
  key: ({ name }) => name,
  indexes: {},
  fixture: z.strictObject({
    ...strategyTypeSchema.partial().shape,
    /** Its name, which strategies name. */
    name: strategyTypeName.schema,
    /** The parameters that its strategies take. */
    parameters: z.array(sentParameterSchema).optional(),
  }),
  complete: createStrategyTypeRecord,
})

/** The type that every SDK knows. */
const DEFAULT = 'default'

/** The types that every instance of the service has. */
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
