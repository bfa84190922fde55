import type { Collection } from '@msw/data'
import type { RecordOf, TableName } from '../../service/resources/tables.js'
import type { Key } from '../../service/store/table.js'
import type { Frozen } from '../../support/freeze.js'

/**
 * Points at the record of a kind with a key, or at those with several; or leads to those that point here by a relation of
 * theirs. A method, so that a relation can be used where its kind is not known: it is only given records of its own kind.
 */
export type Relation<Stored = object> =
  | { to: TableName; by(stored: Stored): Key | null | readonly Key[] }
  | { to: TableName; inverse: string }

/**
 * What each kind of record is related to. A relation that is named like a field takes its place. Where the key may be null,
 * or the record may be gone, the type of the key says so: the tables' `references`, which have no such types, can't stand
 * for these. Events keep the names that they tell of as text: they outlive what they tell of.
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

/** Found records are frozen. Lists stay `Array`s, because @msw/data looks into no other lists in its types. */
type ReadOnly<Value> = Value extends readonly (infer Item)[]
  ? ReadOnly<Item>[]
  : Value extends object
    ? { readonly [Field in keyof Value]: ReadOnly<Value[Field]> }
    : Value

/** A record as it is found: its stored fields, and the records that it is related to. */
type FoundRecord<Name extends TableName> = ReadOnly<Omit<RecordOf<Name>, keyof RelationsOf<Name>>> & {
  readonly [Field in keyof RelationsOf<Name>]: Related<RelationsOf<Name>[Field]>
}

/** A key that may be null makes a record that may be null. */
type Related<Declared> = Declared extends { to: infer To extends TableName }
  ? Declared extends { by: (stored: never) => infer Found extends Key | null }
    ? FoundRecord<To> | Extract<Found, null>
    : FoundRecord<To>[]
  : never

/** The schema of a collection: it takes the key of a stored record, and gives the record as it is found. */
export interface FoundSchema<Found extends object> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly types?: { readonly input: Key; readonly output: Found } | undefined
    validate(given: unknown): { value: Found } | { issues: { message: string }[] }
  }
}

/** What `mock.data()` gives: for each kind of record a collection of @msw/data, of which the types show what reads. */
export type MockData = {
  readonly [Name in TableName]: Pick<
    Collection<FoundSchema<FoundRecord<Name>>>,
    'all' | 'count' | 'findFirst' | 'findMany'
  >
}
