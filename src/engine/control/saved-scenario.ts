import { difference } from '../../service/resources/shared/merge-patch.js'
import type { Contents } from '../../service/store/database.js'
import { createIds } from '../../support/ids.js'
import { contains } from '../../support/json.js'
import type { ActiveRule, ForceRule } from '../scenarios/force-rule.js'
import type { Scenario } from '../scenarios/scenario.js'
import type { World } from '../sessions/world.js'
import { definitionOf } from '../state/draft.js'
import { loadState } from '../state/load-state.js'
import { takeSnapshot, WorldData } from '../state/state.js'

/** What a scenario is called, and what it promises. */
export type ScenarioTitle = Pick<Scenario, 'name' | 'title' | 'promise'>

/**
 * A scenario that starts as a world is now, on the same fixtures: with its data, its force rules, as far as they still
 * apply, and its clock if that is frozen. It extends the scenario of the world and says only what differs, if that can be
 * said; else it says all, and needs no fixtures.
 */
export function scenarioOf(world: World, { name, title, promise }: ScenarioTitle): object {
  const { clock, composition, startedWith } = world
  const now = clock.frozen ? { now: clock.now().toISOString() } : {}
  const rules = world.rules.all()
  const own = composition.names.length === 1 ? rulesBeyond(rules, composition.force) : undefined
  const mayStart = clock.frozen || composition.now === undefined
  const changes = own && mayStart && startedWith && changesBetween(startedWith, world.data, clock.now())
  if (own === undefined || changes === undefined) {
    const latency = world.latency === undefined ? {} : { latency: world.latency }
    return { name, title, promise, ...now, seed: lasting(world.data), fixtures: false, ...forced(rules), ...latency }
  }
  const seed = Object.keys(changes).length === 0 ? {} : { seed: changes }
  return { name, title, promise, extends: world.name, ...now, ...seed, ...forced(own) }
}

/** The rules that came after those of the scenario. Undefined if one of the latter is gone, or has applied already. */
function rulesBeyond(rules: readonly ActiveRule[], own: readonly ForceRule[]): readonly ActiveRule[] | undefined {
  const areFresh = own.every((rule, at) => rules[at]?.rule === rule && rules[at]?.seen === 0)
  return areFresh ? rules.slice(own.length) : undefined
}

function forced(rules: readonly ActiveRule[]): Pick<Scenario, 'force'> {
  const left = rules.flatMap(remainder)
  return left.length === 0 ? {} : { force: left }
}

/** What is left of a rule that has counted requests already. */
function remainder({ rule, seen }: ActiveRule): ForceRule[] {
  const { after = 0, times, ...always } = rule
  const skips = Math.max(0, after - seen)
  const turns = times === undefined ? undefined : times - Math.max(0, seen - after)
  if (turns !== undefined && turns <= 0) return []
  return [{ ...always, ...(skips > 0 && { after: skips }), ...(turns !== undefined && { times: turns }) }]
}

/** What to add to some records to get other data. Undefined if it can't be said. */
export function changesBetween(before: Contents, after: WorldData, now: Date): object | undefined {
  const data = new WorldData()
  data.replaceBy(before)
  const changes = differenceOf(data, after)
  try {
    loadState(data, changes, { now, ids: createIds(0), source: 'The difference', replacesAll: false })
  } catch {
    return undefined
  }
  const [is, was] = [lasting(data), lasting(after)]
  return contains(is, was) && contains(was, is) ? changes : undefined
}

/** What to add to some data to get other data. */
export function differenceOf(before: WorldData, after: WorldData): object {
  const changes: Record<string, unknown> = {}
  const [earlier, later] = [recordsIn(before), recordsIn(after)]
  for (const name of Object.keys(lasting(after))) {
    const { fixture } = definitionOf(name)
    const [old, current] = [earlier.get(name), later.get(name)]
    const ofKind = new Map<string, unknown>()
    for (const key of old?.keys() ?? []) if (!current?.has(key)) ofKind.set(key, null)
    for (const [key, record] of current ?? []) {
      const change = old?.has(key) ? difference(fixture, old.get(key), record) : record
      if (change !== undefined) ofKind.set(key, change)
    }
    // A record may be called `__proto__`, which only this way becomes a property like any other.
    if (ofKind.size > 0) changes[name] = Object.fromEntries(ofKind)
  }
  return changes
}

/** The records of data as a snapshot shows them, by kind and key. */
function recordsIn(data: WorldData): Map<string, Map<string, unknown>> {
  const keysOf = new Map([...data.contents()].map(([name, list]) => [name, list.map(definitionOf(name).key)]))
  const { version: _, ...lists } = takeSnapshot(data)
  return new Map(
    Object.entries(lists).map(([name, list]) => [
      name,
      new Map(list.map((record, at) => [String(keysOf.get(name)?.[at]), record])),
    ]),
  )
}

/** A snapshot as a scenario holds it: without its version. */
export function lasting(data: WorldData): object {
  const { version: _, ...state } = takeSnapshot(data)
  return state
}
