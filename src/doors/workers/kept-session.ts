import type { EventRecord } from '../../resources/instance/events/schema.js'
import type { Keeper } from '../../sessions/keeper.js'
import type { Session } from '../../sessions/session.js'
import { WORLDS_KEPT } from '../../sessions/session.js'
import type { KeptWorld, World } from '../../sessions/world.js'
import { converted } from '../../state/converted.js'
import type { Commit } from '../../store/commit.js'
import { version } from '../../version.js'
import type { Row, Rows } from './rows.js'
import { ABOUT_ROW, type Saved, savedBy, unreadable } from './saved-by.js'
import { StoredJournal } from './stored-journal.js'
import { type Lists, listsIn, listsOf, StoredWorld } from './stored-world.js'

const ACTIVE = { world: '', list: 'session', key: 'active', rank: 0 }

/**
 * Stores one session of a mock. A commit is stored before it becomes visible, everything else at the end of each request:
 * clocks, rules, ids, the journal, and which worlds there are. The runtime holds a response back until it is on disk.
 */
export class KeptSession implements Keeper {
  /** As without a keeper, a world that is restarted has the data of its scenario. */
  readonly outlivesRestarts = false
  readonly #name: string
  readonly #rows: Rows
  readonly #journal: StoredJournal
  readonly #worlds = new Map<string, StoredWorld>()
  /** Worlds that were open before, and that nobody has asked for since. */
  readonly #waiting = new Map<string, KeptWorld>()
  #active: readonly string[] | undefined
  #storedActive: string

  /** Goes on with what is stored. Throws `STATE_UNREADABLE`. */
  constructor(name: string, rows: Rows) {
    this.#name = name
    this.#rows = rows
    const stored = rows.read()
    const own = stored.get('') ?? []
    stored.delete('')
    let saved: Saved | undefined
    try {
      saved = savedBy(own)
      this.#journal = new StoredJournal(rows, own)
      this.#storedActive = own.find(({ key }) => key === ACTIVE.key)?.text ?? 'null'
      this.#active = (JSON.parse(this.#storedActive) as string[] | null) ?? undefined
      if (saved?.version === version) for (const [world, list] of stored) this.#resumeWorld(world, list)
      else if (saved !== undefined) this.#convert(stored, saved.version)
    } catch (error) {
      throw unreadable(name, saved?.version, error)
    }
  }

  sessions(): string[] {
    return [this.#name]
  }

  activeScenarios(session: string): readonly string[] | undefined {
    return session === this.#name ? this.#active : undefined
  }

  resume(session: string, scenario: string): KeptWorld | undefined {
    if (session !== this.#name) return undefined
    const kept = this.#waiting.get(scenario)
    this.#waiting.delete(scenario)
    return kept
  }

  committing(session: string, world: World, commit: Commit<EventRecord>): void {
    if (session !== this.#name) return
    this.#transact(world, () => {
      const stored = this.#follow(world)
      const written = commit.replacesAll ? this.#startOver(world, listsIn(commit)) : stored
      if (written === stored) stored.writeCommit(commit)
      written.writePosition(world.position())
    })
  }

  committed(): void {}

  switched(session: string, names: readonly string[] | undefined): void {
    if (session === this.#name) this.#active = names
  }

  forget(session: string): void {
    if (session !== this.#name) return
    this.#rows.transact(() => {
      for (const world of [...this.#worlds.keys(), ...this.#waiting.keys()]) this.#rows.removeWorld(world)
    })
    this.#worlds.clear()
    this.#waiting.clear()
  }

  durable(): undefined {}

  /** Hands the journal over to the session that goes on with it. */
  resumeJournal({ journal }: Session): void {
    this.#journal.resume(journal)
  }

  /** Stores what the last request changed besides data. Throws `TOO_MUCH_DATA`. */
  settle({ openWorlds, journal }: Session): void {
    for (const world of openWorlds.values()) this.#settleWorld(world)
    this.#rows.transact(() => {
      for (const name of this.#worlds.keys()) {
        const isLeft = this.#waiting.has(name) && this.#worlds.size <= WORLDS_KEPT
        if (!openWorlds.has(name) && !isLeft) this.#drop(name)
      }
      this.#journal.write(journal)
      const active = JSON.stringify(this.#active ?? null)
      if (active !== this.#storedActive) this.#rows.put({ ...ACTIVE, text: active })
      this.#storedActive = active
    })
  }

  #settleWorld(world: World): void {
    const stored = this.#worlds.get(world.name)
    const isStored = stored?.isCurrent({ data: world.data, position: world.position() })
    if (isStored || world.loading !== undefined) return
    try {
      this.#transact(world, () => this.#follow(world).writePosition(world.position()))
    } catch (error) {
      // Rules that can't be stored must not stay in force either.
      const before = stored?.position
      if (before === undefined) world.rules.clear()
      else world.rules.goTo(before.rules, world.composition.force)
      throw error
    }
  }

  /** Writes, or leaves everything as it was. */
  #transact(world: World, write: () => void): void {
    const stored = this.#worlds.get(world.name)
    try {
      this.#rows.transact(write)
    } catch (error) {
      if (stored === undefined) this.#worlds.delete(world.name)
      else this.#worlds.set(world.name, stored)
      throw error
    }
  }

  /** The rows of a world. A new world, and one that was restarted, is stored as it is now. */
  #follow({ name, data }: World): StoredWorld {
    const stored = this.#worlds.get(name)
    if (stored?.data === data) return stored
    return this.#startOver({ name, data }, listsOf(data))
  }

  #startOver({ name, data }: Pick<World, 'name' | 'data'>, lists: Lists): StoredWorld {
    this.#rows.put(ABOUT_ROW)
    const started = new StoredWorld(this.#rows, name, data)
    started.writeStart(lists)
    this.#worlds.set(name, started)
    this.#waiting.delete(name)
    return started
  }

  #drop(name: string): void {
    this.#rows.removeWorld(name)
    this.#worlds.delete(name)
    this.#waiting.delete(name)
  }

  #resumeWorld(name: string, rows: readonly Row[]): void {
    const stored = StoredWorld.resume(this.#rows, name, rows)
    this.#worlds.set(name, stored)
    this.#waiting.set(name, stored)
  }

  /** What another version saved is checked, completed and stored as this version's. */
  #convert(stored: ReadonlyMap<string, readonly Row[]>, saved: string): void {
    this.#rows.transact(() => {
      for (const [name, rows] of stored) {
        const { data, position } = StoredWorld.resume(this.#rows, name, rows)
        const current = converted(data, `The scenario "${name}", saved by flagdouble ${saved},`)
        const world = this.#startOver({ name, data: current }, listsOf(current))
        if (position !== undefined) world.writePosition(position)
        this.#waiting.set(name, world)
      }
    })
  }
}
