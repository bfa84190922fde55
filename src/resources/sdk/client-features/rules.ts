import { compareVersions } from '../../../evaluation/semver.js'
import { murmur3 } from '../../../support/murmur.js'
import type { SdkScope } from '../../shared/context.js'
import type { ClientQuery, SentClientQuery } from './schema.js'

/** What stands for all projects in a token. */
const ALL = '*'

/** The environment of a token that is for all of them. */
const DEFAULT_ENVIRONMENT = 'default'

/** The version of the SDKs' common specification from which on they look segments up themselves. */
const SEGMENTS_SINCE = '4.2.0'

/** The header in which an SDK names the version of the specification that it keeps to. */
export const SPECIFICATION_HEADER = 'unleash-client-spec'

/** The environment that a token's answers and metrics are for. */
export function environmentOf({ environment }: SdkScope): string {
  return environment === ALL ? DEFAULT_ENVIRONMENT : environment
}

/** Which features are asked for. The token goes before the URL: nobody sees more than their token shows. */
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

/** A short fingerprint of a value. */
export function fingerprint(value: unknown): string {
  return murmur3(JSON.stringify(value)).toString(16).padStart(8, '0')
}

function listOf(text: string | undefined): string[] | undefined {
  return text === undefined ? undefined : [text]
}
