import type { DataFault } from '../../service/contract/mock-errors.js'
import type { StoredFeature } from '../../service/resources/flags/features.js'
import { presentFeature } from '../../service/resources/flags/features.model.js'
import { presentRole } from '../../service/resources/people/roles.js'
import type { StoredSignupToken } from '../../service/resources/people/signup-tokens.js'
import { inviteLink } from '../../service/resources/people/signup-tokens.operations.js'
import { presentUser, type StoredUser } from '../../service/resources/people/users.js'
import type { EnvironmentRecord } from '../../service/resources/projects/environments.js'
import { presentEnvironment } from '../../service/resources/projects/environments.operations.js'
import type { StoredProject } from '../../service/resources/projects/projects.js'
import { presentProject } from '../../service/resources/projects/projects.operations.js'
import { BEST_RATING } from '../../service/resources/projects/reports.model.js'
import type { Tables } from '../../service/resources/tables.js'
import { usageOf } from '../../service/resources/targeting/usage.model.js'
import type { Frozen } from '../../support/freeze.js'
import { isObject, show, valueAt } from '../../support/json.js'
import type { Draft } from './draft.js'
import type { Loaded } from './faults.js'
import { pathTo } from './given.js'

type GivenRecord = Readonly<Record<string, unknown>>

interface Derived {
  /** By where each stands, the way to say what it shows. `[]` follows the name of a list. */
  fields: Readonly<Record<string, string>>
  /** What the model computes, in the shape of a response. */
  compute(record: object, tables: Tables, given: GivenRecord): object
}

const ofItself = 'it follows from the rest of the record; leave it out'
const ofFeatures = 'it follows from the features; leave it out'
const ofFeature = 'it is the name of the feature around it; leave it out'
const ofStrategies = 'it follows from its strategies; leave it out'
const inMetrics = 'the numbers of evaluations are in "clientMetrics"; leave it out'
const inFavorites = 'add it to "favorites", with the id of the user'
const inEnvironments = (what: string) => `it is ${what} of the environment: change it in "environments" of the state`
const inUsers = 'change it in "users"'

