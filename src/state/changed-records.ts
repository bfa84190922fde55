import { isObject } from '../support/json-path.js'

/**
 * Given state in which a list may stand as an object: `{ "features": { "checkout": { "stale": true } } }`. Then each
 * of its names is a record that is there, and what is said of it is laid over it; the same inside records, where an
 * object stands for a list. The answer is the state with these records as lists, to be loaded like any other. What is
 * there is asked for only where something of it is changed.
 */
export function withChangedRecords(given: unknown, existing: () => object): unknown {
  if (!isObject(given) || !Object.values(given).some(isChange)) return given
  const tables = existing() as Readonly<Record<string, unknown>>
  return Object.fromEntries(
    Object.entries(given).map(([table, change]) => {
      const records = tables[table]
      if (!isChange(change) || !Array.isArray(records)) return [table, change]
      const named = namedIn(records)
      const changed = Object.entries(change).map(([name, fields]) => lay(named(name), fields))
      return [table, changed]
    }),
  )
}

function isChange(value: unknown): value is Record<string, unknown> {
  return isObject(value) && Object.keys(value).length > 0
}

/** A value with another one laid over it: objects field by field, lists by the names of their elements. */
function lay(under: unknown, over: unknown): unknown {
  if (!isObject(over)) return over
  if (Array.isArray(under)) return layOverList(under, over)
  const fields = isObject(under) ? under : {}
  const laid = Object.entries(over).map(([name, value]) => [name, lay(fields[name], value)])
  return { ...fields, ...Object.fromEntries(laid) }
}

/** In a list of names, `true` and `false` say which ones are in it; in one of objects, names are looked up. */
function layOverList(list: readonly unknown[], over: Readonly<Record<string, unknown>>): unknown[] {
  let items = [...list]
  for (const [name, value] of Object.entries(over)) {
    const found = find(items, name)
    if (typeof value === 'boolean') items = items.filter((item) => item !== name).concat(value ? [name] : [])
    else if (found === undefined) items.push(value)
    else items[items.indexOf(found)] = lay(found, value)
  }
  return items
}

const NAMING_FIELDS = ['id', 'name', 'secret', 'username', 'email']

/** Returns a function like `find`, for many names. */
function namedIn(items: readonly unknown[]): (name: string) => unknown {
  const byName = new Map<string, unknown>()
  for (const item of items.filter(isObject)) {
    const names = NAMING_FIELDS.map((field) => String(item[field]))
    for (const name of names) if (!byName.has(name)) byName.set(name, item)
  }
  return (name) => byName.get(name) ?? atPosition(items, name)
}

/** The element that goes by a name, else the one at a position. */
function find(items: readonly unknown[], name: string): unknown {
  const isNamed = (item: unknown) => isObject(item) && NAMING_FIELDS.some((field) => String(item[field]) === name)
  return items.find(isNamed) ?? atPosition(items, name)
}

function atPosition(items: readonly unknown[], name: string): unknown {
  return /^\d+$/.test(name) ? items[Number(name)] : undefined
}
