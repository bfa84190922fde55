import { WorldData } from '../state/state.js'
import type { Contents } from '../store/database.js'
import type { Commit, Key } from '../store/table.js'
import type { Budget } from './budget.js'

/** Steps that the history of a world keeps. */
export const STEPS_KEPT = 1000

/** What a step is counted as besides its records: a little for a commit, more where a whole world is kept. */
const STEP_WEIGHT = 1
export const WORLD_WEIGHT = 500

/** What makes a commit: a request for an operation, or something that was done to the mock. */
export interface Cause {
  readonly what: string
  readonly title: string
  /** The id of the commit that it made. Undefined until it has made one. */
  commit?: number
  /** The id of the request in the journal, if it is one. */
  requestId?: number
}

/** A moment in the history of a world: how it was after a commit. */
export interface HistoryEntry {
  /** Counts up in each session. */
  id: number
  /** When it was, by the clock of the world. */
  time: string
  /** The operation of the request that made it; or `start`, `switch`, `restart`, `reset`, `reload`, `restore`, `add`, `force` or `clock`. */
  what: string
  /** The same in words. */
  title: string
  /** The scenario of the world. */
  scenario: string
  /** The id of the request in the journal, if it was one. */
  requestId?: number
  /** Whether this is how the world is now. */
  current: boolean
}

/** A record before and after a step, as it is stored: `before` is left out for a new one, `after` for one that is removed. */
export interface RecordChange {
  table: string
  key: Key
  before?: object | undefined
  after?: object | undefined
}

interface Moment {
  readonly id: number
  readonly time: number
  readonly scenario: string
  readonly cause: Cause
}

/** A change of data, with commits that came after it and are no steps of their own. */
interface DataChange {
  past: Past
  commits: Commit[]
}

/** Any other change. */
interface OtherChange {
  /** Undoes it; called again, does it again. */
  flip(): void
  /** Gives up what only `flip` could bring back. */
  forget?(): void
}

type Step = Moment & { readonly weight: number } & (DataChange | OtherChange)

/** What a history knows of a world. */
interface Place {
  readonly name: string
  readonly data: WorldData
  readonly time: number
}

/** The data of a world before the first commit that is kept of it. Records are shared, as nobody can change them. */
class Past {
  readonly of: WorldData
  #start: Contents | WorldData | undefined

  constructor(of: WorldData) {
    this.of = of
  }

  /** Keeps what the world holds now, before the first commit. */
  hold(): void {
    this.#start ??= this.of.contents()
  }

  after(commits: Iterable<Commit>): WorldData {
    const data = new WorldData()
    const start = this.#start ?? this.of
    data.replaceBy(start instanceof WorldData ? start.contents() : start)
    for (const commit of commits) data.apply(commit)
    return data
  }

