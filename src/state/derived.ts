import type { FeatureRecord } from '../resources/flags/features.js'
import { presentFeature } from '../resources/flags/features.model.js'
import { presentRole } from '../resources/people/roles.js'
import type { SignupTokenRecord } from '../resources/people/signup-tokens.js'
import { inviteLink } from '../resources/people/signup-tokens.operations.js'
import { presentUser, type UserRecord } from '../resources/people/users.js'
import type { EnvironmentRecord } from '../resources/projects/environments.js'
import { presentEnvironment } from '../resources/projects/environments.operations.js'
import type { ProjectRecord } from '../resources/projects/projects.js'
import { presentProject } from '../resources/projects/projects.operations.js'
import { BEST_RATING } from '../resources/projects/reports.model.js'
import type { Tables } from '../resources/tables.js'
import { usageOf } from '../resources/targeting/usage.model.js'
import type { Frozen } from '../support/freeze.js'

/** Fields that the model computes, each with the way to say what it shows. Below `each`, those of a list's items. */
export interface DerivedFields {
  [field: string]: string | { each: DerivedFields } | { of: DerivedFields }
}

/** The derived fields of a kind of record, and what the model computes for them. */
export interface Derived {
  fields: DerivedFields
  compute(record: never, tables: Tables, given: Given): object
}

type Given = Readonly<Record<string, unknown>>

const ofItself = 'it follows from the rest of the record; leave it out'
const ofFeatures = 'it follows from the features; leave it out'

const strategy = { featureName: 'it is the name of the feature around it; leave it out' }

const environmentOfFeature: DerivedFields = {
  featureName: 'it is the name of the feature around it; leave it out',
  environment: 'it is the name of the environment; leave it out',
  type: 'it is the type of the environment: change it in "environments" of the state',
  sortOrder: 'it is that of the environment: change it in "environments" of the state',
  variantCount: 'it is the number of variants; leave it out',
  hasStrategies: 'it follows from its strategies; leave it out',
  hasEnabledStrategies: 'it follows from its strategies; leave it out',
  yes: 'the numbers of evaluations are in "clientMetrics"; leave it out',
  no: 'the numbers of evaluations are in "clientMetrics"; leave it out',
  strategies: { each: strategy },
}

const user: DerivedFields = {
  isAPI: 'users are never API tokens: add those to "apiTokens"',
  imageUrl: 'it follows from the e-mail, username or id; leave it out',
  emailSent: 'no e-mail is ever sent; leave it out',
  permissions: 'they follow from the role: change its permissions in "roles", or give another rootRole',
}

/** What is computed for the kinds of records that responses show with more than is stored. */
export const derivedFields: Readonly<Record<string, Derived | undefined>> = {
  features: {
    fields: {
      favorite: 'add it to "favorites", with the id of the user',
      children: 'give the children this feature as a dependency',
      environments: { each: environmentOfFeature },
    },
    compute: computeFeature,
  },
  signupTokens: {
    fields: {
      url: 'it follows from the secret; leave it out',
      users: {
        each: { name: 'change it in "users"', username: 'change it in "users"', email: 'change it in "users"' },
      },
      role: { of: { name: 'change it in "roles", or give the id of another role', type: 'change it in "roles"' } },
    },
    compute: computeToken,
  },
  users: { fields: user, compute: (record: Frozen<UserRecord>) => presentUser(record) },
  projects: {
    fields: {
      featureCount: ofFeatures,
      memberCount: 'it follows from "members"; leave it out',
      favorite: 'add it to "favorites", with the id of the user',
    },
    compute: (project: Frozen<ProjectRecord>, tables, given) => ({
      ...presentProject({ project, rating: BEST_RATING }, tables),
      favorite: isFavorite(tables, `project ${project.id}`, given),
    }),
  },
  environments: {
    fields: {
      protected: ofItself,
      requiredApprovals: ofItself,
      projectCount: 'it follows from the projects; leave it out',
      apiTokenCount: 'it follows from the API tokens; leave it out',
      enabledToggleCount: ofFeatures,
    },
    compute: (environment: Frozen<EnvironmentRecord>, tables) => presentEnvironment(environment, tables),
  },
  segments: {
    fields: { usedInProjects: ofFeatures, usedInFeatures: ofFeatures },
    compute: ({ id }: { id: number }, tables) => usageOf(tables, 'segment', id),
  },
  contextFields: {
    fields: { usedInProjects: ofFeatures, usedInFeatures: ofFeatures },
    compute: ({ name }: { name: string }, tables) => usageOf(tables, 'contextField', name),
  },
}

/** Responses that count evaluations in a feature's environments count none. */
function computeFeature(feature: Frozen<FeatureRecord>, tables: Tables, given: Given) {
  const shown = presentFeature(feature, tables)
  return {
    ...shown,
    favorite: isFavorite(tables, `feature ${feature.name}`, given),
    environments: shown.environments.map((environment) => ({ ...environment, yes: 0, no: 0 })),
  }
}

/** Whether a record is a favorite depends on who asks: `false` is true for somebody. */
function isFavorite({ favorites }: Tables, mark: string, { favorite }: Given): boolean {
  return favorite === false ? false : favorites.count('marked', mark) > 0
}

/** The host of a token's URL is that of the instance that showed it. */
function computeToken(token: Frozen<SignupTokenRecord>, { roles, users }: Tables, { url }: Given) {
  const path = inviteLink(token.secret, '')
  const role = roles.get(token.role.id)
  return {
    url: url === null || (typeof url === 'string' && url.endsWith(path)) ? url : path,
    users: token.users.map(({ id }) => ({ id, ...users.get(id) })),
    role: role === undefined ? {} : presentRole(role),
  }
}
