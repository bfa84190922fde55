import type { Collection } from '@msw/data'
import type { RecordOf, TableName } from '../../service/resources/tables.js'
import type { Key } from '../../service/store/table.js'
import type { Frozen } from '../../support/freeze.js'

/**
 * Points at the record of a kind with a key, or at a list of records by their keys; or lists the records that point here.
 * A method, so that code can use a relation without knowing its kind: it never receives other records.
 */
export type Relation<Stored = object> =
  | { to: TableName; by(stored: Stored): Key | null | readonly Key[] }
  | { to: TableName; inverse: string }

/**
 * The relations of each kind of record. A relation with the name of a field replaces the field. The type of a key says
 * whether it can be null, or its record gone: the tables' `references` lack such types, so they can't replace these.
 * Events store names as text, since they outlive their subjects.
 */
export const relations = {
  projects: {
    environments: { to: 'environments', by: ({ environments }) => environments },
    users: { to: 'users', by: ({ members }) => members.map(({ id }) => id) },
    features: { to: 'features', inverse: 'project' },
    segments: { to: 'segments', inverse: 'project' },
    contextFields: { to: 'contextFields', inverse: 'project' },
  },
  environments: { projects: { to: 'projects', inverse: 'environments' } },
  roles: {
    users: { to: 'users', inverse: 'rootRole' },
    signupTokens: { to: 'signupTokens', inverse: 'role' },
  },
  users: {
    rootRole: { to: 'roles', by: ({ rootRole }) => rootRole },
    projects: { to: 'projects', inverse: 'users' },
    signupTokens: { to: 'signupTokens', inverse: 'users' },
    apiTokens: { to: 'apiTokens', inverse: 'user' },
    favorites: { to: 'favorites', inverse: 'user' },
  },
  apiTokens: { user: { to: 'users', by: ({ userId }) => userId } },
  resetTokens: { user: { to: 'users', by: ({ userId }) => userId } },
  segments: {
    project: { to: 'projects', by: ({ project }) => project },
    features: { to: 'features', inverse: 'segments' },
  },
  contextFields: { project: { to: 'projects', by: ({ project }) => project } },
  tags: { tagType: { to: 'tagTypes', by: ({ type }) => type } },
  features: {
    project: { to: 'projects', by: ({ project }) => project },
    parents: { to: 'features', by: ({ dependencies }) => dependencies.map(({ feature }) => feature) },
    children: { to: 'features', inverse: 'parents' },
    segments: {
      to: 'segments',
      by: ({ environments }) =>
        environments.flatMap(({ strategies }) => strategies.flatMap(({ segments }) => segments)),
    },
    metrics: { to: 'clientMetrics', inverse: 'feature' },
    events: { to: 'events', inverse: 'feature' },
  },
  favorites: {
    user: { to: 'users', by: ({ userId }) => userId },
    feature: { to: 'features', by: ({ kind, name }) => (kind === 'feature' ? name : null) },
    project: { to: 'projects', by: ({ kind, name }) => (kind === 'project' ? name : null) },
  },
  signupTokens: {
    role: { to: 'roles', by: ({ role }) => role.id },
    users: { to: 'users', by: ({ users }) => users.map(({ id }) => id) },
  },
  clientMetrics: { feature: { to: 'features', by: ({ featureName }): string | null => featureName } },
  events: { feature: { to: 'features', by: ({ featureName }) => featureName } },
} satisfies { readonly [Name in TableName]?: Readonly<Record<string, Relation<Frozen<RecordOf<Name>>>>> }

type RelationsOf<Name> = Name extends keyof typeof relations ? (typeof relations)[Name] : Record<never, never>

/** Found records are frozen. Lists stay `Array`s, because the types of @msw/data know no other lists. */
type ReadOnly<Value> = Value extends readonly (infer Item)[]
  ? ReadOnly<Item>[]
  : Value extends object
    ? { readonly [Field in keyof Value]: ReadOnly<Value[Field]> }
    : Value

/** A found record: its stored fields, and its related records. */
type RelatedRecord<Name extends TableName> = ReadOnly<Omit<RecordOf<Name>, keyof RelationsOf<Name>>> & {
  readonly [Field in keyof RelationsOf<Name>]: Related<RelationsOf<Name>[Field]>
}

/** A nullable key gives a nullable record. */
type Related<Declared> = Declared extends { to: infer To extends TableName }
  ? Declared extends { by: (stored: never) => infer Found extends Key | null }
    ? RelatedRecord<To> | Extract<Found, null>
    : RelatedRecord<To>[]
  : never

/** The schema of a collection: it turns the key of a stored record into the found record. */
export interface FoundSchema<Found extends object> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly types?: { readonly input: Key; readonly output: Found } | undefined
    validate(given: unknown): { value: Found } | { issues: { message: string }[] }
  }
}

/** The result of `mock.data()`: an @msw/data collection for each kind of record. The types show only the reading methods. */
export type MockData = {
  readonly [Name in TableName]: Pick<
    Collection<FoundSchema<RelatedRecord<Name>>>,
    'all' | 'count' | 'findFirst' | 'findMany'
  >
}
