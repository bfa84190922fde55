import type { HistoryEntry } from '../engine/sessions/history.js'
import type { JournalEntry } from '../engine/sessions/journal.js'
import { isObject, laidOut } from '../support/json.js'
import {
  CallError,
  CLIENT_HEADER,
  call,
  callText,
  followEvents,
  type MockEvent,
  type SentRequest,
  saveFile,
} from './api.js'
import type { Host, PanelPlace } from './host.js'
import {
  activeNames,
  emptyState,
  type ListedRule,
  type Notice,
  type PanelState,
  type RuleDraft,
  readCookies,
  readState,
  ruleOf,
  shownScenario,
  statesIn,
  titleOf,
} from './panel-state.js'
import { type Extent, ReadQueue } from './read-queue.js'

/** The maximum journal entries on the page. */
const ENTRIES_KEPT = 1000

/** How long a message stays in milliseconds, unless it reports a failure. */
const MESSAGE_SHOWN = 5000

/** A call that reverts an action, with the label of its button. */
interface Offer extends SentRequest {
  label: string
  place: PanelPlace
}

const HELD = new CallError(
  "A proxy is buffering the mock's events.",
  'Turn off compression and buffering for /__mock/events, or reload the page to see the changes.',
)

/** The panel's state and actions. The parts of the page read the state and call the methods. */
export class Panel {
  state: PanelState = emptyState
  readonly host: Host
  #draw: (state: PanelState) => void = () => {}
  #unfollow = () => {}
  #following: AbortController | undefined
  readonly #reads = new ReadQueue((extent) => this.#update(extent))
  /** Requests that arrived after the last read began. */
  #arrived: JournalEntry[] = []
  /** Requests that the mock's journal no longer has, but that the panel still shows. */
  #cleared: readonly JournalEntry[] = []
  /** Whether it has checked this browser's cookies. */
  #hasLooked = false

  constructor(host: Host) {
    this.host = host
    this.open()
  }

  /** Draws its state, now and after each change. */
  show(draw: (state: PanelState) => void): void {
    this.#draw = draw
    draw(this.state)
  }

  /** Follows the mock; works again after `close`. */
  open(): void {
    this.#unfollow = this.host.place.follow(() => this.#arrive())
    this.#arrive()
  }

  /** Stops following the mock, but keeps showing its state. */
  close(): void {
    this.#following?.abort()
    this.#following = undefined
    this.#unfollow()
    this.#reads.stop()
  }

  /** Goes to a part, a session or other scenarios. */
  go(change: Partial<PanelPlace>): void {
    const place = { ...this.state.place, ...change }
    this.host.place.write(place)
    this.#arrive()
  }

  /** Follows the session and the scenarios of the place. */
  #arrive(): void {
    const { place: before, connection } = this.state
    const place = this.host.place.read()
    this.#set({ place })
    const isThere = place.session === before.session && place.world === before.world
    if (!isThere) this.#set({ entries: [], data: undefined, rules: [], logins: [], draft: emptyState.draft })
    if (!isThere || this.#following === undefined) this.#follow()
    else if (place.part !== before.part && connection === 'open') void this.refresh()
  }

