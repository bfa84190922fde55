import { createElement, sheetOf } from './elements.js'

/** The start scenario, a scenario that the page names, or an unknown name. */
export type BadgeState = 'start' | 'named' | 'unknown'

export interface Badge {
  /** Shows the active scenario, or why no scenario is active. */
  show(scenario: string, state: BadgeState, reason?: string): void
  remove(): void
}

// In a shadow root, which isolates its styles from the page's.
const CSS = `
  :host { all: initial; position: fixed; inset: auto auto 12px 12px; z-index: 2147483647; color-scheme: light dark }
  button {
    display: flex; align-items: center; gap: 8px; max-width: 300px; padding: 5px 12px; border-radius: 14px; cursor: pointer;
    font: 600 12px/1.5 system-ui, sans-serif; text-align: start; color: light-dark(#24292f, #f0f3f6);
    background: light-dark(#ffffff, #21262d); border: 1px solid light-dark(#d0d7de, #444c56); box-shadow: 0 4px 14px rgb(0 0 0 / 18%);
  }
  button::before { content: ''; flex: none; width: 8px; height: 8px; border-radius: 50%; background: #2da44e }
  [data-state='named']::before { background: #bf8700 }
  [data-state='unknown']::before { background: #cf222e }
  button:focus-visible { outline: 2px solid #0969da; outline-offset: -2px }
  @media print { :host { display: none } }
`

/** A small badge in a corner of the page: the active scenario. A click opens the panel. */
export function showBadge(openPanel: () => void): Badge {
  const host = document.createElement('flagdouble-badge')
  const root = host.attachShadow({ mode: 'closed' })
  root.adoptedStyleSheets = [sheetOf(CSS)]
  const button = createElement('button', { type: 'button', onclick: openPanel })
  root.append(button)
  document.body.append(host)
  return {
    show(scenario, state, reason) {
      button.textContent = state === 'unknown' ? `${reason} · Choose another` : `Mock: ${scenario}`
      button.title = reason ?? 'Open the control panel (Ctrl+Alt+M)'
      button.dataset.state = state
    },
    remove: () => host.remove(),
  }
}
