import * as z from 'zod'
import { stateSchema } from '../state/state.js'
import { scenarioSchema } from './scenario.js'

interface JsonSchemas {
  state: object
  scenario: object
}

/** JSON Schemas (draft 7, which editors know) of given state and of scenarios. The package ships them in one folder. */
export function jsonSchemas(): JsonSchemas {
  const state = jsonSchema(stateSchema, 'flagdouble: state, for --fixtures and --state')
  const scenario = jsonSchema(scenarioSchema, 'flagdouble: a scenario, for --scenarios')
  const definitions = Object.entries(scenario.definitions).map(([name, own]) => {
    return [name, name in state.definitions ? { $ref: `state.json#/definitions/${name}` } : own]
  })
  return { state, scenario: { ...scenario, definitions: Object.fromEntries(definitions) } }
}

function jsonSchema(schema: z.ZodType, title: string) {
  const options = { target: 'draft-7', io: 'input', unrepresentable: 'any' } as const
  const { $schema, definitions, ...rest }: z.core.JSONSchema.BaseSchema = z.toJSONSchema(schema, options)
  return { $schema, title, ...rest, definitions: { ...(definitions instanceof Object ? definitions : {}) } }
}
