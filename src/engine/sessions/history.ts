import { type Contents, changesOf, inverse, type Replacement } from '../../service/store/database.js'
import type { Commit, Key } from '../../service/store/table.js'
import { deepFreeze, type Frozen, none } from '../../support/freeze.js'
import { isObject, isSame, show } from '../../support/json.js'
import { MockError } from '../errors/mock-errors.js'
import type { Selection } from '../scenarios/selection.js'
import type { WorldData } from '../state/state.js'
import type { CommonLimit } from './common-limit.js'
import type { Cause, SavedWorld, WorldChange } from './steps.js'
import { storyOf } from './story.js'
import type { World } from './world.js'

/** The maximum steps in the history of a session. */
export const STEPS_KEPT = 1000

/** The maximum changes in the history of a session: its steps, and their changed records and rules. */
export const CHANGES_KEPT = 50_000

/** The maximum changes in the histories of all sessions of a mock. */
export const ALL_CHANGES_KEPT = 100_000

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

/** A history entry of a world, as kept: its start, or its change in a step. */
interface Moment extends WorldChange {
  readonly id: number
  /** The time by the clock of the world. */
  readonly time: number
  readonly cause: Cause
}

/** A switch from some scenarios, and states of flags, to others. */
interface Switch {
  readonly from: Selection
  readonly to: Selection
}

/** All changes of one cause: in the worlds of a session, and the switch of its scenarios. */
interface Step {
  readonly cause: Cause
  readonly moments: Map<World, Moment>
  switched?: Switch | undefined
}

interface HistoryOwner {
  /** Begins a world again, without a step. */
  begin(world: World, saved: SavedWorld): void
  /** The records of a world with a saved state. Undefined while generated data is missing. */
  contentsOf(world: World, saved: SavedWorld): Contents | undefined
  /** Makes a selection the current one, without a step. Does nothing if its scenarios can't start any more. */
  go(selection: Selection): void
  /** Called after an undo or a redo. */
  moved(): void
}

/**
 * The history of a session: one list of steps, of which the first are done. A new step replaces the undone ones. A step
 * contains only its changes: it doesn't touch records that it doesn't name.
 */
export class History {
  /** For each world, the entry before its oldest step. */
  readonly #starts = new Map<World, Moment>()
  readonly #owner: HistoryOwner
  readonly #limit: CommonLimit
  /** The oldest first. */
  #steps: Step[] = []
  /** The number of steps that are done. */
  #done = 0
  #lastId = -1
  /** All steps, and their changed records and rules. */
  #size = 0

  constructor(owner: HistoryOwner, limit: CommonLimit) {
    this.#owner = owner
    this.#limit = limit
  }

