import { inverse } from '../../service/store/database.js'
import type { Commit, Key } from '../../service/store/table.js'
import { deepFreeze, type Frozen } from '../../support/freeze.js'
import { isObject } from '../../support/json.js'
import { weightOf, weightOfRecord } from '../../support/json-text.js'
import type { WorldData } from '../state/state.js'
import type { Budget } from './budget.js'
import type { Cause, Moment, Setting, StepChange } from './steps.js'
import { storyOf } from './story.js'

/** Steps that the history of a world keeps. */
export const STEPS_KEPT = 1000

/** What a step weighs besides its records and rules. */
const STEP_WEIGHT = 200

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
  /** How many undone steps it took the place of: these can't be redone. */
  ended?: number
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

/** A world, as far as its history knows it. */
interface RememberedWorld {
  readonly name: string
  readonly startedAt: number
  readonly clock: { epoch(): number }
  readonly data: WorldData
  /** What is making a commit just now and, where that starts it again, its settings before. */
  readonly changing: { cause: Cause; from?: Setting } | undefined
  setting(): Setting
  goTo(setting: Setting): void
}

type Step = Moment & StepChange & { readonly weight: number }

/**
 * What users did to a world, and the way back, forth, and to any moment of it. A new step takes the place of those that
 * were undone. A step knows what it changed and nothing else: records that it doesn't name stay as they are.
 */
export class History {
  readonly #world: RememberedWorld
  readonly #budget: Budget
  readonly #nextId: (change?: StepChange) => number
  /** Where the oldest step begins. */
  #start: Moment
  readonly #steps: Step[] = []
  /** How many of the steps are done, and not undone. */
  #at = 0
  #isMoving = false
  #hasEnded = false

  constructor(world: RememberedWorld, budget: Budget, nextId: (change?: StepChange) => number = () => 0) {
    this.#world = world
    this.#budget = budget
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

  /** What made the step that would be undone (-1) or redone (1). Undefined if there is none. */
  causeOf(by: -1 | 1): Cause | undefined {
    return this.#step(by)?.cause
  }

  has(id: number): boolean {
    return this.#find(id) !== undefined
  }

  /** The records that the step to a moment changed. Of events nothing is said. */
  changesAt(id: number): RecordChange[] {
    const { commit } = this.#steps.find((one) => one.id === id) ?? {}
    const changed = [...(commit?.changes ?? [])].filter(([table]) => table !== 'events')
    // A record that was replaced by an equal one did not change.
    return changed.flatMap(([table, ofTable]) =>
      ofTable
        .filter(({ before, after }) => !isSame(before, after))
        .map(({ key, before, after }) => ({ table, key, before, after })),
    )
  }

  /** A commit that is about to be made. */
  committing(commit: Commit): void {
    const { cause, from } = this.#world.changing ?? {}
    if (cause === undefined || this.#isMoving) return
    const settings = from === undefined ? {} : { from, to: this.#world.setting() }
    this.done(cause, { commit, ...settings })
  }

  /** Adds a step: something was done. */
  done(cause: Cause, change: StepChange): void {
    if (this.#hasEnded) return
    const undone = this.#steps.splice(this.#at)
    this.#forget(undone)
    if (undone.length > 0) cause.ended = undone.length
    cause.commit = this.#nextId(change)
    const step = { id: cause.commit, time: this.#world.clock.epoch(), cause, ...change, weight: weightOfStep(change) }
    this.#at = this.#steps.push(step)
    if (this.#at > STEPS_KEPT) this.dropOldest()
    this.#budget.add(this, step.weight)
  }

  /** Undoes (-1) or redoes (1) a step. If that can't be stored, throws, and the world stays where it is. */
  move(by: -1 | 1): void {
    const step = this.#step(by)
    if (step === undefined) throw new RangeError(`There is no step ${by === 1 ? 'after' : 'before'} ${this.#at}.`)
    const { data } = this.#world
    this.#isMoving = true
    try {
      if (step.commit !== undefined) data.apply(onTopOf(data, by === 1 ? step.commit : inverse(step.commit)))
      this.#world.goTo((by === 1 ? step.to : step.from) ?? {})
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

  /** Forgets the oldest step: its moment is the new start. Of steps that are all undone, the last one goes. */
  dropOldest(): void {
    const dropped = this.#at === 0 ? this.#steps.pop() : this.#steps.shift()
    if (dropped === undefined) return
    this.#forget([dropped])
    if (this.#at === 0) return
    this.#at--
    this.#start = dropped
  }

  clear(): void {
    this.#at = 0
    this.#forget(this.#steps.splice(0))
    this.#budget.forget(this)
  }

  /** Forgets everything, for good: its world was dropped. */
  end(): void {
    this.clear()
    this.#hasEnded = true
  }

  #storyOf({ cause, ...step }: Moment & StepChange): string {
    if (cause.params === undefined || step.commit === undefined) return cause.title
    const { users } = this.#world.data.tables
    return storyOf(step.commit, cause, (id) => users.get(id)?.name ?? undefined)
  }

  #step(by: -1 | 1): Step | undefined {
    return this.#steps[by === 1 ? this.#at : this.#at - 1]
  }

  /** The position of a moment. Undefined if it has none with this id. */
  #find(id: number): number | undefined {
    if (id === this.#start.id) return 0
    const at = this.#steps.findIndex((step) => step.id === id)
    return at === -1 ? undefined : at + 1
  }

  #forget(steps: readonly Step[]): void {
    for (const { weight } of steps) this.#budget.remove(weight)
  }
}

/** What a step weighs: the records and rules that it brought, or removed. */
function weightOfStep({ commit, from, to }: StepChange): number {
  let weight = STEP_WEIGHT
  for (const changes of commit?.changes.values() ?? []) {
    for (const { before, after } of changes) weight += weightOfRecord(after ?? before ?? {})
  }
  const rulesBefore = new Set(from?.rules?.rules.map(({ rule }) => rule))
  for (const { rule } of to?.rules?.rules ?? []) if (!rulesBefore.has(rule)) weight += weightOf(rule)
  return weight
}

/** A commit of a step back or forth as it is made now: what else has changed in a record since then stays. */
function onTopOf({ tables }: WorldData, commit: Commit): Commit {
  if (commit.replacesAll) return commit
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
  return { ...commit, changes: new Map(changes) }
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
