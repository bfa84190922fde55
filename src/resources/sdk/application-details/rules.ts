import { compareVersions } from '../../../evaluation/semver.js'
import type { Frozen } from '../../../support/freeze.js'
import type { Usage } from './schema.js'

/** Types of strategies that SDKs still know and the service no longer has. */
export const DEPRECATED = ['gradualRolloutRandom', 'gradualRolloutSessionId', 'gradualRolloutUserId', 'userWithId']

/** The usage of an application about which nothing is said. */
export const EVERYWHERE: Usage = { project: '*', environments: ['*'] }

/** Where an application is used, with more of it: projects in an environment. What is missing stands for all. */
export function withUsage(
  known: readonly Frozen<Usage>[],
  { projects = [], environment = '' }: { projects?: readonly string[] | undefined; environment?: string | undefined },
): Frozen<Usage>[] {
  const usage = new Map(known.map((one) => [one.project, new Set(one.environments)]))
  for (const project of projects.length === 0 ? ['*'] : projects) {
    usage.set(project, new Set([...(usage.get(project) ?? []), environment || '*']))
  }
  return [...usage].map(([project, environments]) => ({ project, environments: [...environments] }))
}

/** The newest version of each SDK that the service was seen to call outdated. */
const outdatedUpTo: Readonly<Record<string, string>> = {
  'unleash-client-dotnet': '4.1.0',
  'unleash-client-go': '4.0.0',
  'unleash-client-java': '9.1.0',
  'unleash-client-node': '5.3.0',
  'unleash-client-php': '2.2.0',
  'unleash-client-python': '5.10.0',
  'unleash-client-ruby': '4.12.0',
  'unleash-dotnet-sdk': '5.2.0',
  'unleash-go-sdk': '5.0.0',
  'unleash-java-sdk': '11.0.0',
  'unleash-node-sdk': '6.5.0',
  'unleash-python-sdk': '6.2.0',
  'unleash-ruby-sdk': '6.3.0',
}

/** Whether an SDK such as `unleash-client-node:3.0.0` is outdated. */
export function isOutdated(sdk: string): boolean {
  const [name = '', version = ''] = sdk.split(':')
  const newest = Object.hasOwn(outdatedUpTo, name) ? outdatedUpTo[name] : undefined
  return newest !== undefined && (compareVersions(version, newest) ?? 1) <= 0
}
