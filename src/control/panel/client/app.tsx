import { useEffect, useRef, useState } from 'preact/hooks'
import type { PartProps } from './controls.js'
import type { Panel } from './panel.js'
import type { PanelState } from './panel-state.js'
import { parts } from './parts.js'
import { Scenarios } from './scenarios.js'
import { Shortcuts, useShortcuts } from './shortcuts.js'
import { Messages, Top } from './top.js'

/** The whole panel. */
export function App({ panel }: { panel: Panel }) {
  const state = usePanelState(panel)
  const root = useRef<HTMLDivElement>(null)
  const main = useRef<HTMLDivElement>(null)
  const side = useRef<HTMLElement>(null)
  useShortcuts(panel, root)
  // The scenarios are next to the other parts; only a narrow panel shows one at a time.
  const isOnScenarios = state.place.part === 'scenarios'
  const Content = panel.host.isOwnPage ? 'main' : 'section'
  const Foot = panel.host.isOwnPage ? 'footer' : 'div'
  const { id, title, Part } = parts.find((part) => part.id === state.place.part) ?? parts[0]
  const current = isOnScenarios ? 'scenarios' : id
  useEffect(() => {
    if ((main.current?.getBoundingClientRect().top ?? 0) < 0) main.current?.scrollIntoView()
  }, [id])
  return (
    <div class="app" ref={root}>
      <button type="button" class="skip" onClick={() => (isOnScenarios ? side : main).current?.focus()}>
        Skip to {isOnScenarios ? 'Scenarios' : title}
      </button>
      <Top panel={panel} state={state} />
      <div class={isOnScenarios ? 'layout on-scenarios' : 'layout'}>
        <nav aria-label="Sections">
          <Tabs panel={panel} state={state} current={current} />
        </nav>
        <Content class="main">
          <div id="part" role="tabpanel" tabIndex={-1} ref={main} aria-labelledby={`tab-${current}`}>
            <h2>{title}</h2>
            {/* An element of its own for each part of each session: nothing of another one can stay in it. */}
            <div class="part" key={`${id} ${state.place.session} ${state.place.world}`}>
              <Part panel={panel} state={state} />
            </div>
          </div>
        </Content>
        <aside class="side" tabIndex={-1} ref={side} aria-labelledby="scenarios-heading">
          <Scenarios panel={panel} state={state} />
        </aside>
      </div>
      <Foot class="foot muted small">
        flagdouble {state.version}: a stand-in for a feature-flag service. Everything here can also be done through the
        control API under <code>/__mock</code>.
      </Foot>
      <Messages panel={panel} state={state} />
      {state.isHelping && <Shortcuts panel={panel} />}
    </div>
  )
}

function usePanelState(panel: Panel): PanelState {
  const [state, setState] = useState(panel.state)
  useEffect(() => {
    setState(panel.state)
    return panel.subscribe(() => setState(panel.state))
  }, [panel])
  return state
}

/** One stop for the keyboard; the arrow keys go from tab to tab. */
function Tabs({ panel, state, current }: PartProps & { current: string }) {
  const list = useRef<HTMLDivElement>(null)
  const all = [{ id: 'scenarios', title: 'Scenarios', count: undefined }, ...parts]
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [current])
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    const tabs = [...(list.current?.querySelectorAll<HTMLElement>('[role=tab]') ?? [])]
    const shown = tabs.filter((tab) => tab.offsetParent !== null)
    const at = shown.findIndex((tab) => tab.matches(':focus'))
    if (step === undefined || at === -1) return
    event.preventDefault()
    const next = shown.at((at + step) % shown.length)
    next?.focus()
    next?.click()
  }
  return (
    <div class="tabs" role="tablist" aria-label="Parts" ref={list} onKeyDown={onKeyDown}>
      {all.map(({ id, title, count }) => {
        const shown = count?.(state) ?? 0
        return (
          <button
            key={id}
            id={`tab-${id}`}
            type="button"
            role="tab"
            class={id === 'scenarios' ? 'plain only-narrow' : 'plain'}
            aria-selected={id === current}
            aria-controls="part"
            tabIndex={id === current ? 0 : -1}
            onClick={() => panel.go({ part: id })}
          >
            {title} {shown > 0 && <span class="pill">{shown.toLocaleString('en')}</span>}
          </button>
        )
      })}
    </div>
  )
}
