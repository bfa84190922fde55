import { scenarios as builtIn } from '../../../scenarios/index.js'
import type { FlagStates } from '../../service/resources/sdk/told-features.js'
import { createIds } from '../../support/ids.js'
import { contains } from '../../support/json.js'
import type { ActiveRule, ForceRule } from '../scenarios/force-rule.js'
import type { Scenario } from '../scenarios/scenario.js'
import { statesOnTop } from '../scenarios/selection.js'
import { redactRecord } from '../sessions/redact.js'
import type { Session } from '../sessions/session.js'
import type { World } from '../sessions/world.js'
import { differenceOf, haveSameData, lasting } from '../state/difference.js'
import { loadState } from '../state/load-state.js'
import { WorldData } from '../state/state.js'

/** The name, the title and the promise of a scenario. */
export type ScenarioTitle = Pick<Scenario, 'name' | 'title' | 'promise'>

/**
 * A scenario that starts in a world's current state, on the same fixtures: with its data, its rules, as far
 * as they still apply, and its clock if it is frozen. It extends the nearest built-in scenario whose rules have not counted
 * yet, and contains only the differences, if that is possible; otherwise it contains everything, and needs no fixtures.
 */
export async function scenarioOf(
  { world, states, session }: { world: World; states: FlagStates; session: Session },
  { name, title, promise }: ScenarioTitle,
): Promise<object> {
  const { clock } = world
  const told = statesOnTop(world.composition.flags, states)
  const flags = told.size === 0 ? {} : { flags: Object.fromEntries(told) }
  const now = clock.frozen ? { now: clock.now().toISOString() } : {}
  const rules = world.rules.all()
  for (const base of basesOf(world, session)) {
    const composition = session.catalogue.compose([base])
    const own = rulesBeyond(rules, composition.force)
    if (own === undefined || !(clock.frozen || composition.now === undefined)) continue
    if (composition.fixtures !== world.composition.fixtures) continue
    const isSameStart = base === world.name && world.origin.contents !== undefined
    const before = isSameStart
      ? world.origin.contents
      : (await session.startScratchWorld([base], { now: new Date(world.startedAt) })).data.contents()
    const seed = changesBetween(new WorldData(before), world)
    if (seed === undefined) continue
    const latency = world.latency === composition.latency ? {} : { latency: world.latency ?? 0 }
    const seeded = Object.keys(seed).length === 0 ? {} : { seed: withoutCredentials(seed) }
    return { name, title, promise, extends: base, ...now, ...seeded, ...flags, ...forced(own), ...latency }
  }
  const latency = world.latency === undefined ? {} : { latency: world.latency }
  const whole = { seed: withoutCredentials(lasting(world.data)), fixtures: false }
  return { name, title, promise, ...now, ...whole, ...flags, ...forced(rules), ...latency }
}

/** Seed data without the secret parameters of integrations: users share scenarios, and commit their files. */
function withoutCredentials(seed: object): object {
  const { addons } = seed as { addons?: object }
  return addons === undefined ? seed : { ...seed, addons: redactRecord('addons', addons) }
}

/** The built-in scenarios that a world's scenario can extend, the nearest first: every mock has them. */
function basesOf({ composition: { names } }: World, { catalogue }: Session): string[] {
  const [first = ''] = names
  const lineage = catalogue.layers([first]).filter((scenario) => builtIn.includes(scenario))
  return lineage.flatMap(({ name }) => (names.length > 1 && name === first ? [] : [name])).reverse()
}

/** The rules added to the scenario's own. Undefined if one of the scenario's own rules was removed or has matched requests. */
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
  return haveSameData(data, after) ? changes : undefined
}
