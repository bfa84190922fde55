import type { MockCore } from '../../../engine/mock/core.js'
import { type Entry, headerLine, textsOf } from '../../../engine/persistence/format.js'
import { type CommitLog, KeptSessions } from '../../../engine/persistence/kept-sessions.js'
import { type Replayed, readHeader, replay } from '../../../engine/persistence/replay.js'
import { EVENTS_KEPT } from '../../../service/store/event-log.js'
import { createClock } from '../../../support/clock.js'
import { reasonOf } from '../../../support/errors.js'
import { none } from '../../../support/freeze.js'
import { createIds } from '../../../support/ids.js'
import { readStored, writeStored } from './page-storage.js'

/** Tabs whose logs stay, besides those that are open: the newest ones. */
export const TABS_KEPT = 20

/** Characters of outdated lines from which on the log is written anew, if they are at least half of it. */
const WORTH_COMPACTING = 1024 * 1024

/** Milliseconds that a page waits for the one before it in the tab to be gone. */
const HANDOVER = 1000

/** What a page keeps, until it is stopped. */
export interface PageKeeping {
  stop(): void
}

/**
 * Goes on with what was done in this tab, and keeps what is done from now on. What can't be read is dropped, and what can't
 * be stored is not kept, each with a line in the console.
 */
export async function keepInTab(core: MockCore): Promise<PageKeeping | undefined> {
  try {
    const database = await openDatabase()
    const { tab, release } = await ownTab()
    const keeper = new PageKeeper(core, new PageLog(database, tab))
    await keeper.begin()
    await dropOldTabs(database, tab)
    const settle = () => keeper.settle()
    addEventListener('pagehide', settle)
    const stop = () => {
      settle()
      removeEventListener('pagehide', settle)
      release()
    }
    return { stop }
  } catch (error) {
    warn(`What is done in this page doesn't outlive a reload: ${reasonOf(error)}`)
    return undefined
  }
}

/** Keeps the sessions of a page. Clocks, rules, histories and worlds that started again are noted before a change is answered. */
class PageKeeper extends KeptSessions {
  readonly #core: MockCore
  readonly #log: PageLog

  constructor(core: MockCore, log: PageLog) {
    super(log, { outlivesRestarts: false, eventsKept: EVENTS_KEPT })
    this.#core = core
    this.#log = log
  }

  async begin(): Promise<void> {
    const kept = await this.#log.read()
    if (kept !== undefined) this.adopt(kept)
    for (const reason of kept?.dropped ?? none) warn(`What can't be read of this tab is dropped: ${reason}`)
    this.#core.keepWith(this)
    this.#log.compact(() => this.entries())
  }

  override durable(): Promise<void> | undefined {
    this.settle()
    return super.durable()
  }

  settle(): void {
    for (const session of this.#core.sessions.all()) this.keepAll(session)
  }
}

/** Keeps a log in the rows of a tab. Each write is a transaction, in the order in which they are made. */
class PageLog implements CommitLog {
  readonly #database: IDBDatabase
  readonly #tab: string
  #rows = 0
  #characters = 0
  #compacted = 0
  #everything: () => readonly Entry[] = () => []
  #saving: Promise<void> | undefined
  #isBroken = false

  constructor(database: IDBDatabase, tab: string) {
    this.#database = database
    this.#tab = tab
  }

