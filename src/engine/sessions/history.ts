import { changesOf, inverse, type Replacement } from '../../service/store/database.js'
import type { Commit, Key } from '../../service/store/table.js'
import { deepFreeze, type Frozen, none } from '../../support/freeze.js'
import { isObject } from '../../support/json.js'
import type { WorldData } from '../state/state.js'
import type { Cause, Moment, Setting, StepChange } from './steps.js'
import { storyOf } from './story.js'

/** The maximum steps in the history of a world. */
export const STEPS_KEPT = 1000

/** The maximum changed records and rules in all steps of a world. */
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

/** A world, as its history sees it. */
interface RememberedWorld {
  readonly name: string
  readonly startedAt: number
  readonly clock: { epoch(): number }
  readonly data: WorldData
  /** The cause of the running commit and, if it restarts the world, the settings before. */
  readonly changing: { cause: Cause; from?: Setting } | undefined
  setting(): Setting
  goTo(setting: Setting): void
}

type Step = Moment & StepChange

/**
 * The user's changes to a world, with undo, redo and access to any entry. A new step replaces undone steps. A step
 * contains only its changes: it doesn't touch records that it doesn't name.
 */
export class History {
  readonly #world: RememberedWorld
  readonly #nextId: (change?: StepChange) => number
  /** The start of the oldest step. */
  #start: Moment
  readonly #steps: Step[] = []
  /** The number of steps that are done, not undone. */
  #at = 0
  /** The number of records and rules that its steps changed. */
  #changes = 0
  /** Whether an undo or redo is running, whose commits are not new steps. */
  #isMoving = false

  constructor(world: RememberedWorld, nextId: (change?: StepChange) => number = () => 0) {
    this.#world = world
    this.#nextId = nextId
    const cause = { what: 'start', title: `The start of "${world.name}"` }
    this.#start = { id: nextId(), time: world.startedAt, cause }
  }

  list(): HistoryEntry[] {
    const { name: scenario } = this.#world
    return [this.#start, ...this.#steps].map((moment, at) => {
      const { id, time, cause } = moment
      const { what, requestId, ended } = cause
      const entry = { id, time: new Date(time).toISOString(), what, title: this.#storyOf(moment), scenario }
      const more = { ...(requestId !== undefined && { requestId }), ...(ended !== undefined && { ended }) }
      return { ...entry, ...more, current: at === this.#at }
    })
  }

  /** The ID of the world's current entry. */
  get current(): number {
    return (this.#steps[this.#at - 1] ?? this.#start).id
  }

  /** The cause of the step to undo (-1) or redo (1). Undefined if there is none. */
  causeOf(by: -1 | 1): Cause | undefined {
    return this.#step(by)?.cause
  }

  has(id: number): boolean {
    return this.#find(id) !== undefined
  }

  /** The records that an entry's step changed, without events. */
  changesAt(id: number): RecordChange[] {
    const { commit } = this.#steps.find((one) => one.id === id) ?? {}
    const changed = [...(commit === undefined ? none : changesIn(commit))].filter(([table]) => table !== 'events')
    // Replacing a record by an equal record changes nothing.
    return changed.flatMap(([table, ofTable]) =>
      ofTable
        .filter(({ before, after }) => !isSame(before, after))
        .map(({ key, before, after }) => ({ table, key, before, after })),
    )
  }

  /** A commit is starting. */
  committing(commit: Commit | Replacement): void {
    const { cause, from } = this.#world.changing ?? {}
    if (cause === undefined || this.#isMoving) return
    const settings = from === undefined ? {} : { from, to: this.#world.setting() }
    this.done(cause, { commit, ...settings })
  }

  /** Adds a step. */
  done(cause: Cause, change: StepChange): void {
    const undone = this.#steps.splice(this.#at)
    for (const step of undone) this.#changes -= sizeOf(step)
    if (undone.length > 0) cause.ended = undone.length
    cause.commit = this.#nextId(change)
    this.#at = this.#steps.push({ id: cause.commit, time: this.#world.clock.epoch(), cause, ...change })
    this.#changes += sizeOf(change)
    while (this.#at > STEPS_KEPT || (this.#at > 1 && this.#changes > CHANGES_KEPT)) this.#dropOldest()
  }

  /** Undoes (-1) or redoes (1) a step. If the result can't be stored, throws, and the world stays unchanged. */
  move(by: -1 | 1): void {
    const step = this.#step(by)
    if (step === undefined) throw new RangeError(`There is no step ${by === 1 ? 'after' : 'before'} ${this.#at}.`)
    const { data } = this.#world
    this.#isMoving = true
    try {
      if (step.commit !== undefined) repeat(data, step.commit, by)
      this.#world.goTo((by === 1 ? step.to : step.from) ?? {})
    } finally {
      this.#isMoving = false
    }
    this.#at += by
  }

  /** Goes to one of its entries. If a step can't be stored, it stops before the step, and throws. */
  goTo(id: number): void {
    const target = this.#find(id) ?? this.#at
    while (this.#at !== target) this.move(target < this.#at ? -1 : 1)
  }

  clear(): void {
    this.#at = 0
    this.#changes = 0
    this.#steps.length = 0
  }

  /** Drops the oldest step: its entry becomes the start. */
  #dropOldest(): void {
    const dropped = this.#steps.shift()
    if (dropped === undefined) return
    this.#changes -= sizeOf(dropped)
    this.#at--
    this.#start = dropped
  }

  #storyOf({ cause, ...step }: Moment & StepChange): string {
    if (cause.params === undefined || step.commit === undefined) return cause.title
    const { users } = this.#world.data.tables
    return storyOf({ changes: changesIn(step.commit) }, cause, (id) => users.get(id)?.name ?? undefined)
  }

  #step(by: -1 | 1): Step | undefined {
    return this.#steps[by === 1 ? this.#at : this.#at - 1]
  }

  /** The position of an entry. Undefined for an unknown ID. */
  #find(id: number): number | undefined {
    if (id === this.#start.id) return 0
    const at = this.#steps.findIndex((step) => step.id === id)
    return at === -1 ? undefined : at + 1
  }
}

/** The number of records and rules in a step. Replaced tables count whole: the step keeps all their earlier records. */
function sizeOf({ commit, from, to }: StepChange): number {
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

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
