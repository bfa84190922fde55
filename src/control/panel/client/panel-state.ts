import type { ForceRule } from '../../../scenarios/force-rule.js'
import type { JournalEntry } from '../../../sessions/journal.js'
import type { State } from '../../../state/state.js'
import type { ScenarioState } from '../../control.js'
import type { KeyDescription } from '../../keys.js'
import type { OperationSummary, SessionSummary } from '../../overview-rows.js'
import type { View } from './api.js'

/** A force rule, with its id and how often it was met. */
export type ForcedRule = ForceRule & { id: string; seen: number }

/** The clock of the world as it was read. */
export interface ClockReading {
  now: string
  frozen: boolean
  /** Real milliseconds since it was read. */
  elapsed: () => number
}

/** What the panel has to say about the last thing that was done. */
export interface Message {
  failed: boolean
  text: string
  hint: string
}

/** Everything that the panel shows. */
export interface PanelState {
  view: View
  connection: 'connecting' | 'open' | 'lost'
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
  message: Message | undefined
  /** The scenarios that the QA cookie of this browser names; empty for none. */
  cookie: string
}

export const emptyState: PanelState = {
  view: { session: '', world: '' },
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
  message: undefined,
  cookie: '',
}

/** The scenarios that the session looked at is switched to, joined by commas. */
export function switchedTo({ sessions, view }: PanelState): string {
  return sessions.find(({ name }) => name === view.session)?.scenario ?? ''
}

/** The scenarios of the world that is looked at. */
export function worldName(state: PanelState): string {
  return state.view.world === '' ? switchedTo(state) : state.view.world
}

/** The time in the world now. */
export function worldTime({ now, frozen, elapsed }: ClockReading): Date {
  return new Date(Date.parse(now) + (frozen ? 0 : elapsed()))
}
