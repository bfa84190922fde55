import * as z from 'zod'
import type { DataFault } from '../../service/resources/shared/table.js'
import { isObject } from '../../support/json.js'
import { checkGiven } from '../state/state-fault.js'
import {
  hasEnvironments,
  hasOwnStrategies,
  hasStrategies,
  isByName,
  isDelta,
  isImport,
  isOfGitLab,
  isWholeFlag,
  withNames,
} from './older-forms.js'

/** A feature flag in an Unleash file, with more fields than its name. */
interface NamedFeature {
  name: string
}

/** A feature flag as evaluated by Unleash for a user. */
interface EvaluatedFlag extends NamedFeature {
  enabled: boolean
  variant?: { name: string; enabled: boolean; payload?: { type: string; value: string } }
}

/** A flag with its strategies, in a saved response of Unleash, an SDK or GitLab. */
type WholeFlag = NamedFeature &
  ({ environments: readonly { name: string }[] } | { strategies: readonly { name: string }[] })

/**
 * Unleash's own files, which you can use like seed data: its export file, by itself or in the body of an import, the response of `/api/client/features` (an
 * SDK's backup or bootstrap file), that of `/api/client/delta`, the response of `/api/frontend` or the list of its flags (a browser SDK's bootstrap),
 * and saved responses of `GET /api/admin/projects/:projectId/features`, of the search, about one feature, and of GitLab's
 * list of flags.
 */
export type ServiceFile =
  | {
      features: readonly NamedFeature[]
      featureStrategies: readonly ({ name: string } | { strategyName: string })[]
      featureEnvironments?: readonly ({ name: string } | { featureName: string })[]
      contextFields?: readonly { name: string }[]
      featureTags?: readonly ({ tagValue: string } | { value: string })[]
      segments?: readonly { id: number; name: string }[]
      tagTypes?: readonly { name: string }[]
      dependencies?: readonly { feature: string }[]
      links?: readonly { feature: string }[]
    }
  | {
      version?: number
      features: readonly (NamedFeature & { enabled?: boolean; strategies: readonly { name: string }[] })[]
      query?: { environment?: string }
      segments?: readonly { id: number }[]
      meta?: { revisionId?: number }
    }
  | {
      events: readonly {
        eventId: number
        type: string
        features?: readonly NamedFeature[]
        feature?: NamedFeature
        featureName?: string
        segments?: readonly { id: number }[]
        segment?: { id: number }
        segmentId?: number
      }[]
    }
  | { toggles: readonly EvaluatedFlag[] }
  | readonly EvaluatedFlag[]
  | WholeFlag
  | readonly WholeFlag[]
  | { version: number; features: readonly (NamedFeature & { environments: readonly { name: string }[] })[] }
  | { total: number; features: readonly (NamedFeature & { environments: readonly { name: string }[] })[] }

/** The names of the file formats in messages. */
export const FORMATS = {
  export: 'Unleash export file',
  client: "client features, an SDK's backup or bootstrap file",
  evaluated: "evaluated flags, a browser SDK's bootstrap list",
  project: 'features of a project, a saved response',
  search: 'search result, a saved response',
} as const

export type Format = keyof typeof FORMATS

/** The format of a value; undefined for other values, such as seed data. */
export function formatOf(given: unknown): Format | undefined {
  if (Array.isArray(given)) return formatOfFlags(given)
  if (!isObject(given)) return undefined
  if (Array.isArray(given.toggles) || isByName(given.toggles)) return 'evaluated'
  if (isImport(given)) return 'export'
  if (isDelta(given)) return 'client'
  if (isWholeFlag(given)) return formatOfFlags([given])
  if (isByName(given)) return formatOfFlags(withNames(given))
  if (!Array.isArray(given.features)) return undefined
  if (given.featureStrategies !== undefined) return 'export'
  const items: readonly unknown[] = given.features
  const [first] = items
  const listed = isObject(first) && first.environments !== undefined
  if (given.total !== undefined) return 'search'
  if (given.query !== undefined || given.meta !== undefined) return 'client'
  if (given.version === 2) return listed || items.length === 0 ? 'project' : 'client'
  // In seed data, strategies belong to environments.
  const isNewer = given.version !== 1
  if (listed) return !isNewer && items.some(hasOwnStrategies) ? 'project' : undefined
  const isSwitched = (item: unknown) => isObject(item) && typeof item.enabled === 'boolean'
  return items.some(hasStrategies) && (!isNewer || items.every(isSwitched)) ? 'client' : undefined
}

