import * as z from 'zod'
import { nameRule } from '../../shared/checks.js'

export const strategyTypeName = nameRule({ shortest: 1, longest: 100 })

const parameterSchema = z.object({
  name: z.string(),
  type: z.enum(['string', 'percentage', 'list', 'number', 'boolean']),
  description: z.string(),
  required: z.boolean(),
})

/** A strategy type: what the strategies of features are made from. */
export const strategyTypeSchema = z
  .object({
    name: z.string().min(1),
    displayName: z.string().nullable(),
    title: z.string().nullable(),
    description: z.string().nullable(),
    editable: z.boolean().meta({ description: 'Whether it can be changed and deleted; built-in types can not' }),
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
