import type { ForceRule } from '../../../scenarios/force-rule.js'
import type { HistoryEntry } from '../../../sessions/history.js'
import type { JournalEntry } from '../../../sessions/journal-entry.js'
import type { State } from '../../../state/state.js'
import { createClock } from '../../../support/clock.js'
import type { ScenarioState } from '../../control.js'
import type { KeyDescription } from '../../keys.js'
import type { OperationSummary, SessionSummary } from '../../rows.js'
import type { CallError } from './api.js'
import type { PanelPlace } from './host.js'

/** A force rule, with its id, how many requests matched it and, if it can never apply, why. */
export type ForcedRule = ForceRule & { id: string; seen: number; byScenario?: true; idle?: string }

/** The clock as it was when read. */
export interface ClockReading {
  now: string
  frozen: boolean
  /** Real milliseconds since then. */
  elapsed: () => number
}

/** The outcome of the last action. */
export interface Notice {
  failed: boolean
  text: string
  hint: string
  /** Takes back what was done. Left out where there is nothing to take back. */
  undo?: (() => void) | undefined
}

/** What the form for forced answers starts with. */
export interface RuleDraft {
  /** Empty: none is chosen yet. */
  operation: string
  status?: number | undefined
  /** Parameters of the path that the rule is limited to. */
  params?: Readonly<Record<string, string>> | undefined
}

/** Everything that the panel shows. */
export interface PanelState {
  place: PanelPlace
  connection: 'connecting' | 'open' | 'lost'
  /** Why the mock lets the panel follow it no longer. Left out if it doesn't answer. */
  refusal?: CallError | undefined
  version: string
  scenarios: ScenarioState[]
  sessions: SessionSummary[]
  operations: OperationSummary[]
  /** Oldest first. */
  entries: JournalEntry[]
  data: State | undefined
  clock: ClockReading | undefined
  forced: ForcedRule[]
  keys: KeyDescription[]
  /** The moments that the world can go back to, oldest first. */
  history: HistoryEntry[]
  message: Notice | undefined
  /** The scenarios and the session that this browser's cookies name, or empty strings. */
  cookies: { scenario: string; session: string }
  /** Whether the list of shortcuts is shown. */
  isHelping: boolean
}

export const emptyState: PanelState = {
  place: { part: '', session: '', world: '' },
  connection: 'connecting',
  version: '',
  scenarios: [],
  sessions: [],
  operations: [],
  entries: [],
  data: undefined,
  clock: undefined,
  forced: [],
  keys: [],
  history: [],
  message: undefined,
  cookies: { scenario: '', session: '' },
  isHelping: false,
}

/** The sessions, and the open one, which may not be there yet. */
export function shownSessions({ sessions, place }: PanelState): SessionSummary[] {
  const isThere = sessions.some(({ name }) => name === place.session)
  return isThere ? sessions : [...sessions, { name: place.session, scenario: '…', worlds: [], requests: 0 }]
}

/** The scenarios that the open session is switched to, joined by commas. */
export function switchedTo({ sessions, place }: PanelState): string {
  return sessions.find(({ name }) => name === place.session)?.scenario ?? ''
}

/** The scenarios of the open world, joined by commas. */
export function worldName(state: PanelState): string {
  return state.place.world || switchedTo(state)
}

/** The rules that were added to those of the scenario. */
export function addedRules({ forced }: PanelState): ForcedRule[] {
  return forced.filter(({ byScenario }) => byScenario !== true)
}

/** Milliseconds by which a clock may differ from this computer's and still count as right. */
const TOLERANCE = 60_000

/** Milliseconds by which the world's clock is ahead of real time; negative if it is behind, 0 if it is right. */
export function clockOffset(clock: ClockReading): number {
  const offset = worldTime(clock).getTime() - createClock().epoch()
  return Math.abs(offset) < TOLERANCE ? 0 : offset
}

/** The current time on the world's clock. */
export function worldTime({ now, frozen, elapsed }: ClockReading): Date {
  return new Date(Date.parse(now) + (frozen ? 0 : elapsed()))
}
