import { scenarios as builtIn } from '../../../scenarios/index.js'
import { namesMarked } from '../../service/resources/shared/fields.js'
import { difference, merge } from '../../service/resources/shared/merge-patch.js'
import { type TableName, tables } from '../../service/resources/tables.js'
import { none } from '../../support/freeze.js'
import { createIds, isGenerated } from '../../support/ids.js'
import { contains, isObject } from '../../support/json.js'
import type { ActiveRule, ForceRule } from '../scenarios/force-rule.js'
import type { Scenario } from '../scenarios/scenario.js'
import type { Session } from '../sessions/session.js'
import type { World } from '../sessions/world.js'
import { definitionOf } from '../state/draft.js'
import { loadState } from '../state/load-state.js'
import { takeSnapshot, WorldData } from '../state/state.js'

/** The name, the title and the promise of a scenario. */
export type ScenarioTitle = Pick<Scenario, 'name' | 'title' | 'promise'>

const records = Object.values(tables).map(({ record }) => record)
const consequent = new Set(records.flatMap((record) => namesMarked('consequent', record)))
const written = new Set(records.flatMap((record) => namesMarked('written', record)))
const whole = new Set(records.flatMap((record) => namesMarked('whole', record)))

/**
 * A scenario that starts in a world's current state, on the same fixtures: with its data, its response overrides, as far
 * as they still apply, and its clock if it is frozen. It extends the nearest built-in scenario whose rules have not counted
 * yet, and contains only the differences, if that is possible; otherwise it contains everything, and needs no fixtures.
 */
export async function scenarioOf(
  world: World,
  session: Session,
  { name, title, promise }: ScenarioTitle,
): Promise<object> {
  const { clock } = world
  const now = clock.frozen ? { now: clock.now().toISOString() } : {}
  const rules = world.rules.all()
  for (const base of basesOf(world, session)) {
    const composition = session.catalogue.compose([base])
    const own = rulesBeyond(rules, composition.force)
    if (own === undefined || !(clock.frozen || composition.now === undefined)) continue
    if (composition.fixtures !== world.composition.fixtures) continue
    const isOwn = base === world.name && world.origin.contents !== undefined
    const before = isOwn
      ? world.origin.contents
      : (await session.trial([base], new Date(world.startedAt))).data.contents()
    const seed = changesBetween(new WorldData(before), world)
    if (seed === undefined) continue
    const latency = world.latency === composition.latency ? {} : { latency: world.latency ?? 0 }
    const seeded = Object.keys(seed).length === 0 ? {} : { seed }
    return { name, title, promise, extends: base, ...now, ...seeded, ...forced(own), ...latency }
  }
  const latency = world.latency === undefined ? {} : { latency: world.latency }
  return { name, title, promise, ...now, seed: lasting(world.data), fixtures: false, ...forced(rules), ...latency }
}

/** The built-in scenarios that a world's scenario can extend, the nearest first: every mock has them. */
function basesOf({ composition: { names } }: World, { catalogue }: Session): string[] {
  const [first = ''] = names
  const lineage = catalogue.layers([first]).filter((scenario) => builtIn.includes(scenario))
  return lineage.flatMap(({ name }) => (names.length > 1 && name === first ? [] : [name])).reverse()
}

/** The rules added to the scenario's own. Undefined if one of the scenario's own rules is gone, or has counted requests. */
function rulesBeyond(rules: readonly ActiveRule[], own: readonly ForceRule[]): readonly ActiveRule[] | undefined {
  const counts = ({ times, after }: ForceRule) => times !== undefined || after !== undefined
  const areThere = own.every((rule, at) => {
    const active = rules[at]
    return active !== undefined && contains(active.rule, rule) && (active.seen === 0 || !counts(rule))
  })
  return areThere ? rules.slice(own.length) : undefined
}

function forced(rules: readonly ActiveRule[]): Pick<Scenario, 'force'> {
  const left = rules.flatMap(remainder)
  return left.length === 0 ? {} : { force: left }
}

/** The rest of a rule that has counted requests already. */
function remainder({ rule, seen }: ActiveRule): ForceRule[] {
  const { after = 0, times, ...always } = rule
  const skips = Math.max(0, after - seen)
  const turns = times === undefined ? undefined : times - Math.max(0, seen - after)
  if (turns !== undefined && turns <= 0) return []
  return [{ ...always, ...(skips > 0 && { after: skips }), ...(turns !== undefined && { times: turns }) }]
}

/** The additions that turn some data, which this changes, into a world's data. Undefined if that is impossible. */
function changesBetween(data: WorldData, { data: after, clock, startedAt }: World): object | undefined {
  const changes = differenceOf(data, after, startedAt)
  try {
    loadState(data, changes, { now: clock.now(), ids: createIds(0), source: 'The difference', replacesAll: false })
  } catch {
    return undefined
  }
  const [is, was] = [settled(lasting(data)), settled(lasting(after))]
  return contains(is, was) && contains(was, is) ? changes : undefined
}

