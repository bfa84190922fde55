import type { ComponentType } from 'preact'
import { Clock } from './clock.js'
import { CopyButton, type PartProps } from './controls.js'
import { Data } from './data.js'
import { Forced } from './forced.js'
import { History } from './history.js'
import { addedRules, type PanelState } from './panel-state.js'
import { Requests } from './requests.js'
import { Sessions } from './sessions.js'
import { Snapshot } from './snapshot.js'

/** One of the panel's tabs. */
interface Part {
  /** As it stands in the address. */
  id: string
  title: string
  Part: ComponentType<PartProps>
  /** Shown beside the title, unless it is 0. */
  count?: (state: PanelState) => number
}

/** Authorization values to copy, and what each may do. */
function Keys({ panel, state: { keys } }: PartProps) {
  return (
    <>
      <p class="lead muted">
        Values for a request's <code>Authorization</code> header. The prefix <code>Bearer</code> is optional.
      </p>
      {keys.length === 0 && <p class="empty">No keys.</p>}
      <ul class="stack">
        {keys.map(({ authorization, type, holder, may }) => (
          <li key={authorization} class="card">
            <div class="line ends">
              <h3>
                <code>{authorization}</code>
              </h3>
              <span class="pill">{type}</span>
              <CopyButton panel={panel} text={authorization} what={authorization}>
                Copy
              </CopyButton>
            </div>
            <p>{may}</p>
            <p class="muted">{holder}</p>
          </li>
        ))}
      </ul>
    </>
  )
}

/** The parts beside the scenarios, in the order of the tabs. */
export const parts: readonly [Part, ...Part[]] = [
  { id: 'requests', title: 'Requests', Part: Requests, count: ({ entries }) => entries.length },
  { id: 'data', title: 'Data', Part: Data },
  { id: 'clock', title: 'Clock', Part: Clock },
  { id: 'forced', title: 'Forced answers', Part: Forced, count: (state) => addedRules(state).length },
  { id: 'keys', title: 'Keys', Part: Keys },
  { id: 'history', title: 'History', Part: History },
  { id: 'sessions', title: 'Sessions', Part: Sessions },
  { id: 'snapshot', title: 'Snapshot', Part: Snapshot },
]