  /** The entries of a world, oldest first. */
  list(world: World): HistoryEntry[] {
    const current = this.#steps.slice(0, this.#done).filter(({ moments }) => moments.has(world)).length
    return this.#momentsOf(world).map((moment, at) => {
      const { id, time, cause } = moment
      const { what, requestId } = cause
      const title = titleOf(moment, world)
      const entry = { id, time: new Date(time).toISOString(), what, title, scenario: world.name }
      return { ...entry, ...(requestId !== undefined && { requestId }), current: at === current }
    })
  }

  /** Undoes (-1) or redoes (1) a step. Returns whether there was one. Throws `NOT_READY`, and does nothing, if its data is missing. */
  step(by: -1 | 1): boolean {
    const position = this.#done + by
    if (position < 0 || position > this.#steps.length) return false
    this.#goToPosition(position)
    return true
  }

  /** Goes to the nearest state that an entry describes. Throws `UNKNOWN_COMMIT` or `NOT_READY`, and does nothing. */
  goTo(id: number): void {
    const [first, last] = this.#positionsAt(id)
    this.#goToPosition(Math.min(Math.max(this.#done, first), last))
  }

  /** The records that an entry's step changed, without events. Throws `UNKNOWN_COMMIT`. */
  changesAt(id: number | string): RecordChange[] {
    const [position] = this.#positionsAt(id)
    const moments = [...(this.#steps[position - 1]?.moments ?? none)]
    const [world, moment] = moments.find((one) => one[1].id === id) ?? []
    const commit = world && moment && (moment.commit ?? this.#replacementIn(world, moment))
    const changed = [...(commit === undefined ? none : changesIn(commit))].filter(([table]) => table !== 'events')
    // Replacing a record by an equal record changes nothing.
    return changed.flatMap(([table, ofTable]) =>
      ofTable
        .filter(({ before, after }) => !isSame(before, after))
        .map(({ key, before, after }) => ({ table, key, before, after })),
    )
  }

  /** The records before and after a step that began a world again. */
  #replacementIn(world: World, { began }: Moment): Replacement | undefined {
    if (began === undefined) return undefined
    const [before, after] = [began.from, began.to].map((saved) => this.#owner.contentsOf(world, saved))
    return before && after && { before, after }
  }

  /** Starts the history of a new world. */
  open(world: World): void {
    const cause = { what: 'start', title: `The start of "${world.name}"` }
    this.#starts.set(world, { id: ++this.#lastId, time: world.startedAt, cause })
  }

  /** Forgets a world. */
  drop(world: World): void {
    this.#starts.delete(world)
    for (const { moments } of this.#steps) moments.delete(world)
    this.#keep(hasChanges)
  }

  /** Forgets all steps. */
  clear(): void {
    this.#keep(() => false)
  }

  /** The scenarios of the last switch that is done, and of the next one that is undone. */
  get lastSwitches(): (readonly string[])[] {
    const isSwitch = ({ switched }: Step) => switched !== undefined
    const near = [this.#steps.slice(0, this.#done).findLast(isSwitch), this.#steps.slice(this.#done).find(isSwitch)]
    return near.flatMap((step) => (step?.switched ? [step.switched.from.scenarios, step.switched.to.scenarios] : []))
  }

  /** Adds a change of a world to the step of its cause. Ignores a world that was dropped while a request waited. */
  add(cause: Cause, world: World, change: WorldChange): void {
    if (!this.#starts.has(world)) return
    const { moments } = this.#stepOf(cause)
    const { commit, began, from, to, title } = change
    moments.set(world, { id: cause.commit ?? 0, time: world.clock.epoch(), cause, commit, began, from, to, title })
    this.#grow(sizeOf(change))
    this.#dropBeyondLimits()
  }

  /** Adds a switch to the step of its cause. */
  addSwitch(cause: Cause, switched: Switch): void {
    this.#stepOf(cause).switched = switched
    this.#dropBeyondLimits()
  }

  get isEmpty(): boolean {
    return this.#steps.length === 0
  }

  /** Drops the oldest step, whose entries become starts, or the last of the undone steps if none is done. */
  dropOldest(): void {
    const oldest = this.#done === 0 ? this.#steps.pop() : this.#steps.shift()
    if (oldest === undefined) return
    this.#shrink(sizeOfStep(oldest))
    if (this.#done === 0) return
    this.#done--
    for (const [world, moment] of oldest.moments) {
      const { id, time, cause } = moment
      this.#starts.set(world, { id, time, cause, title: titleOf(moment, world) })
    }
  }

  /** The last step if it has this cause, or a new one in place of the undone ones. */
  #stepOf(cause: Cause): Step {
    const last = this.#steps[this.#done - 1]
    if (last?.cause === cause) return last
    for (const undone of this.#steps.splice(this.#done)) this.#shrink(sizeOfStep(undone))
    cause.commit = ++this.#lastId
    const step: Step = { cause, moments: new Map() }
    this.#done = this.#steps.push(step)
    this.#grow(sizeOfStep(step))
    return step
  }

  /** The first and the last number of done steps with which a world is as an entry describes it. Throws `UNKNOWN_COMMIT`. */
  #positionsAt(id: number | string): [first: number, last: number] {
    const at = this.#steps.findIndex(({ moments }) => [...moments.values()].some((moment) => moment.id === id))
    const started = [...this.#starts].flatMap(([world, start]) => (start.id === id ? [world] : []))
    const worlds = at === -1 ? started : [...(this.#steps[at]?.moments.keys() ?? none)]
    if (worlds.length === 0) throw unknownCommit(id)
    const next = this.#steps.findIndex(({ moments }, other) => other > at && worlds.some((world) => moments.has(world)))
    return [at + 1, next === -1 ? this.#steps.length : next]
  }

  #goToPosition(position: number): void {
    const steps = this.#steps.slice(Math.min(this.#done, position), Math.max(this.#done, position))
    for (const world of steps.flatMap(({ moments }) => [...moments.keys()])) world.ready()
    for (const step of this.#done > position ? steps.toReversed() : steps)
      this.#move(step, this.#done > position ? -1 : 1)
    this.#owner.moved()
  }

  #move(step: Step, by: -1 | 1): void {
    this.#done += by
    this.#shrink(sizeOfStep(step))
    for (const [world, moment] of step.moments) {
      const { commit, began, from, to } = moment
      if (began !== undefined) {
        // Sign-ins and reports since then belong to the state that this leaves.
        const left = world.saved()
        this.#owner.begin(world, by === 1 ? began.to : began.from)
        step.moments.set(world, { ...moment, began: by === 1 ? { ...began, from: left } : { ...began, to: left } })
      }
      // Sign-ins and reports are no steps: they stay in the contents that this leaves.
      const left = by === 1 ? 'before' : 'after'
      if (commit !== undefined && left in commit) {
        step.moments.set(world, { ...moment, commit: { ...commit, [left]: world.data.contents() } })
      }
      if (commit !== undefined) repeat(world.data, commit, by)
      world.goTo((by === 1 ? to : from) ?? {})
    }
    this.#grow(sizeOfStep(step))
    if (step.switched !== undefined) this.#owner.go(by === 1 ? step.switched.to : step.switched.from)
  }

  /** The start of a world, and its steps, oldest first. */
  #momentsOf(world: World): Moment[] {
    const moments = this.#steps.map((step) => step.moments.get(world))
    return [this.#starts.get(world), ...moments].filter((one) => one !== undefined)
  }

  #keep(isKept: (step: Step) => boolean): void {
    this.#done = this.#steps.slice(0, this.#done).filter(isKept).length
    this.#steps = this.#steps.filter(isKept)
    this.#shrink(this.#size - this.#steps.reduce((sum, step) => sum + sizeOfStep(step), 0))
    if (this.#steps.length === 0) this.#limit.forget(this)
  }

  #dropBeyondLimits(): void {
    const count = () => this.#steps.length
    while (count() > STEPS_KEPT || (count() > 1 && this.#size > CHANGES_KEPT)) this.dropOldest()
  }

  #grow(size: number): void {
    this.#size += size
    this.#limit.add(this, size)
  }

  #shrink(size: number): void {
    this.#size -= size
    this.#limit.remove(size)
  }
}

function unknownCommit(id: number | string): MockError {
  return new MockError(
    'UNKNOWN_COMMIT',
    `The history has no entry with the id ${show(id)}.`,
    'GET /__mock/history, or mock.history.list(), lists the current entries.',
  )
}

function hasChanges({ moments, switched }: Step): boolean {
  return moments.size > 0 || switched !== undefined
}

/** The title of an entry: the sentence for a request comes from its events. */
function titleOf({ cause, commit, title = cause.title }: Moment, { data }: World): string {
  if (cause.params === undefined || commit === undefined) return title
  const { users } = data.tables
  return storyOf({ changes: changesIn(commit) }, cause, (id) => users.get(id)?.name ?? undefined)
}

function sizeOfStep({ moments }: Step): number {
  let size = 1
  for (const moment of moments.values()) size += sizeOf(moment)
  return size
}

/** The number of records and rules in a change. Replaced tables count whole: the change keeps all their records. */
function sizeOf({ commit, began, from, to }: WorldChange): number {
  let size = (from?.rules?.rules.length ?? 0) + (to?.rules?.rules.length ?? 0)
  for (const { changes, position } of began === undefined ? none : [began.from, began.to]) {
    size += position?.rules.rules.length ?? 0
    for (const ofTable of changes?.records.values() ?? none) size += ofTable.size
  }
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