  /** What the tab has kept. Undefined if that is nothing, or can't be read. */
  async read(): Promise<Replayed | undefined> {
    const rows: unknown[] = await resultOf(storeIn(this.#database, 'readonly').getAll(rowsOf(this.#tab)))
    this.#rows = rows.length
    if (rows.length === 0) return undefined
    try {
      const bytes = new TextEncoder().encode(rows.join(''))
      const header = readHeader(bytes)
      if (header === undefined) throw new Error('line 1 is not the header of a log')
      return replay(bytes, header)
    } catch (error) {
      warn(`What was done in this tab before can't be read, so it starts over: ${reasonOf(error)}`)
      return undefined
    }
  }

  add(entries: readonly Entry[]): void {
    if (this.#characters > Math.max(WORTH_COMPACTING, 2 * this.#compacted)) this.compact()
    const text = [...textsOf(entries)].join('')
    this.#characters += text.length
    this.#write((store) => store.put(text, [this.#tab, this.#rows++]))
  }

  /** Writes only what counts. */
  compact(everything = this.#everything): void {
    this.#everything = everything
    const text = headerLine() + [...textsOf(everything())].join('')
    this.#characters = text.length
    this.#compacted = text.length
    this.#write((store) => {
      store.delete(rowsOf(this.#tab))
      store.put(text, [this.#tab, this.#rows++])
    })
  }

  durable(): Promise<void> | undefined {
    return this.#saving
  }

  #write(change: (store: IDBObjectStore) => void): void {
    if (this.#isBroken) return
    try {
      const store = storeIn(this.#database, 'readwrite')
      change(store)
      const saving = endOf(store.transaction)
        .catch((error: unknown) => this.#giveUp(error))
        .then(() => {
          if (this.#saving === saving) this.#saving = undefined
        })
      this.#saving = saving
      store.transaction.commit()
    } catch (error) {
      this.#giveUp(error)
    }
  }

  /** Keeps nothing any more, so that no reload brings back the half of what was done. */
  #giveUp(error: unknown): void {
    if (this.#isBroken) return
    this.#isBroken = true
    warn(`What is done in this page doesn't outlive a reload any more: ${reasonOf(error)}`)
    storeIn(this.#database, 'readwrite').delete(rowsOf(this.#tab))
  }
}

const STORE = 'log'

async function openDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open('flagdouble', 1)
  request.onupgradeneeded = () => request.result.createObjectStore(STORE)
  return resultOf(request)
}

function storeIn(database: IDBDatabase, mode: IDBTransactionMode): IDBObjectStore {
  return database.transaction(STORE, mode).objectStore(STORE)
}

function rowsOf(tab: string): IDBKeyRange {
  return IDBKeyRange.bound([tab, 0], [tab, Number.POSITIVE_INFINITY])
}

function resultOf<Result>(request: IDBRequest<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

function endOf(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error)
  })
}

/** A frame has a log of its own, though it shares the storage of its tab. */
const keyOfPage = () => (window.top === window ? 'flagdouble:tab' : 'flagdouble:frame')

interface Tab {
  tab: string
  /** Lets another page have it. */
  release: () => void
}

/** The name of this tab, by which it finds its log again. Names sort by age. */
async function ownTab(): Promise<Tab> {
  const key = keyOfPage()
  const known = readStored(key)
  const release = known === undefined ? undefined : await lock(known)
  if (known !== undefined && release !== undefined) return { tab: known, release }
  const tab = createIds().ulid(createClock().epoch())
  writeStored(key, tab)
  return { tab, release: (await lock(tab)) ?? (() => undefined) }
}

/** Takes a tab for this page. Undefined if another page has it: a duplicated tab takes along what the first one stored. */
function lock(tab: string): Promise<(() => void) | undefined> {
  return new Promise((resolve) => {
    const held = () => new Promise<void>((release) => resolve(release))
    navigator.locks
      .request(lockOf(tab), { signal: AbortSignal.timeout(HANDOVER) }, held)
      .catch(() => resolve(undefined))
  })
}

function lockOf(tab: string): string {
  return `flagdouble:${tab}`
}

async function dropOldTabs(database: IDBDatabase, own: string): Promise<void> {
  const keys = await resultOf(storeIn(database, 'readonly').getAllKeys())
  const tabs = [...new Set(keys.map((key) => String(Array.isArray(key) ? key[0] : key)))].toSorted()
  const { held = [] } = await navigator.locks.query()
  const open = held.map(({ name }) => name)
  const old = tabs.filter((tab) => tab !== own && !open.includes(lockOf(tab))).slice(0, -TABS_KEPT)
  for (const tab of old) storeIn(database, 'readwrite').delete(rowsOf(tab))
}

function warn(message: string): void {
  // biome-ignore lint/suspicious/noConsole: the console is where people look
  console.warn(`[flagdouble] ${message}`)
}
