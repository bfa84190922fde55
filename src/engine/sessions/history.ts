import { isSamePerson } from '../../service/resources/people/login.model.js'
import type { StoredUser } from '../../service/resources/people/users.js'
import { inverse } from '../../service/store/reversal.js'
import type { Change, Commit, Key } from '../../service/store/table.js'
import { none } from '../../support/freeze.js'
import type { WorldData } from '../state/state.js'
import type { Budget } from './budget.js'
import type { Cause, DataChange, KeptHistory, KeptStep, Moment, Setting, SettingChange } from './steps.js'
import { storyOf } from './story.js'

/** Steps that the history of a world keeps. */
export const STEPS_KEPT = 1000

/** What a step counts as besides its records: a little for each, more where a whole world is kept. */
const STEP_WEIGHT = 1
export const WORLD_WEIGHT = 500

/** A moment in the history of a world: how it was after a commit. */
export interface HistoryEntry {
  /** Counts up in each session. */
  id: number
  /** When it was, by the clock of the world. */
  time: string
  /** The operation of the request that made it; or `start`, `restart`, `reset`, `reload`, `restore`, `add`, `force` or `clock`. */
  what: string
  /** The same as a sentence without its full stop: `Admin cloned checkout-redesign as n1`. */
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

/** Another world in the place of one that was given up. */
interface WorldChange {
  /** Undoes it; called again, does it again. */
  flip(): void
  /** The data of the world that it would put back. */
  otherData(): WorldData | undefined
}

type StepChange = DataChange | SettingChange | WorldChange

type Step = Moment & StepChange & { readonly weight: number }

interface HistoryOptions {
  /** The name of the world. */
  scenario: string
  /** When the world started, by its clock. */
  startedAt: number
  nextId: () => number
  /** The world, whichever answers under its name now. */
  world: () => { data: WorldData; goTo(position: Setting): void }
  budget: Budget
  /** To go on with. */
  kept?: KeptHistory | undefined
}

/**
 * Where a world has been, and where it can go: back, forth, and to any moment. A new step takes the place of those that
 * were undone. A step knows what it changed and nothing else, so that is what going there costs.
 */
export class History {
  readonly #options: HistoryOptions
  /** Where the oldest step begins. */
  #start: Moment
  readonly #steps: Step[] = []
  /** How many of the steps are done, and not undone. */
  #at = 0
  #isMoving = false

