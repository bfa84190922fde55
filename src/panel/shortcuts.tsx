import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Button, leave } from './controls.js'
import type { Panel } from './panel.js'
import { isReal } from './panel-state.js'
import { parts } from './parts.js'

const isMac = /Mac|iPhone|iPad/.test(navigator.platform)

export const undoKey = isMac ? '⌘Z' : 'Ctrl+Z'
export const redoKey = isMac ? '⇧⌘Z' : 'Ctrl+Shift+Z'

/** The keys in the list. */
const shortcuts: readonly (readonly [keys: string, does: string])[] = [
  [`1 – ${parts.length}`, `Go to a section: ${parts.map(({ title }) => title).join(', ')}`],
  ['s', 'Find a scenario'],
  ['/', 'Search the open section or, if it has no search, the scenarios'],
  [undoKey, 'Undo the last step'],
  [redoKey, 'Redo the last undone step'],
  ['t', 'Return the clock to real time'],
  ['Esc', 'Leave a field'],
  ['?', 'Show or hide this list'],
]

/**
 * Handles keys while the panel has the focus, which it always has on its own page. It ignores typing in fields, and keys
 * elsewhere in the page of an app.
 */
export function useShortcuts(panel: Panel, root: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const tree = root.current?.getRootNode()
    const press = (event: Event) => {
      if (!(event instanceof KeyboardEvent) || event.altKey) return
      const field = event.target instanceof Element && event.target.closest<HTMLElement>('input, select, textarea')
      // In a menu, Escape closes the menu.
      if (field && event.key === 'Escape' && field.closest('[popover]') === null) leave(field)
      if (field) return
      const isBelowDialog = root.current?.querySelector(':modal') != null
      if (isBelowDialog && !(event.key === '?' && panel.state.isHelping)) return
      const isCommand = event.ctrlKey || event.metaKey
      if (isCommand ? step(panel, event) : act(panel, event.key, root.current)) event.preventDefault()
    }
    tree?.addEventListener('keydown', press)
    return () => tree?.removeEventListener('keydown', press)
  }, [panel])
}

function step(panel: Panel, { key, shiftKey }: KeyboardEvent): boolean {
  if (key.toLowerCase() !== 'z') return false
  void panel.step(shiftKey ? 'redo' : 'undo')
  return true
}

function act(panel: Panel, key: string, root: HTMLElement | null): boolean {
  const part = parts[Number(key) - 1]
  if (part !== undefined) {
    panel.go({ part: part.id })
    root?.querySelector<HTMLElement>(`#tab-${part.id}`)?.focus()
  } else if (key === 's') findScenario(panel, root)
  else if (key === '/') {
    const search = root?.querySelector<HTMLElement>('.main:not([hidden]) :is(input[type=search], input[list])')
    if (search == null) findScenario(panel, root)
    else search.focus()
  } else if (key === 't') returnToRealTime(panel)
  else if (key === '?') panel.help(!panel.state.isHelping)
  else return false
  return true
}

/** Unless the clock is there already: that would add a step to the history. */
function returnToRealTime(panel: Panel): void {
  const { clock } = panel.state
  if (clock !== undefined && !isReal(clock)) void panel.act('DELETE', 'clock')
}

/** A narrow panel shows either the scenarios or another part. */
export function findScenario(panel: Panel, root: HTMLElement | null): void {
  // Looked up each time: the scenarios become another element when they take the place of a part.
  const focus = () => root?.querySelector<HTMLElement>('.side input')?.focus()
  if (root?.querySelector('.side[hidden]') != null) {
    panel.go({ part: 'scenarios' })
    // After drawing them.
    setTimeout(focus)
  } else focus()
}

/** The list of shortcuts. */
export function Shortcuts({ panel }: { panel: Panel }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} aria-labelledby="shortcuts-heading" onClose={() => panel.help(false)}>
      <h2 id="shortcuts-heading">Keyboard shortcuts</h2>
      <dl class="stack">
        {shortcuts.map(([keys, does]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <div class="line">
        <Button class="primary" onClick={() => dialog.current?.close()}>
          Close
        </Button>
      </div>
    </dialog>
  )
}
