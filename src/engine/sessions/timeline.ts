import { changesOf, inverse, type Replacement } from '../../service/store/database.js'
import type { Commit, Key } from '../../service/store/table.js'
import { deepFreeze, type Frozen, none } from '../../support/freeze.js'
import { isObject, isSame } from '../../support/json.js'
import type { WorldData } from '../state/state.js'
import type { Cause, Setting, WorldChange } from './steps.js'
import { storyOf } from './story.js'

/** The maximum steps in the history of a session. */
export const STEPS_KEPT = 1000

/** The maximum changed records and rules in all steps of a session. */
export const CHANGES_KEPT = 50_000

/** A history entry of a world: its state after a commit. */
export interface HistoryEntry {
  /** Counts up in each session. */
  id: number
  /** The time by the world's clock. */
  time: string
  /** The operation of its request; or `start`, `restart`, `reset`, `reload`, `restore`, `add`, `force` or `clock`. */
  what: string
  /** A sentence without its full stop: `Admin cloned checkout-redesign as n1`. */
  title: string
  /** The scenario of the world. */
  scenario: string
  /** The ID of its request in the journal, if a request made it. */
  requestId?: number
  /** The number of undone steps that it replaced and that can't be redone. */
  ended?: number
  /** Whether the world is in this state. */
  current: boolean
}

/** A record before and after a step, as stored: a new record has no `before`, a removed record no `after`. */
export interface RecordChange {
  table: string
  key: Key
  before?: object | undefined
  after?: object | undefined
}

/** A world, as the history sees it. */
interface RememberedWorld {
  readonly name: string
  readonly startedAt: number
  readonly clock: { epoch(): number }
  readonly data: WorldData
  goTo(setting: Setting): void
}

/** A history entry of a world, as kept: its start, or its change in a step. */
interface Moment extends WorldChange {
  readonly id: number
  /** The time by the clock of the world. */
  readonly time: number
  readonly cause: Cause
}

/** A switch from some scenarios to others. */
interface Switch {
  readonly from: readonly string[]
  readonly to: readonly string[]
}

/** All changes of one cause: in the worlds of a session, and the switch of its scenarios. */
export interface Step {
  readonly cause: Cause
  readonly moments: Map<RememberedWorld, Moment>
  switched?: Switch | undefined
}

/**
 * The history of a session: its steps, with undo, redo and access to any entry. A new step replaces the undone steps of
 * its worlds. A step contains only its changes: it doesn't touch records that it doesn't name.
 */
export class Timeline {
  /** For each world, the entry before its oldest step. */
  readonly #starts = new Map<RememberedWorld, Moment>()
  /** The oldest first. */
  #done: Step[] = []
  /** The last undone step last. */
  #undone: Step[] = []
  #lastId = -1
  /** The changed records and rules of all steps. */
  #size = 0

  /** Starts the history of a new world. */
  open(world: RememberedWorld): void {
    const cause = { what: 'start', title: `The start of "${world.name}"` }
    this.#starts.set(world, { id: ++this.#lastId, time: world.startedAt, cause })
  }