  #follow(): void {
    this.#following?.abort()
    this.#following = new AbortController()
    const { signal } = this.#following
    this.#cleared = []
    this.#set({ connection: 'connecting' })
    const handlers = {
      opened: () => {
        if (this.state.message?.failed) this.dismiss()
        void this.#attempt(async () => {
          await this.#read('all')
          // Not earlier: once the panel shows "Live", users act on its contents.
          if (!signal.aborted) this.#set({ connection: 'open' })
          this.#lookWhereCookiesLead()
        })
      },
      held: () => {
        void this.#attempt(async () => {
          await this.#read('all')
          if (!signal.aborted && this.state.connection !== 'open') this.#set({ connection: 'lost', refusal: HELD })
        })
      },
      event: (event: MockEvent) => {
        if (!signal.aborted) this.#receive(event)
      },
      lost: (refusal: CallError | undefined) => this.#set({ connection: 'lost', refusal }),
    }
    void followEvents(this.host, this.state.place, handlers, signal)
  }

  /** After a QA link, shows the link's scenario once, so that users can look elsewhere. */
  #lookWhereCookiesLead(): void {
    const { cookies, place, scenarios } = this.state
    const isKnown = cookies.scenario.split(',').every((name) => scenarios.some((one) => one.name === name))
    const leads = isKnown && place.world === '' && place.session === cookies.session
    if (!this.#hasLooked && leads) this.go({ world: cookies.scenario })
    this.#hasLooked = true
  }

  /** Reads everything again, because some changes send no event. */
  refresh(): Promise<boolean> {
    return this.#attempt(() => this.#read('all'))
  }

  /** Switches to scenarios, unless they are current. */
  async switchTo(names: readonly string[]): Promise<void> {
    const isThere = names.join(',') === activeNames(this.state) && this.host.addressFault?.() === undefined
    if (isThere) return this.go({ world: '' })
    const place = { ...this.state.place, world: '' }
    await this.#attempt(async () => {
      await this.call('PUT', 'scenario', { names })
      await this.#read('all')
      const undo = { label: 'Switch back', place, method: 'POST', path: 'history/undo' }
      this.#offer(`Switched to “${titleOf(this.state, names.join(','))}”.`, undo, () => this.say('Switched back.'))
    })
  }

  /** Tells SDKs exactly these states of flags, such as `new-checkout:off`. It starts nothing. */
  async tellFlags(names: readonly string[]): Promise<void> {
    await this.#attempt(async () => {
      await this.call('PUT', 'scenario', { flags: Object.fromEntries(statesIn(names.join(','))) })
      await this.#read('all')
    })
  }

  /** Empties the journal. Undo shows the panel's own copy again, since the mock no longer has it. */
  clearJournal(): Promise<boolean> {
    const cleared = this.state.entries
    const run = () => {
      this.#cleared = cleared
      void this.refresh()
      this.say('The requests are shown again, in this panel only.')
    }
    return this.#attempt(async () => {
      await this.call('DELETE', 'requests')
      this.#cleared = []
      await this.#read('all')
      this.say('The requests are cleared.', { action: { label: 'Undo', run } })
    })
  }

  /** Copies a text, or shows it if the browser doesn't let pages copy: without HTTPS, or too long after a click. */
  async copy(text: string, what: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(text)
      this.say(`Copied: ${what}.`)
    } catch {
      this.say("This browser doesn't allow copying here.", { failed: true, hint: `Copy it manually:\n${text}` })
    }
  }

  /** Copies a journaled request as a test or a curl command. */
  copyAs(format: 'vitest' | 'curl', { id, method, path }: JournalEntry): Promise<boolean> {
    return this.#attempt(async () => {
      const sent = { method: 'GET', path: `requests?format=${format}&ids=${id}` }
      const what = format === 'curl' ? '' : 'a test of '
      await this.copy(await callText(this.host, this.state.place, sent), `${what}${method} ${path}`)
    })
  }

  /** Starts the session over. Undo restores it from the history, including the scenario. */
  startOver(): Promise<boolean> {
    const { place } = this.state
    const step = (where: string) => ({ place, method: 'POST', path: `history/${where}` })
    const done = 'Started over: data, rules and clock are reset, and the list of requests is empty.'
    return this.#attempt(async () => {
      await this.call('POST', 'reset?logins=keep')
      await this.#read('all')
      this.#offer(done, { label: 'Undo', ...step('undo') }, () => {
        const undone = 'Data, rules, clock and scenario are back. The requests stay cleared.'
        this.#offer(undone, { label: 'Redo', ...step('redo') }, () => this.say(done))
      })
    })
  }

  /** Removes something outside of the history: the logins of a user, or a saved scenario. */
  remove(path: string, done: string): Promise<boolean> {
    return this.#attempt(async () => {
      await this.call('DELETE', path)
      await this.#read('all')
      this.say(done)
    })
  }

  /** Adds a scenario file to the scenarios. Loads any other file into the data, by the given method. */
  async importFile(file: File, how = 'PATCH'): Promise<boolean> {
    const text = await file.text()
    const { name, title, promise } = fieldsIn(text)
    return this.#attempt(async () => {
      if (typeof name !== 'string' || promise === undefined) return this.#do(() => this.call(how, 'state', text))
      await this.call('PUT', `scenarios/${encodeURIComponent(name)}`, text)
      await this.#read('all')
      const action = { label: 'Switch to it', run: () => void this.switchTo([name]) }
      this.say(`Added the scenario “${title}”.`, { action })
    }, file.name)
  }

  /** Saves the response to a control call as a file. */
  download(path: string, file: string): Promise<boolean> {
    return this.#attempt(async () => saveFile(file, laidOut(await this.call('GET', path))))
  }

  /**
   * Saves the shown state as a scenario, and copies the link that opens it; if the mock has no address, downloads its
   * file. Undo removes it. Resolves to whether it succeeded.
   */
  saveScenario({ name = '', title = '', promise = '' }: Readonly<Record<string, string>>): Promise<boolean> {
    const { place } = this.state
    const path = `scenarios/${encodeURIComponent(name)}`
    return this.#attempt(async () => {
      const from = titleOf(this.state, shownScenario(this.state))
      await this.call('POST', 'scenarios', { name, title, promise: promise || `Saved from ${from}.` })
      await this.#read('all')
      const link = this.host.links && this.host.scenarioLink?.(name, this.state.situation.app)
      if (link === undefined) saveFile(`${name}.json`, laidOut(await this.call('GET', path)))
      else await navigator.clipboard?.writeText(link).catch(() => undefined)
      const how = link === undefined ? 'Its file was downloaded.' : `Its link was copied: ${link}`
      this.#offer(`Saved as “${title}”. ${how}`, { label: 'Undo', place, method: 'DELETE', path }, () =>
        this.say(`Removed the scenario ${name}.`),
      )
    })
  }

  /** Makes the data of the shown scenario the start of all sessions. Resolves to whether it succeeded. */
  takeStart(): Promise<boolean> {
    return this.#setStart('POST', 'All sessions start with this data.')
  }

  /** Returns all sessions to the start of the files. Resolves to whether it succeeded. */
  leaveStart(): Promise<boolean> {
    return this.#setStart('DELETE', 'All sessions start with the files.')
  }

  #setStart(method: string, done: string): Promise<boolean> {
    return this.#attempt(async () => {
      await this.call(method, 'start')
      await this.#read('all')
      this.say(done)
    })
  }

  /** Starts the count of a rule again. */
  arm(rule: ListedRule): Promise<boolean> {
    return this.act('PUT', `forced/${rule.id}`, ruleOf(rule))
  }

  /** Opens the rule form with some fields filled in. */
  draftRule(rule: RuleDraft['rule'], id?: string): void {
    this.#set({ draft: { at: this.state.draft.at + 1, rule, id } })
    this.go({ part: 'rules' })
  }

  /**
   * Sends an Unleash operation as an administrator, so that its rules apply and the journal records it. Resolves to the
   * reason for a rejection.
   */
  async operate(method: string, path: string, body?: unknown): Promise<CallError | undefined> {
    const { place } = this.state
    const headers = { authorization: this.#key(), [CLIENT_HEADER]: 'panel' }
    try {
      await this.#do(() => call(this.host, place, { method, path: `..${path}`, body, headers, credentials: 'omit' }))
      return undefined
    } catch (error) {
      return error instanceof CallError ? error : new CallError(String(error))
    }
  }

  /** Signs this browser in to the app as a user of the data. */
  signIn(user: number, name: string): Promise<boolean> {
    return this.#attempt(async () => {
      await this.call('POST', 'login', { user })
      await this.#read('all')
      this.say(`Signed in as ${name}. Reload the app to see it as this user.`)
    })
  }

  /** The API token of an administrator. */
  #key(): string {
    const { keys, data } = this.state
    const key =
      keys.find(({ allows }) => allows.startsWith('everything')) ??
      keys.find(({ allows }) => allows.startsWith('Admin:'))
    if (key !== undefined) return key.authorization
    throw new CallError(
      data === undefined ? 'The data is still loading.' : 'This data has no admin API token.',
      'Add one under "Settings": {"apiTokens":[{"secret":"*:*.mock-admin"}]}.',
    )
  }

  /** Undoes the last step, whoever made it, or redoes it. */
  step(where: 'undo' | 'redo'): Promise<boolean> {
    return this.#attempt(async () => {
      const before = await this.#moment()
      const history = await this.call<HistoryEntry[]>('POST', `history/${where}`)
      await this.#read('all')
      const now = currentOf(history)
      if (now?.id === before?.id) return this.say(`There is nothing to ${where}.`)
      const [done, label, opposite] =
        where === 'undo'
          ? ([`Undone: ${before?.title}`, 'Redo', 'redo'] as const)
          : ([`Redone: ${now?.title}`, 'Undo', 'undo'] as const)
      this.say(`${done}.`, { action: { label, run: () => void this.step(opposite) } })
    })
  }

  /** The current history entry. */
  async #moment(): Promise<HistoryEntry | undefined> {
    return currentOf(await this.call<HistoryEntry[]>('GET', 'history'))
  }

  /** Removes this browser's cookies for a scenario or a session. */
  dropCookies(): void {
    for (const name of ['mock-scenario', 'mock-session']) this.host.cookies?.drop(name)
    this.#set({ cookies: readCookies(this.host) })
    this.go({ world: '' })
    this.say('The cookie was removed: this browser is in the shared session.')
  }

  /** Shows a message. Failures stay until dismissed. */
  say(text: string, { failed = false, hint = '', action }: Partial<Omit<Notice, 'text'>> = {}): void {
    const message = { failed, text, hint, action }
    this.#set({ message })
    if (!failed) setTimeout(() => this.state.message === message && this.dismiss(), MESSAGE_SHOWN)
  }

  dismiss(): void {
    this.#set({ message: undefined })
  }

  help(isHelping: boolean): void {
    this.#set({ isHelping })
  }

  /** Makes a control call in the shown session and scenarios. Rejects with a `CallError`. */
  call<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    return call<Answer>(this.host, this.state.place, { method, path, body })
  }

  /** Makes a control call as a step of the history. Resolves to whether it succeeded. */
  act(method: string, path: string, body?: unknown, done?: string): Promise<boolean> {
    return this.#attempt(() => this.#do(() => this.call(method, path, body), done))
  }

  /** Acts, and reports the action in the history's words or in the given words. Undo returns to the history entry before it. */
  async #do(action: () => Promise<unknown>, done?: string): Promise<void> {
    const { place } = this.state
    const before = await this.#moment()
    await action()
    // Users who read the message must also see the result.
    await this.#read('all')
    const now = currentOf(this.state.history)
    if (now === undefined || now.id === before?.id) return this.say('Nothing changed.')
    const title = done ?? now.title
    const to = (moment?: HistoryEntry) => ({ place, method: 'PUT', path: 'history', body: { at: moment?.id } })
    this.#offer(`${title}.`, { label: 'Undo', ...to(before) }, () =>
      this.#offer(`Undone: ${title}.`, { label: 'Redo', ...to(now) }, () => this.say(`Redone: ${title}.`)),
    )
  }

  /** Reports an action, and offers a call that reverts it, whatever the panel shows by then. */
  #offer(text: string, { label, place, ...sent }: Offer, then: () => void): void {
    const takeBack = async () => {
      await call(this.host, place, sent)
      await this.#read('all')
      then()
    }
    this.say(text, { action: { label, run: () => void this.#attempt(takeBack) } })
  }

  /** Resolves to whether the action succeeded; a failure becomes a message, about a file if it has a name. */
  async #attempt(action: () => Promise<void>, file?: string): Promise<boolean> {
    try {
      await action()
      return true
    } catch (error) {
      const hint = error instanceof CallError ? error.hint : ''
      const message = error instanceof Error ? error.message : String(error)
      this.say(file === undefined ? message : `${file}: ${message}`, { failed: true, hint })
      return false
    }
  }

  #receive({ name, data }: MockEvent): void {
    if (name === 'request') {
      this.#arrived.push(data)
      this.#set({ entries: merged(this.state.entries, [data]) })
    }
    if (name === 'scenario' && this.state.place.session === '') this.host.switched?.(data.names)
    // A GET changes no data, and a snapshot of many features is large.
    if (name !== 'request' || data.method !== 'GET') this.#reads.want('all')
    this.#reads.soon(() => void this.#attempt(() => this.#read('brief')))
  }

  #read(extent: Extent): Promise<void> {
    return this.#reads.now(extent)
  }

  async #update(extent: Extent): Promise<void> {
    const signal = this.#following?.signal
    this.#arrived = []
    const known = await readState(this.host, this.state, extent)
    // The user has chosen another session meanwhile: the panel reads it once it follows it.
    if (signal?.aborted) return
    // The journal can lack requests that arrived during the read.
    const entries = [...this.#cleared, ...(known.entries ?? this.state.entries)]
    this.#set({ ...known, entries: merged(entries, this.#arrived) })
  }

  #set(change: Partial<PanelState>): void {
    this.state = { ...this.state, ...change }
    this.#draw(this.state)
  }
}

/** The fields of a file. Empty if it isn't a JSON object: the mock reports the error. */
function fieldsIn(text: string): Record<string, unknown> {
  try {
    const given: unknown = JSON.parse(text)
    return isObject(given) ? given : {}
  } catch {
    return {}
  }
}

/** The current entry of a history. */
function currentOf(history: readonly HistoryEntry[]): HistoryEntry | undefined {
  return history.find(({ current }) => current)
}

/** Both lists without duplicates, ordered by ID; the newest entries stay. */
function merged(entries: readonly JournalEntry[], others: readonly JournalEntry[]): JournalEntry[] {
  const all = new Map([...entries, ...others].map((entry) => [entry.id, entry]))
  return [...all.values()].sort((a, b) => a.id - b.id).slice(-ENTRIES_KEPT)
}
