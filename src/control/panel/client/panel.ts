import type { ForceRule } from '../../../scenarios/force-rule.js'
import type { JournalEntry } from '../../../sessions/journal.js'
import type { Duration } from '../../../support/duration.js'
import { call, Refusal, type View } from './api.js'
import { dropScenarioCookie, scenarioCookie } from './cookie.js'
import { followEvents } from './event-stream.js'
import { emptyState, type PanelState } from './panel-state.js'
import { readAll, readBrief } from './read.js'

/** Entries of the journal that the page keeps. */
const ENTRIES_KEPT = 1000

/** Milliseconds in which what changed is gathered before it is read again. */
const GATHER = 150

/** Milliseconds that the panel says what was done. */
const MESSAGE_SHOWN = 6000

/** What the panel knows and does. The page's parts read its state and call its methods. */
export class Panel {
  state: PanelState = emptyState
  readonly #listeners = new Set<() => void>()
  #following = new AbortController()
  #reading: Promise<void> | undefined
  #wanted: 'brief' | 'all' | undefined
  /** Requests that came since the last reading began. */
  #arrived: JournalEntry[] = []
  #timer: ReturnType<typeof setTimeout> | undefined

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Looks at a session and a world in it, and follows what happens there. */
  look(view: View): void {
    this.#following.abort()
    this.#following = new AbortController()
    const { signal } = this.#following
    this.#set({ view, entries: [], data: undefined, connection: 'connecting' })
    const handlers = {
      opened: () => {
        this.#set({ message: undefined })
        void this.#attempt(async () => {
          await this.#read('all')
          // Not before: who reads "Live" may act on what is shown.
          if (!signal.aborted) this.#set({ connection: 'open' })
        })
      },
      event: (name: string, data: unknown) => this.#heard(name, data),
      lost: () => this.#set({ connection: 'lost' }),
    }
    void followEvents(view, handlers, signal)
  }

  /** Reads everything again, for what changed without a word. */
  refresh(): Promise<void> {
    return this.#attempt(() => this.#read('all'))
  }

  switchTo(name: string): Promise<void> {
    return this.#do(`Switched to ${name}. Its world starts afresh.`, 'PUT', 'scenario', { names: name.split(',') })
  }

  reset(): Promise<void> {
    return this.#do('Everything is as at the start.', 'POST', 'reset')
  }

  clearJournal(): Promise<void> {
    return this.#do('The journal is empty.', 'DELETE', 'requests')
  }

  setClock(now: string): Promise<void> {
    return this.#do('The clock stands still.', 'PUT', 'clock', { now })
  }

  advanceClock(duration: Exclude<Duration, number>): Promise<void> {
    return this.#do('The clock is advanced.', 'POST', 'clock/advance', duration)
  }

  releaseClock(): Promise<void> {
    return this.#do('The clock runs with the real time.', 'DELETE', 'clock')
  }

  force(rule: ForceRule): Promise<void> {
    return this.#do('The answer is forced.', 'POST', 'forced', rule)
  }

  unforce(id: string): Promise<void> {
    return this.#do('The forced answer is taken back.', 'DELETE', `forced/${encodeURIComponent(id)}`)
  }

  clearForced(): Promise<void> {
    return this.#do('All forced answers are taken back.', 'DELETE', 'forced')
  }

  /** Replaces the world by a snapshot (PUT), or adds to it (PATCH). */
  loadState(method: 'PUT' | 'PATCH', json: string): Promise<void> {
    return this.#do(method === 'PUT' ? 'The snapshot is loaded.' : 'The records are added.', method, 'state', json)
  }

  dropCookie(): void {
    dropScenarioCookie()
    this.#set({ cookie: scenarioCookie() })
    this.say('The cookie is taken off.')
  }

  /** Shows a message. What failed stays until it is dismissed. */
  say(text: string, failed = false, hint = ''): void {
    const message = { failed, text, hint }
    this.#set({ message })
    if (!failed) setTimeout(() => this.state.message === message && this.dismiss(), MESSAGE_SHOWN)
  }

  dismiss(): void {
    this.#set({ message: undefined })
  }

  async #do(done: string, method: string, path: string, body?: unknown): Promise<void> {
    await this.#attempt(async () => {
      await call(this.state.view, method, path, body)
      this.say(done)
      await this.#read('all')
    })
  }

  async #attempt(action: () => Promise<void>): Promise<void> {
    try {
      await action()
    } catch (error) {
      this.say(error instanceof Error ? error.message : String(error), true, error instanceof Refusal ? error.hint : '')
    }
  }

  #heard(name: string, data: unknown): void {
    const entry = name === 'request' ? (data as JournalEntry) : undefined
    if (entry !== undefined) {
      this.#arrived.push(entry)
      this.#set({ entries: merged(this.state.entries, [entry]) })
    }
    // A request that only reads leaves the data as they are, and a snapshot of many features is long.
    if (entry?.method !== 'GET') this.#wanted = 'all'
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      void this.#attempt(() => this.#read('brief'))
    }, GATHER)
  }

  /** Reads again, one reading after the other, so that what is shown is never older than what was. */
  #read(extent: 'brief' | 'all'): Promise<void> {
    this.#wanted = this.#wanted === 'all' ? 'all' : extent
    this.#reading ??= this.#readWanted().finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  async #readWanted(): Promise<void> {
    while (this.#wanted !== undefined) {
      const { view, operations } = this.state
      const all = this.#wanted === 'all'
      this.#wanted = undefined
      this.#arrived = []
      const known: Partial<PanelState> = all ? await readAll(view, operations) : await readBrief(view)
      if (view !== this.state.view) continue
      // Requests that came meanwhile may be missing in the journal that was read.
      this.#set({ ...known, entries: merged(known.entries ?? this.state.entries, this.#arrived) })
    }
  }

  #set(change: Partial<PanelState>): void {
    this.state = { ...this.state, ...change }
    for (const listener of this.#listeners) listener()
  }
}

/** The entries of both, each once, by their ids; the newest are kept. */
function merged(entries: readonly JournalEntry[], others: readonly JournalEntry[]): JournalEntry[] {
  const all = new Map([...entries, ...others].map((entry) => [entry.id, entry]))
  return [...all.values()].sort((a, b) => a.id - b.id).slice(-ENTRIES_KEPT)
}
