import type { KeyDescription } from '../engine/control/keys.js'
import type {
  OperationSummary,
  ProfileSummary,
  SessionStatus,
  SessionSummary,
  ToldFlag,
} from '../engine/control/rows.js'
import type { ClockState, SignedInUser } from '../engine/control/views.js'
import type { ScenarioState } from '../engine/scenarios/catalogue.js'
import type { ForceRule } from '../engine/scenarios/force-rule.js'
import type { FlagCoverage } from '../engine/sessions/flag-coverage.js'
import type { HistoryEntry } from '../engine/sessions/history.js'
import type { JournalEntry } from '../engine/sessions/journal.js'
import type { State } from '../engine/state/state.js'
import { realTime, startStopwatch } from '../support/clock.js'
import { percentDecodedOrRaw } from '../support/text.js'
import { type CallError, CLIENT_HEADER, call } from './api.js'
import type { Host, PanelPlace } from './host.js'

/** A rule with its ID, the number of matching requests and, if it can never apply, the reason. */
export type ListedRule = ForceRule & { id: string; seen: number; byScenario?: true; idle?: string }

/** The rule in the form of the control API. */
export function ruleOf({ id: _id, seen: _seen, byScenario: _by, idle: _idle, ...rule }: ListedRule): ForceRule {
  return rule
}

/** A reading of the clock. */
export interface ClockReading extends ClockState {
  /** The real milliseconds since the reading. */
  elapsed: () => number
}

/** The outcome of the last action. */
export interface Notice {
  failed: boolean
  text: string
  hint: string
  /** The offered action. Left out if there is none. */
  action?: { label: string; run(): void } | undefined
}

/** The initial contents of the rule form. With an ID, the form changes that rule. */
export interface RuleDraft {
  /** Counts up with each draft. */
  at: number
  id?: string | undefined
  /** An empty operation: none is chosen yet. */
  rule: Partial<Omit<ForceRule, 'operation'>> & { operation: string }
}

/** The panel's state before it has read anything. */
export const emptyState = {
  place: { part: '', session: '', world: '' } as PanelPlace,
  connection: 'connecting' as 'connecting' | 'open' | 'lost',
  /** The reason why the mock ended the event stream. Undefined if it is unreachable. */
  refusal: undefined as CallError | undefined,
  health: { version: '' },
  scenarios: [] as ScenarioState[],
  sessions: [] as SessionSummary[],
  situation: { names: [] } as SessionStatus,
  logins: [] as SignedInUser[],
  draft: { at: 0, rule: { operation: '' } } as RuleDraft,
  operations: [] as OperationSummary[],
  /** Oldest first. */
  entries: [] as JournalEntry[],
  data: undefined as State | undefined,
  clock: undefined as ClockReading | undefined,
  rules: [] as ListedRule[],
  keys: [] as KeyDescription[],
  coverage: [] as FlagCoverage[],
  profile: { name: 'documented', responds: '' } as ProfileSummary,
  /** The history entries, oldest first. */
  history: [] as HistoryEntry[],
  message: undefined as Notice | undefined,
  /** The scenarios and the session in this browser's cookies, or empty texts. */
  cookies: { scenario: '', session: '' },
  /** Whether the list of shortcuts is shown. */
  isHelping: false,
}

/** Everything that the panel shows. */
export type PanelState = Readonly<typeof emptyState>

/** The sessions, including the open session even before it exists. */
export function shownSessions({ sessions, place }: PanelState): SessionSummary[] {
  const isThere = sessions.some(({ name }) => name === place.session)
  return isThere ? sessions : [...sessions, { name: place.session, scenario: '…', worlds: [], requests: 0 }]
}

/** The current scenarios of the open session, comma-separated. */
export function activeNames({ sessions, place }: PanelState): string {
  return sessions.find(({ name }) => name === place.session)?.scenario ?? ''
}

/** The titles of comma-separated scenarios. */
export function titleOf({ scenarios }: PanelState, names: string): string {
  const titles = names
    .split(',')
    .map((name) => scenarios.find((one) => one.name === name)?.title ?? name.replace(':', ' '))
  return titles.join(' + ')
}

/** The names of scenarios in a comma-separated list that also names states of flags. */
export function scenariosIn(names: string): string[] {
  return names.split(',').filter((name) => name !== '' && !name.includes(':'))
}

