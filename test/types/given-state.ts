// Nothing runs this file: `npm run types` fails if it does not compile, or if an expected error is missing. The types of
// rules, scenarios and seed data are written by hand, with documentation for editors. This file compares them with the
// schemas.
import type * as z from 'zod'
import type { ForceRule, forceRuleSchema } from '../../src/engine/scenarios/force-rule.js'
import type { BuiltInScenario, scenarioSchema } from '../../src/engine/scenarios/scenario.js'
import type { stateSchema } from '../../src/engine/state/state.js'
import type { MockOptions, PartialState, Scenario } from '../../src/index.js'

/** The paths of all fields, at any depth: `match.method`. */
type Paths<T, Above extends string = ''> = T extends readonly (infer Item)[]
  ? Paths<Item, Above>
  : T extends object
    ? string extends keyof T
      ? never
      : { [Key in keyof T & string]-?: `${Above}${Key}` | Paths<NonNullable<T[Key]>, `${Above}${Key}.`> }[keyof T &
          string]
    : never

type Schemas = {
  rule: z.input<typeof forceRuleSchema>
  scenario: Omit<z.input<typeof scenarioSchema>, '$schema' | 'seed'>
  state: z.input<typeof stateSchema>
}
type Written = { rule: ForceRule; scenario: Omit<Scenario, 'seed'>; state: PartialState }

type None<Found> = [Found] extends [never] ? 'none' : Found

// An error here names the fields.
export const notWritten: None<Exclude<Paths<Schemas>, Paths<Written>>> = 'none'
export const notInSchema: None<Exclude<Paths<Written>, Paths<Schemas>>> = 'none'

export const toSchema = (rule: ForceRule): z.input<typeof forceRuleSchema> => rule

// @ts-expect-error: a field that does not exist.
export const unknownField: PartialState = { features: [{ nam: 'x' }] }

// @ts-expect-error: a field that does not exist, further inside.
export const unknownInside: PartialState = { features: [{ name: 'x', environments: [{ nam: 'y' }] }] }

export const ownScenario: MockOptions = { scenario: 'my-own' }
export const builtInNames: BuiltInScenario[] = ['default', 'empty']

export const computedRecords: PartialState = {
  features: Object.fromEntries(['a', 'b'].map((name) => [name, { enabled: false }])),
  segments: Object.fromEntries([1, 2].map((id) => [id, null])),
}

export const computedMisspelt: PartialState = {
  // @ts-expect-error: no field has this type
  features: Object.fromEntries(['a', 'b'].map((name) => [name, { enabled: 'no' }])),
}

export const numericName: PartialState = {
  // @ts-expect-error: no field has this name
  features: { 7: { enabledd: true } },
}

export const stateToSchema = (state: PartialState): z.input<typeof stateSchema> => state
export const stateFromSchema = (state: z.input<typeof stateSchema>): PartialState => state