/** The additions that turn some data into other data, except for later writes since a time, in milliseconds since 1970. */
function differenceOf(before: WorldData, after: WorldData, since: number): object {
  const changes: Record<string, unknown> = {}
  const earlier = recordsIn(before)
  for (const [name, current] of recordsIn(after)) {
    const { fixture, references, isReported = false } = definitionOf(name)
    const old = earlier.get(name)
    const ofKind = new Map<string, unknown>()
    // A record that points at others is removed, even if seed data can't contain its kind: the others can be removed with it.
    const removable = isReported && references === undefined ? none : (old?.keys() ?? none)
    for (const key of removable) if (!current.has(key)) ofKind.set(key, null)
    for (const [key, record] of isReported ? none : current) {
      const was = old?.get(key)
      const given = asGiven(record, was, since)
      const change =
        was === undefined ? inBrief(name, given, after) : difference(fixture, asGiven(was, was, since), given)
      if (change !== undefined) ofKind.set(key, change)
    }
    if (ofKind.size > 0) changes[name] = Object.fromEntries(ofKind)
  }
  return changes
}

/** A value with the earlier contents of fields that Unleash has written since a time. */
function asGiven(value: unknown, was: unknown, since: number): unknown {
  if (Array.isArray(value)) {
    const before = Array.isArray(was) ? was.filter(isObject) : []
    return value.map((item, at) => {
      // Each world generates a new ID.
      if (isSame(item, before[at])) return before[at]
      const old = isObject(item) ? before.find(({ name, id }) => id === item.id && name === item.name) : undefined
      const { id, ...rest } = isObject(item) ? item : {}
      return asGiven(old === undefined && isGenerated(String(id)) ? rest : item, old, since)
    })
  }
  if (!isObject(value)) return value
  const before = isObject(was) ? was : {}
  const isMade = typeof value.createdAt === 'string' && Date.parse(value.createdAt) >= since
  const fields = Object.entries(value).flatMap(([name, field]) => {
    const isWritten = consequent.has(name) || (written.has(name) && (isMade || isSince(field, since)))
    const given = isWritten ? before[name] : name === 'detached' ? field : asGiven(field, before[name], since)
    return given === undefined ? [] : [[name, given]]
  })
  return Object.fromEntries(fields)
}

function isSame(one: unknown, other: unknown): boolean {
  return isObject(one) && JSON.stringify(settled(one)) === JSON.stringify(settled(other))
}

/** Whether a date, or a date inside a value, is at or after a time. */
function isSince(value: unknown, since: number): boolean {
  if (typeof value === 'string') return Date.parse(value) >= since
  return typeof value === 'object' && value !== null && Object.values(value).some((inner) => isSince(inner, since))
}

/** A new record without derived fields, if completing it gives the same record. */
function inBrief(kind: string, record: unknown, { tables }: WorldData): unknown {
  const { fixture, complete, show } = definitionOf(kind)
  const brief = withoutEmpty(record)
  try {
    const stored = complete(merge(fixture, undefined, brief), { now: new Date(0), ids: createIds(0), ...tables })
    const shown = show?.(stored, tables) ?? stored
    return contains(settled(shown), settled(record)) ? brief : record
  } catch {
    return record
  }
}

function withoutEmpty(value: unknown, at?: number): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty)
  if (!isObject(value)) return value
  const fields = Object.entries(value).flatMap(([name, field]) => {
    const parts = whole.has(name) ? field : withoutEmpty(field)
    const brief = name === 'environments' && Array.isArray(parts) ? withoutLast(parts) : parts
    return isEmpty(brief) || (name === 'sortOrder' && brief === at) ? [] : [[name, brief]]
  })
  return Object.fromEntries(fields)
}

/** A feature is always in all environments of its project: the omitted ones come last. */
function withoutLast(environments: readonly unknown[]): readonly unknown[] {
  const isNameOnly = (one: unknown) => isObject(one) && Object.keys(one).join() === 'name'
  return environments.slice(0, environments.findLastIndex((one) => !isNameOnly(one)) + 1)
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === false) return true
  return typeof value === 'object' && Object.keys(value).length === 0
}

/** A value without the details that don't depend on its seed data. */
function settled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(settled)
  if (!isObject(value)) return value
  const fields = Object.entries(value).filter(
    ([name, field]) => !consequent.has(name) && !written.has(name) && !(name === 'id' && isGenerated(String(field))),
  )
  return Object.fromEntries(fields.map(([name, field]) => [name, settled(field)]))
}

/** The records of a snapshot, by table and key. */
function recordsIn(data: WorldData): Map<string, Map<string, unknown>> {
  const { version: _, ...lists } = takeSnapshot(data)
  return new Map(
    Object.entries(lists).map(([name, list]) => {
      const keys = data.tables[name as TableName].list().map(definitionOf(name).key)
      return [name, new Map(list.map((record, at) => [String(keys[at]), record]))]
    }),
  )
}

/** A snapshot without records that only report events. */
function lasting(data: WorldData): object {
  const { version: _, ...state } = takeSnapshot(data)
  return Object.fromEntries(Object.entries(state).filter(([name]) => !definitionOf(name).isReported))
}
