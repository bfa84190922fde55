import { startStopwatch } from '../../../../support/clock.js'
import type { State } from '../../../state/state.js'
import type { ClockState } from '../../control.js'
import { call } from './api.js'
import type { Host, PanelView } from './host.js'
import type { PanelState } from './panel-state.js'

/** Reads what any request may change. */
export async function readBrief(host: Host, view: PanelView): Promise<Partial<PanelState>> {
  const [sessions, clock, rules] = await Promise.all([
    read<PanelState['sessions']>(host, view, 'sessions'),
    read<ClockState>(host, view, 'clock'),
    read<PanelState['rules']>(host, view, 'forced'),
  ])
  return { sessions, rules, clock: { ...clock, elapsed: startStopwatch() } }
}

/** Reads everything that the panel shows; the operations only once, because they never change. */
export async function readAll(
  host: Host,
  view: PanelView,
  operations: PanelState['operations'],
): Promise<Partial<PanelState>> {
  const [scenarios, data, entries, keys, history, known, { version }, brief] = await Promise.all([
    read<PanelState['scenarios']>(host, view, 'scenarios'),
    read<State>(host, view, 'state'),
    read<PanelState['entries']>(host, view, 'requests'),
    read<PanelState['keys']>(host, view, 'keys'),
    read<PanelState['history']>(host, view, 'history'),
    operations.length > 0 ? operations : read<PanelState['operations']>(host, view, 'operations'),
    read<{ version: string }>(host, view, 'health'),
    readBrief(host, view),
  ])
  return {
    ...brief,
    isRead: true,
    scenarios,
    data,
    entries,
    keys,
    history,
    operations: known,
    version,
    cookies: readCookies(host),
  }
}

/** What this browser's cookies name. */
export function readCookies({ cookies }: Host): PanelState['cookies'] {
  return { scenario: cookies?.read('mock-scenario') ?? '', session: cookies?.read('mock-session') ?? '' }
}

function read<Answer>(host: Host, view: PanelView, path: string): Promise<Answer> {
  return call<Answer>(host, view, { method: 'GET', path })
}
