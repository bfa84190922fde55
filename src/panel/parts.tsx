import type { ComponentType } from 'preact'
import type { PartProps } from './controls.js'
import { Data } from './data.js'
import { History } from './history.js'
import type { PanelPlace } from './host.js'
import { addedRules, fromApp, type PanelState } from './panel-state.js'
import { Requests } from './requests.js'
import { Rules } from './rules.js'
import { Settings } from './settings.js'

/** A tab of the panel. */
interface Tab {
  /** The tab's name in the URL. */
  id: string
  title: string
  Part: ComponentType<PartProps>
  /** Shown next to the title, unless it is 0. */
  count?: (state: PanelState) => number
}

/** The parts next to the scenarios, in the order of the tabs. */
export const parts: readonly [Tab, ...Tab[]] = [
  { id: 'requests', title: 'Requests', Part: Requests, count: ({ entries }) => fromApp(entries).length },
  { id: 'data', title: 'Data', Part: Data },
  { id: 'rules', title: 'Rules', Part: Rules, count: (state) => addedRules(state).length },
  { id: 'history', title: 'History', Part: History },
  { id: 'settings', title: 'Settings', Part: Settings },
]

/** The tab for a place. Its URL can continue after a slash. */
export function partAt({ part }: PanelPlace): Tab {
  return parts.find(({ id }) => id === part.split('/', 1)[0]) ?? parts[0]
}
