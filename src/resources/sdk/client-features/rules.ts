import { compareVersions } from '../../../evaluation/semver.js'
import type { Frozen } from '../../../support/freeze.js'
import { murmur3 } from '../../../support/murmur.js'
import type { ApiTokenRecord } from '../../people/api-tokens/schema.js'
import type { ClientQuery, SentClientQuery } from './schema.js'

type Scope = Frozen<Pick<ApiTokenRecord, 'environment' | 'projects'>>

/** Stands for all projects or all environments in a token. */
const ALL = '*'

/** The environment of a token for all environments. */
const DEFAULT_ENVIRONMENT = 'default'

/** The version of the client specification since which SDKs resolve segments themselves. */
const SEGMENTS_SINCE = '4.2.0'

/** The header with the version of the client specification that an SDK supports. */
export const SPECIFICATION_HEADER = 'unleash-client-spec'

/** The environment of a token's features and metrics. */
export function environmentOf({ environment }: Pick<Scope, 'environment'>): string {
  return environment === ALL ? DEFAULT_ENVIRONMENT : environment
}

/** The features that an SDK asks for. The token takes precedence over the URL, so nobody sees more than their token allows. */
export function clientQuery(scope: Scope, sent: SentClientQuery, specification: string | null): ClientQuery {
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

/** A short fingerprint of a value. */
export function fingerprint(value: unknown): string {
  return murmur3(JSON.stringify(value)).toString(16).padStart(8, '0')
}

function listOf(sent: string | string[] | undefined): string[] | undefined {
  return sent === undefined ? undefined : [sent].flat()
}
