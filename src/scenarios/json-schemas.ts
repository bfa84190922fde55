import * as z from 'zod'
import { stateSchema } from '../state/state.js'
import { scenarioSchema } from './scenario.js'

/** The schemas of the package's JSON files, by the name under which it ships them. */
const schemas = {
  state: { schema: stateSchema, title: 'flagdouble: state, for --fixtures and --state' },
  scenario: { schema: scenarioSchema, title: 'flagdouble: a scenario, for --scenarios' },
} as const

/** JSON Schemas (draft 7, which editors know) of given state and of scenarios, by name. */
export function jsonSchemas(): Record<keyof typeof schemas, object> {
  const written = Object.entries(schemas).map(([name, { schema, title }]) => {
    const { $schema, ...rest } = z.toJSONSchema(schema, { target: 'draft-7', io: 'input', unrepresentable: 'any' })
    return [name, { $schema, title, ...rest }]
  })
  return Object.fromEntries(written)
}
