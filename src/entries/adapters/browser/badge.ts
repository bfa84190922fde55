import { createElement, sheetOf } from './elements.js'

interface BadgeChoice {
  name: string
  title: string
}

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
  details {
    width: fit-content; max-width: 300px; border-radius: 14px; overflow: hidden; font: 12px/1.5 system-ui, sans-serif;
    color: light-dark(#24292f, #f0f3f6); background: light-dark(#ffffff, #21262d);
    border: 1px solid light-dark(#d0d7de, #444c56); box-shadow: 0 4px 14px rgb(0 0 0 / 18%);
  }
  summary { list-style: none; display: flex; align-items: center; gap: 8px; padding: 5px 12px; font-weight: 600; cursor: pointer }
  summary::before { content: ''; flex: none; width: 8px; height: 8px; border-radius: 50%; background: #2da44e }
  [data-state='named'] summary::before { background: #bf8700 }
  [data-state='unknown'] summary::before { background: #cf222e }
  ul { margin: 0; padding: 0 4px 4px; max-height: 50vh; overflow: auto; list-style: none }
  button {
    display: block; width: 100%; padding: 4px 8px; border: 0; border-radius: 8px; background: none; color: inherit;
    font: inherit; text-align: start; cursor: pointer;
  }
  button:hover { background: light-dark(#eaeef2, #373e47) }
  button[aria-current] { font-weight: 600 }
  small { display: block; font-weight: 400; opacity: 0.75 }
  summary:focus-visible, button:focus-visible { outline: 2px solid #0969da; outline-offset: -2px; border-radius: 12px }
  @media print { :host { display: none } }
`

/** The badge's actions: its menu switches, or a click opens the panel. */
interface BadgeActions {
  choose(scenario: string | undefined): void
  openPanel?: (() => void) | undefined
}

/** A small badge in a corner of the page: the active scenario, with a menu to switch. */
export function showBadge(choices: readonly BadgeChoice[], { choose, openPanel }: BadgeActions): Badge {
  const host = document.createElement('flagdouble-badge')
  const root = host.attachShadow({ mode: 'closed' })
  root.adoptedStyleSheets = [sheetOf(CSS)]
  const summary = createElement('summary')
  const buttons = [
    choiceButton('Initial scenario', 'The URL has no ?scenario=', () => choose(undefined)),
    ...choices.map(({ name, title }) => choiceButton(name, title, () => choose(name))),
  ]
  const menu = createElement('ul', {}, ...buttons.map((button) => createElement('li', {}, button)))
  const details = createElement('details', {}, summary, ...(openPanel === undefined ? [menu] : []))
  if (openPanel !== undefined) {
    summary.role = 'button'
    summary.addEventListener('click', (event) => {
      event.preventDefault()
      openPanel()
    })
  }
  root.append(details)
  document.body.append(host)
  return {
    show(scenario, state, reason) {
      summary.textContent = state === 'unknown' ? `${reason} · Choose another` : `Mock: ${scenario}`
      summary.title = reason ?? (openPanel === undefined ? '' : 'Open the control panel (Ctrl+Alt+M)')
      details.dataset.state = state
      const inUse = state === 'start' ? 0 : choices.findIndex(({ name }) => name === scenario) + 1 || -1
      for (const [index, button] of buttons.entries()) button.ariaCurrent = index === inUse ? 'true' : null
    },
    remove: () => host.remove(),
  }
}

function choiceButton(name: string, title: string, choose: () => void): HTMLButtonElement {
  return createElement('button', { type: 'button', onclick: choose }, name, createElement('small', {}, title))
}
