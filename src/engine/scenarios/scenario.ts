import * as z from 'zod'
import { field } from '../../service/resources/shared/fields.js'
import { fixtureInstantSchema } from '../../service/resources/shared/schema.js'
import type { DataFault } from '../../service/resources/shared/table.js'
import { isObject, show } from '../../support/json.js'
import { sentence } from '../../support/text.js'
import { atCallSite } from '../errors/arguments.js'
import { MockError } from '../errors/mock-errors.js'
import type { PartialState } from '../state/partial-state.js'
import { stateSchema } from '../state/state.js'
import { expectGiven } from '../state/state-fault.js'
import type { BuiltInScenario } from './built-in.js'
import { type ForceRule, forceRuleSchema } from './force-rule.js'
import { describeIdleRules } from './idle-rules.js'
import { selectionIn } from './selection.js'

export type { BuiltInScenario, PartialState }

/** The name of a scenario. Editors suggest the built-in names, and your own are accepted. */
export type ScenarioName = BuiltInScenario | (string & {})

/** The latency of every response in milliseconds: a fixed number, or a range. */
export type Latency = number | LatencyRange

/** A range from which each response gets its latency. */
export interface LatencyRange {
  /** The minimum in milliseconds. */
  min: number
  /** The maximum in milliseconds. */
  max: number
}

const latencyFault = 'must be milliseconds up to 3600000: 200, or a range: 100-500, which is { min: 100, max: 500 }'

const millisecondsSchema = z.number(latencyFault).min(0, latencyFault).max(3_600_000, latencyFault)

export const latencySchema = z.union(
  [
    millisecondsSchema,
    z
      .strictObject({
        min: field(millisecondsSchema.clone(), 'The minimum in milliseconds.'),
        max: field(millisecondsSchema.clone(), 'The maximum in milliseconds.'),
      })
      .refine(({ min, max }) => min <= max, { error: latencyFault }),
  ],
  { error: ({ input }) => (isObject(input) ? undefined : latencyFault) },
)

/** The number, the project and the seed of generated features. */
export interface FeatureGeneration {
  /** The number of features. */
  features: number
  /** The ID of their project. Default: `default`. */
  project?: string | undefined
  /** Another seed gives other features. Default: a fixed seed. */
  seed?: number | undefined
}

/** A named scenario: its initial data, its rules, and its promise in one sentence. */
export interface Scenario {
  /** The name, of a-z, 0-9 and -. */
  name: string
  /** A few words for lists and the panel. */
  title: string
  /** The guarantee, in one sentence. */
  promise: string
  /** The base scenario. Default: `default`, unless the seed has its own API tokens (`apiTokens`). */
  extends?: ScenarioName | undefined
  /** Freezes the clock at this date. */
  now?: string | undefined
  /** Data to merge into the data of the base scenario and of the fixtures. */
  seed?: PartialState | undefined
  /** Whether the seed is merged on top of the mock's fixtures. Default: true. */
  fixtures?: boolean | undefined
  /** Features to generate. */
  generate?: FeatureGeneration | undefined
  /** The states that SDKs are told in place of the data: `on`, `off`, `gone` or a variant, by flag. `*`: all flags. */
  flags?: Readonly<Record<string, string>> | undefined
  /** Response overrides. The last matching override takes precedence; delays and headers add up. */
  force?: readonly ForceRule[] | undefined
  /** The latency of every response in milliseconds: a number, or `{ min, max }`. */
  latency?: Latency | undefined
}

/** The maximum characters in the name of a scenario or session: headers and cookies contain it. */
export const LONGEST_NAME = 64

/** The states of flags by their names. */
export const flagStatesSchema = z.record(z.string().min(1), z.string().min(1), {
  error: 'must be an object with a state for each flag: { "new-checkout": "off" }',
})