  /** Forgets a world. */
  drop(world: RememberedWorld): void {
    this.#starts.delete(world)
    for (const { moments } of this.#all) moments.delete(world)
    this.#keep(hasChanges)
  }

  /** Forgets all steps. */
  clear(): void {
    this.#keep(() => false)
  }

  /** Forgets the switches from or to some scenarios. */
  forgetSwitches(includes: (names: readonly string[]) => boolean): void {
    for (const step of this.#all) {
      if (step.switched && (includes(step.switched.from) || includes(step.switched.to))) step.switched = undefined
    }
    this.#keep(hasChanges)
  }

  /** The scenarios of the last switches, done and undone. */
  get lastSwitches(): (readonly string[])[] {
    const last = [this.#done, this.#undone].map((steps) => steps.findLast(({ switched }) => switched)?.switched)
    return last.flatMap((switched) => (switched ? [switched.from, switched.to] : []))
  }

  /** Adds a change of a world to the step of its cause. Ignores a world that was dropped while a request waited. */
  add(cause: Cause, world: RememberedWorld, change: WorldChange): void {
    if (!this.#starts.has(world)) return
    if (this.#undone.length > 0) this.#forgetUndone(cause, world)
    const { moments } = this.#stepOf(cause)
    moments.set(world, { id: cause.commit ?? 0, time: world.clock.epoch(), cause, ...change })
    this.#size += sizeOf(change)
    this.#dropOldest()
  }

  /** Adds a switch to the step of its cause. It replaces undone switches from the same scenarios. */
  addSwitch(cause: Cause, switched: Switch): void {
    this.#forgetUndoneSwitches(switched.from.join(','))
    this.#stepOf(cause).switched = switched
    this.#dropOldest()
  }

  /** The step of a world to undo (-1) or redo (1), or a step that `leadsAway` from it. Undefined if there is none. */
  next(world: RememberedWorld, by: -1 | 1, leadsAway: (step: Step) => boolean = () => false): Step | undefined {
    const steps = by === -1 ? this.#done : this.#undone
    return steps.findLast((step) => step.moments.has(world) || leadsAway(step))
  }

  /** Undoes (-1) or redoes (1) a step. In worlds with later steps, it stays, as a separate step. */
  move(step: Step, by: -1 | 1): void {
    const [left, entered] = by === -1 ? [this.#done, this.#undone] : [this.#undone, this.#done]
    const staying = [...step.moments].filter(([world]) => this.next(world, by) !== step)
    for (const [world] of staying) step.moments.delete(world)
    const rest = staying.length === 0 ? [] : [{ cause: step.cause, moments: new Map(staying) }]
    left.splice(left.indexOf(step), 1, ...rest)
    entered.push(step)
    this.#size -= sizeOfStep(step)
    for (const [world, moment] of step.moments) {
      const { commit, from, to } = moment
      // Sign-ins and reports are no steps: they stay in the contents that this leaves.
      const left = by === 1 ? 'before' : 'after'
      if (commit !== undefined && left in commit) {
        step.moments.set(world, { ...moment, commit: { ...commit, [left]: world.data.contents() } })
      }
      if (commit !== undefined) repeat(world.data, commit, by)
      world.goTo((by === 1 ? to : from) ?? {})
    }
    this.#size += sizeOfStep(step)
  }

  /** The entries of a world, oldest first. */
  list(world: RememberedWorld): HistoryEntry[] {
    const current = this.#position(world)
    return this.#momentsOf(world).map((moment, at) => {
      const { id, time, cause } = moment
      const { what, requestId, ended } = cause
      const title = titleOf(moment, world)
      const entry = { id, time: new Date(time).toISOString(), what, title, scenario: world.name }
      const more = { ...(requestId !== undefined && { requestId }), ...(ended !== undefined && { ended }) }
      return { ...entry, ...more, current: at === current }
    })
  }

  has(world: RememberedWorld, id: number | string): boolean {
    return this.#momentsOf(world).some((moment) => moment.id === id)
  }

  /** The direction to an entry of a world: to undo (-1) or redo (1). Undefined at the entry. */
  directionTo(world: RememberedWorld, id: number): -1 | 1 | undefined {
    const at = this.#momentsOf(world).findIndex((moment) => moment.id === id)
    const current = this.#position(world)
    return at === current ? undefined : at < current ? -1 : 1
  }

  /** The records of a world that an entry's step changed, without events. */
  changesAt(world: RememberedWorld, id: number | string): RecordChange[] {
    const { commit } = this.#momentsOf(world).find((moment) => moment.id === id) ?? {}
    const changed = [...(commit === undefined ? none : changesIn(commit))].filter(([table]) => table !== 'events')
    // Replacing a record by an equal record changes nothing.
    return changed.flatMap(([table, ofTable]) =>
      ofTable
        .filter(({ before, after }) => !isSame(before, after))
        .map(({ key, before, after }) => ({ table, key, before, after })),
    )
  }

  get #all(): Step[] {
    return [...this.#done, ...this.#undone]
  }

  /** The start of a world, and its steps, oldest first. */
  #momentsOf(world: RememberedWorld): Moment[] {
    const steps = [...this.#done, ...this.#undone.toReversed()]
    return [this.#starts.get(world), ...steps.map(({ moments }) => moments.get(world))].filter(
      (one) => one !== undefined,
    )
  }

  /** The number of a world's steps that are done. */
  #position(world: RememberedWorld): number {
    return this.#done.filter(({ moments }) => moments.has(world)).length
  }

  /** The last step if it has this cause, or a new one. */
  #stepOf(cause: Cause): Step {
    const last = this.#done.at(-1)
    if (last?.cause === cause) return last
    cause.commit = ++this.#lastId
    const step = { cause, moments: new Map() }
    this.#done.push(step)
    return step
  }

  /** Forgets a world's undone steps, and in their other worlds also those after them. */
  #forgetUndone(cause: Cause, world: RememberedWorld): void {
    this.#forgetUndoneSwitches(world.name)
    const worlds = new Set([world])
    const forgotten = this.#undone.toReversed().filter(({ moments }) => {
      const isAfter = [...moments.keys()].some((one) => worlds.has(one))
      if (isAfter) for (const one of moments.keys()) worlds.add(one)
      return isAfter
    })
    if (forgotten.length === 0) return
    cause.ended = (cause.ended ?? 0) + forgotten.filter(({ moments }) => moments.has(world)).length
    this.#keep((step) => !forgotten.includes(step))
  }

  #forgetUndoneSwitches(from: string): void {
    for (const step of this.#undone) if (step.switched?.from.join(',') === from) step.switched = undefined
    this.#keep(hasChanges)
  }

  #keep(isKept: (step: Step) => boolean): void {
    this.#done = this.#done.filter(isKept)
    this.#undone = this.#undone.filter(isKept)
    this.#size = this.#all.reduce((sum, step) => sum + sizeOfStep(step), 0)
  }

  /** Drops steps beyond the limits: the oldest, whose entries become starts, then the last of the undone steps. */
  #dropOldest(): void {
    const isFull = () => {
      const count = this.#done.length + this.#undone.length
      return count > STEPS_KEPT || (count > 1 && this.#size > CHANGES_KEPT)
    }
    while (isFull()) {
      const oldest = this.#done.length > 1 ? this.#done.shift() : undefined
      for (const [world, moment] of oldest?.moments ?? none) this.#starts.set(world, moment)
      this.#size -= sizeOfStep(oldest ?? this.#undone.shift())
    }
  }
}

