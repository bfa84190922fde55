import * as z from 'zod'
import { givenListOf } from '../resources/shared/given-list.js'
import { isObject } from '../support/json.js'

/** How a given value is combined with the stored one: what a fixture's schema says about that. */
export type Plan =
  | { is: 'value' }
  | { is: 'record' }
  | { is: 'object'; fields: Readonly<Record<string, Plan>>; lists: readonly (readonly [string, Plan])[] }
  | { is: 'list'; by: string | undefined; merges: boolean; item: Plan }
  | { is: 'names' }

export const VALUE: Plan = { is: 'value' }

const plans = new WeakMap<z.core.$ZodType, Plan>()

export function planOf(schema: z.core.$ZodType): Plan {
  let plan = plans.get(schema)
  if (plan === undefined) {
    plan = makePlan(schema)
    plans.set(schema, plan)
  }
  return plan
}

function makePlan(schema: z.core.$ZodType): Plan {
  const list = givenListOf(schema)
  if (list !== undefined) {
    const { by, merges = false, item } = list
    return item === undefined ? { is: 'names' } : { is: 'list', by, merges, item: planOf(item) }
  }
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return planOf(schema.def.innerType)
  if (schema instanceof z.ZodRecord) return { is: 'record' }
  if (schema instanceof z.ZodDiscriminatedUnion) return { is: 'object', fields: {}, lists: [] }
  if (!(schema instanceof z.ZodObject)) return VALUE
  const fields = Object.entries(schema.shape).map(([name, field]) => [name, planOf(field)] as const)
  return { is: 'object', fields: Object.fromEntries(fields), lists: fields.filter(([, plan]) => holdsLists(plan)) }
}

/** Whether an object may stand in place of a list, in the value itself or inside it. */
export function holdsLists(plan: Plan): boolean {
  return plan.is === 'list' || plan.is === 'names' || (plan.is === 'object' && plan.lists.length > 0)
}

type ListPlan = Extract<Plan, { is: 'list' }>
type Fields = Readonly<Record<string, unknown>>

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
  const find = finderOf(plan, stored)
  const items = [...stored]
  const added: unknown[] = []
  const gone = new Set<number>()
  for (const [name, value] of changes) {
    const position = find(name)
    if (position === undefined) {
      if (value !== null) added.push(settle(plan.item, named(plan, name, value)))
    } else if (value === null) gone.add(position)
    else items[position] = lay(plan.item, stored[position], value)
  }
  const kept = items.filter((_, position) => !gone.has(position))
  return plan.by === undefined && added.length > 0 ? withoutTwins([...kept, ...added]) : [...kept, ...added]
}

/** Returns where the item with a name is; else the item at a position. */
function finderOf({ by }: ListPlan, items: readonly unknown[]): (name: string) => number | undefined {
  const positions = new Map<string, number>()
  for (const [position, item] of items.entries()) {
    const name = by === undefined || !isObject(item) ? undefined : String(item[by])
    if (name !== undefined && !positions.has(name)) positions.set(name, position)
  }
  const atPosition = (name: string) => (/^\d+$/.test(name) && Number(name) < items.length ? Number(name) : undefined)
  return (name) => positions.get(name) ?? atPosition(name)
}

/** A new item, with the name under which it was given. A number is a position, not an id. */
function named({ by }: ListPlan, name: string, value: unknown): unknown {
  if (by === undefined || !isObject(value) || Object.hasOwn(value, by)) return value
  return by === 'id' && /^\d+$/.test(name) ? value : { [by]: name, ...value }
}

/** Of equal items without a name only the last one stays. */
function withoutTwins(items: readonly unknown[]): unknown[] {
  const byText = new Map<string, unknown>()
  for (const item of items) {
    const text = JSON.stringify(item)
    byText.delete(text)
    byText.set(text, item)
  }
  return [...byText.values()]
}

/** In a list of names, `true` and `false` say which ones are in it. */
function toggle(names: readonly unknown[], given: Fields): unknown[] {
  const kept = names.filter((name) => given[String(name)] !== false)
  const known = new Set(names)
  const added = Object.keys(given).filter((name) => given[name] === true && !known.has(name))
  return [...kept, ...added]
}