/** The format of a list of flags, as Unleash, its SDKs or GitLab respond with. */
function formatOfFlags(flags: readonly unknown[]): Format | undefined {
  const isNamed = (flag: unknown) => isObject(flag) && typeof flag.name === 'string'
  if (flags.length === 0 || !flags.every(isNamed)) return undefined
  if (flags.some(hasEnvironments) || isOfGitLab(flags)) return 'project'
  if (flags.some(hasStrategies)) return 'client'
  return flags.every((flag) => isObject(flag) && 'enabled' in flag) ? 'evaluated' : undefined
}

/** Reads null as a missing field, because versions of Unleash write either. */
function maybe<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullish().transform((value) => value ?? undefined)
}

const text = () => maybe(z.string())
/** Also reads an empty text as a missing field. */
const filled = () => text().transform((value) => value || undefined)
const flag = () => maybe(z.boolean())
const whole = () => maybe(z.int())
const listOf = <Shape extends z.ZodRawShape>(shape: Shape) => maybe(z.array(z.object(shape)))

/** SDKs don't read dates, so the hand-written ones can lack the time or the zone. They count as UTC. */
const date = () =>
  text().transform((value) => value?.replace(ZONELESS, (_, day, time = '00:00:00') => `${day}T${time}Z`))
const ZONELESS = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}:\d{2}(?:\.\d+)?))?$/

/** Null is a value here: it replaces the existing value. */
const orNull = () => z.string().nullish()

function makeParts() {
  const variant = z.object({
    name: z.string(),
    weight: maybe(z.number().min(0).max(1000)),
    weightType: maybe(z.enum(['fix', 'variable'])),
    stickiness: filled(),
    payload: maybe(z.object({ type: z.string(), value: z.string() })),
    overrides: listOf({ contextName: z.string(), values: z.array(z.string()) }),
  })
  const constraint = z.object({
    contextName: z.string(),
    operator: z.string(),
    values: maybe(z.array(z.string())),
    value: filled(),
    inverted: flag(),
    caseInsensitive: flag(),
  })
  const strategy = z.object({
    name: z.string(),
    id: text(),
    title: text(),
    disabled: flag(),
    sortOrder: whole(),
    segments: maybe(z.array(z.int())),
    constraints: maybe(z.array(constraint)),
    variants: maybe(z.array(variant)),
    parameters: maybe(z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))),
  })
  const dependency = z.object({
    feature: z.string(),
    enabled: flag(),
    variants: maybe(z.array(z.string())),
  })
  const feature = makeFeature()
  const listedFeature = feature.extend({
    tags: listOf({ type: z.string(), value: z.string() }),
    // A response about one feature contains all of its strategies; a list has them in no place, or of one environment.
    strategies: maybe(z.array(strategy)),
    variants: maybe(z.array(variant)),
    dependencies: maybe(z.array(dependency)),
    links: listOf({ url: z.string(), title: text() }),
    environments: maybe(
      z.array(
        z.object({
          name: z.string(),
          enabled: flag(),
          type: text(),
          sortOrder: whole(),
          lastSeenAt: text(),
          hasStrategies: flag(),
          hasEnabledStrategies: flag(),
          strategies: maybe(z.array(strategy)),
          variants: maybe(z.array(variant)),
        }),
      ),
    ),
  })
  return { variant, constraint, strategy, dependency, feature, listedFeature }
}