function hasChanges({ moments, switched }: Step): boolean {
  return moments.size > 0 || switched !== undefined
}

/** The title of an entry: the sentence for a request comes from its events. */
function titleOf({ cause, commit, title = cause.title }: Moment, { data }: RememberedWorld): string {
  if (cause.params === undefined || commit === undefined) return title
  const { users } = data.tables
  return storyOf({ changes: changesIn(commit) }, cause, (id) => users.get(id)?.name ?? undefined)
}

function sizeOfStep(step: Step | undefined): number {
  let size = 0
  for (const moment of step?.moments.values() ?? none) size += sizeOf(moment)
  return size
}

/** The number of records and rules in a change. Replaced tables count whole: the change keeps all their records. */
function sizeOf({ commit, from, to }: WorldChange): number {
  let size = (from?.rules?.rules.length ?? 0) + (to?.rules?.rules.length ?? 0)
  if (commit === undefined) return size
  if ('changes' in commit) for (const ofTable of commit.changes.values()) size += ofTable.length
  else for (const [name, records] of commit.before) if (records !== commit.after.get(name)) size += records.size
  return size
}

function changesIn(commit: Commit | Replacement): Commit['changes'] {
  return 'changes' in commit ? commit.changes : changesOf(commit)
}

/** Undoes (-1) or redoes (1) a commit. */
function repeat(data: WorldData, commit: Commit | Replacement, by: -1 | 1): void {
  if ('changes' in commit) data.apply(onTopOf(data, by === 1 ? commit : inverse(commit)))
  else data.replaceBy(by === 1 ? commit.after : commit.before)
}

/** An undo or redo commit for the current records: later changes of other fields stay. */
function onTopOf({ tables }: WorldData, commit: Commit): Commit {
  const changes = [...commit.changes].map(([name, list]) => {
    const table: { get(key: Key): Frozen<object> | undefined } = tables[name as keyof typeof tables]
    const ofTable = list.map((change) => {
      const { key, before, after } = change
      const now = table.get(key)
      if (now === undefined || now === before || before === undefined || after === undefined) return change
      return { ...change, after: deepFreeze(changed(now, before, after) as object) }
    })
    return [name, ofTable] as const
  })
  return { changes: new Map(changes) }
}

/** A value, changed where two others differ. */
function changed(now: unknown, before: unknown, after: unknown): unknown {
  if (isSame(before, after)) return now
  if (isSame(now, before)) return after
  if (isObject(now) && isObject(before) && isObject(after)) {
    const names = Object.keys({ ...now, ...after })
    const fields = names.map((name) => [name, changed(now[name], before[name], after[name])] as const)
    return Object.fromEntries(fields.filter(([, value]) => value !== undefined))
  }
  const areAlike = [before, after].every((one) => Array.isArray(one) && Array.isArray(now) && one.length === now.length)
  if (!areAlike) return after
  const [was, will] = [before, after] as [unknown[], unknown[]]
  return (now as unknown[]).map((item, at) => changed(item, was[at], will[at]))
}
