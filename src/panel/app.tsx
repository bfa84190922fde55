import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Tabs } from './controls.js'
import type { Panel } from './panel.js'
import { partAt, parts } from './parts.js'
import { Scenarios } from './scenarios.js'
import { Shortcuts, useShortcuts } from './shortcuts.js'
import { Messages, Status } from './status.js'

/** The whole panel. */
export function App({ panel }: { panel: Panel }) {
  const [state, setState] = useState(panel.state)
  useEffect(() => panel.show(setState), [panel])
  const root = useRef<HTMLDivElement>(null)
  const isNarrow = useNarrow(root)
  useShortcuts(panel, root)
  // The scenarios are next to the other parts; a narrow panel shows only one of them at a time.
  const isOnScenarios = isNarrow && state.place.part === 'scenarios'
  const Content = panel.host.isOwnPage ? 'main' : 'section'
  const Side = isOnScenarios ? Content : 'aside'
  const { id, title, Part } = partAt(state.place)
  const skip = () => root.current?.querySelector<HTMLElement>(isOnScenarios ? '.side' : '.main')?.focus()
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: by the keyboard, files are chosen under "Import"
    <div
      class={isNarrow ? 'app narrow' : 'app'}
      ref={root}
      tabIndex={-1}
      onDragOver={(event) => event.preventDefault()}
      onDrop={async (event) => {
        event.preventDefault()
        const file = event.dataTransfer?.files[0]
        if (file !== undefined) await panel.importFile(file)
      }}
    >
      <button type="button" class="skip" onClick={skip}>
        Skip to {isOnScenarios ? 'Scenarios' : title}
      </button>
      <Status panel={panel} state={state} isNarrow={isNarrow} />
      <nav aria-label="Sections">
        <Tabs
          label="Parts"
          tabs={parts.map(({ id, title, count }) => ({ id, title, count: count?.(state) ?? 0 }))}
          current={isOnScenarios ? '' : id}
          controls="part"
          onChoose={(part) => panel.go({ part })}
        />
      </nav>
      <Content class="main" tabIndex={-1} hidden={isOnScenarios}>
        <div id="part" role="tabpanel" aria-labelledby={`tab-${id}`}>
          <h2 class="spoken">{title}</h2>
          {/* An element of its own for each part of each session: no content of another part can stay in it. */}
          <div class="part" key={`${id} ${state.place.session} ${state.place.world}`}>
            {state.data === undefined ? <p class="empty">Connecting …</p> : <Part panel={panel} state={state} />}
          </div>
        </div>
      </Content>
      <Side class="side" tabIndex={-1} aria-labelledby="scenarios-heading" hidden={isNarrow && !isOnScenarios}>
        <Scenarios panel={panel} state={state} />
      </Side>
      <Messages panel={panel} state={state} />
      {state.isHelping && <Shortcuts panel={panel} />}
    </div>
  )
}

/** The width in pixels from which the scenarios fit next to the other parts. */
const WIDE = 900

/** Whether an element is narrow. The panel can be narrow in a wide window. */
function useNarrow(element: { current: HTMLElement | null }): boolean {
  const [isNarrow, setIsNarrow] = useState(false)
  useLayoutEffect(() => {
    const measure = () => setIsNarrow((element.current?.clientWidth ?? WIDE) < WIDE)
    const observer = new ResizeObserver(measure)
    if (element.current !== null) observer.observe(element.current)
    measure()
    return () => observer.disconnect()
  }, [])
  return isNarrow
}
