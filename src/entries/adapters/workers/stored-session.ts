import type { MockCore } from '../../../engine/mock/core.js'
import type { Entry } from '../../../engine/persistence/format.js'
import { KeptSessions } from '../../../engine/persistence/kept-sessions.js'
import type { Replayed } from '../../../engine/persistence/replay.js'
import type { JournalEntry } from '../../../engine/sessions/journal-entry.js'
import type { Session } from '../../../engine/sessions/session.js'
import type { World } from '../../../engine/sessions/world.js'
import { version } from '../../../version.js'
import { ObjectLog, unreadable } from './object-log.js'
import type { ObjectStorage } from './platform.js'

/** Events of a world that stay when its log is compacted. */
const EVENTS_STORED = 2000

/** Characters of an entry of the journal that are stored. Of a longer one the bodies are not. */
const ENTRY_KEPT = 16_000

const TOO_LONG = '… (too long to be stored)'

/**
 * A session that goes on with what is stored. A commit is stored before it becomes visible, everything else at the end of
 * each request. The runtime holds a response back until it is on disk.
 */
export class StoredSession {
  readonly #session: Session
  readonly #log: ObjectLog
  readonly #kept: KeptSessions
  /** The newest entry of the journal that was stored. */
  #lastEntry = 0
  #hasEntries = false

  /** Throws `STATE_UNREADABLE`. */
  constructor(name: string, core: MockCore, storage: ObjectStorage, limit: number) {
    const everything = (except?: number) => [...this.#kept.entries(except), ...this.#journalLines()]
    this.#log = new ObjectLog(storage, { limit, everything })
    this.#kept = new KeptSessions(this.#log, { outlivesRestarts: false, eventsKept: EVENTS_STORED })
    const stored = this.#read(name)
    core.keepWith(this.#kept)
    this.#session = core.sessions.open(name)
    if (stored === undefined) return
    const { entries, lastId } = stored.journal
    this.#session.journal.resume(entries, lastId)
    this.#lastEntry = lastId
    this.#hasEntries = entries.length > 0
    for (const reason of stored.dropped) {
      // biome-ignore lint/suspicious/noConsole: a worker's log is where its owner looks
      console.warn(`[flagdouble] What can't be read is dropped: ${reason}`)
    }
    if (stored.writtenBy !== version || stored.dropped.length > 0) this.#log.compact()
  }

  #read(name: string): Replayed | undefined {
    try {
      const stored = this.#log.read()
      if (stored !== undefined) this.#kept.adopt(stored)
      return stored
    } catch (error) {
      throw unreadable(name, error)
    }
  }

  /**
   * Stores what a request changed besides data. What can't be stored doesn't stay. Throws if a change of a clock or of
   * rules is lost by that: what was answered is not true then.
   */
  settle({ method }: Pick<Request, 'method'>): void {
    const isRead = method === 'GET' || method === 'HEAD' || method === 'OPTIONS'
    let lost: unknown
    for (const world of [...this.#session.openWorlds.values()]) {
      if (world.loading !== undefined) continue
      try {
        this.#kept.keep(this.#session.name, world)
      } catch (error) {
        this.#session.close(world, error)
        if (!isRead && this.#hasChanged(world, error)) lost ??= error
      }
    }
    try {
      this.#writeJournal()
    } catch {
      // It is written with the next request.
    }
    if (lost !== undefined) throw lost
  }

  /** Whether a world that was closed differs from the one that the next request gets. */
  #hasChanged(world: World, error: unknown): boolean {
    const next = this.#session.world(world.composition.names)
    this.#session.close(next, error)
    return JSON.stringify(settingsOf(world)) !== JSON.stringify(settingsOf(next))
  }

  #writeJournal(): void {
    const { journal } = this.#session
    const entries = journal.find({ since: this.#lastEntry })
    const oldest = journal.all()[0]?.id ?? journal.lastId + 1
    const isEmptied = this.#hasEntries && oldest > this.#lastEntry
    const lines: Entry[] = isEmptied ? [{ emptied: oldest - 1 }] : []
    lines.push(...entries.map(entryLine))
    if (lines.length === 0) return
    this.#log.add(lines)
    this.#lastEntry = journal.lastId
    this.#hasEntries = entries.length > 0 || !isEmptied
  }

  /** The entries that are stored already. */
  #journalLines(): Entry[] {
    if (!this.#hasEntries) return [{ emptied: this.#lastEntry }]
    return this.#session.journal
      .all()
      .filter(({ id }) => id <= this.#lastEntry)
      .map(entryLine)
  }
}

function settingsOf(world: World): unknown {
  const { clock, rules } = world.position()
  return [clock, rules]
}

function entryLine(entry: JournalEntry): Entry {
  if (JSON.stringify(entry).length <= ENTRY_KEPT) return { entry }
  return { entry: { ...entry, requestBody: TOO_LONG, responseBody: TOO_LONG } }
}
