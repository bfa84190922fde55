import { render } from 'preact'
import { App } from './app.js'
import type { Host } from './host.js'
import { Panel } from './panel.js'

/** A mounted panel. */
export interface Mounted {
  readonly panel: Panel
  remove(): void
}

/**
 * Shows the panel in an empty element, which has the class `panel` or is inside an element that has it, with the panel's
 * stylesheet.
 */
export function mount(element: HTMLElement, host: Host): Mounted {
  const panel = new Panel(host)
  render(<App panel={panel} />, element)
  return {
    panel,
    remove() {
      render(null, element)
      panel.close()
    },
  }
}
