import type { State } from '../../../state/state.js'
import { startStopwatch } from '../../../support/clock.js'
import type { ClockState } from '../../control.js'
import { call, type PanelView, scenarioCookie } from './api.js'
import type { PanelState } from './panel-state.js'

type Brief = Pick<PanelState, 'sessions' | 'forced' | 'clock'>
type All = Brief & Pick<PanelState, 'scenarios' | 'data' | 'entries' | 'keys' | 'operations' | 'version' | 'cookie'>

/** Reads what any request may change. */
export async function readBrief(view: PanelView): Promise<Brief> {
  const [sessions, clock, forced] = await Promise.all([
    call<PanelState['sessions']>(view, 'GET', 'sessions'),
    call<ClockState>(view, 'GET', 'clock'),
    call<PanelState['forced']>(view, 'GET', 'forced'),
  ])
  return { sessions, forced, clock: { ...clock, elapsed: startStopwatch() } }
}

/** Reads everything that the panel shows; the operations only once, because they never change. */
export async function readAll(view: PanelView, operations: PanelState['operations']): Promise<All> {
  const [scenarios, data, entries, keys, known, health, brief] = await Promise.all([
    call<PanelState['scenarios']>(view, 'GET', 'scenarios'),
    call<State>(view, 'GET', 'state'),
    call<PanelState['entries']>(view, 'GET', 'requests'),
    call<PanelState['keys']>(view, 'GET', 'keys'),
    operations.length > 0 ? operations : call<PanelState['operations']>(view, 'GET', 'operations'),
    call<{ version: string }>(view, 'GET', 'health'),
    readBrief(view),
  ])
  const { version } = health
  return { ...brief, scenarios, data, entries, keys, operations: known, version, cookie: scenarioCookie() }
}
