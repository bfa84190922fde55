import type { Frozen } from '../../../support/freeze.js'
import type { FeatureRecord } from '../../flags/features/schema.js'
import type { Tables } from '../../shared/context.js'
import type { ProjectRecord } from '../projects/schema.js'
import type { Environment, EnvironmentRecord, ProjectEnvironment } from './schema.js'

type Stored = Frozen<EnvironmentRecord>

/** An environment, with the numbers of projects, tokens and features that use it. */
export function presentEnvironment(environment: Stored, tables: Tables): Environment {
  const { name } = environment
  return {
    ...presentBriefEnvironment(environment),
    projectCount: tables.projects.list().filter(({ environments }) => environments.includes(name)).length,
    apiTokenCount: tokensFor(name, tables).length,
    enabledToggleCount: countEnabled(tables.features.list(), name),
  }
}

/** An environment, from the point of view of a project. */
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

export function presentBriefEnvironment({ name, type, sortOrder, enabled }: Stored) {
  return { name, type, sortOrder, enabled, protected: false, requiredApprovals: null }
}

function tokensFor(environment: string, tables: Tables) {
  return tables.apiTokens.list().filter((token) => token.environment === environment)
}

function countEnabled(features: readonly Frozen<FeatureRecord>[], name: string): number {
  return features.filter(({ environments }) => environments.some((it) => it.name === name && it.enabled)).length
}
