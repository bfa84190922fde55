import { favoriteKey } from '../resources/flags/favorites/rules.js'
import { favoriteRecordSchema } from '../resources/flags/favorites/schema.js'
import { featureTypeSchema } from '../resources/flags/feature-types/schema.js'
import { featureRecordSchema } from '../resources/flags/features/schema.js'
import { tagTypeSchema } from '../resources/flags/tag-types/schema.js'
import { tagKey } from '../resources/flags/tags/rules.js'
import { tagSchema } from '../resources/flags/tags/schema.js'
import { eventSchema } from '../resources/instance/events/schema.js'
import { settingRecordSchema } from '../resources/instance/maintenance/schema.js'
import { apiTokenRecordSchema } from '../resources/people/api-tokens/schema.js'
import { loginRecordSchema, resetTokenRecordSchema } from '../resources/people/login/schema.js'
import { roleRecordSchema } from '../resources/people/roles/schema.js'
import { signupTokenRecordSchema } from '../resources/people/signup-tokens/schema.js'
import { userRecordSchema } from '../resources/people/users/schema.js'
import { environmentRecordSchema } from '../resources/projects/environments/schema.js'
import { projectRecordSchema } from '../resources/projects/projects/schema.js'
import { clientInstanceKey, clientInstanceRecordSchema } from '../resources/sdk/client-instances/schema.js'
import { clientMetricsKey, clientMetricsRecordSchema } from '../resources/sdk/client-metrics/schema.js'
import { contextFieldRecordSchema } from '../resources/targeting/context-fields/schema.js'
import { segmentRecordSchema } from '../resources/targeting/segments/schema.js'
import { strategyTypeSchema } from '../resources/targeting/strategy-types/schema.js'
import type { Collections } from './collections.js'
import { defineTable } from './definition.js'

/**
 * Every kind of record with its relations. A relation by a key that may be null, or whose record may be gone, says so in
 * its type. Events keep the names that they tell of as text: they outlive what they tell of.
 */
export const dataTables = {
  projects: defineTable(projectRecordSchema, {
    key: ({ id }) => id,
    relations: {
      environments: { to: 'environments', kind: 'many', by: ({ environments }) => environments },
      users: { to: 'users', kind: 'many', by: ({ members }) => members.map(({ id }) => id) },
      features: { to: 'features', kind: 'many', inverse: 'project' },
      segments: { to: 'segments', kind: 'many', inverse: 'project' },
      contextFields: { to: 'contextFields', kind: 'many', inverse: 'project' },
    },
  }),
  environments: defineTable(environmentRecordSchema, {
    key: ({ name }) => name,
    relations: { projects: { to: 'projects', kind: 'many', inverse: 'environments' } },
  }),
  roles: defineTable(roleRecordSchema, {
    key: ({ id }) => id,
    relations: {
      users: { to: 'users', kind: 'many', inverse: 'rootRole' },
      signupTokens: { to: 'signupTokens', kind: 'many', inverse: 'role' },
    },
  }),
  users: defineTable(userRecordSchema, {
    key: ({ id }) => id,
    relations: {
      rootRole: { to: 'roles', kind: 'one', by: ({ rootRole }) => rootRole },
      projects: { to: 'projects', kind: 'many', inverse: 'users' },
      signupTokens: { to: 'signupTokens', kind: 'many', inverse: 'users' },
      apiTokens: { to: 'apiTokens', kind: 'many', inverse: 'user' },
      favorites: { to: 'favorites', kind: 'many', inverse: 'user' },
    },
  }),
  apiTokens: defineTable(apiTokenRecordSchema, {
    key: ({ secret }) => secret,
    relations: { user: { to: 'users', kind: 'one', by: ({ userId }) => userId } },
  }),
  logins: defineTable(loginRecordSchema, {
    key: ({ secret }) => secret,
    relations: { user: { to: 'users', kind: 'one', by: ({ userId }) => userId } },
  }),
  resetTokens: defineTable(resetTokenRecordSchema, {
    key: ({ secret }) => secret,
    relations: { user: { to: 'users', kind: 'one', by: ({ userId }) => userId } },
  }),
  settings: defineTable(settingRecordSchema, { key: ({ name }) => name, relations: {} }),
  featureTypes: defineTable(featureTypeSchema, { key: ({ id }) => id, relations: {} }),
  strategyTypes: defineTable(strategyTypeSchema, { key: ({ name }) => name, relations: {} }),
  segments: defineTable(segmentRecordSchema, {
    key: ({ id }) => id,
    relations: {
      project: { to: 'projects', kind: 'one', by: ({ project }) => project },
      features: { to: 'features', kind: 'many', inverse: 'segments' },
    },
  }),
  contextFields: defineTable(contextFieldRecordSchema, {
    key: ({ name }) => name,
    relations: { project: { to: 'projects', kind: 'one', by: ({ project }) => project } },
  }),
  tagTypes: defineTable(tagTypeSchema, { key: ({ name }) => name, relations: {} }),
  tags: defineTable(tagSchema, {
    key: (tag) => tagKey(tag),
    relations: { tagType: { to: 'tagTypes', kind: 'one', by: ({ type }) => type } },
  }),
  features: defineTable(featureRecordSchema, {
    key: ({ name }) => name,
    relations: {
      project: { to: 'projects', kind: 'one', by: ({ project }) => project },
      parents: { to: 'features', kind: 'many', by: ({ dependencies }) => dependencies.map(({ feature }) => feature) },
      children: { to: 'features', kind: 'many', inverse: 'parents' },
      segments: {
        to: 'segments',
        kind: 'many',
        by: ({ environments }) =>
          environments.flatMap(({ strategies }) => strategies.flatMap(({ segments }) => segments)),
      },
      events: { to: 'events', kind: 'many', inverse: 'feature' },
      metrics: { to: 'clientMetrics', kind: 'many', inverse: 'feature' },
    },
  }),
  favorites: defineTable(favoriteRecordSchema, {
    key: (favorite) => favoriteKey(favorite),
    relations: {
      user: { to: 'users', kind: 'one', by: ({ userId }) => userId },
      feature: { to: 'features', kind: 'one', by: ({ kind, name }) => (kind === 'feature' ? name : null) },
      project: { to: 'projects', kind: 'one', by: ({ kind, name }) => (kind === 'project' ? name : null) },
    },
  }),
  signupTokens: defineTable(signupTokenRecordSchema, {
    key: ({ secret }) => secret,
    relations: {
      role: { to: 'roles', kind: 'one', by: ({ role }) => role.id },
      users: { to: 'users', kind: 'many', by: ({ users }) => users.map(({ id }) => id) },
    },
  }),
  clientMetrics: defineTable(clientMetricsRecordSchema, {
    key: (metrics) => clientMetricsKey(metrics),
    relations: { feature: { to: 'features', kind: 'one', by: ({ featureName }): string | null => featureName } },
  }),
  clientInstances: defineTable(clientInstanceRecordSchema, {
    key: (instance) => clientInstanceKey(instance),
    relations: {},
  }),
  events: defineTable(eventSchema, {
    key: ({ id }) => id,
    relations: { feature: { to: 'features', kind: 'one', by: ({ featureName }) => featureName } },
  }),
} as const

/** What `mock.data()` gives: a collection of each kind of record. */
export type MockData = Collections<typeof dataTables>
