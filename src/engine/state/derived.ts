import { presentFeature } from '../../service/resources/flags/features.model.js'
import type { RoleRecord } from '../../service/resources/people/roles.js'
import { presentAsStored } from '../../service/resources/people/signup-tokens.operations.js'
import { presentUser } from '../../service/resources/people/users.js'
import { environmentPresenter } from '../../service/resources/projects/environments.operations.js'
import { presentProject } from '../../service/resources/projects/projects.operations.js'
import { BEST_RATING } from '../../service/resources/projects/reports.model.js'
import type { DataFault } from '../../service/resources/shared/table.js'
import type { RecordOf, TableName, Tables } from '../../service/resources/tables.js'
import { usageOf } from '../../service/resources/targeting/usage.model.js'
import { inBrief, isObject, valueAt } from '../../support/json.js'
import type { Draft } from './draft.js'
import type { Loaded } from './faults.js'
import { jsonPath } from './state-fault.js'

/** Names of fields, nested. `*` matches each item of a list, or of an object that replaces a list. */
type Fields = true | { readonly [name: string]: Fields }

/** Derived fields, which seed data can contain because responses do, and a presentation with lists as in seed data. */
interface Derived<Stored> {
  fields: Fields
  present(record: Stored, tables: Tables, given: Readonly<Record<string, unknown>>): object
}

/** Fields of the presentation, by their names. */
function fields<Shown>(...names: (keyof Shown & string)[]): { readonly [name: string]: true } {
  return Object.fromEntries(names.map((name) => [name, true as const]))
}

type Feature = ReturnType<typeof presentFeature>
type Token = ReturnType<typeof presentAsStored>
type Place = Feature['environments'][number]

const derived: { readonly [Name in TableName]?: Derived<RecordOf<Name>> } = {
  features: {
    fields: {
      ...fields<Feature>('favorite', 'children'),
      environments: {
        '*': {
          ...fields<Place>('featureName', 'environment', 'type', 'sortOrder', 'variantCount'),
          ...fields<Place & Record<'yes' | 'no', number>>('hasStrategies', 'hasEnabledStrategies', 'yes', 'no'),
          strategies: { '*': fields<Place['strategies'][number]>('featureName') },
        },
      },
    },
    present(feature, tables, { favorite, environments: given }) {
      const shown = presentFeature(feature, tables, fanOf(tables, `feature ${feature.name}`, favorite))
      const places = Object.fromEntries(shown.environments.map((one) => [one.name, { ...one, yes: 0, no: 0 }]))
      return { ...shown, environments: Array.isArray(given) ? given.map(({ name }) => places[name]) : places }
    },
  },
  signupTokens: {
    fields: {
      ...fields<Token>('url'),
      users: { '*': fields<NonNullable<Token['users']>[number]>('name', 'username', 'email') },
      role: fields<RoleRecord>('name', 'type'),
    },
    present(token, tables, { url }) {
      const shown = presentAsStored(token, { tables, baseUrl: '' })
      // The host of a URL belongs to the instance that presented it.
      return { ...shown, url: url === null || String(url).endsWith(`${shown.url}`) ? url : shown.url }
    },
  },
  users: {
    fields: fields<ReturnType<typeof presentUser>>('isAPI', 'imageUrl', 'emailSent', 'permissions'),
    present: presentUser,
  },
  projects: {
    fields: fields<ReturnType<typeof presentProject>>('featureCount', 'memberCount', 'favorite'),
    present: (project, tables, { favorite }) =>
      presentProject({ project, rating: BEST_RATING }, tables, fanOf(tables, `project ${project.id}`, favorite)),
  },
  environments: {
    fields: fields<ReturnType<ReturnType<typeof environmentPresenter>>>(
      'protected',
      'requiredApprovals',
      'projectCount',
      'apiTokenCount',
      'enabledToggleCount',
    ),
    present: (environment, tables) => environmentPresenter(tables)(environment),
  },
  segments: {
    fields: fields<ReturnType<typeof usageOf>>('usedInProjects', 'usedInFeatures'),
    present: ({ id }, tables) => usageOf(tables, 'segment', id),
  },
  contextFields: {
    fields: fields<ReturnType<typeof usageOf>>('usedInProjects', 'usedInFeatures'),
    present: ({ name }, tables) => usageOf(tables, 'contextField', name),
  },
}

/** A user with this favorite. Responses depend on the caller, so `false` in seed data is true for another user. */
function fanOf({ favorites }: Tables, mark: string, given: unknown): number | undefined {
  return given === true ? favorites.by('marked', mark)[0]?.userId : undefined
}

/** Derived fields in seed data that contradict later responses. */
export function* findContradictions(loaded: Loaded, draft: Draft): Generator<DataFault> {
  let tables: Tables | undefined
  for (const [kind, records] of loaded) {
    const { fields, present }: Partial<Derived<object>> = derived[kind as TableName] ?? {}
    for (const { at, given, record } of present === undefined ? [] : records) {
      const said: PropertyKey[][] = []
      addSaid(said, fields, given, () => [])
      if (said.length === 0) continue
      tables ??= draft.preview().tables
      const shown = present?.(record, tables, { ...given })
      for (const path of said) {
        const [must, is] = [textOf(valueAt(shown, path)), textOf(valueAt(given, path))]
        const differs = `must be ${must}, but is ${inBrief(is)}`
        const message = `is a derived field and ${differs}: omit it, or change the field that it is derived from`
        if (must !== is) yield { path: jsonPath([kind, at, ...path]), message }
      }
    }
  }
}

/** Adds the places where a value contains these fields: almost never, so only then is a path created. */
function addSaid(said: PropertyKey[][], fields: Fields | undefined, given: unknown, path: () => PropertyKey[]): void {
  if (fields === true) said.push(path())
  if (fields === true || fields === undefined) return
  const each = fields['*']
  const visit = (step: PropertyKey, inner: unknown, inside: Fields | undefined) => {
    if (inner !== undefined) addSaid(said, inside, inner, () => [...path(), step])
  }
  if (Array.isArray(given)) for (const [i, item] of given.entries()) visit(i, item, each)
  else if (isObject(given)) for (const name in each ? given : fields) visit(name, given[name], each ?? fields[name])
}

/** Lists of names can be in any order. */
const textOf = (value: unknown) => JSON.stringify(Array.isArray(value) ? value.toSorted() : (value ?? null))
