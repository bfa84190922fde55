import * as z from 'zod'
import { nameRule } from '../../shared/checks.js'

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
