import { useState } from 'hono/jsx/dom'
import type { FeatureRecord } from '../../../resources/flags/features.js'
import type { State } from '../../../state/state.js'
import { Strategies } from './strategies.js'
import { counted } from './words.js'

/** Features shown at first, and added by each click on "Show more". */
const PAGE = 25

/** The features, each with its environments and their strategies. */
export function Features({ data: { features } }: { data: State }) {
  const [wanted, setWanted] = useState('')
  const [limit, setLimit] = useState(PAGE)
  const found = features.filter(({ name, project }) =>
    `${project} ${name}`.toLowerCase().includes(wanted.trim().toLowerCase()),
  )
  // One root element: with a fragment, each letter would recreate the field, and it would lose the focus.
  return (
    <section>
      <div class="heading-row">
        <h3>Features</h3>
        <input
          type="search"
          aria-label="Find a feature by name or project"
          placeholder="Find a feature"
          value={wanted}
          onInput={(event: Event) => setWanted((event.target as HTMLInputElement).value)}
        />
        <p class="muted" aria-live="polite">
          {counted(found.length, 'feature')}
        </p>
      </div>
      {found.length === 0 && <p class="empty">{features.length === 0 ? 'No features.' : 'No feature matches.'}</p>}
      <ul class="cards">
        {found.slice(0, limit).map((feature) => (
          <li key={feature.name} class="card">
            <Feature feature={feature} />
          </li>
        ))}
      </ul>
      {found.length > limit && (
        <button type="button" onClick={() => setLimit(limit + PAGE)}>
          Show more
        </button>
      )}
    </section>
  )
}

function Feature({ feature }: { feature: FeatureRecord }) {
  const { name, type, project, stale, archived, description, environments } = feature
  return (
    <details>
      <summary>
        <span class="card-head">
          <span class="name">{name}</span>
          <span class="tag">{type}</span>
          {stale && <span class="tag warn">stale</span>}
          {archived && <span class="tag warn">archived</span>}
          <span class="muted">{project}</span>
        </span>
        <span class="environments">
          {environments.map((environment) => (
            <span key={environment.name} class={environment.enabled ? 'tag ok' : 'tag'}>
              {environment.name} {environment.enabled ? 'on' : 'off'}
            </span>
          ))}
        </span>
      </summary>
      {description !== null && description !== '' && <p>{description}</p>}
      {environments.map((environment) => (
        <Strategies key={environment.name} environment={environment} />
      ))}
    </details>
  )
}
