import * as z from 'zod'
import { badData, type Detail, type Failure } from '../../contract/errors.js'
import { compareVersions, isVersion } from '../../evaluation/constraints.js'
import { dependencySchema } from '../flags/dependencies.js'
import { featureRecordSchema, featureSettings } from '../flags/features.js'
import { strategySchema } from '../flags/strategies.js'
import { variantSchema } from '../flags/variants.js'
import { isUrlFriendly } from '../shared/checks.js'
import type { SdkScope } from '../shared/context.js'
import { object } from '../shared/object.js'
import { named } from '../shared/schema.js'
import { constraintSchema } from '../targeting/constraints.js'

const clientStrategySchema = named(
  'clientStrategySchema',
  () =>
    strategySchema
      .pick({ name: true, constraints: true, parameters: true, variants: true })
      .extend({ segments: z.array(z.int()).optional() }).shape,
)

/** A feature in one environment, with everything that SDKs need to evaluate it. */
export const clientFeatureSchema = named(
  'clientFeatureSchema',
  () =>
    featureRecordSchema.pick({ name: true, ...featureSettings, project: true }).extend({
      enabled: z.boolean(),
      strategies: z.array(clientStrategySchema),
      variants: z.array(variantSchema),
      dependencies: z.array(dependencySchema).optional(),
    }).shape,
)

const clientSegmentSchema = named('clientSegmentSchema', () => ({
  id: z.int(),
  name: z.string().optional(),
  constraints: z.array(constraintSchema),
}))

const clientFeaturesQuerySchema = z
  .object({
    tag: z.array(z.array(z.string())).optional(),
    project: z.array(z.string()).optional(),
    namePrefix: z.string().optional(),
    environment: z.string().optional(),
    inlineSegmentConstraints: z.boolean(),
  })
  .meta({ id: 'clientFeaturesQuerySchema', description: 'The features that were requested' })

/** An SDK's query for features, with its token, its URL and its version. */
export type ClientQuery = z.infer<typeof clientFeaturesQuerySchema>

export const clientFeaturesSchema = z
  .object({
    version: z.literal(2),
    features: z.array(clientFeatureSchema),
    query: clientFeaturesQuerySchema,
    segments: z.array(clientSegmentSchema).optional(),
    meta: z.object({ revisionId: z.int(), etag: z.string(), queryHash: z.string() }),
  })
  .meta({ id: 'clientFeaturesSchema' })

const oneOrMore = z.union([z.string(), z.array(z.string())]).optional()

/** The filters in an SDK's URL. */
export const sentClientQuerySchema = object(() => ({
  namePrefix: z.string().optional(),
  project: oneOrMore,
  tag: oneOrMore,
}))

type SentClientQuery = z.infer<typeof sentClientQuerySchema>

/** All projects or all environments in a token. */
const ALL = '*'

/** The version of the client specification in which SDKs began to resolve segments. */
const SEGMENTS_SINCE = '4.2.0'

/** The header with an SDK's version of the client specification. */
export const SPECIFICATION_HEADER = 'unleash-client-spec'

/** The environment of a token's features and metrics: `default` for a token for all. */
export function environmentOf({ environment }: Pick<SdkScope, 'environment'>): string {
  return environment === ALL ? 'default' : environment
}

/** Fails if the header does not contain a version of the client specification. */
export function checkSpecification(sent: string | null): Failure | undefined {
  if (!sent || isVersion(sent)) return undefined
  const message = `The header Unleash-Client-Spec must be a version such as "5.2.2"; ${JSON.stringify(sent)} was sent.`
  return badData(message, `/headers/${SPECIFICATION_HEADER}`)
}

/** Fails for values that Unleash rejects in a query for features. */
export function checkSentQuery({ tag, project, namePrefix }: SentClientQuery): Failure | undefined {
  const details = [
    ...faultsIn('tag', tag, (text) => TAG.test(text), 'have a type and a value, such as "simple:beta"'),
    ...faultsIn('project', project, canNameProject, 'contain only characters that need no encoding in a URL'),
    ...(namePrefix === '' ? [{ path: '/query/namePrefix', message: '"namePrefix" must not be empty.' }] : []),
  ]
  if (details.length === 0) return undefined
  return {
    kind: 'badData',
    message: `The query is invalid: ${details.map(({ message }) => message).join(' ')}`,
    details,
  }
}

const TAG = /\w:./

function canNameProject(text: string): boolean {
  return text === '' || (text.length <= 100 && isUrlFriendly(text))
}

function faultsIn(
  name: string,
  sent: string | string[] | undefined,
  isGood: (text: string) => boolean,
  rule: string,
): Detail[] {
  const path = `/query/${name}`
  if (sent === '') return [{ path, message: `"${name}" must be a list.` }]
  return (listOf(sent) ?? []).flatMap((text, i) =>
    isGood(text) && text !== '' ? [] : [{ path, message: `"${name}[${i}]" must ${rule}; "${text}" was sent.` }],
  )
}

/** An SDK's query for features. The token takes precedence over the URL, so no SDK sees more than its token allows. */
export function clientQuery(scope: SdkScope, sent: SentClientQuery, specification: string | null): ClientQuery {
  const project = scope.projects.includes(ALL) ? listOf(sent.project) : [...scope.projects]
  const tag = listOf(sent.tag)?.map((pair) => pair.split(':'))
  return {
    ...(tag === undefined ? {} : { tag }),
    ...(project === undefined ? {} : { project }),
    ...(sent.namePrefix === undefined ? {} : { namePrefix: sent.namePrefix }),
    environment: environmentOf(scope),
    inlineSegmentConstraints: (compareVersions(specification ?? '', SEGMENTS_SINCE) ?? -1) < 0,
  }
}

function listOf(sent: string | string[] | undefined): string[] | undefined {
  return sent === undefined ? undefined : [sent].flat()
}
