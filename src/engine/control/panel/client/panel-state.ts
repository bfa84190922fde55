import { realTime, startStopwatch } from '../../../../support/clock.js'
import type { ForceRule } from '../../../scenarios/force-rule.js'
import type { HistoryEntry } from '../../../sessions/history.js'
import type { JournalEntry } from '../../../sessions/journal.js'
import type { State } from '../../../state/state.js'
import type { ClockState, ScenarioState, SignedInUser } from '../../control.js'
import type { KeyDescription } from '../../keys.js'
import type { OperationSummary, SessionSummary, Situation } from '../../rows.js'
import { type CallError, CLIENT_HEADER, call } from './api.js'
import type { Host, PanelPlace } from './host.js'

/** A rule, with its id, how many requests matched it and, if it can never apply, why. */
export type ListedRule = ForceRule & { id: string; seen: number; byScenario?: true; idle?: string }

/** The clock as it was when read. */
export interface ClockReading extends ClockState {
  /** Real milliseconds since then. */
  elapsed: () => number
}

/** The outcome of the last action. */
export interface Notice {
  failed: boolean
  text: string
  hint: string
  /** What can be done about it. Left out where there is nothing. */
  action?: { label: string; run(): void } | undefined
}

/** What the form for a rule starts with. With an id, it changes that rule. */
export interface RuleDraft {
  /** Counts up with each draft. */
  at: number
  id?: string | undefined
  /** The operation is empty: none is chosen yet. */
  rule: Partial<Omit<ForceRule, 'operation'>> & { operation: string }
}

/** What the panel shows before anything was read. */
export const emptyState = {
  place: { part: '', session: '', world: '' } as PanelPlace,
  connection: 'connecting' as 'connecting' | 'open' | 'lost',
  /** Why the mock lets the panel follow it no longer. Undefined if it doesn't answer. */
  refusal: undefined as CallError | undefined,
  health: { version: '' },
  scenarios: [] as ScenarioState[],
  sessions: [] as SessionSummary[],
  situation: { names: [] } as Situation,
  logins: [] as SignedInUser[],
  draft: { at: 0, rule: { operation: '' } } as RuleDraft,
  operations: [] as OperationSummary[],
  /** Oldest first. */
  entries: [] as JournalEntry[],
  data: undefined as State | undefined,
  clock: undefined as ClockReading | undefined,
  rules: [] as ListedRule[],
  keys: [] as KeyDescription[],
  /** The moments that can be gone back to, oldest first. */
  history: [] as HistoryEntry[],
  message: undefined as Notice | undefined,
  /** The scenarios and the session that this browser's cookies name, or empty strings. */
  cookies: { scenario: '', session: '' },
  /** Whether the list of shortcuts is shown. */
  isHelping: false,
}

/** Everything that the panel shows. */
export type PanelState = Readonly<typeof emptyState>

/** The sessions, and the open one, which may not be there yet. */
export function shownSessions({ sessions, place }: PanelState): SessionSummary[] {
  const isThere = sessions.some(({ name }) => name === place.session)
  return isThere ? sessions : [...sessions, { name: place.session, scenario: '…', worlds: [], requests: 0 }]
}

/** The scenarios that the open session is switched to, joined by commas. */
export function switchedTo({ sessions, place }: PanelState): string {
  return sessions.find(({ name }) => name === place.session)?.scenario ?? ''
}

/** The titles of scenarios whose names are joined by commas. */
export function titleOf({ scenarios }: PanelState, names: string): string {
  const titles = names.split(',').map((name) => scenarios.find((one) => one.name === name)?.title ?? name)
  return titles.join(' + ')
}

/** The scenarios that are shown, joined by commas. */
export function shownScenario(state: PanelState): string {
  return state.place.world || switchedTo(state)
}

/** The rules that were added to those of the scenario. */
export function addedRules({ rules }: PanelState): ListedRule[] {
  return rules.filter(({ byScenario }) => byScenario !== true)
}

/** Whether this panel sent it. */
export function isOurs({ requestHeaders }: JournalEntry): boolean {
  return requestHeaders[CLIENT_HEADER] === 'panel'
}

/** Requests without those of the panel itself. */
export function fromApp(entries: readonly JournalEntry[]): JournalEntry[] {
  return entries.filter((entry) => !isOurs(entry))
}

/** Milliseconds by which a clock may differ from this computer's and still count as right. */
const TOLERANCE = 60_000

/** Milliseconds by which the scenario's clock is ahead of real time; negative if it is behind, 0 if it is right. */
export function clockOffset(clock: ClockReading): number {
  const offset = worldTime(clock).getTime() - realTime()
  return Math.abs(offset) < TOLERANCE ? 0 : offset
}

/** Whether a clock shows real time. */
export function isReal(clock: ClockReading): boolean {
  return !clock.frozen && clockOffset(clock) === 0
}

/** The current time on the scenario's clock. */
export function worldTime({ now, frozen, elapsed }: ClockReading): Date {
  return new Date(Date.parse(now) + (frozen ? 0 : elapsed()))
}

/** The parts of the state that any request may change, each with the control call that reads it. */
const changing = { sessions: 'sessions', clock: 'clock', rules: 'forced' }

/** The other parts, but for the operations: these are read only once, because they never change. */
const steady = {
  scenarios: 'scenarios',
  situation: 'scenario',
  logins: 'login',
  data: 'state',
  entries: 'requests',
  keys: 'keys',
  history: 'history',
  health: 'health',
}

/** Reads what any request may change, or everything that the panel shows. */
export async function readState(host: Host, state: PanelState, extent: 'brief' | 'all'): Promise<Partial<PanelState>> {
  const { place, operations } = state
  const isAll = extent === 'all'
  const once = operations.length === 0 ? { operations: 'operations' } : {}
  const read = async ([name, path]: [string, string]) => [name, await call(host, place, { method: 'GET', path })]
  const paths = isAll ? { ...changing, ...steady, ...once } : changing
  // Of all that is read, the clock comes soon and the data may take long.
  const elapsed = startStopwatch()
  const answers = Object.fromEntries(await Promise.all(Object.entries(paths).map(read)))
  return { ...answers, clock: { ...answers.clock, elapsed }, ...(isAll && { cookies: readCookies(host) }) }
}

/** What this browser's cookies name. */
export function readCookies({ cookies }: Host): PanelState['cookies'] {
  return { scenario: cookies?.read('mock-scenario') ?? '', session: cookies?.read('mock-session') ?? '' }
}
