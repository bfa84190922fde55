import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Button } from './controls.js'
import type { Panel } from './panel.js'
import { parts } from './parts.js'

/** The keys, as they are listed. */
const shortcuts: readonly (readonly [keys: string, does: string])[] = [
  [`1 – ${parts.length}`, `Go to a part: ${parts.map(({ title }) => title).join(', ')}`],
  ['s', 'Find a scenario'],
  ['/', 'Search in the part that is shown'],
  ['u', 'Undo the last step'],
  ['r', 'Redo what was undone last'],
  ['t', 'Clock back to real time'],
  ['?', 'Show or hide this list'],
]

/** Acts on keys that are pressed in the panel or, on a page of its own, anywhere; not on what is typed into a field. */
export function useShortcuts(panel: Panel, root: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const tree = root.current?.getRootNode()
    const press = (event: Event) => {
      if (!(event instanceof KeyboardEvent) || event.ctrlKey || event.metaKey || event.altKey) return
      if (event.target instanceof Element && event.target.closest('input, select, textarea')) return
      const isBelowDialog = root.current?.querySelector(':modal') != null
      if (isBelowDialog && !(event.key === '?' && panel.state.isHelping)) return
      if (act(panel, event.key, root.current)) event.preventDefault()
    }
    tree?.addEventListener('keydown', press)
    return () => tree?.removeEventListener('keydown', press)
  }, [panel])
}

function act(panel: Panel, key: string, root: HTMLElement | null): boolean {
  const part = parts[Number(key) - 1]
  if (part !== undefined) panel.go({ part: part.id })
  else if (key === 's') findScenario(panel, root?.querySelector<HTMLElement>('.side'))
  else if (key === '/') root?.querySelector<HTMLElement>('.main input[type=search]')?.focus()
  else if (key === 'u') void panel.step('undo')
  else if (key === 'r') void panel.step('redo')
  else if (key === 't') void panel.act('DELETE', 'clock')
  else if (key === '?') panel.help(!panel.state.isHelping)
  else return false
  return true
}

/** A narrow panel shows the scenarios in the place of the other parts. */
function findScenario(panel: Panel, side: HTMLElement | null | undefined): void {
  const focus = () => side?.querySelector('input')?.focus()
  if (side?.hidden) {
    panel.go({ part: 'scenarios' })
    // Once they are drawn.
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
