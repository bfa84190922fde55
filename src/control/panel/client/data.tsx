import { useState } from 'hono/jsx/dom'
import type { FeatureEnvironment } from '../../../resources/flags/feature-environments.js'
import type { FeatureRecord } from '../../../resources/flags/features.js'
import type { State } from '../../../state/state.js'
import type { PartProps } from './part.js'
import { Tokens } from './tokens.js'
import { counted } from './words.js'

type Environment = FeatureRecord['environments'][number]
type Strategy = Environment['strategies'][number]
type Constraint = Strategy['constraints'][number]

/** A feature's strategies and variants in one environment. */
export function Strategies({ environment }: { environment: FeatureEnvironment }) {
  const { name, enabled, strategies, variants } = environment
  return (
    <section class="strategies">
      <h4>
        {name} <span class="muted">{enabled ? 'on' : 'off'}</span>
      </h4>
      {strategies.length === 0 && <p class="muted">No strategies.</p>}
      <ol>
        {strategies.map((strategy) => (
          <li key={strategy.id}>
            <p>
              <strong>{strategy.title ?? strategy.name}</strong>{' '}
              {strategy.title !== null && strategy.title !== '' && <code>{strategy.name}</code>}{' '}
              {strategy.disabled && <span class="tag warn">disabled</span>}
            </p>
            <Facts pairs={factsOf(strategy)} />
          </li>
        ))}
      </ol>
      {variants.length > 0 && <Facts pairs={[['variants', variants.map(variantWords).join(', ')]]} />}
    </section>
  )
}

function Facts({ pairs }: { pairs: [string, string][] }) {
  if (pairs.length === 0) return null
  return (
    <dl class="facts">
      {pairs.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function factsOf({ parameters, constraints, segments, variants }: Strategy): [string, string][] {
  const facts: [string, string][] = Object.entries(parameters)
  if (constraints.length > 0) facts.push(['only where', constraints.map(constraintWords).join(' and ')])
  if (segments.length > 0) facts.push(['segments', segments.join(', ')])
  if (variants.length > 0) facts.push(['variants', variants.map(variantWords).join(', ')])
  return facts
}

function constraintWords({ contextName, operator, values = [], value, inverted }: Constraint): string {
  return `${inverted ? 'not ' : ''}${contextName} ${operator} ${values.length > 0 ? values.join(', ') : (value ?? '')}`
}

/** Weights are in thousandths. */
function variantWords({ name, weight }: { name: string; weight: number }): string {
  return `${name} ${weight / 10} %`
}

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

export function Data({ panel, state }: PartProps) {
  const { data } = state
  if (data === undefined) return <p class="empty">Loading the data …</p>
  const roleName = (id: number) => data.roles.find((role) => role.id === id)?.name ?? `role ${id}`
  return (
    <>
      <Features data={data} />
      <h3>Signup tokens</h3>
      <Tokens panel={panel} state={state} />
      <h3>Users</h3>
      {data.users.length === 0 && <p class="empty">No users.</p>}
      <ul class="cards dense">
        {data.users.map((user) => (
          <li key={user.id} class="card">
            <div class="card-head">
              <h4>{user.name ?? user.username ?? user.email}</h4>
              <span class="tag">{roleName(user.rootRole)}</span>
            </div>
            <p class="muted">
              {user.id} · {user.email ?? user.username}
            </p>
          </li>
        ))}
      </ul>
      <h3>Projects</h3>
      {data.projects.length === 0 && <p class="empty">No projects.</p>}
      <ul class="cards dense">
        {data.projects.map((project) => (
          <li key={project.id} class="card">
            <div class="card-head">
              <h4>{project.name}</h4>
              <code>{project.id}</code>
            </div>
            <p class="muted">{project.description}</p>
          </li>
        ))}
      </ul>
    </>
  )
}
