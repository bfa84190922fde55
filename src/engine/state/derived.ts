import * as z from 'zod'
import { presentFeature } from '../../service/resources/flags/features.model.js'
import { presentAsStored } from '../../service/resources/people/signup-tokens.operations.js'
import { presentUser } from '../../service/resources/people/users.js'
import { environmentPresenter } from '../../service/resources/projects/environments.operations.js'
import { presentProject } from '../../service/resources/projects/projects.operations.js'
import { isComputed, listOf } from '../../service/resources/shared/fields.js'
import type { DataFault } from '../../service/resources/shared/table.js'
import type { RecordOf, TableName, Tables } from '../../service/resources/tables.js'
import { usageOf } from '../../service/resources/targeting/usage.model.js'
import { inBrief, isObject, valueAt } from '../../support/json.js'
import { type Draft, definitionOf } from './draft.js'
import type { Loaded } from './faults.js'
import { jsonPath } from './state-fault.js'

/** The presentations of records with computed fields, with lists as in seed data. */
const presentations: {
  readonly [Name in TableName]?: (
    record: RecordOf<Name>,
    tables: Tables,
    given: Readonly<Record<string, unknown>>,
  ) => object
} = {
  features(feature, tables, { favorite, environments: given }) {
    const shown = presentFeature(feature, tables, fanOf(tables, `feature ${feature.name}`, favorite))
    const places = Object.fromEntries(shown.environments.map((one) => [one.name, { ...one, yes: 0, no: 0 }]))
    return { ...shown, environments: Array.isArray(given) ? given.map(({ name }) => places[name]) : places }
  },
  signupTokens(token, tables, { url }) {
    const shown = presentAsStored(token, { tables, baseUrl: '' })
    // The host of a URL belongs to the instance that presented it.
    return { ...shown, url: url === null || String(url).endsWith(`${shown.url}`) ? url : shown.url }
  },
  users: presentUser,
  projects: (project, tables, { favorite }) =>
    presentProject(project, { tables, now: new Date(0) }, fanOf(tables, `project ${project.id}`, favorite)),
  environments: (environment, tables) => environmentPresenter(tables)(environment),
  segments: ({ id }, tables) => usageOf(tables, 'segment', id),
  contextFields: ({ name }, tables) => usageOf(tables, 'contextField', name),
}

/** The computed fields of a shape, nested. `*` stands for each item of a list, or of an object that replaces a list. */
type ComputedFields = true | { readonly [name: string]: ComputedFields }

function computedIn(schema: z.core.$ZodType): ComputedFields | undefined {
  if (isComputed(schema)) return true
  const list = schema instanceof z.ZodArray ? schema.element : listOf(schema)?.record
  if (list !== undefined) return nested([['*', computedIn(list)]])
  if (schema instanceof z.ZodOptional) return computedIn(schema.def.innerType)
  if (schema instanceof z.ZodUnion) return schema.options.map(computedIn).find((one) => one !== undefined)
  if (!(schema instanceof z.ZodObject)) return undefined
  return nested(Object.entries(schema.shape).map(([name, field]) => [name, computedIn(field)]))
}

function nested(
  fields: readonly (readonly [name: string, fields: ComputedFields | undefined])[],
): ComputedFields | undefined {
  const found = fields.flatMap(([name, inner]) => (inner === undefined ? [] : [[name, inner] as const]))
  return found.length === 0 ? undefined : Object.fromEntries(found)
}

/** A user with this favorite. Responses depend on the caller, so `false` in seed data is true for another user. */
function fanOf({ favorites }: Tables, mark: string, given: unknown): number | undefined {
  return given === true ? favorites.by('marked', mark)[0]?.userId : undefined
}

type Presentations = Readonly<Record<string, ((record: object, tables: Tables, given: object) => object) | undefined>>

/** Derived fields in seed data that contradict later responses. */
export function* findContradictions(loaded: Loaded, draft: Draft): Generator<DataFault> {
  let tables: Tables | undefined
  for (const [kind, records] of loaded) {
    const present = (presentations as Presentations)[kind]
    if (present === undefined || records.length === 0) continue
    const fields = computedIn(definitionOf(kind).fixture)
    for (const { at, given, record } of records) {
      const said: PropertyKey[][] = []
      addSaid(said, fields, given, () => [])
      if (said.length === 0) continue
      tables ??= draft.preview().tables
      const shown = present(record, tables, { ...given })
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
function addSaid(
  said: PropertyKey[][],
  fields: ComputedFields | undefined,
  given: unknown,
  path: () => PropertyKey[],
): void {
  if (fields === true) said.push(path())
  if (fields === true || fields === undefined) return
  const each = fields['*']
  const visit = (step: PropertyKey, inner: unknown, inside: ComputedFields | undefined) => {
    if (inner !== undefined) addSaid(said, inside, inner, () => [...path(), step])
  }
  if (Array.isArray(given)) for (const [i, item] of given.entries()) visit(i, item, each)
  else if (isObject(given)) for (const name in each ? given : fields) visit(name, given[name], each ?? fields[name])
}

/** Lists of names can be in any order. */
const textOf = (value: unknown) => JSON.stringify(Array.isArray(value) ? value.toSorted() : (value ?? null))
