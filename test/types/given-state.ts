// Nothing runs this file: `npm run types` fails if it does not compile, or if an error that is expected is not there.
// The types of what people write are written by hand, with documentation for editors. Here they are held to the schemas.
import type * as z from 'zod'
import type { MockOptions, PartialState, Scenario } from '../../src/index.js'
import type { ForceRule, forceRuleSchema } from '../../src/scenarios/force-rule.js'
import type { BuiltInScenario, scenarioSchema } from '../../src/scenarios/scenario.js'
import type { stateSchema } from '../../src/state/state.js'

type Equal<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false

/** The names of all fields, however deep, without their types. */
type Names<T> = T extends readonly (infer Item)[]
  ? Names<Item>
  : T extends object
    ? string extends keyof T
      ? 'any name'
      : { [Key in keyof T]-?: Names<NonNullable<T[Key]>> }
    : 'a value'

export const sameFields: [
  Equal<Names<PartialState>, Names<z.input<typeof stateSchema>>>,
  Equal<keyof ForceRule, keyof z.input<typeof forceRuleSchema>>,
  Equal<keyof NonNullable<ForceRule['match']>, keyof NonNullable<z.input<typeof forceRuleSchema>['match']>>,
  Equal<keyof NonNullable<ForceRule['error']>, keyof NonNullable<z.input<typeof forceRuleSchema>['error']>>,
  Equal<keyof Scenario | '$schema', keyof z.input<typeof scenarioSchema>>,
] = [true, true, true, true, true]

export const toSchema = (
  state: PartialState,
  rule: ForceRule,
): [z.input<typeof stateSchema>, z.input<typeof forceRuleSchema>] => [state, rule]

// @ts-expect-error: a field that does not exist.
export const unknownField: PartialState = { features: [{ nam: 'x' }] }

// @ts-expect-error: a field that does not exist, further inside.
export const unknownInside: PartialState = { features: [{ name: 'x', environments: [{ nam: 'y' }] }] }

export const ownScenario: MockOptions = { scenario: 'my-own' }
export const builtInNames: BuiltInScenario[] = ['default', 'empty']
