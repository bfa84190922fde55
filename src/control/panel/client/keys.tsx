import { CopyButton } from './copy-button.js'
import type { PartProps } from './part.js'

/** Authorization values to copy, and what each may do. */
export function Keys({ panel, state: { keys } }: PartProps) {
  return (
    <>
      <p class="lead">
        Values for a request's <code>Authorization</code> header. The prefix <code>Bearer</code> is optional.
      </p>
      {keys.length === 0 && <p class="empty">No keys.</p>}
      <ul class="cards">
        {keys.map(({ authorization, type, holder, may }) => (
          <li key={authorization} class="card">
            <div class="card-head">
              <h3>
                <code>{authorization}</code>
              </h3>
              <span class="tag">{type}</span>
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
