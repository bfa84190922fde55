import type { Frozen } from '../../../support/freeze.js'
import { distinct } from '../../shared/rules.js'
import { withUsage } from '../application-details/rules.js'
import type { ApplicationRecord } from '../application-details/schema.js'
import type { ClientInstanceRecord } from '../client-instances/schema.js'
import type { Application, ProjectApplication } from './schema.js'

type Instances = readonly Frozen<ClientInstanceRecord>[]

/**
 * An application: the strategies that its SDKs know, and the projects and environments of their tokens. One that has been
 * noted counts as used everywhere.
 */
export function presentApplication(
  appName: string,
  instances: Instances,
  noted: Frozen<ApplicationRecord> | undefined,
): Application {
  const strategies = distinct([...instances, ...(noted ? [noted] : [])].flatMap((one) => one.strategies))
  const usage = instances.reduce(withUsage, noted?.usage ?? [])
  const { description, url, color, icon } = noted ?? {}
  return {
    appName,
    ...(description && { description }),
    ...(url && { url }),
    ...(color && { color }),
    ...(icon && { icon }),
    strategies,
    usage: usage
      .map(({ project, environments }) => ({ project, environments: environments.toSorted() }))
      .toSorted((one, other) => (one.project < other.project ? -1 : 1)),
  }
}

/** An application, from the point of view of a project. */
export function presentProjectApplication(name: string, instances: Instances): ProjectApplication {
  const sdks = instances.flatMap(({ sdkVersion }) => (sdkVersion === null ? [] : [sdkOf(sdkVersion)]))
  return {
    name,
    environments: environmentsOf(instances),
    instances: distinct(instances.map(({ instanceId }) => instanceId)),
    sdks: distinct(sdks.map((sdk) => sdk.name)).map((sdk) => ({
      name: sdk,
      versions: distinct(sdks.filter((it) => it.name === sdk).flatMap(({ version }) => version ?? [])),
    })),
  }
}

/** `unleash-client-node:6.12.1` → its name and, where there is one, its version. */
function sdkOf(text: string): { name: string; version?: string } {
  const [name = '', ...version] = text.split(':')
  return version.length === 0 ? { name } : { name, version: version.join(':') }
}

function environmentsOf(instances: readonly Pick<Instances[number], 'environment'>[]): string[] {
  return distinct(instances.map(({ environment }) => environment))
}
