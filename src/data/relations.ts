import { type KindName, kinds, type RecordOf } from '../resources/tables.js'
import type { Frozen } from '../support/freeze.js'
import type { Collections } from './collections.js'
import type { AnyTables, Relation } from './definition.js'

type Relations = { readonly [Name in KindName]?: Readonly<Record<string, Relation<Frozen<RecordOf<Name>>>>> }

/** The kinds of records with their relations. */
type Related<Given extends Relations> = {
  readonly [Name in KindName]: Pick<(typeof kinds)[Name], 'record' | 'key'> & {
    relations: Name extends keyof Given ? NonNullable<Given[Name]> : Record<never, never>
  }
}

function relate<const Given extends Relations>(given: Given): Related<Given> {
  const relations: Relations = given
  const tables: AnyTables = Object.fromEntries(
    Object.entries(kinds).map(([name, { record, key }]) => [
      name,
      { record, key, relations: relations[name as KindName] ?? {} },
    ]),
  )
  return tables as Related<Given>
}

/**
 * Every kind of record with what it is related to. Where the key may be null, or the record may be gone, the type of
 * the key says so. Events keep the names that they tell of as text: they outlive what they tell of.
 */
export const dataTables = relate({
  projects: {
    environments: { to: 'environments', kind: 'many', by: ({ environments }) => environments },
    users: { to: 'users', kind: 'many', by: ({ members }) => members.map(({ id }) => id) },
    features: { to: 'features', kind: 'many', inverse: 'project' },
    segments: { to: 'segments', kind: 'many', inverse: 'project' },
    contextFields: { to: 'contextFields', kind: 'many', inverse: 'project' },
  },
  environments: { projects: { to: 'projects', kind: 'many', inverse: 'environments' } },
  roles: {
    users: { to: 'users', kind: 'many', inverse: 'rootRole' },
    signupTokens: { to: 'signupTokens', kind: 'many', inverse: 'role' },
  },
  users: {
    rootRole: { to: 'roles', kind: 'one', by: ({ rootRole }) => rootRole },
    projects: { to: 'projects', kind: 'many', inverse: 'users' },
    signupTokens: { to: 'signupTokens', kind: 'many', inverse: 'users' },
    apiTokens: { to: 'apiTokens', kind: 'many', inverse: 'user' },
    favorites: { to: 'favorites', kind: 'many', inverse: 'user' },
  },
  apiTokens: { user: { to: 'users', kind: 'one', by: ({ userId }) => userId } },
  logins: { user: { to: 'users', kind: 'one', by: ({ userId }) => userId } },
  resetTokens: { user: { to: 'users', kind: 'one', by: ({ userId }) => userId } },
  segments: {
    project: { to: 'projects', kind: 'one', by: ({ project }) => project },
    features: { to: 'features', kind: 'many', inverse: 'segments' },
  },
  contextFields: { project: { to: 'projects', kind: 'one', by: ({ project }) => project } },
  tags: { tagType: { to: 'tagTypes', kind: 'one', by: ({ type }) => type } },
  features: {
    project: { to: 'projects', kind: 'one', by: ({ project }) => project },
    parents: { to: 'features', kind: 'many', by: ({ dependencies }) => dependencies.map(({ feature }) => feature) },
    children: { to: 'features', kind: 'many', inverse: 'parents' },
    segments: {
      to: 'segments',
      kind: 'many',
      by: ({ environments }) =>
        environments.flatMap(({ strategies }) => strategies.flatMap(({ segments }) => segments)),
    },
    metrics: { to: 'clientMetrics', kind: 'many', inverse: 'feature' },
    events: { to: 'events', kind: 'many', inverse: 'feature' },
  },
  favorites: {
    user: { to: 'users', kind: 'one', by: ({ userId }) => userId },
    feature: { to: 'features', kind: 'one', by: ({ kind, name }) => (kind === 'feature' ? name : null) },
    project: { to: 'projects', kind: 'one', by: ({ kind, name }) => (kind === 'project' ? name : null) },
  },
  signupTokens: {
    role: { to: 'roles', kind: 'one', by: ({ role }) => role.id },
    users: { to: 'users', kind: 'many', by: ({ users }) => users.map(({ id }) => id) },
  },
  clientMetrics: { feature: { to: 'features', kind: 'one', by: ({ featureName }): string | null => featureName } },
  events: { feature: { to: 'features', kind: 'one', by: ({ featureName }) => featureName } },
})

/** What `mock.data()` gives: a collection of each kind of record. */
export type MockData = Collections<typeof dataTables>
