import type { Commit } from '../../service/store/table.js'
import type { SavedScenario } from '../scenarios/saved-scenarios.js'
import type { Keeper } from '../sessions/keeper.js'
import { type Session, WORLDS_KEPT } from '../sessions/session.js'
import { SESSIONS_KEPT, UNNAMED } from '../sessions/sessions.js'
import type { KeptHistory, Visits, WorldPosition } from '../sessions/steps.js'
import type { KeptWorld, World } from '../sessions/world.js'
import { WorldData } from '../state/state.js'
import { type Entry, type Lists, listsIn, listsOf, type Snapshot } from './format.js'
import { historyLines } from './kept-history.js'
import type { Replayed } from './replay.js'

/** Where entries go: a file, or the storage of a Durable Object. */
export interface CommitLog {
  /** Adds entries that belong together. If it throws, none of them is kept. */
  add(entries: readonly Entry[]): void
  /** As `Keeper.durable`. */
  durable(): Promise<void> | undefined
}

interface KeptSessionsOptions {
  /**
   * Whether worlds that are restarted go on with their data. If so, that is all there is to go on with; else, their
   * clocks, rules and ids are kept as well.
   */
  outlivesRestarts: boolean
  /** Events of a world that a snapshot holds: the newest ones. */
  eventsKept: number
}

interface KeptState {
  id: number
  data: WorldData
  /** JSON. */
  position: string | undefined
  history?: KeptHistory | undefined
}

interface KeptSession {
  active: readonly string[] | undefined
  visits: Visits
  /** By scenario, the least recently changed first. */
  states: Map<string, KeptState>
}

/**
 * What is kept of sessions, and what is logged when. There are as many sessions and states of each as an instance has;
 * beyond that, those that were changed longest ago are dropped.
 */
export class KeptSessions implements Keeper {
  readonly outlivesRestarts: boolean
  readonly #eventsKept: number
  readonly #sessions = new Map<string, KeptSession>()
  /** By their names. */
  readonly #scenarios = new Map<string, SavedScenario>()
  readonly #log: CommitLog
  #lastId = 0

  constructor(log: CommitLog, { outlivesRestarts, eventsKept }: KeptSessionsOptions) {
    this.#log = log
    this.outlivesRestarts = outlivesRestarts
    this.#eventsKept = eventsKept
  }

  /** Takes over what a log holds. */
  adopt({ states, active, visits, scenarios }: Pick<Replayed, 'states' | 'active' | 'visits' | 'scenarios'>): void {
    for (const saved of scenarios) this.#scenarios.set(saved.scenario.name, saved)
    for (const { id, session, scenario, data, position, history } of states) {
      this.#lastId = Math.max(this.#lastId, id)
      const text = position && JSON.stringify(position)
      this.#open(session).states.set(scenario, { id, data, position: text, history })
    }
    for (const [session, names] of active) this.#open(session).active = names
    for (const [session, kept] of visits) this.#open(session).visits = kept
  }

