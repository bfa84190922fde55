import type { FeatureEnvironment } from '../../../resources/flags/feature-environments.js'
import type { FeatureRecord } from '../../../resources/flags/features.js'

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
