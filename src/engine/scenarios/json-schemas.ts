import * as z from 'zod'
import { defaultOf, descriptionOf } from '../../service/resources/shared/fields.js'
import { stateSchema } from '../state/state.js'
import { scenarioSchema } from './scenario.js'

/** JSON Schemas (draft 7, for editors) of seed data and of scenarios, by the names of their files. */
export function jsonSchemas(): { state: object; scenario: object } {
  const state = described(stateSchema, 'flagdouble: state, for --fixtures and --state')
  const { definitions, ...scenario } = described(scenarioSchema, 'flagdouble: a scenario, for --scenarios')
  const ofState = Object.keys(state.definitions)
  const own = Object.entries(definitions).filter(([name]) => !ofState.includes(name))
  const text = JSON.stringify({ ...scenario, definitions: Object.fromEntries(own) })
  return { state, scenario: JSON.parse(text.replaceAll('#/definitions/state', 'state.json')) as object }
}

function described(schema: z.ZodType, title: string) {
  const { $schema, definitions, ...rest } = z.toJSONSchema(schema, {
    target: 'draft-7',
    io: 'input',
    unrepresentable: 'any',
    override({ zodSchema, jsonSchema }) {
      const value = defaultOf(zodSchema)
      if (value !== undefined) jsonSchema.default = value
      if (!(zodSchema instanceof z.ZodObject)) return
      for (const [name, field] of Object.entries(zodSchema.shape)) {
        const property = jsonSchema.properties?.[name]
        const description = descriptionOf(field)
        if (typeof property === 'object' && description !== undefined) property.description = description
      }
    },
  })
  return { $schema, title, ...rest, definitions: definitions ?? {} }
}