export const scenarioSchema = z
  .strictObject({
    $schema: field(z.string().optional(), 'The JSON schema with which editors complete the file.'),
    name: field(
      z
        .string()
        .max(LONGEST_NAME, `must have at most ${LONGEST_NAME} characters`)
        .regex(/^[a-z0-9][a-z0-9-]*$/, 'must contain only a-z, 0-9 and -')
        .regex(/^(?!(con|prn|aux|nul|com\d|lpt\d)$)/, 'must be a valid file name on Windows'),
      'The name, of a-z, 0-9 and -.',
    ),
    title: field(z.string().min(1), 'A few words for lists and the panel.'),
    promise: field(z.string().min(1), 'The guarantee, in one sentence.'),
    extends: field(
      z
        .string()
        .regex(/^[^:]*$/, { error: ({ input }) => extendsState(String(input)) })
        .optional(),
      'The base scenario. Default: `default`, unless the seed has its own API tokens (`apiTokens`).',
    ),
    now: field(fixtureInstantSchema.optional(), 'Freezes the clock at this date.'),
    seed: field(stateSchema.optional(), 'Data to merge into the data of the base scenario and of the fixtures.'),
    fixtures: field(z.boolean().optional(), "Whether the seed is merged on top of the mock's fixtures. Default: true."),
    generate: field(
      z
        .strictObject({
          features: field(z.int().min(0).max(100_000), 'The number of features.'),
          project: field(z.string().optional(), 'The ID of their project. Default: `default`.'),
          seed: field(z.int().optional(), 'Another seed gives other features. Default: a fixed seed.'),
        })
        .optional(),
      'Features to generate.',
    ),
    flags: field(
      flagStatesSchema.optional(),
      'The states that SDKs are told in place of the data: `on`, `off`, `gone` or a variant, by flag. `*`: all flags.',
    ),
    force: field(
      z.array(forceRuleSchema).optional(),
      'Response overrides. The last matching override takes precedence; delays and headers add up.',
    ),
    latency: field(
      latencySchema.optional(),
      'The latency of every response in milliseconds: a number, or `{ min, max }`.',
    ),
  })
  .meta({ id: 'scenario' })

function extendsState(name: string): string {
  const flags = Object.fromEntries(selectionIn(name).states)
  return `is ${show(name)}, the state of a flag, which no scenario can extend: use "flags": ${JSON.stringify(flags)}`
}

/**
 * Types and checks your own scenario. Throws a `MockError` `INVALID_SCENARIO` if it is invalid. Warns on the console about rules that can never apply.
 *
 * @example
 * const halfRolledOut = defineScenario({
 *   name: 'half-rolled-out',
 *   title: 'Half rolled out',
 *   promise: 'The flag new-checkout is on in development for every other user.',
 *   extends: 'default',
 *   seed: { features: [{ name: 'new-checkout', environments: [{ name: 'development', enabled: true }] }] },
 * })
 */
export function defineScenario<const Name extends string>(
  scenario: Scenario & { name: Name },
): Scenario & { name: Name } {
  const source = scenarioSource(scenario)
  atCallSite(defineScenario, () => parseScenario(scenario, source))
  for (const { path, message } of describeIdleRules(scenario.force)) {
    // biome-ignore lint/suspicious/noConsole: the scenario works, so this isn't an error
    console.warn(`[flagdouble] ${source}: ${path} ${message}.`)
  }
  return scenario
}

/** The name of a scenario from code in errors. */
export function scenarioSource(given: unknown): string {
  return isObject(given) && typeof given.name === 'string' ? `The scenario "${given.name}"` : show(given)
}

/** Checks a scenario from any source; errors name the source. */
export function parseScenario(given: unknown, source: string): Scenario {
  const wrong = (list: string, faults: readonly DataFault[]) =>
    new MockError(
      'INVALID_SCENARIO',
      sentence(`${source} is not a scenario: ${list}`),
      'A scenario has name, title and promise, and can have extends, now, seed, fixtures, generate, flags, force and latency.',
      faults,
    )
  return expectGiven(scenarioSchema, given, wrong) as Scenario
}
