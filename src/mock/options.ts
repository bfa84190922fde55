import * as z from 'zod'
import { invalidArgument } from '../contract/arguments.js'
import { MockError } from '../contract/mock-errors.js'
import type { ProfileName } from '../contract/profile.js'
import { profiles } from '../contract/profiles.js'
import { type Latency, latencySchema, type Scenario, type ScenarioName } from '../scenarios/scenario.js'
import type { PartialState } from '../state/partial-state.js'
import { faultsOfOptions } from '../state/state-fault.js'
import { readInstant } from '../support/calendar.js'
import { isObject } from '../support/json.js'
import { listFaults } from '../support/parse.js'
import { sentence } from '../support/text.js'
import type { ServiceFile } from '../transfer/service-file.js'

/** What `createMock` takes. */
export interface MockOptions {
  /** The scenario to start with: a name, several joined by commas, or a scenario of your own. Default: `default`. */
  scenario?: ScenarioName | Scenario | undefined
  /** Your own scenarios, in addition to the built-in ones. One with the name of a built-in one replaces it. */
  scenarios?: readonly Scenario[] | undefined
  /** State that every scenario starts from, on top of the built-in data: one, or several in order. Each may be a file of the service. */
  fixtures?: PartialState | ServiceFile | readonly (PartialState | ServiceFile)[] | undefined
  /** With a seed, ids and secrets are the same in each run. */
  seed?: string | number | undefined
  /** Freezes the clock at this date. */
  now?: Date | string | number | undefined
  /** What the service does where its document and the real service differ. Default: `documented`. */
  profile?: ProfileName | undefined
  /** The start of the links in responses. Its path prefixes every route. Default: `http://localhost:4242`. */
  baseUrl?: string | undefined
  /** A path that prefixes every route, such as `/flags`, for when the origin is not known yet. */
  basePath?: string | undefined
  /** Milliseconds that every answer takes: a number, or `{ min, max }`. */
  latency?: Latency | undefined
  /** How many requests the journal keeps. Default: 1,000. */
  journalSize?: number | undefined
  /** Origins, in addition to those of this machine, whose pages may control the mock. */
  allowOrigins?: readonly string[] | undefined
  /** Whether pages of foreign origins may use the service by CORS. Default: true. */
  cors?: boolean | undefined
}

const notADate = { error: 'must be a date of the years 0000 to 9999' }

const optionsSchema = z.strictObject({
  scenario: z.union([z.string(), z.looseObject({ name: z.string() })]).optional(),
  scenarios: z.array(z.unknown()).optional(),
  fixtures: z.unknown().optional(),
  seed: z.union([z.string(), z.number()]).optional(),
  now: z
    .union([z.date(), z.string(), z.number()], notADate)
    .refine((now) => readInstant(now) !== undefined, notADate)
    .optional(),
  profile: z.enum(Object.keys(profiles) as ProfileName[]).optional(),
  baseUrl: z
    .string()
    .refine((url) => URL.canParse(url), { error: 'must be a URL such as http://localhost:4242' })
    .optional(),
  basePath: z
    .string()
    .regex(/^(\/[\w.~-]+)*\/?$/, 'must be a path such as /flags')
    .optional(),
  latency: latencySchema.optional(),
  journalSize: z.int().min(0).max(1_000_000).optional(),
  allowOrigins: z.array(z.string()).optional(),
  cors: z.boolean().optional(),
})

/** Throws a `MockError` `INVALID_OPTION` for options that `createMock` does not take. */
export function checkOptions(given: unknown): void {
  expectFitting(optionsSchema, given, 'createMock', `The options are ${Object.keys(optionsSchema.shape).join(', ')}.`)
}

/**
 * Throws `INVALID_ARGUMENT` unless the options of a function are an object, and `INVALID_OPTION`, with all faults, unless
 * they have the shape of the schema.
 */
export function expectFitting(schema: z.ZodType, given: unknown, call: string, hint: string): void {
  if (!isObject(given)) throw invalidArgument(call, 'an object of options', given)
  const faults = faultsOfOptions(schema, given)
  if (faults.length === 0) return
  const named = faults.map(({ path, message }) => ({ path: path.replace(/^\$\.?/, ''), message }))
  const problem = sentence(`${call} does not take these options: ${listFaults(named)}`)
  throw new MockError('INVALID_OPTION', problem, hint, faults)
}
