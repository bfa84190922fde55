import type { Panel } from './panel.js'
import type { PanelState } from './panel-state.js'

/** What a part of the page is given. */
export interface PartProps {
  panel: Panel
  state: PanelState
}
