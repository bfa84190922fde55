import * as z from 'zod'
import type { Profile, ProfileName } from '../../service/contract/profile.js'
import { profiles } from '../../service/contract/profiles.js'
import { readInstant } from '../../support/calendar.js'
import { isObject } from '../../support/json.js'
import { didYouMean, nearWholeOf } from '../../support/nearest.js'
import { listFaults, sentence, withoutTrailing } from '../../support/text.js'
import { invalidArgument } from '../errors/arguments.js'
import { MockError } from '../errors/mock-errors.js'
import { leadsToRoute, routeStarts } from '../http/routes.js'
import { type Latency, latencySchema, type Scenario, type ScenarioName } from '../scenarios/scenario.js'
import type { PartialState } from '../state/partial-state.js'
import type { AsJson } from '../state/state.js'
import { checkOptions } from '../state/state-fault.js'
import type { ServiceFile } from '../transfer/service-file.js'

/** The options of `createMock`. */
export interface MockOptions {
  /** The scenario to start with: a name, comma-separated names, or your own scenario. Default: `default`. */
  scenario?: ScenarioName | AsJson<Scenario> | undefined
  /** Your own scenarios, in addition to the built-in ones. A scenario with a built-in name replaces the built-in one. */
  scenarios?: readonly AsJson<Scenario>[] | undefined
  /**
   * Seed data for every scenario, on top of the built-in data: one fixture, or several in order. A fixture can also be an
   * export file of Unleash.
   */
  fixtures?: AsJson<PartialState | ServiceFile> | readonly AsJson<PartialState | ServiceFile>[] | undefined
  /** With a seed, new records have the same IDs and secrets in each run. Records of fixtures and scenarios always have. */
  seed?: string | number | undefined
  /** Freezes the clock at this date. */
  now?: Date | string | number | undefined
  /** The behaviour where Unleash's document and a running Unleash differ. Default: `documented`. */
  profile?: ProfileName | undefined
  /** The start of the links in responses. Its path prefixes every route. Default: `http://localhost:4242`. */
  baseUrl?: string | undefined
  /** The path that prefixes every route, such as `/flags`. Takes precedence over the path of `baseUrl`. */
  basePath?: string | undefined
  /** The paths of a gateway, each with its path in Unleash: `{ '/proxy': '/api/frontend' }`. Longer paths are mapped alike. */
  paths?: Readonly<Record<string, string>> | undefined
  /** The latency of every response in milliseconds: a number, or `{ min, max }`. */
  latency?: Latency | undefined
  /** The maximum requests in the journal. Default: 1,000. */
  journalSize?: number | undefined
  /** Origins, in addition to local origins, whose pages can do everything. Pages of other sites can use only the frontend API. */
  allowOrigins?: readonly string[] | undefined
  /**
   * The API tokens that requests need. `true`: a valid one, or a login. `'any'`: one of any text, which counts as an
   * admin's, or as an SDK's of the environment that it names, or else `development`. `false`: none; any token counts all the
   * same. Known tokens and logins of users keep their permissions. Default: true.
   */
  auth?: boolean | 'any' | undefined
  /**
   * The form of the secrets of new API tokens and personal access tokens. In lists and events, a token of the form `v2` has a
   * selector in place of its secret. Tokens of both forms always work. Default: `v1`.
   */
  tokenFormat?: Profile['tokenFormat'] | undefined
}

/** Only the command line and the Vite plugin read files. */
const notFiles = (given: unknown) => ![given].flat().some((one) => typeof one === 'string')
const notFilesFault = {
  error:
    'must be the data itself, and not a file name: parse the JSON first, or pass the file to --fixtures or the Vite plugin',
}

const dateFault = { error: 'must be a date of the years 0000 to 9999, such as 2026-11-20T12:00:00Z' }

/** The end of a URL that is for SDKs, or for the Admin API, and so isn't the start of all paths. */
export const API_PATH = /\/api\/(frontend|client|admin)\/?$/i

