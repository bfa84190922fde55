import type { Panel } from './panel.js'
import type { PanelState } from './panel-state.js'

/** Props of every part of the page. */
export interface PartProps {
  panel: Panel
  state: PanelState
}
