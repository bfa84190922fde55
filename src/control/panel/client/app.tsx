import { useEffect, useState, useSyncExternalStore } from 'hono/jsx/dom'
import { Clock } from './clock.js'
import { Data } from './data.js'
import { Forced } from './forced.js'
import { Keys } from './keys.js'
import type { Panel } from './panel.js'
import { addedRules, type PanelState } from './panel-state.js'
import { Requests } from './requests.js'
import { Scenarios } from './scenarios.js'
import { Sessions } from './sessions.js'
import { Snapshot } from './snapshot.js'
import { Messages, Top } from './top.js'

/** The parts next to the scenarios. The id is the part's URL fragment. */
const parts = [
  { id: 'requests', title: 'Requests', Part: Requests, count: ({ entries }: PanelState) => entries.length },
  { id: 'data', title: 'Data', Part: Data },
  { id: 'clock', title: 'Clock', Part: Clock },
  { id: 'forced', title: 'Forced answers', Part: Forced, count: (state: PanelState) => addedRules(state).length },
  { id: 'keys', title: 'Keys', Part: Keys },
  { id: 'sessions', title: 'Sessions', Part: Sessions },
  { id: 'snapshot', title: 'Snapshot', Part: Snapshot },
] as const

export function App({ panel }: { panel: Panel }) {
  const state = useSyncExternalStore(panel.subscribe, () => panel.state)
  const chosen = useAddressPart()
  useEffect(() => {
    if (panel.state.connection === 'open') void panel.refresh()
  }, [chosen])
  // The scenarios are next to the other parts; only a narrow page shows one at a time.
  const { id, title, Part } = parts.find((part) => part.id === chosen) ?? parts[0]
  return (
    <>
      <a class="skip" href="#part">
        Skip to {title}
      </a>
      <Top panel={panel} state={state} />
      <Messages panel={panel} state={state} />
      <div class={chosen === 'scenarios' ? 'layout on-scenarios' : 'layout'}>
        <Navigation state={state} current={chosen === 'scenarios' ? 'scenarios' : id} />
        <aside class="side" aria-labelledby="scenarios-heading">
          <Scenarios panel={panel} state={state} />
        </aside>
        <main class="main" id="part" tabIndex={-1} aria-labelledby="part-heading">
          <h2 id="part-heading">{title}</h2>
          <Part key={id} panel={panel} state={state} />
        </main>
      </div>
      <footer class="foot">
        flagdouble {state.version}: a stand-in for a feature-flag service. Everything here can also be done through the
        control API under <code>/__mock</code>.
      </footer>
    </>
  )
}

function Navigation({ state, current }: { state: PanelState; current: string }) {
  useEffect(() => bringIntoView(), [current])
  return (
    <nav class="nav" aria-label="Sections">
      <a href="#scenarios" class="only-narrow" aria-current={current === 'scenarios' ? 'page' : undefined}>
        Scenarios
      </a>
      {parts.map((part) => (
        <PartLink
          key={part.id}
          {...part}
          shown={'count' in part ? part.count(state) : 0}
          isCurrent={current === part.id}
        />
      ))}
    </nav>
  )
}

interface PartLinkProps {
  id: string
  title: string
  shown: number
  isCurrent: boolean
}

function PartLink({ id, title, shown, isCurrent }: PartLinkProps) {
  return (
    <a
      href={`#${id}`}
      aria-label={shown > 0 ? `${title}, ${shown}` : title}
      aria-current={isCurrent ? 'page' : undefined}
    >
      {title}
      {shown > 0 && <span class="badge">{shown}</span>}
    </a>
  )
}

/** Scrolls the navigation to the current part, and the page to its top. */
function bringIntoView(): void {
  document.querySelector('.nav [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  const part = document.getElementById('part')
  if (part !== null && part.getBoundingClientRect().top < 0) part.scrollIntoView()
}

/** The part named by the URL's fragment. Ignores `#part`, the target of the skip link. */
function useAddressPart(): string {
  const [part, setPart] = useState('')
  useEffect(() => {
    const follow = () => {
      const named = location.hash.slice(1)
      if (named !== 'part') setPart(named)
    }
    follow()
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  return part
}