  /** The number of states, over all sessions. */
  get size(): number {
    return [...this.#sessions.values()].reduce((sum, { states }) => sum + states.size, 0)
  }

  savedScenarios(): Iterable<SavedScenario> {
    return this.#scenarios.values()
  }

  scenarioSaved(saved: SavedScenario): void {
    this.#log.add([scenarioEntry(saved)])
    this.#scenarios.set(saved.scenario.name, saved)
  }

  scenarioForgotten(name: string): void {
    if (this.#scenarios.delete(name)) this.#log.add([{ unsaved: name }])
  }

  sessions(): string[] {
    return [...this.#sessions.keys()]
  }

  activeScenarios(session: string): readonly string[] | undefined {
    return this.#sessions.get(session)?.active
  }

  kept(session: string): ReadonlyMap<string, Pick<KeptWorld, 'data'>> {
    return this.#statesOf(session)
  }

  /** A copy: what is still written to the world that had the data before is not kept. */
  resume(session: string, scenario: string): KeptWorld | undefined {
    const kept = this.#statesOf(session).get(scenario)
    if (kept === undefined) return undefined
    const data = new WorldData()
    data.replaceBy(kept.data.contents())
    kept.data = data
    const position = kept.position === undefined ? undefined : (JSON.parse(kept.position) as WorldPosition)
    return { data, position, history: kept.history }
  }

  lastMoment(session: string): number {
    const histories = [...this.#statesOf(session).values()].flatMap(({ history }) => history ?? [])
    return Math.max(-1, ...histories.map(({ start, steps }) => (steps.at(-1) ?? start).id))
  }

  visits(session: string): Visits {
    return this.#sessions.get(session)?.visits ?? {}
  }

  /** Keeps the worlds of a session as they are now, and how they came to be so: undo goes on where it was. */
  keepAll(session: Session): void {
    for (const world of session.openWorlds.values()) {
      if (world.loading !== undefined) continue
      this.keep(session.name, world)
    }
  }

  committing(session: string, world: World, commit: Commit): void {
    const kept = this.#statesOf(session).get(world.name)
    // A request that came before the session was dropped and opened again.
    if (kept !== undefined && kept.data !== world.data && this.outlivesRestarts) return
    if (kept !== undefined || !this.outlivesRestarts || !this.#isKnown(session, commit))
      this.keep(session, world, commit)
  }

  /** Keeps a world as it is now, or as it will be after a commit, if it isn't kept so yet. */
  keep(session: string, world: World, commit?: Commit): void {
    const kept = this.#statesOf(session).get(world.name)
    const isOther = kept?.data !== world.data
    const id = kept?.id ?? ++this.#lastId
    const position = this.outlivesRestarts ? undefined : JSON.stringify(world.position())
    const entries: Entry[] = []
    const isWritten = isOther || commit?.replacesAll === true
    if (isWritten) {
      const about = { id, session, scenario: world.name, isAgain: kept !== undefined }
      entries.push(this.#snapshot(about, commit?.replacesAll ? listsIn(commit) : listsOf(world.data)))
    }
    if (commit?.replacesAll === false) entries.push({ id, commit })
    if (position !== kept?.position || isWritten) entries.push(...positionEntry(id, position))
    if (entries.length > 0) this.#log.add(entries)
    // A snapshot is written without the history of what was there before.
    const history = isWritten ? undefined : kept?.history
    this.#touch(session, world.name, { id, data: world.data, position, history })
  }

  drop(session: string, scenario: string): void {
    const { states } = this.#sessions.get(session) ?? {}
    const id = states?.get(scenario)?.id
    if (id === undefined) return
    states?.delete(scenario)
    this.#log.add([{ drop: id }])
  }

  switched(session: string, names: readonly string[] | undefined): void {
    if (this.activeScenarios(session)?.join() === names?.join()) return
    this.#open(session).active = names
    this.#log.add([{ session, active: names === undefined ? null : [...names] }])
    this.#dropIdleSessions()
  }

  forget(session: string): void {
    if (this.#sessions.delete(session)) this.#log.add([{ forget: session }])
  }

  durable(): Promise<void> | undefined {
    return this.#log.durable()
  }

  /** Everything that is kept now, except for a state. */
  entries(except?: number): Entry[] {
    const ofSessions = [...this.#sessions].flatMap(([session, { active, visits, states }]): Entry[] => [
      ...[...states].flatMap(([scenario, { id, data, position, history }]) => {
        if (id === except) return []
        return [
          this.#snapshot({ id, session, scenario, isAgain: false }, listsOf(data)),
          ...positionEntry(id, position),
          ...(history === undefined ? [] : historyLines(id, history, undefined)),
        ]
      }),
      ...(active === undefined ? [] : [{ session, active: [...active] }]),
      ...((visits.back ?? visits.forth) ? [{ visits: session, ...visits }] : []),
    ])
    return [...[...this.#scenarios.values()].map(scenarioEntry), ...ofSessions]
  }

  /** Whether a commit only has logins go on that another world has. A world that is just looked at need not be kept. */
  #isKnown(session: string, { changes, replacesAll }: Commit): boolean {
    return !replacesAll && changes.size === 0 && this.kept(session).size > 0
  }

  #statesOf(session: string): ReadonlyMap<string, KeptState> {
    return this.#sessions.get(session)?.states ?? new Map()
  }

  #snapshot(about: Omit<Snapshot, 'lists'>, lists: Lists): Snapshot {
    const kept = lists.map(
      ([table, records]) => [table, table === 'events' ? records.slice(-this.#eventsKept) : records] as const,
    )
    return { ...about, lists: kept }
  }

  #open(session: string): KeptSession {
    const kept = this.#sessions.get(session) ?? { active: undefined, visits: {}, states: new Map() }
    this.#sessions.set(session, kept)
    return kept
  }

  /** Makes a state, and its session, the most recently changed one. */
  #touch(session: string, scenario: string, state: KeptState): void {
    const kept = this.#open(session)
    this.#sessions.delete(session)
    this.#sessions.set(session, kept)
    kept.states.delete(scenario)
    kept.states.set(scenario, state)
    for (const oldest of kept.states.keys()) {
      if (kept.states.size <= WORLDS_KEPT) break
      this.drop(session, oldest)
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

function scenarioEntry({ scenario, session }: SavedScenario): Entry {
  return { saved: { ...scenario }, by: session }
}

function positionEntry(of: number, position: string | undefined): Entry[] {
  return position === undefined ? [] : [{ of, position: JSON.parse(position) as WorldPosition }]
}