function makeFeature() {
  const person = z.object({ id: z.int(), name: text(), imageUrl: text() })
  const feature = z.object({
    name: z.string(),
    type: text(),
    description: text(),
    project: text(),
    stale: flag(),
    impressionData: flag(),
    archived: flag(),
    createdAt: date(),
    archivedAt: date(),
    createdBy: maybe(person),
    segments: maybe(z.array(z.string())),
  })
  return feature
}

/** Versions also differ in additional fields, which are ignored. */
function makeSchemas() {
  const { variant, constraint, strategy, dependency, feature, listedFeature } = makeParts()
  const listed = z.object({ features: z.array(listedFeature) })
  const featureTags = () => listOf({ featureName: z.string(), tagType: text(), tagValue: z.string() })
  const evaluated = z.array(
    feature.extend({ enabled: z.boolean(), variant: maybe(variant.extend({ enabled: flag() })) }),
  )
  return {
    export: z.object({
      features: z.array(feature),
      featureStrategies: z.array(strategy.extend({ featureName: z.string(), environment: text() })),
      featureEnvironments: listOf({
        name: text(),
        featureName: text(),
        environment: text(),
        enabled: z.boolean(),
        variants: maybe(z.array(variant)),
      }),
      contextFields: listOf({
        name: z.string(),
        description: orNull(),
        stickiness: flag(),
        sortOrder: whole(),
        project: orNull(),
        legalValues: listOf({ value: z.string(), description: text() }),
      }),
      featureTags: featureTags(),
      // Only state exports contain the constraints.
      segments: listOf({ id: z.int(), name: z.string(), constraints: maybe(z.array(constraint)) }),
      tagTypes: listOf({ name: z.string(), description: text(), icon: orNull(), color: orNull() }),
      dependencies: listOf({ feature: z.string(), dependencies: z.array(dependency) }),
      links: listOf({ feature: z.string(), links: z.array(z.object({ url: z.string(), title: text() })) }),
    }),
    client: z.object({
      features: z.array(
        feature.extend({
          enabled: flag(),
          // The delta has IDs here. They are also in the strategies.
          segments: z
            .unknown()
            .optional()
            .transform((): string[] | undefined => undefined),
          strategies: maybe(z.array(strategy)),
          variants: maybe(z.array(variant)),
          dependencies: maybe(z.array(dependency)),
        }),
      ),
      query: maybe(z.object({ environment: text() })),
      segments: listOf({ id: z.int(), name: text(), constraints: maybe(z.array(constraint)) }),
      featureTags: featureTags(),
    }),
    evaluated: z.object({ toggles: evaluated }),
    project: listed,
    search: listed,
  }
}

type Schemas = ReturnType<typeof makeSchemas>
type Content<Name extends Format> = z.output<Schemas[Name]>

export type CheckedFile =
  | { format: 'export'; content: Content<'export'> }
  | { format: 'client'; content: Content<'client'> }
  | { format: 'evaluated'; content: Content<'evaluated'> }
  | { format: 'project' | 'search'; content: Content<'project'> }

export type FileFeature = Content<'export'>['features'][number]
export type ListedEnvironment = NonNullable<Content<'project'>['features'][number]['environments']>[number]
export type FileStrategy = NonNullable<Content<'client'>['features'][number]['strategies']>[number]
export type FileVariant = NonNullable<FileStrategy['variants']>[number]
export type FileConstraint = NonNullable<FileStrategy['constraints']>[number]

/** Built on first use: building takes a while, and most worlds never read such a file. */
let schemas: Schemas | undefined

/** The top-level lists of a format that are read. */
export function listsOf(format: Format): readonly string[] {
  schemas ??= makeSchemas()
  return Object.keys(schemas[format].shape)
}

/** Checks an Unleash file. Its errors have paths into the file. */
export function checkFile(format: Format, given: unknown): { file: CheckedFile } | { faults: readonly DataFault[] } {
  schemas ??= makeSchemas()
  const { data: content, failure } = checkGiven<CheckedFile['content']>(schemas[format], given)
  return failure === undefined ? { file: { format, content } as CheckedFile } : failure
}