/** What is computed for the kinds of records that responses show with more than is stored. */
const derivedFields: Readonly<Record<string, Derived | undefined>> = {
  features: {
    fields: {
      favorite: inFavorites,
      children: 'give the children this feature as a dependency',
      'environments[].featureName': ofFeature,
      'environments[].environment': 'it is the name of the environment; leave it out',
      'environments[].type': inEnvironments('the type'),
      'environments[].sortOrder': inEnvironments('that'),
      'environments[].variantCount': 'it is the number of variants; leave it out',
      'environments[].hasStrategies': ofStrategies,
      'environments[].hasEnabledStrategies': ofStrategies,
      'environments[].yes': inMetrics,
      'environments[].no': inMetrics,
      'environments[].strategies[].featureName': ofFeature,
    },
    compute: computeFeature,
  },
  signupTokens: {
    fields: {
      url: 'it follows from the secret; leave it out',
      'users[].name': inUsers,
      'users[].username': inUsers,
      'users[].email': inUsers,
      'role.name': 'change it in "roles", or give the id of another role',
      'role.type': 'change it in "roles"',
    },
    compute: computeToken,
  },
  users: {
    fields: {
      isAPI: 'users are never API tokens: add those to "apiTokens"',
      imageUrl: 'it follows from the e-mail, username or id; leave it out',
      emailSent: 'no e-mail is ever sent; leave it out',
      permissions: 'they follow from the role: change its permissions in "roles", or give another rootRole',
    },
    compute: (record: StoredUser) => presentUser(record),
  },
  projects: {
    fields: {
      featureCount: ofFeatures,
      memberCount: 'it follows from "members"; leave it out',
      favorite: inFavorites,
    },
    compute: (project: StoredProject, tables, given) => ({
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
function computeFeature(feature: StoredFeature, tables: Tables, given: GivenRecord) {
  const shown = presentFeature(feature, tables)
  return {
    ...shown,
    favorite: isFavorite(tables, `feature ${feature.name}`, given),
    environments: shown.environments.map((environment) => ({ ...environment, yes: 0, no: 0 })),
  }
}

/** Whether a record is a favorite depends on who asks: `false` is true for somebody. */
function isFavorite({ favorites }: Tables, mark: string, { favorite }: GivenRecord): boolean {
  return favorite === false ? false : favorites.count('marked', mark) > 0
}

/** The host of a token's URL is that of the instance that showed it. */
function computeToken(token: StoredSignupToken, { roles, users }: Tables, { url }: GivenRecord) {
  const path = inviteLink(token.secret, '')
  const role = roles.get(token.role.id)
  return {
    url: url === null || (typeof url === 'string' && url.endsWith(path)) ? url : path,
    users: token.users.map(({ id }) => ({ id, ...users.get(id) })),
    role: role === undefined ? {} : presentRole(role),
  }
}

/** Derived fields that are given and say something else than the model computes from the records that there will be. */
export function findContradictions(loaded: Loaded, draft: Draft): DataFault[] {
  const concerned = [...loaded].flatMap(([name, records]) => {
    const derived = derivedFields[name]
    if (derived === undefined || records.length === 0) return []
    const paths = Object.entries(derived.fields).map(([path, reason]) => ({ path: path.split('.'), reason }))
    const fields = fieldsIn(paths.map(({ path }) => path))
    return records
      .filter(({ given }) => saysAny(fields, given))
      .map(({ at, given, record }) => ({ derived, paths, given, record, place: pathTo(name, at) }))
  })
  if (concerned.length === 0) return []
  const { tables } = draft.preview()
  return concerned.flatMap(({ derived, paths, given, record, place }) => {
    const computed = derived.compute(record, tables, { ...given })
    return paths.flatMap(({ path, reason }) =>
      [...valuesAt(path, given, computed, place)]
        .filter(({ said, model }) => !isSame(said, model))
        .map(({ at, said, model }) => {
          const message = `is derived and must be ${shown(model)}, but is ${shown(said)}: ${reason}`
          return { path: at, message }
        }),
    )
  })
}

/** A field on the way to derived ones, with those below it; below each of its items, if it is a list. */
interface DerivedField {
  name: string
  isList: boolean
  inside: readonly DerivedField[]
}

function fieldsIn(paths: readonly (readonly string[])[]): DerivedField[] {
  const names = new Set(paths.flatMap(([first = []]) => first))
  return [...names].map((first) => ({
    name: first.replace('[]', ''),
    isList: first.endsWith('[]'),
    inside: fieldsIn(paths.flatMap(([name, ...rest]) => (name === first ? [rest] : []))),
  }))
}

/** Whether a given value says any of these. Nearly none does, so all are looked for at once: a tenth of loading a large file. */
function saysAny(fields: readonly DerivedField[], given: unknown): boolean {
  if (!isObject(given)) return false
  for (const { name, isList, inside } of fields) {
    const value = given[name]
    if (value === undefined) continue
    if (inside.length === 0) return true
    if (!isList && saysAny(inside, value)) return true
    if (isList && typeof value === 'object' && value !== null) {
      for (const item of Array.isArray(value) ? value : Object.values(value)) if (saysAny(inside, item)) return true
    }
  }
  return false
}

/** What a given value says at a path, wherever that is, and what the model computes there. */
function* valuesAt(
  [step = '', ...rest]: readonly string[],
  given: unknown,
  computed: unknown,
  place: string,
): Generator<{ at: string; said: unknown; model: unknown }> {
  const field = step.replace('[]', '')
  const said = valueAt(given, [field])
  const model = valueAt(computed, [field])
  const at = `${place}.${field}`
  if (said === undefined || (rest.length > 0 && (typeof said !== 'object' || said === null))) return
  if (rest.length === 0) yield { at, said, model }
  else if (field === step) yield* valuesAt(rest, said, model, at)
  else {
    for (const [name, item] of Object.entries(said as object)) {
      const path = Array.isArray(said) ? `${at}[${name}]` : `${at}.${name}`
      yield* valuesAt(rest, item, itemOf(model, name, item), path)
    }
  }
}

/** The computed item for a given one: that with its id or its name, else that at its place. */
function itemOf(items: unknown, place: string, given: unknown): unknown {
  if (!Array.isArray(items) || !isObject(given)) return undefined
  const { id, name = place } = given
  const called = (field: string, wanted: unknown) =>
    wanted === undefined ? undefined : items.find((item) => isObject(item) && item[field] === wanted)
  return called('id', id) ?? called('name', name) ?? items[Number(place)]
}

/** Lists of names may be in any order. */
function isSame(given: unknown, model: unknown): boolean {
  const text = (value: unknown) =>
    JSON.stringify(Array.isArray(value) ? value.map((item) => JSON.stringify(item)).toSorted() : value)
  return text(given) === text(model)
}

function shown(value: unknown): string {
  return Array.isArray(value) ? JSON.stringify(value) : show(value)
}
