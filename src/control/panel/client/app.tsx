import { useEffect, useState, useSyncExternalStore } from 'hono/jsx/dom'
import { Clock } from './clock.js'
import { Data } from './data.js'
import { Forced } from './forced.js'
import { Keys } from './keys.js'
import { Messages } from './messages.js'
import type { Panel } from './panel.js'
import type { PanelState } from './panel-state.js'
import { Requests } from './requests.js'
import { Scenarios } from './scenarios.js'
import { Sessions } from './sessions.js'
import { Snapshot } from './snapshot.js'
import { Top } from './top.js'

/** The parts beside the scenarios, each with its heading, which is its name in the address too. */
const parts = [
  { id: 'requests', title: 'Requests', Part: Requests, count: ({ entries }: PanelState) => entries.length },
  { id: 'data', title: 'Data', Part: Data },
  { id: 'clock', title: 'Clock', Part: Clock },
  { id: 'forced', title: 'Forced answers', Part: Forced, count: ({ forced }: PanelState) => forced.length },
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
  // The scenarios stand beside the other parts; only a narrow page shows one at a time.
  const { id, title, Part } = parts.find((part) => part.id === chosen) ?? parts[0]
  return (
    <>
      <a class="skip" href="#part">
        Skip to {title}
      </a>
      <Top panel={panel} state={state} />
      <Messages panel={panel} state={state} />
      <div class={chosen === 'scenarios' ? 'layout on-scenarios' : 'layout'}>
        <aside class="side" aria-labelledby="scenarios-heading">
          <Scenarios panel={panel} state={state} />
        </aside>
        <Navigation state={state} current={chosen === 'scenarios' ? 'scenarios' : id} />
        <main class="main" id="part" tabIndex={-1} aria-labelledby="part-heading">
          <h2 id="part-heading">{title}</h2>
          <Part key={id} panel={panel} state={state} />
        </main>
      </div>
      <footer class="foot">
        flagdouble {state.version}: a stand-in for a feature-flag service. Everything here is also a call of the control
        API below <code>/__mock</code>.
      </footer>
    </>
  )
}

function Navigation({ state, current }: { state: PanelState; current: string }) {
  useEffect(() => bringIntoView(), [current])
  return (
    <nav class="nav" aria-label="Parts of the panel">
      <a href="#scenarios" class="only-narrow" aria-current={current === 'scenarios' ? 'page' : undefined}>
        Scenarios
      </a>
      {parts.map((part) => (
        <a key={part.id} href={`#${part.id}`} aria-current={current === part.id ? 'page' : undefined}>
          {part.title}
          {'count' in part && part.count(state) > 0 ? <span class="badge">{part.count(state)}</span> : ''}
        </a>
      ))}
    </nav>
  )
}

/** Shows the name of the part, where the names scroll sideways, and the beginning of the part. */
function bringIntoView(): void {
  document.querySelector('.nav [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  const part = document.getElementById('part')
  if (part !== null && part.getBoundingClientRect().top < 0) part.scrollIntoView()
}

/** The part that the address names after its `#`; the target of the skip link, which is no part, is passed over. */
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
