import * as z from 'zod'
import { invalidArgument } from '../../service/contract/arguments.js'
import { MockError } from '../../service/contract/mock-errors.js'
import type { ProfileName } from '../../service/contract/profile.js'
import { profiles } from '../../service/contract/profiles.js'
import { readInstant } from '../../support/calendar.js'
import { isObject } from '../../support/json.js'
import { listFaults, sentence, withoutTrailing } from '../../support/text.js'
import { type Latency, latencySchema, type Scenario, type ScenarioName } from '../scenarios/scenario.js'
import type { AsJson, PartialState } from '../state/partial-state.js'
import { checkOptions } from '../state/state-fault.js'
import type { ServiceFile } from '../transfer/service-file.js'

/** What `createMock` takes. */
export interface MockOptions {
  /** The scenario to start with: a name, several joined by commas, or a scenario of your own. Default: `default`. */
  scenario?: ScenarioName | AsJson<Scenario> | undefined
  /** Your own scenarios, in addition to the built-in ones. One with the name of a built-in one replaces it. */
  scenarios?: readonly AsJson<Scenario>[] | undefined
  /** State that every scenario starts from, on top of the built-in data: one, or several in order. Each may be a file of the service. */
  fixtures?: AsJson<PartialState | ServiceFile> | readonly AsJson<PartialState | ServiceFile>[] | undefined
  /** With a seed, ids and secrets are the same in each run. */
  seed?: string | number | undefined
  /** Freezes the clock at this date. */
  now?: Date | string | number | undefined
  /** What the service does where its document and the real service differ. Default: `documented`. */
  profile?: ProfileName | undefined
  /** The start of the links in responses. Its path prefixes every route. Default: `http://localhost:4242`. */
  baseUrl?: string | undefined
  /** The path that prefixes every route, such as `/flags`. Takes precedence over that of `baseUrl`, which need not name it. */
  basePath?: string | undefined
  /**
   * The paths at which a gateway has the service, each with the service's own: `{ '/proxy': '/api/frontend' }`. What is
   * below a path is below the other, too.
   */
  paths?: Readonly<Record<string, string>> | undefined
  /** Milliseconds that every answer takes: a number, or `{ min, max }`. */
  latency?: Latency | undefined
  /** How many requests the journal keeps. Default: 1,000. */
  journalSize?: number | undefined
  /** Origins, in addition to those of this machine, whose pages may control the mock. */
  allowOrigins?: readonly string[] | undefined
  /** Whether pages of foreign origins may use the service by CORS. Default: true. */
  cors?: boolean | undefined
  /** Whether requests need an API token or a login. If not, those without act as an admin, or as an SDK with the token `*:development`. Default: true. */
  auth?: boolean | undefined
}

/** Files are read by the command line and the Vite plugin only. */
const notFiles = (given: unknown) => ![given].flat().some((one) => typeof one === 'string')
const notFilesFault = {
  error:
    'must be the data itself, and not a file name: parse the JSON first, or pass the file to --fixtures or the Vite plugin',
}

const dateFault = { error: 'must be a date of the years 0000 to 9999, such as 2026-11-20T12:00:00Z' }

const isPath = (text: string) => /^\/[^?#]*[^?#/]$/.test(text)

/** The paths of a gateway, each with the service's own. */
export const pathsSchema = z
  .record(z.string(), z.string())
  .refine(
    (paths) => Object.entries(paths).flat().every(isPath),
    'must be paths that begin with a slash and end without one, such as { "/proxy": "/api/frontend" }',
  )

/** What each option must be, and what is made of it. Options that come as text are judged by the same schemas. */
export const optionSchemas = {
  scenario: z.union([z.string(), z.looseObject({ name: z.string() })]),
  scenarios: z.array(z.unknown()),
  fixtures: z.unknown().refine(notFiles, notFilesFault),
  seed: z.union([z.string(), z.number()]),
  now: z
    .union([z.date(), z.string(), z.number()], dateFault)
    .refine((now) => readInstant(now) !== undefined, dateFault),
  profile: z.enum(Object.keys(profiles) as ProfileName[]),
  baseUrl: z.string().refine((url) => /^https?:/i.test(url) && URL.canParse(url), {
    error: 'must be a URL such as http://localhost:4242',
  }),
  basePath: z
    .string()
    .regex(
      /^(\/(?!\.{1,2}(\/|$))[\w.~-]+)*\/?$/,
      'must be a path that begins with a slash, with letters, digits, ., -, _ and ~, such as /flags',
    )
    .transform((path) => withoutTrailing(path, '/')),
  paths: pathsSchema,
  latency: latencySchema,
  journalSize: wholeNumber(1_000_000),
  allowOrigins: z.array(
    z.string().transform((text, { addIssue }) => {
      const origin = originOf(text)
      if (origin !== undefined) return origin
      addIssue('must be an origin: scheme, host and port, such as https://app.example.com')
      return z.NEVER
    }),
  ),
  auth: z.boolean(),
  cors: z.boolean(),
}

export function wholeNumber(max: number): z.ZodType<number> {
  const error = `must be a whole number from 0 to ${max}`
  return z.int(error).min(0, error).max(max, error)
}

/** An origin as browsers send it. Undefined if the text is more, or less. */
function originOf(text: string): string | undefined {
  if (!/^[\w+.-]+:\/\/[^/?#@]+\/?$/.test(text) || !URL.canParse(text)) return undefined
  const { protocol, host } = new URL(text)
  return host === '' ? undefined : `${protocol}//${host}`.toLowerCase()
}

const optionsSchema = z.strictObject(optionSchemas).partial()

/** The options, normalised. Throws a `MockError` `INVALID_OPTION` for options that `createMock` does not take. */
export function readOptions(given: MockOptions): MockOptions {
  const { basePath, allowOrigins, paths } = expectFitting(
    optionsSchema,
    given,
    'createMock',
    `The options are ${Object.keys(optionSchemas).join(', ')}.`,
  )
  return { ...given, basePath, allowOrigins, paths }
}

/**
 * The options of a function, as the schema reads them. Throws `INVALID_ARGUMENT` unless they are an object, and
 * `INVALID_OPTION`, with all faults, unless they have the shape of the schema.
 */
export function expectFitting<Options>(
  schema: z.ZodType<Options>,
  given: unknown,
  call: string,
  hint: string,
): Options {
  if (!isObject(given)) throw invalidArgument(call, 'an object of options', given)
  const checked = checkOptions(schema, given)
  if (checked.ok) return checked.data
  const { faults } = checked
  const named = faults.map(({ path, message }) => ({ path: path.replace(/^\$\.?/, ''), message }))
  const problem = sentence(`${call} does not take these options: ${listFaults(named)}`)
  throw new MockError('INVALID_OPTION', problem, hint, faults)
}
