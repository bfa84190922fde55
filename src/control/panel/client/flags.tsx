import { useEffect, useRef, useState } from 'preact/hooks'
import type { FeatureEnvironment } from '../../../resources/flags/feature-environments.js'
import type { FeatureRecord } from '../../../resources/flags/features.js'
import type { State } from '../../../state/state.js'
import { counted } from '../../../support/text.js'
import { Button, Field, Options, onSubmit, Pairs, Switch, usePages } from './controls.js'
import type { Panel } from './panel.js'
import { mentions } from './words.js'

type Strategy = FeatureEnvironment['strategies'][number]
type Constraint = Strategy['constraints'][number]

interface FlagProps {
  panel: Panel
  feature: FeatureRecord
}

/** The features, each with its environments and their strategies, to change them. */
export function Flags({ panel, data: { features, featureTypes } }: { panel: Panel; data: State }) {
  const [wanted, setWanted] = useState('')
  const found = features.filter(({ name, project }) => mentions(`${project} ${name}`, wanted))
  const { shown, button } = usePages(found, { page: 25, more: 'Show more' })
  return (
    <section class="stack">
      <div class="line ends">
        <h3>Features</h3>
        <p class="muted" aria-live="polite">
          {counted(found.length, 'feature')}
        </p>
        <input
          type="search"
          aria-label="Find a feature by name or project"
          placeholder="Find a feature"
          value={wanted}
          onInput={({ currentTarget }) => setWanted(currentTarget.value)}
        />
      </div>
      {found.length === 0 && <p class="empty">{features.length === 0 ? 'No features.' : 'No feature matches.'}</p>}
      <ul class="stack">
        {shown.map((feature) => (
          <li key={feature.name} class="card">
            <Flag panel={panel} feature={feature} types={featureTypes.map(({ id }) => id)} />
          </li>
        ))}
      </ul>
      {button}
    </section>
  )
}

function pathOf({ project, name }: FeatureRecord): string {
  return `/api/admin/projects/${encodeURIComponent(project)}/features/${encodeURIComponent(name)}`
}

function Flag({ panel, feature, types }: FlagProps & { types: readonly string[] }) {
  const { name, type, project, stale, archived, environments } = feature
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <div class="line ends">
        <button type="button" class="plain line" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          <span class="name opens">{name}</span>
          <span class="pill">{type}</span>
          {stale && <span class="pill warn">stale</span>}
          {archived && <span class="pill warn">archived</span>}
          <span class="muted">{project}</span>
        </button>
        {!archived && (
          <span class="line">
            {environments.map((environment) => (
              <Toggle key={environment.name} panel={panel} feature={feature} environment={environment} />
            ))}
          </span>
        )}
      </div>
      {isOpen && (
        <div class="stack">
          {archived ? <Revive panel={panel} feature={feature} /> : <Edit {...{ panel, feature, types }} />}
          {environments.map((environment) => (
            <Strategies key={environment.name} {...{ panel, feature, environment }} />
          ))}
        </div>
      )}
    </>
  )
}

function Toggle({ panel, feature, environment: { name, enabled } }: FlagProps & { environment: FeatureEnvironment }) {
  const toggle = () =>
    panel.operate(
      `${feature.name} is ${enabled ? 'off' : 'on'} in ${name}.`,
      'POST',
      `${pathOf(feature)}/environments/${encodeURIComponent(name)}/${enabled ? 'off' : 'on'}`,
    )
  return (
    <Switch isOn={enabled} label={`${feature.name} in ${name}`} onSwitch={toggle}>
      {name}
    </Switch>
  )
}