  constructor(options: HistoryOptions) {
    this.#options = options
    const { scenario, startedAt: time, nextId, kept, budget } = options
    this.#start = kept?.start ?? { id: nextId(), time, cause: { what: 'start', title: `The start of "${scenario}"` } }
    if (kept === undefined) return
    this.#steps.push(...kept.steps.map((step) => ({ ...step, weight: weightOf(step) })))
    this.#at = kept.at
    for (const { weight } of this.#steps) budget.add(this, weight)
  }

  list(): HistoryEntry[] {
    const { scenario } = this.#options
    return [this.#start, ...this.#steps].map((moment, at) => {
      const { id, time, cause } = moment
      const { what, requestId } = cause
      const entry = { id, time: new Date(time).toISOString(), what, title: this.#storyOf(moment), scenario }
      return { ...entry, ...(requestId === undefined ? {} : { requestId }), current: at === this.#at }
    })
  }

  /** The id of the moment at which the world is. */
  get current(): number {
    return (this.#steps[this.#at - 1] ?? this.#start).id
  }

  /** Whether it is just going back or forth, so that what happens is no new step. */
  get isMoving(): boolean {
    return this.#isMoving
  }

  get isEmpty(): boolean {
    return this.#steps.length === 0
  }

  /** What can be kept of it: the steps around where it is, as far as they are about the same world. */
  get keepable(): KeptHistory {
    const before = this.#steps.slice(0, this.#at)
    const first = before.findLastIndex((step) => !isKeepable(step)) + 1
    const after = this.#steps.slice(this.#at)
    const end = after.findIndex((step) => !isKeepable(step))
    const steps = [...before.slice(first), ...(end === -1 ? after : after.slice(0, end))].filter(isKeepable)
    return { start: this.#steps[first - 1] ?? this.#start, steps, at: this.#at - first }
  }

  /** What made the step that would be undone (-1) or redone (1). Undefined if there is none. */
  causeOf(by: -1 | 1): Cause | undefined {
    return this.#step(by)?.cause
  }

  has(id: number): boolean {
    return this.#find(id) !== undefined
  }

  /** What the step that led to a moment changed: no events, and nothing that happened only to clock, rules or worlds. */
  changesAt(id: number): RecordChange[] {
    const step = this.#steps.find((one) => one.id === id)
    if (step === undefined || !('commit' in step)) return []
    return [...step.commit.changes].flatMap(([table, ofTable]) => (table === 'events' ? [] : merged(table, ofTable)))
  }

  /** A commit that is about to be made. One that only signs people in or out is no step. */
  committing(cause: Cause, time: number, commit: Commit): void {
    const ofData = withoutLogins(commit)
    if (ofData.changes.size === 0 && !commit.replacesAll) return
    this.done(cause, time, { commit: withoutLogins(this.#options.world().data.reversible(ofData)) })
  }

  /** Adds a step: something was done. */
  done(cause: Cause, time: number, change: StepChange): void {
    const { nextId, budget } = this.#options
    this.#forget(this.#steps.splice(this.#at))
    cause.commit = nextId()
    const step = { id: cause.commit, time, cause, ...change, weight: weightOf(change) }
    this.#at = this.#steps.push(step)
    if (this.#steps.length > STEPS_KEPT) this.dropOldest()
    budget.add(this, step.weight)
  }

  /** Undoes (-1) or redoes (1) a step. If that can't be stored, throws, and the world stays where it is. */
  move(by: -1 | 1): void {
    const step = this.#step(by)
    if (step === undefined) throw new RangeError(`There is no step ${by === 1 ? 'after' : 'before'} ${this.#at}.`)
    this.#isMoving = true
    try {
      if ('flip' in step) step.flip()
      else if ('to' in step) this.#options.world().goTo(by === 1 ? step.to : step.from)
      else this.#apply(by === 1 ? step.commit : inverse(step.commit))
    } finally {
      this.#isMoving = false
    }
    this.#at += by
  }

  /** Goes to a moment that it has. If a step can't be stored, it stops before it, and throws. */
  goTo(id: number): void {
    const target = this.#find(id) ?? this.#at
    while (this.#at !== target) this.move(target < this.#at ? -1 : 1)
  }

  /** Forgets the oldest step: its moment is the new start. Of steps that are all undone, it forgets the last one. */
  dropOldest(): void {
    const dropped = this.#at === 0 ? this.#steps.pop() : this.#steps.shift()
    if (dropped === undefined) return
    this.#options.budget.remove(dropped.weight)
    if (this.#at === 0) return
    this.#at--
    this.#start = dropped
  }

  clear(): void {
    this.#at = 0
    this.#forget(this.#steps.splice(0))
    this.#options.budget.forget(this)
  }

  #storyOf(moment: Moment | Step): string {
    const { cause } = moment
    if (cause.params === undefined || !('commit' in moment)) return cause.title
    const { users } = this.#options.world().data.tables
    return storyOf(moment.commit, cause, (id) => users.get(id)?.name ?? undefined)
  }

  #step(by: -1 | 1, at = this.#at): Step | undefined {
    return this.#steps[by === 1 ? at : at - 1]
  }

  /** The position of a moment. Undefined if it has none with this id. */
  #find(id: number): number | undefined {
    if (id === this.#start.id) return 0
    const at = this.#steps.findIndex((step) => step.id === id)
    return at === -1 ? undefined : at + 1
  }

  #forget(steps: readonly Step[]): void {
    for (const { weight } of steps) this.#options.budget.remove(weight)
  }

  #apply(commit: Commit): void {
    const data = this.#options.world().data
    data.apply(withLogins(commit, data))
  }
}

/** What a step counts as: a little for itself, and the records that it holds. */
function weightOf(change: StepChange): number {
  if ('flip' in change) return STEP_WEIGHT + WORLD_WEIGHT + (change.otherData()?.size ?? 0)
  if ('to' in change) return STEP_WEIGHT + (change.to.rules?.rules.length ?? 0)
  return [...change.commit.changes.values()].reduce((sum, { length }) => sum + length, STEP_WEIGHT)
}

function isKeepable(step: Step): step is KeptStep & Step {
  return !('flip' in step)
}

function withoutLogins(commit: Commit): Commit {
  if (!commit.changes.has('logins')) return commit
  return { ...commit, changes: new Map([...commit.changes].filter(([table]) => table !== 'logins')) }
}

/** The commit of a step back or forth, with the logins that end or stay: those end whose user goes. */
function withLogins({ changes, replacesAll }: Commit, { tables }: WorldData): Commit {
  const users = changes.get('users')
  if (users === undefined && !replacesAll) return { changes, replacesAll }
  const after = new Map((users ?? none).map(({ key, after }) => [key, after as StoredUser | undefined]))
  const stays = (userId: number) => {
    if (!replacesAll) return !after.has(userId) || after.get(userId) !== undefined
    const [now, then] = [tables.users.get(userId), after.get(userId)]
    return now !== undefined && then !== undefined && isSamePerson(now, then)
  }
  const logins = tables.logins.list()
  const ofLogins = replacesAll
    ? logins.filter(({ userId }) => stays(userId)).map((after) => ({ key: after.secret, before: undefined, after }))
    : logins.filter(({ userId }) => !stays(userId)).map((before) => ({ key: before.secret, before, after: undefined }))
  return { changes: new Map([...changes, ['logins', ofLogins]]), replacesAll }
}

/** What changed of each record. What is replaced by an equal one did not. */
function merged(table: string, changes: readonly Change[]): RecordChange[] {
  const byKey = new Map<Key, RecordChange>()
  for (const { key, before, after } of changes) {
    const earlier = byKey.get(key)
    byKey.set(key, { table, key, before: before ?? earlier?.before, after })
  }
  return [...byKey.values()].filter(({ before, after }) => JSON.stringify(before) !== JSON.stringify(after))
}
