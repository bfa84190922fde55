import type { ForceRule } from '../../../scenarios/force-rule.js'
import type { JournalEntry } from '../../../sessions/journal-entry.js'
import type { Duration } from '../../../support/calendar.js'
import {
  ControlError,
  call,
  dropScenarioCookie,
  followEvents,
  type PanelView,
  saveFile,
  scenarioCookie,
} from './api.js'
import { emptyState, type PanelState, type RuleDraft } from './panel-state.js'
import { readAll, readBrief } from './read.js'

/** Journal entries that the page keeps. */
const ENTRIES_KEPT = 1000

/** Milliseconds to collect changes before reading again. */
const GATHER = 150

/** Milliseconds that a success message stays. */
const MESSAGE_SHOWN = 6000

/** The panel's state and actions. The parts of the page read the state and call the methods. */
export class Panel {
  state: PanelState = emptyState
  readonly #listeners = new Set<() => void>()
  #following = new AbortController()
  #reading: Promise<void> | undefined
  #wanted: 'brief' | 'all' | undefined
  /** Requests that arrived since the last read began. */
  #arrived: JournalEntry[] = []
  #timer: ReturnType<typeof setTimeout> | undefined

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Opens a session and one of its worlds, and follows their events. */
  open(view: PanelView): void {
    this.#following.abort()
    this.#following = new AbortController()
    const { signal } = this.#following
    this.#set({ view, entries: [], data: undefined, connection: 'connecting' })
    const handlers = {
      opened: () => {
        this.#set({ message: undefined })
        void this.#attempt(async () => {
          await this.#read('all')
          // Not before: once "Live" is shown, people act on what they see.
          if (!signal.aborted) this.#set({ connection: 'open' })
        })
      },
      event: (name: string, data: unknown) => this.#receive(name, data),
      lost: () => this.#set({ connection: 'lost' }),
    }
    void followEvents(view, handlers, signal)
  }

  /** Reads everything again, to catch changes that send no event. */
  refresh(): Promise<boolean> {
    return this.#attempt(() => this.#read('all'))
  }

  switchTo(name: string): Promise<boolean> {
    return this.#do(`Switched to ${name}.`, 'PUT', 'scenario', { names: name.split(',') })
  }

  reset(): Promise<boolean> {
    return this.#do('Reset: data, clock and journal.', 'POST', 'reset')
  }

  clearJournal(): Promise<boolean> {
    return this.#do('Journal cleared.', 'DELETE', 'requests')
  }

  /** Saves the journal as an HTTP Archive. */
  downloadJournal(): Promise<boolean> {
    return this.#attempt(async () => {
      saveFile('flagdouble.har', await call<object>(this.state.view, 'GET', 'requests?format=har'))
    })
  }

  setClock(now: string, frozen = true): Promise<boolean> {
    return this.#do(frozen ? 'Clock frozen.' : 'Clock running.', 'PUT', 'clock', { now, frozen })
  }

  advanceClock(duration: Exclude<Duration, number>): Promise<boolean> {
    return this.#do('Clock advanced.', 'POST', 'clock/advance', duration)
  }

  releaseClock(): Promise<boolean> {
    return this.#do('Clock back to real time.', 'DELETE', 'clock')
  }

  force(rule: ForceRule): Promise<boolean> {
    return this.#do('Answer forced.', 'POST', 'forced', rule)
  }

  unforce(id: string): Promise<boolean> {
    return this.#do('Forced answer removed.', 'DELETE', `forced/${encodeURIComponent(id)}`)
  }

  clearForced(): Promise<boolean> {
    return this.#do('All forced answers removed.', 'DELETE', 'forced')
  }

  /** What the form for forced answers starts with the next time it opens. */
  draftRule(draft: RuleDraft): void {
    this.#set({ draft })
  }

  /** Replaces the data with a snapshot (PUT), or adds to it (PATCH). Resolves to whether that worked. */
  loadState(method: 'PUT' | 'PATCH', json: string): Promise<boolean> {
    return this.#do(method === 'PUT' ? 'Snapshot loaded.' : 'Records added.', method, 'state', json)
  }

  dropCookie(): void {
    dropScenarioCookie()
    this.#set({ cookie: scenarioCookie() })
    this.say('Cookie removed.')
  }

  /** Shows a message. Failures stay until dismissed. */
  say(text: string, failed = false, hint = ''): void {
    const message = { failed, text, hint }
    this.#set({ message })
    if (!failed) setTimeout(() => this.state.message === message && this.dismiss(), MESSAGE_SHOWN)
  }

  dismiss(): void {
    this.#set({ message: undefined })
  }

  async #do(done: string, method: string, path: string, body?: unknown): Promise<boolean> {
    return this.#attempt(async () => {
      await call(this.state.view, method, path, body)
      this.say(done)
      await this.#read('all')
    })
  }

  /** Resolves to whether the action worked; a failure becomes a message. */
  async #attempt(action: () => Promise<void>): Promise<boolean> {
    try {
      await action()
      return true
    } catch (error) {
      this.say(
        error instanceof Error ? error.message : String(error),
        true,
        error instanceof ControlError ? error.hint : '',
      )
      return false
    }
  }

  #receive(name: string, data: unknown): void {
    const entry = name === 'request' ? (data as JournalEntry) : undefined
    if (entry !== undefined) {
      this.#arrived.push(entry)
      this.#set({ entries: merged(this.state.entries, [entry]) })
    }
    // A GET changes no data, and a snapshot of many features is large.
    if (entry?.method !== 'GET') this.#wanted = 'all'
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      void this.#attempt(() => this.#read('brief'))
    }, GATHER)
  }

  /** Reads again, one read at a time, so that newer data is never replaced by older. */
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
      // The journal just read may lack requests that arrived meanwhile.
      this.#set({ ...known, entries: merged(known.entries ?? this.state.entries, this.#arrived) })
    }
  }

  #set(change: Partial<PanelState>): void {
    this.state = { ...this.state, ...change }
    for (const listener of this.#listeners) listener()
  }
}

/** Both lists without duplicates, ordered by id; the newest are kept. */
function merged(entries: readonly JournalEntry[], others: readonly JournalEntry[]): JournalEntry[] {
  const all = new Map([...entries, ...others].map((entry) => [entry.id, entry]))
  return [...all.values()].sort((a, b) => a.id - b.id).slice(-ENTRIES_KEPT)
}