  /** Begins after some commits, which are no longer kept. */
  begin(commits: readonly Commit[]): void {
    if (!(this.#start instanceof WorldData)) this.#start = this.after([])
    for (const commit of commits) this.#start.apply(commit)
  }
}

/**
 * Where a world has been, and where it can go: back, forth, and to any moment. A new step takes the place of those that
 * were undone. The history of the world that a session is switched to goes on with the next one when it switches.
 */
export class History {
  readonly #nextId: () => number
  readonly #budget: Budget
  /** Where the oldest step begins. */
  #start: Moment
  readonly #steps: Step[] = []
  /** How many of the steps are done, and not undone. */
  #at = 0
  #isMoving = false

  constructor(scenario: string, time: number, nextId: () => number, budget: Budget) {
    this.#nextId = nextId
    this.#budget = budget
    const cause: Cause = { what: 'start', title: `The start of "${scenario}"` }
    this.#start = { id: nextId(), time, scenario, cause }
  }

  list(): HistoryEntry[] {
    return [this.#start, ...this.#steps].map((moment, at) => entryOf(moment, at === this.#at))
  }

  /** How many moments it can go back. */
  get at(): number {
    return this.#at
  }

  canMove(by: -1 | 1): boolean {
    return by === 1 ? this.#at < this.#steps.length : this.#at > 0
  }

  /** The position of a moment. Undefined if it has none with this id. */
  find(id: number): number | undefined {
    if (id === this.#start.id) return 0
    const at = this.#steps.findIndex((step) => step.id === id)
    return at === -1 ? undefined : at + 1
  }

  /** What the step that led to a moment changed: no events, and nothing that happened only to clock, rules or worlds. */
  changesAt(id: number): RecordChange[] {
    const step = this.#steps.find((one) => one.id === id)
    const commits = step !== undefined && 'past' in step ? step.commits : []
    return commits.flatMap(({ changes }) =>
      [...changes]
        .filter(([table]) => table !== 'events')
        .flatMap(([table, ofTable]) => ofTable.map(({ key, before, after }) => ({ table, key, before, after }))),
    )
  }

  /** The data before a request changed it, or a later one did. Undefined if none of them has. */
  dataBefore(requestId: number): WorldData | undefined {
    const at = this.#steps.findIndex(({ cause }) => (cause.requestId ?? -1) >= requestId)
    const step = this.#steps[at]
    if (step === undefined || !('past' in step)) return undefined
    const { past } = step
    return past.after(this.#steps.slice(0, at).flatMap((one) => (isOf(one, past.of) ? one.commits : [])))
  }

  get isEmpty(): boolean {
    return this.#steps.length === 0
  }

  /** A commit that is about to be made. One that nobody asked for, such as that of a login made elsewhere, belongs to the step before. */
  committing(world: Place, commit: Commit, cause: Cause | undefined): void {
    if (this.#isMoving) return
    const last = this.#lastOf(world.data)
    if (cause !== undefined) {
      const past = last?.past ?? this.#steps.find((step) => isOf(step, world.data))?.past ?? new Past(world.data)
      const held = last === undefined ? world.data.size : 0
      this.#add(world, cause, sizeOf(commit) + held, { past, commits: [commit] })
    } else if (last !== undefined) last.commits.push(commit)
    else this.#steps.find((step) => isOf(step, world.data))?.past.begin([commit])
  }

  /** Something that is no change of data was done. */
  done(world: Omit<Place, 'data'>, cause: Cause, weight: number, change: OtherChange): void {
    this.#add(world, cause, weight, change)
  }

  /** Goes to a moment. If a change can't be stored, it stops before it, and throws. */
  goTo(target: number): void {
    this.#isMoving = true
    try {
      while (this.#at !== target) this.#move(target < this.#at ? -1 : 1, target)
    } finally {
      this.#isMoving = false
    }
  }

  /** Forgets the oldest step: its moment is the new start. Of steps that are all undone, the last one goes. */
  dropOldest(): void {
    if (this.#at === 0) {
      this.#forget(this.#steps.splice(-1))
      return
    }
    const oldest = this.#steps.shift()
    if (oldest === undefined) return
    this.#at--
    this.#forget([oldest])
    if ('past' in oldest && this.#steps.some((step) => isOf(step, oldest.past.of))) oldest.past.begin(oldest.commits)
    const { id, time, scenario, cause } = oldest
    this.#start = { id, time, scenario, cause }
  }

  clear(): void {
    this.#at = 0
    this.#forget(this.#steps.splice(0))
    this.#budget.forget(this)
  }

  #forget(steps: readonly Step[]): void {
    for (const step of steps) {
      this.#budget.remove(step.weight)
      if ('flip' in step) step.forget?.()
    }
  }

  /** One step; of data, as many as lead to the moment without anything else in between. */
  #move(by: -1 | 1, target: number): void {
    const next = (at: number) => this.#steps[by === 1 ? at : at - 1]
    const step = next(this.#at)
    if (step === undefined) throw new RangeError(`There is no step ${by === 1 ? 'after' : 'before'} ${this.#at}.`)
    let at = this.#at + by
    if ('flip' in step) step.flip()
    else {
      const { of } = step.past
      for (let another = next(at); at !== target && another && isOf(another, of); another = next(at)) at += by
      const done = this.#steps.slice(0, at)
      of.replaceBy(step.past.after(done.flatMap((one) => (isOf(one, of) ? one.commits : []))).contents())
    }
    this.#at = at
  }

  #lastOf(data: WorldData) {
    for (let at = this.#at - 1; at >= 0; at--) {
      const step = this.#steps[at]
      if (step !== undefined && isOf(step, data)) return step
    }
    return undefined
  }

  #add(
    { name: scenario, time }: Omit<Place, 'data'>,
    cause: Cause,
    weight: number,
    change: DataChange | OtherChange,
  ): void {
    this.#forget(this.#steps.splice(this.#at))
    cause.commit = this.#nextId()
    const step = { id: cause.commit, time, scenario, cause, weight: weight + STEP_WEIGHT, ...change }
    this.#at = this.#steps.push(step)
    if (this.#steps.length > STEPS_KEPT) this.dropOldest()
    this.#budget.add(this, step.weight)
    // A world that is too large for the budget has no history. To list its 100,000 records for nothing took 40 ms a write.
    if ('past' in change && !this.isEmpty) change.past.hold()
  }
}

function isOf(step: Step, data: WorldData): step is Step & DataChange {
  return 'past' in step && step.past.of === data
}

function sizeOf({ changes }: Commit): number {
  let size = 0
  for (const ofTable of changes.values()) size += ofTable.length
  return size
}

function entryOf({ id, time, scenario, cause: { what, title, requestId } }: Moment, current: boolean): HistoryEntry {
  const entry = { id, time: new Date(time).toISOString(), what, title, scenario }
  return { ...entry, ...(requestId === undefined ? {} : { requestId }), current }
}