/** What the feature is, and copying and archiving it. */
function Edit({ panel, feature, types }: FlagProps & { types: readonly string[] }) {
  const { name, type, description, stale, impressionData } = feature
  const form = useRef<HTMLFormElement>(null)
  // What was typed gives way to what is changed elsewhere, or undone.
  useEffect(() => form.current?.reset(), [type, description, stale, impressionData])
  const save = (fields: Record<string, string>) =>
    panel.operate(`${name} is changed.`, 'PUT', pathOf(feature), {
      type: fields.type,
      description: fields.description,
      stale: fields.stale !== undefined,
      impressionData: fields.impressionData !== undefined,
    })
  const clone = async ({ copy = '' }: Record<string, string>, form: HTMLFormElement) => {
    if (await panel.operate(`${copy} is a copy of ${name}.`, 'POST', `${pathOf(feature)}/clone`, { name: copy }))
      form.reset()
  }
  return (
    <>
      <form class="line" aria-label={`Edit ${name}`} ref={form} onSubmit={onSubmit(save)}>
        <Field name="description" label="Description" class="grow" defaultValue={description ?? ''} />
        <label class="field">
          <span class="label">Type</span>
          <select name="type">
            <Options pairs={[...new Set([type, ...types])].map((one) => [one, one])} chosen={type} />
          </select>
        </label>
        <label class="choice">
          <input type="checkbox" name="stale" defaultChecked={stale} /> stale
        </label>
        <label class="choice">
          <input type="checkbox" name="impressionData" defaultChecked={impressionData} /> impression data
        </label>
        <button type="submit">Save</button>
      </form>
      <form class="line" aria-label={`Clone ${name}`} onSubmit={onSubmit(clone)}>
        <Field name="copy" label="Copy as" class="grow" required placeholder={`${name}-copy`} />
        <button type="submit">Clone</button>
        <Button
          class="danger"
          aria-label={`Archive ${name}`}
          onClick={() => panel.operate(`${name} is archived.`, 'DELETE', pathOf(feature))}
        >
          Archive
        </Button>
      </form>
    </>
  )
}

function Revive({ panel, feature: { name, project } }: FlagProps) {
  const path = `/api/admin/projects/${encodeURIComponent(project)}/revive`
  return <Button onClick={() => panel.operate(`${name} is back.`, 'POST', path, { features: [name] })}>Revive</Button>
}

/** A feature's strategies and variants in one environment. */
function Strategies({ panel, feature, environment }: FlagProps & { environment: FeatureEnvironment }) {
  const { name, enabled, strategies, variants } = environment
  return (
    <section class="strategies stack">
      <h4>
        {name} <span class="muted">{enabled ? 'on' : 'off'}</span>
      </h4>
      {strategies.length === 0 && <p class="muted">No strategies.</p>}
      <ol class="stack">
        {strategies.map((strategy) => (
          <li key={strategy.id}>
            <p>
              <strong>{strategy.title || strategy.name}</strong> {strategy.title && <code>{strategy.name}</code>}{' '}
              {strategy.disabled && <span class="pill warn">disabled</span>}
            </p>
            {strategy.parameters.rollout !== undefined && !feature.archived && (
              <Rollout {...{ panel, feature, strategy }} environment={name} />
            )}
            <Pairs class="facts" pairs={factsOf(strategy)} />
          </li>
        ))}
      </ol>
      {variants.length > 0 && <Pairs class="facts" pairs={[['variants', variants.map(variantWords).join(', ')]]} />}
    </section>
  )
}

/** For how many it is on, in percent. */
function Rollout({ panel, feature, strategy, environment }: FlagProps & { strategy: Strategy; environment: string }) {
  const { id, parameters, title, name } = strategy
  const { rollout = '' } = parameters
  const [percent, setPercent] = useState(rollout)
  // What was chosen gives way to what is set elsewhere, or undone.
  useEffect(() => setPercent(rollout), [rollout])
  const path = `${pathOf(feature)}/environments/${encodeURIComponent(environment)}/strategies/${encodeURIComponent(id)}`
  const save = () =>
    panel.operate(`The rollout is ${percent} %.`, 'PATCH', path, [
      { op: 'replace', path: '/parameters/rollout', value: percent },
    ])
  return (
    <form class="line" onSubmit={onSubmit(save)}>
      <label class="field grow">
        <span class="label">
          Rollout of {title || name} in {environment}: {percent} %
        </span>
        <input
          type="range"
          min="0"
          max="100"
          value={percent}
          onInput={({ currentTarget }) => setPercent(currentTarget.value)}
        />
      </label>
      <button type="submit" disabled={percent === rollout}>
        Set
      </button>
    </form>
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
