import { isObject } from '../support/json-path.js'
import { holdsLists, type Plan, planOf, VALUE } from './plan.js'

type ListPlan = Extract<Plan, { is: 'list' }>
type Fields = Readonly<Record<string, unknown>>

export { planOf }

/**
 * A stored value with a given one laid over it. What the given one doesn't mention stays: objects are laid over field by
 * field, lists are replaced, unless their items merge by name. An object in place of a list changes single items.
 */
export function lay(plan: Plan, stored: unknown, given: unknown): unknown {
  if (given === undefined) return stored
  if (plan.is === 'list' && Array.isArray(stored)) return layOverList(plan, stored, given)
  if (plan.is === 'names' && Array.isArray(stored) && isObject(given)) return toggle(stored, given)
  if (plan.is === 'record' && isObject(stored) && isObject(given)) return { ...stored, ...given }
  if (plan.is !== 'object' || !isObject(stored) || !isObject(given)) return settle(plan, given)
  return isAnother(stored, given) ? settle(plan, given) : layFields(plan.fields, stored, given)
}

/** A given value that is laid over nothing: with lists in place of the objects that stand for them. */
export function settle(plan: Plan, given: unknown): unknown {
  if (plan.is === 'names') return isObject(given) ? toggle([], given) : given
  if (plan.is === 'list') return settleList(plan, given)
  if (plan.is !== 'object' || !isObject(given)) return given
  let settled: Fields = given
  for (const [name, field] of plan.lists) {
    const value = given[name]
    if (value === undefined) continue
    const list = settle(field, value)
    if (list !== value) settled = { ...settled, [name]: list }
  }
  return settled
}

function settleList(plan: ListPlan, given: unknown): unknown {
  if (isObject(given)) return layOverList(plan, [], given)
  if (!Array.isArray(given) || !holdsLists(plan.item)) return given
  // Nearly all are settled already, and there may be hundreds of thousands.
  const isSettled = (item: unknown) => settle(plan.item, item) === item
  return given.every(isSettled) ? given : given.map((item) => settle(plan.item, item))
}

function layFields(fields: Readonly<Record<string, Plan>>, stored: Fields, given: Fields): Fields {
  const laid: Record<string, unknown> = { ...stored }
  for (const [name, value] of Object.entries(given)) {
    const plan = Object.hasOwn(fields, name) ? fields[name] : undefined
    laid[name] = lay(plan ?? VALUE, stored[name], value)
  }
  return laid
}

/** Something with another id is another thing: nothing of the stored one is true of it. */
function isAnother(stored: Fields, given: Fields): boolean {
  return stored.id !== undefined && given.id !== undefined && stored.id !== given.id
}

function layOverList(plan: ListPlan, stored: readonly unknown[], given: unknown): unknown {
  if (isObject(given)) return change(plan, stored, Object.entries(given))
  const { by, merges } = plan
  if (!Array.isArray(given) || given.length === 0 || !merges || by === undefined) return settle(plan, given)
  return change(
    plan,
    stored,
    given.map((item: unknown) => [String(isObject(item) ? item[by] : ''), item] as const),
  )
}

/** A list in which the items with these names are changed. A name that no item has adds one; `null` removes one. */
function change(
  plan: ListPlan,
  stored: readonly unknown[],
  changes: readonly (readonly [name: string, value: unknown])[],
): unknown[] {
  const items = [...stored]
  const gone = new Set<number>()
  for (const [name, value] of changes) {
    const position = find(plan, stored, name)
    if (position === -1) {
      if (value !== null) append(items, settle(plan.item, named(plan, name, value)))
    } else if (value === null) gone.add(position)
    else items[position] = lay(plan.item, stored[position], value)
  }
  return items.filter((_, position) => !gone.has(position))
}

/** Where the item with a name is; else the item at a position. */
function find({ by }: ListPlan, items: readonly unknown[], name: string): number {
  const found = by === undefined ? -1 : items.findIndex((item) => isObject(item) && String(item[by]) === name)
  if (found !== -1) return found
  return /^\d+$/.test(name) && Number(name) < items.length ? Number(name) : -1
}

/** A new item, with the name under which it was given. A number is a position, not an id. */
function named({ by }: ListPlan, name: string, value: unknown): unknown {
  if (by === undefined || !isObject(value) || Object.hasOwn(value, by)) return value
  return by === 'id' && /^\d+$/.test(name) ? value : { [by]: name, ...value }
}

/** Adds an item that has no name; if the last equal one is there already, it moves to the end. */
function append(items: unknown[], item: unknown): void {
  const text = JSON.stringify(item)
  const twin = items.findIndex((other) => JSON.stringify(other) === text)
  if (twin !== -1) items.splice(twin, 1)
  items.push(item)
}

/** In a list of names, `true` and `false` say which ones are in it. */
function toggle(names: readonly unknown[], given: Fields): unknown[] {
  const kept = names.filter((name) => given[String(name)] !== false)
  const added = Object.keys(given).filter((name) => given[name] === true && !names.includes(name))
  return [...kept, ...added]
}
