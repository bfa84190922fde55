import type { EventRecord } from '../../resources/instance/events/schema.js'
import type { Keeper } from '../../sessions/keeper.js'
import { WORLDS_KEPT } from '../../sessions/session.js'
import { SESSIONS_KEPT, UNNAMED } from '../../sessions/sessions.js'
import type { KeptWorld, World } from '../../sessions/world.js'
import { WorldData } from '../../state/state.js'
import type { Commit } from '../../store/commit.js'
import { changeLine, type Entry, type Snapshot, snapshotOf } from './format.js'

/** Records from which on a change is written as a snapshot: as one line it would delay requests. */
const MANY = 1000

interface KeptSession {
  active: readonly string[] | undefined
  /** By scenario, the least recently changed first. */
  states: Map<string, { id: number; data: WorldData }>
}

/** Where entries go. */
export interface Log {
  add(entry: Entry): void
  durable(): Promise<void> | undefined
}

/**
 * What is kept of all sessions. Each change of it is logged. There are as many sessions and states of each as an instance
 * has; beyond that, those that were changed longest ago are dropped.
 */
export class KeptStates implements Keeper {
  readonly outlivesRestarts = true
  readonly #sessions = new Map<string, KeptSession>()
  readonly #log: Log
  #lastId = 0

  constructor(log: Log) {
    this.#log = log
  }

  /** The number of states, over all sessions. */
  get size(): number {
    return [...this.#sessions.values()].reduce((sum, { states }) => sum + states.size, 0)
  }

  sessions(): string[] {
    return [...this.#sessions.keys()]
  }

  activeScenarios(session: string): readonly string[] | undefined {
    return this.#sessions.get(session)?.active
  }

  /** Takes over what a file holds, without logging it. */
  adopt({ id, session, scenario }: Pick<Snapshot, 'id' | 'session' | 'scenario'>, data: WorldData): void {
    this.#lastId = Math.max(this.#lastId, id)
    this.#open(session).states.set(scenario, { id, data })
  }

  /** Takes over what a file holds, without logging it. */
  adoptActive(session: string, active: readonly string[]): void {
    this.#open(session).active = active
  }

  resume(session: string, scenario: string): KeptWorld | undefined {
    const kept = this.#sessions.get(session)?.states.get(scenario)
    if (kept === undefined) return undefined
    const data = new WorldData()
    data.copyFrom(kept.data)
    kept.data = data
    return { data }
  }

  committed(session: string, world: World, commit: Commit<EventRecord>): void {
    const kept = this.#sessions.get(session)?.states.get(world.name)
    // A request that came before the session was dropped and opened again.
    if (kept !== undefined && kept.data !== world.data) return
    const id = kept?.id ?? ++this.#lastId
    this.#touch(session, world.name, { id, data: world.data })
    const isSmall = !commit.replacesAll && sizeOf(commit) < MANY
    if (kept !== undefined && isSmall) this.#log.add(changeLine(id, commit))
    else {
      const isFirst = kept === undefined
      this.#log.add(snapshotOf(world.data, { id, session, scenario: world.name, isFirst }))
    }
  }

  switched(session: string, names: readonly string[] | undefined): void {
    if (this.activeScenarios(session)?.join() === names?.join()) return
    this.#open(session).active = names
    this.#log.add({ session, active: names ?? null })
    this.#dropIdleSessions()
  }

  forget(session: string): void {
    if (this.#sessions.delete(session)) this.#log.add({ forget: session })
  }

  durable(): Promise<void> | undefined {
    return this.#log.durable()
  }

  /** Everything that is kept now. */
  entries(): Entry[] {
    return [...this.#sessions].flatMap(([session, { active, states }]) => [
      ...[...states].map(([scenario, { id, data }]) => snapshotOf(data, { id, session, scenario, isFirst: true })),
      ...(active === undefined ? [] : [{ session, active }]),
    ])
  }

  #open(session: string): KeptSession {
    const kept = this.#sessions.get(session) ?? { active: undefined, states: new Map() }
    this.#sessions.set(session, kept)
    return kept
  }

  /** Makes a state, and its session, the most recently changed one. */
  #touch(session: string, scenario: string, state: { id: number; data: WorldData }): void {
    const kept = this.#open(session)
    this.#sessions.delete(session)
    this.#sessions.set(session, kept)
    kept.states.delete(scenario)
    kept.states.set(scenario, state)
    for (const [oldest, { id }] of kept.states) {
      if (kept.states.size <= WORLDS_KEPT) break
      kept.states.delete(oldest)
      this.#log.add({ drop: id })
    }
    this.#dropIdleSessions()
  }

  #dropIdleSessions(): void {
    for (const session of this.#sessions.keys()) {
      if (this.#sessions.size <= SESSIONS_KEPT) break
      if (session !== UNNAMED) this.forget(session)
    }
  }
}

function sizeOf({ changes, events }: Commit<EventRecord>): number {
  return [...changes.values()].reduce((sum, list) => sum + list.length, events.length)
}