const isPath = (text: string) => /^\/[^?#]*[^?#/]$/.test(text)

/** The paths of a gateway, each with its path in Unleash. */
export const pathsSchema = z.record(z.string(), z.string()).superRefine((paths, { addIssue }) => {
  if (!Object.entries(paths).flat().every(isPath)) {
    addIssue('must be paths that begin with a slash and end without one, such as { "/proxy": "/api/frontend" }')
    return
  }
  for (const [path, target] of Object.entries(paths)) {
    if (leadsToRoute(target)) continue
    addIssue(`maps "${path}" to "${target}", which is not a path of Unleash.${didYouMean(target, routeStarts())}`)
  }
})

/** The schema of each option. Adapters, and options in text form, use the same schemas. */
export const optionSchemas = {
  scenario: z.union(
    [z.string().regex(/\S/, 'must be the name of a scenario, and not empty'), z.looseObject({ name: z.string() })],
    {
      error: 'must be the name of a scenario, or a scenario; commas combine names, such as "empty,slow"',
    },
  ),
  scenarios: z.array(z.unknown()),
  fixtures: z.unknown().refine(notFiles, notFilesFault),
  seed: z.union([z.string(), z.number()]),
  now: z
    .union([z.date(), z.string(), z.number()], dateFault)
    .refine((now) => readInstant(now) !== undefined, dateFault),
  profile: z.enum(Object.keys(profiles) as ProfileName[]),
  baseUrl: z
    .string()
    .refine((url) => /^https?:/i.test(url) && URL.canParse(url), {
      error: 'must be a URL such as http://localhost:4242',
    })
    .refine((url) => !API_PATH.test(url), { error: 'must be the URL before the path /api of Unleash' }),
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
  auth: z.union([z.boolean(), z.literal('any')], 'must be true, false or "any"'),
  tokenFormat: z.enum(['v1', 'v2']),
} satisfies Record<keyof MockOptions, z.ZodType>

export function wholeNumber(max: number): z.ZodType<number> {
  const error = `must be a whole number from 0 to ${max}`
  return z.int(error).min(0, error).max(max, error)
}

/** An origin as browsers send it. Undefined for any other text. */
function originOf(text: string): string | undefined {
  if (!/^[\w+.-]+:\/\/[^/?#@]+\/?$/.test(text) || !URL.canParse(text)) return undefined
  const { protocol, host } = new URL(text)
  return host === '' ? undefined : `${protocol}//${host}`.toLowerCase()
}

const optionsSchema = z.strictObject(optionSchemas).partial()

const SERVER = 'startServer, in its second argument'
const MOCK = 'createMock, and of the first argument of startServer'

/** The options of some functions only, each with its place. */
const PLACES: Readonly<Record<string, string>> = {
  port: `${SERVER}. With the Vite plugin, set Vite's own server.port`,
  host: `${SERVER}. With the Vite plugin, set Vite's own server.host`,
  allowHosts: SERVER,
  ui: SERVER,
  https: SERVER,
  proxy: SERVER,
  state: 'the Vite plugin, and a flag of the command line (--state)',
  server: 'useMock',
  handlers: 'useMock and startWorker',
  unhandled: 'useMock, listenOptions and startWorker',
  badge: 'startWorker',
  keep: 'startWorker',
  quiet: 'startWorker',
  serviceWorker: 'startWorker',
}

/** Sentences about options that another function takes, however misspelt. */
function placesOf(given: object, known: readonly string[]): string {
  const sentences = Object.keys(given).flatMap((name) => {
    const others = [...Object.keys(PLACES), ...Object.keys(optionSchemas)]
    const meant = known.includes(name) ? undefined : nearWholeOf(name, others)
    return meant === undefined || known.includes(meant) ? [] : ` ${meant} is an option of ${PLACES[meant] ?? MOCK}.`
  })
  return sentences.join('')
}

/** The options of an adapter that `createMock` also has. */
export function mockOptionsIn<Options extends object>(
  given: Options,
): Pick<Options, keyof MockOptions & keyof Options> {
  const entries = Object.entries(given).filter(([name]) => Object.hasOwn(optionSchemas, name))
  return Object.fromEntries(entries) as Pick<Options, keyof MockOptions & keyof Options>
}

/** The normalised options. Throws a `MockError` `INVALID_OPTION` for unknown or invalid options. */
export function readOptions(given: MockOptions): MockOptions {
  const { basePath, allowOrigins, paths } = expectFitting(optionsSchema, given, 'createMock')
  return { ...given, basePath, allowOrigins, paths }
}

/**
 * The options of a function, as the schema reads them. Throws `INVALID_ARGUMENT` unless they are an object, and
 * `INVALID_OPTION`, with all errors and the names of all options, unless they match the schema.
 */
export function expectFitting<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  given: unknown,
  call: string,
): z.output<z.ZodObject<Shape>> {
  if (!isObject(given)) throw invalidArgument(call, 'an object of options', given)
  const { data, failure } = checkOptions(schema, given)
  if (failure === undefined) return data
  const { faults } = failure
  const named = faults.map(({ path, message }) => ({ path: path.replace(/^\$\.?/, ''), message }))
  const problem = sentence(`${call} does not take these options: ${listFaults(named)}`)
  const names = Object.keys(schema.shape)
  throw new MockError(
    'INVALID_OPTION',
    problem,
    `The options are ${names.join(', ')}.${placesOf(given, names)}`,
    faults,
  )
}
