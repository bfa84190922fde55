import { startStopwatch } from '../../../../support/clock.js'
import { call } from './api.js'
import type { Host } from './host.js'
import type { PanelState } from './panel-state.js'

/** What any request may change, by the control calls that read it. */
const changing = { sessions: 'sessions', clock: 'clock', rules: 'forced' }

/** All else that the panel shows; the operations only once, because they never change. */
const steady = {
  scenarios: 'scenarios',
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
  const answers = Object.fromEntries(await Promise.all(Object.entries(paths).map(read)))
  const clock = { ...answers.clock, elapsed: startStopwatch() }
  return { ...answers, clock, ...(isAll && { cookies: readCookies(host) }) }
}

/** What this browser's cookies name. */
export function readCookies({ cookies }: Host): PanelState['cookies'] {
  return { scenario: cookies?.read('mock-scenario') ?? '', session: cookies?.read('mock-session') ?? '' }
}
