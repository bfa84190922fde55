import type { ForceRule } from '../../../scenarios/force-rule.js'
import type { JournalEntry } from '../../../sessions/journal.js'
import type { State } from '../../../store/state.js'
import { startStopwatch } from '../../../support/clock.js'
import type { Duration } from '../../../support/duration.js'
import type { ClockState } from '../../control.js'
import { call, Refusal, type View } from './api.js'
import { dropScenarioCookie, scenarioCookie } from './cookie.js'
import { followEvents } from './event-stream.js'
import { emptyState, type PanelState } from './panel-state.js'

/** Entries of the journal that the page keeps. */
const ENTRIES_KEPT = 1000

/** Milliseconds in which what changed is gathered before it is read again. */
const GATHER = 150

/** What the panel knows and does. The page's parts read its state and call its methods. */
export class Panel {
  state: PanelState = emptyState
  readonly #listeners = new Set<() => void>()
  #following = new AbortController()
  #dataChanged = false
  #timer: ReturnType<typeof setTimeout> | undefined

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Looks at a session and a world in it, and follows what happens there. */
  look(view: View): void {
    this.#following.abort()
    this.#following = new AbortController()
    this.#set({ view, entries: [], data: undefined, connection: 'connecting' })
    const handlers = {
      opened: () => {
        this.#set({ connection: 'open' })
        void this.#attempt(() => this.#readAll())
      },
      event: (name: string, data: unknown) => this.#heard(name, data),
      lost: () => this.#set({ connection: 'lost' }),
    }
    void followEvents(view, handlers, this.#following.signal)
  }

  /** Reads everything again, for what changed without a word. */
  refresh(): Promise<void> {
    return this.#attempt(() => this.#readAll())
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

  say(text: string, failed = false, hint = ''): void {
    this.#set({ message: { failed, text, hint } })
  }

  dismiss(): void {
    this.#set({ message: undefined })
  }

  async #do(done: string, method: string, path: string, body?: unknown): Promise<void> {
    await this.#attempt(async () => {
      await call(this.state.view, method, path, body)
      this.say(done)
      await this.#readAll()
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
      const others = this.state.entries.filter(({ id }) => id !== entry.id)
      this.#set({ entries: [...others, entry].slice(-ENTRIES_KEPT) })
    }
    // A request that only reads leaves the data as they are, and a snapshot of many features is long.
    if (entry?.method !== 'GET') this.#dataChanged = true
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      void this.#attempt(() => (this.#dataChanged ? this.#readAll() : this.#readBrief()))
    }, GATHER)
  }

  /** Reads everything that the panel shows. */
  async #readAll(): Promise<void> {
    this.#dataChanged = false
    const { view, operations } = this.state
    const [scenarios, data, entries, keys, known, health] = await Promise.all([
      call<PanelState['scenarios']>(view, 'GET', 'scenarios'),
      call<State>(view, 'GET', 'state'),
      call<PanelState['entries']>(view, 'GET', 'requests'),
      call<PanelState['keys']>(view, 'GET', 'keys'),
      operations.length > 0 ? operations : call<PanelState['operations']>(view, 'GET', 'operations'),
      call<{ version: string }>(view, 'GET', 'health'),
      this.#readBrief(),
    ])
    if (view !== this.state.view) return
    this.#set({ scenarios, data, keys, operations: known, version: health.version, cookie: scenarioCookie() })
    this.#set({ entries: entries.slice(-ENTRIES_KEPT) })
  }

  /** Reads what any request can change. */
  async #readBrief(): Promise<void> {
    const { view } = this.state
    const [sessions, clock, forced] = await Promise.all([
      call<PanelState['sessions']>(view, 'GET', 'sessions'),
      call<ClockState>(view, 'GET', 'clock'),
      call<PanelState['forced']>(view, 'GET', 'forced'),
    ])
    if (view === this.state.view) this.#set({ sessions, forced, clock: { ...clock, elapsed: startStopwatch() } })
  }

  #set(change: Partial<PanelState>): void {
    this.state = { ...this.state, ...change }
    for (const listener of this.#listeners) listener()
  }
}
