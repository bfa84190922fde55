import type { DataFault } from '../contract/mock-errors.js'
import type { KindName } from '../resources/tables.js'
import { isObject, show } from '../support/json.js'
import { type DerivedFields, derivedFields } from './derived.js'
import { pathTo } from './given.js'
import { type Loaded, put } from './loaded.js'
import type { Removal } from './removal.js'
import { WorldData } from './state.js'

type Fields = Readonly<Record<string, unknown>>

/** Derived fields that are given and say something else than the model computes from the records that there will be. */
export function findContradictions(
  data: WorldData,
  loaded: Loaded,
  removal: Removal,
  { replacesAll }: { replacesAll: boolean },
): DataFault[] {
  const concerned = (Object.keys(derivedFields) as KindName[]).flatMap((name) => {
    const fields = derivedFields[name]?.fields ?? {}
    const { records = [], completed = [] } = loaded[name] ?? {}
    const found: { name: KindName; at: string | number; given: Fields; record: object }[] = []
    for (const [i, { at, given }] of records.entries()) {
      const record = completed[i]
      if (record !== undefined && isObject(given) && mentions(fields, given)) found.push({ name, at, given, record })
    }
    return found
  })
  if (concerned.length === 0) return []
  const { tables } = preview(data, loaded, removal, replacesAll)
  return concerned.flatMap(({ name, at, given, record }) => {
    const derived = derivedFields[name]
    if (derived === undefined) return []
    const computed = derived.compute(record as never, tables, given)
    return [...compare(derived.fields, given, computed, pathTo(name, at))]
  })
}

/** The world as it will be. Records are shared, because nobody can change them. */
function preview(data: WorldData, loaded: Loaded, removal: Removal, replacesAll: boolean): WorldData {
  const world = new WorldData()
  if (!replacesAll) world.copyFrom(data)
  put(world, loaded, removal, { replacesAll: false })
  return world
}

function mentions(fields: DerivedFields, given: Fields): boolean {
  for (const field in fields) {
    const value = given[field]
    if (value === undefined) continue
    const derived = fields[field]
    if (typeof derived === 'string') return true
    if (derived !== undefined && 'of' in derived) {
      if (isObject(value) && mentions(derived.of, value)) return true
    } else if (derived !== undefined && typeof value === 'object' && value !== null) {
      if (Object.values(value).some((item) => isObject(item) && mentions(derived.each, item))) return true
    }
  }
  return false
}

function* compare(fields: DerivedFields, given: Fields, computed: unknown, path: string): Generator<DataFault> {
  if (!isObject(computed)) return
  for (const [field, derived] of Object.entries(fields)) {
    const value = given[field]
    const model = computed[field]
    if (value === undefined) continue
    if (typeof derived === 'string') {
      if (isSame(value, model)) continue
      yield {
        path: `${path}.${field}`,
        message: `is derived and must be ${shown(model)}, but is ${shown(value)}: ${derived}`,
      }
    } else if ('of' in derived) {
      if (isObject(value)) yield* compare(derived.of, value, model, `${path}.${field}`)
    } else yield* compareItems(derived.each, value, model, `${path}.${field}`)
  }
}

function* compareItems(fields: DerivedFields, given: unknown, computed: unknown, path: string): Generator<DataFault> {
  if (typeof given !== 'object' || given === null || !Array.isArray(computed)) return
  for (const [place, item] of Object.entries(given)) {
    if (!isObject(item)) continue
    const at = Array.isArray(given) ? `${path}[${place}]` : `${path}.${place}`
    yield* compare(fields, item, itemOf(computed, place, item), at)
  }
}

/** The computed item for a given one: that with its id or its name, else that at its place. */
function itemOf(computed: readonly unknown[], place: string, given: Fields): unknown {
  const isIt = (field: string, wanted: unknown) => (one: unknown) =>
    wanted !== undefined && isObject(one) && one[field] === wanted
  const placed = computed[Number(place)]
  if (isObject(placed) && placed.name === given.name && (given.id === undefined || placed.id === given.id))
    return placed
  const named = computed.find(isIt('id', given.id)) ?? computed.find(isIt('name', given.name ?? place))
  return named ?? placed
}

/** Lists of names may be in any order. */
function isSame(given: unknown, model: unknown): boolean {
  const text = (value: unknown) => JSON.stringify(Array.isArray(value) ? value.map(String).toSorted() : value)
  return text(given) === text(model)
}

function shown(value: unknown): string {
  return Array.isArray(value) ? JSON.stringify(value) : show(value)
}