/** The states in such a list, by their flags. */
export function statesIn(names: string): Map<string, string> {
  const states = names.split(',').map((name) => /^([^:]+):(.+)$/s.exec(name))
  const found = states.filter((match) => match !== null)
  return new Map(found.map(([, flag = '', state = '']) => [percentDecodedOrRaw(flag), percentDecodedOrRaw(state)]))
}

/** The shown scenarios and states of flags, comma-separated. */
export function shownScenario(state: PanelState): string {
  const { world } = state.place
  return scenariosIn(world).length > 0 || world === '' ? world || activeNames(state) : `${activeNames(state)},${world}`
}

/** The states of flags that SDKs are told: as shown, and on top of them those of this browser's link. */
export function toldFlags({ situation, cookies, place }: PanelState): ToldFlag[] {
  const told = new Map((situation.told ?? []).map((one) => [one.flag, one]))
  const inBrowser = statesIn(cookies.session === place.session ? cookies.scenario : '')
  for (const [flag, state] of inBrowser) told.set(flag, { flag, state, by: 'request' })
  return [...told.values()]
}

/** The rules that were added to the scenario's rules. */
export function addedRules({ rules }: PanelState): ListedRule[] {
  return rules.filter(({ byScenario }) => byScenario !== true)
}

/** Whether this panel sent the request. */
export function isOurs({ requestHeaders }: JournalEntry): boolean {
  return requestHeaders[CLIENT_HEADER] === 'panel'
}

/** The requests without those of the panel. */
export function fromApp(entries: readonly JournalEntry[]): JournalEntry[] {
  return entries.filter((entry) => !isOurs(entry))
}

/** Whether an SDK sent the request: a poll, metrics or a registration. */
export function isOfSdk({ operations }: PanelState, { operation }: JournalEntry): boolean {
  const path = operations.find(({ id }) => id === operation)?.path ?? ''
  return /^\/(?:api\/(?:client|frontend)|edge)(?:\/|$)/.test(path)
}

/** The last request that a user made, or the last failure: SDKs poll in between. The last of all if they sent all. */
export function lastOfUser(state: PanelState): JournalEntry | undefined {
  const entries = fromApp(state.entries)
  return entries.findLast((entry) => hasFailed(entry) || !isOfSdk(state, entry)) ?? entries.at(-1)
}

export function hasFailed({ status }: JournalEntry): boolean {
  return status === 0 || status >= 400
}

/** The maximum difference in milliseconds between a correct clock and this computer's. */
const TOLERANCE = 60_000

/** The milliseconds by which the scenario's clock is ahead of real time; negative if it is behind, 0 if it is correct. */
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

/** The parts of the state that any request can change, each with its control call. */
const changing = { sessions: 'sessions', clock: 'clock', rules: 'forced' }

/** The other parts, except for the operations, which never change and are read only once. */
const steady = {
  scenarios: 'scenarios',
  situation: 'scenario',
  logins: 'login',
  data: 'state',
  entries: 'requests',
  keys: 'keys',
  coverage: 'flag-coverage',
  profile: 'profile',
  history: 'history',
  health: 'health',
}

/** Reads the parts that any request can change, or everything. */
export async function readState(host: Host, state: PanelState, extent: 'brief' | 'all'): Promise<Partial<PanelState>> {
  const { place, operations } = state
  const isAll = extent === 'all'
  const once = operations.length === 0 ? { operations: 'operations' } : {}
  const read = async ([name, path]: [string, string]) => [name, await call(host, place, { method: 'GET', path })]
  const paths = isAll ? { ...changing, ...steady, ...once } : changing
  // The clock's response comes early, but the data can take long.
  const elapsed = startStopwatch()
  const answers = Object.fromEntries(await Promise.all(Object.entries(paths).map(read)))
  return { ...answers, clock: { ...answers.clock, elapsed }, ...(isAll && { cookies: readCookies(host) }) }
}

/** The scenarios and the session in this browser's cookies. */
export function readCookies({ cookies }: Host): PanelState['cookies'] {
  return { scenario: cookies?.read('mock-scenario') ?? '', session: cookies?.read('mock-session') ?? '' }
}
