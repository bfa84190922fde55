import type { Profile } from '../../../contract/profile.js'
import type { Frozen } from '../../../support/freeze.js'
import type { FeatureRecord } from '../../flags/features/schema.js'
import type { Tables } from '../../shared/context.js'
import type { ProjectRecord } from '../projects/schema.js'
import type { Environment, EnvironmentRecord, ProjectEnvironment } from './schema.js'

type Stored = Frozen<EnvironmentRecord>

/** An environment, and in how many places it takes part. */
export function presentEnvironment(environment: Stored, tables: Tables): Environment {
  const { name } = environment
  return {
    ...presentBriefEnvironment(environment),
    projectCount: tables.projects.list().filter(({ environments }) => environments.includes(name)).length,
    apiTokenCount: tokensFor(name, tables).length,
    enabledToggleCount: countEnabled(tables.features.list(), name),
  }
}

/** An environment as a project sees it. */
export function presentProjectEnvironment(
  environment: Stored,
  { id, environments }: Pick<Frozen<ProjectRecord>, 'id' | 'environments'>,
  tables: Tables,
): ProjectEnvironment {
  const { name } = environment
  const tokens = tokensFor(name, tables).filter(({ projects }) => projects.includes('*') || projects.includes(id))
  return {
    ...presentBriefEnvironment(environment),
    projectApiTokenCount: tokens.length,
    projectEnabledToggleCount: countEnabled(tables.features.by('activeInProject', id), name),
    visible: environments.includes(name),
  }
}

/** The environments that lists show, in their order: those where users may do anything at all. */
export function listedEnvironments(tables: Tables, { users }: Pick<Profile, 'users'>): Stored[] {
  return tables.environments
    .list()
    .filter(({ name }) => users.environments === undefined || users.environments.includes(name))
    .toSorted((one, other) => one.sortOrder - other.sortOrder)
}

/** An environment as it is read alone. */
export function presentBriefEnvironment({ name, type, sortOrder, enabled }: Stored) {
  return { name, type, sortOrder, enabled, protected: false, requiredApprovals: null }
}

function tokensFor(environment: string, tables: Tables) {
  return tables.apiTokens.list().filter((token) => token.environment === environment)
}

function countEnabled(features: readonly Frozen<FeatureRecord>[], name: string): number {
  return features.filter(({ environments }) => environments.some((it) => it.name === name && it.enabled)).length
}
