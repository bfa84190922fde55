import { useEffect, useRef, useState } from 'preact/hooks'
import type { ToldFlag } from '../engine/control/rows.js'
import type { FlagCoverage } from '../engine/sessions/flag-coverage.js'
import type { FeatureEnvironment } from '../service/resources/flags/feature-environments.js'
import type { FeatureRecord } from '../service/resources/flags/features.js'
import { counted } from '../support/text.js'
import {
  Button,
  CopyButton,
  type DataProps,
  Field,
  LongList,
  Options,
  onSubmit,
  Pairs,
  Switch,
  useOperations,
} from './controls.js'
import type { Panel } from './panel.js'
import { type PanelState, shownScenario, toldFlags } from './panel-state.js'
import { countedOf, mentions } from './words.js'

type ShownStrategy = FeatureEnvironment['strategies'][number]
type ShownConstraint = ShownStrategy['constraints'][number]

interface FlagProps {
  panel: Panel
  feature: FeatureRecord
}

/**
 * The features, each with a switch for every environment and the states that SDKs saw; an open feature shows its other
 * settings.
 */
export function Flags({ panel, state, data: { features, projects, featureTypes, environments } }: DataProps) {
  const [wanted, setWanted] = useState('')
  const [project, setProject] = useState('')
  const [isForGaps, setIsForGaps] = useState(false)
  const seen = statesSeen(state)
  const isShown = ({ name, archived }: FeatureRecord) =>
    !isForGaps || seen === undefined || (!archived && seen.get(name) !== FULLY_TESTED)
  const found = features.filter(
    (one) => (project === '' || one.project === project) && mentions(one.name, wanted) && isShown(one),
  )
  const used = new Set(features.flatMap((feature) => feature.environments.map(({ name }) => name)))
  const inOrder = environments.toSorted((one, other) => one.sortOrder - other.sortOrder)
  const columns = inOrder.map(({ name }) => name).filter((name) => used.has(name))
  const types = featureTypes.map(({ id }) => id)
  const told = new Map(toldFlags(state).map((one) => [one.flag, one]))
  const made = [...told.values()].filter(({ flag }) => !features.some(({ name }) => name === flag))
  const missing = state.coverage.filter(({ exists, asked }) => !exists && asked.on + asked.off > 0)
  return (
    <>
      <div class="line tools">
        <input
          type="search"
          class="grow"
          aria-label="Find a flag"
          placeholder="Find a flag"
          value={wanted}
          onInput={({ currentTarget }) => setWanted(currentTarget.value)}
        />
        <select aria-label="Project" value={project} onChange={({ currentTarget }) => setProject(currentTarget.value)}>
          <Options pairs={[['', 'All projects'], ...projects.map(({ id, name }) => [id, name] as const)]} />
        </select>
        {seen !== undefined && (
          <label class="choice line">
            <input
              type="checkbox"
              checked={isForGaps}
              onChange={({ currentTarget }) => setIsForGaps(currentTarget.checked)}
            />{' '}
            not fully tested
          </label>
        )}
      </div>
      <div class="columns" style={{ '--columns': columns.length + (seen === undefined ? 0 : 1) }}>
        <p class="row muted small" aria-live="polite">
          <span class="grow">{countedOf(found.length, features.length, 'flag')}</span>
          {seen !== undefined && <span class="column">seen by SDKs</span>}
          {columns.map((name) => (
            <span key={name} class="column cut" title={name}>
              {name}
            </span>
          ))}
        </p>
        {found.length === 0 && <p class="empty">{features.length === 0 ? 'No flags.' : 'No flag matches.'}</p>}
        <LongList
          items={found}
          keyOf={({ name }) => name}
          draw={(feature) => <Flag {...{ panel, state, feature, types, columns, seen, told }} />}
        />
        {made.map((one) => (
          <p key={one.flag} class="row small">
            <span class="name">{one.flag === '*' ? 'All flags' : one.flag}</span> <Told {...one} />
          </p>
        ))}
        {missing.length > 0 && (
          <p class="row small">
            SDKs asked for flags that don't exist, or are archived:{' '}
            {missing.map(({ name, asked }) => `${name} (${counted(asked.on + asked.off, 'time')})`).join(', ')}
          </p>
        )}
      </div>
    </>
  )
}

/** The path of a feature in Unleash's API. */
export function pathOf({ project, name }: Pick<FeatureRecord, 'project' | 'name'>): string {
  return `/api/admin/projects/${encodeURIComponent(project)}/features/${encodeURIComponent(name)}`
}

interface FlagRowProps extends FlagProps {
  state: PanelState
  types: readonly string[]
  columns: readonly string[]
  seen: ReadonlyMap<string, string> | undefined
  /** The states that SDKs are told, by flag. */
  told: ReadonlyMap<string, ToldFlag>
}

/** The origin of a state, in words. */
const ORIGINS: Readonly<Record<ToldFlag['by'], string>> = {
  request: 'by the address',
  session: 'by this session',
  scenario: 'by the scenario',
}

function Told({ state, by }: ToldFlag) {
  return (
    <span class="pill warn">
      SDKs are told: {state} ({ORIGINS[by]})
    </span>
  )
}

function Flag({ panel, state, feature, types, columns, seen, told }: FlagRowProps) {
  const toldState = told.get(feature.name) ?? (feature.archived ? undefined : told.get('*'))
  const { name, type, project, stale, archived, environments } = feature
  const [isOpen, setIsOpen] = useState(false)
  const { operate, refusal } = useOperations(panel)
  const toggle = ({ name: environment, enabled }: FeatureEnvironment) =>
    operate('POST', `${pathOf(feature)}/environments/${encodeURIComponent(environment)}/${enabled ? 'off' : 'on'}`)
  return (
    <>
      <div class="row">
        <button type="button" class="plain opens grow" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          <span>
            <span class="name">{name}</span> {stale && <span class="pill warn">stale</span>}{' '}
            {archived && <span class="pill warn">archived</span>} {toldState !== undefined && <Told {...toldState} />}{' '}
            <span class="muted small">
              {project} · {type}
            </span>
          </span>
        </button>
        {seen !== undefined && <span class="column muted small">{seen.get(name) ?? 'never'}</span>}
        {columns.map((column) => {
          const environment = environments.find((one) => one.name === column)
          return (
            <span key={column} class="column">
              {environment !== undefined && !archived && (
                <Switch
                  isOn={environment.enabled}
                  label={`${name} in ${column}`}
                  onSwitch={() => toggle(environment)}
                />
              )}
            </span>
          )
        })}
      </div>
      {refusal}
      {isOpen && (
        <div class="details stack">
          <ForThisBrowser {...{ panel, state, feature }} />
          {archived ? <Revive panel={panel} feature={feature} /> : <Edit {...{ panel, feature, types }} />}
          {columns
            .flatMap((column) => environments.find(({ name }) => name === column) ?? [])
            .map((environment) => (
              <Strategies key={environment.name} {...{ panel, feature, environment }} />
            ))}
        </div>
      )}
    </>
  )
}

/** The states in which SDKs saw each feature, in words. Undefined before an SDK sends a request. */
function statesSeen({ coverage }: PanelState): ReadonlyMap<string, string> | undefined {
  const isUsed = coverage.some(({ served, asked }) => served.on + served.off + asked.on + asked.off > 0)
  return isUsed ? new Map(coverage.map((flag) => [flag.name, stateSeen(flag)])) : undefined
}

const FULLY_TESTED = 'on · off'

function stateSeen({ asked, seen, unknown, variants }: FlagCoverage): string {
  if (asked.on + asked.off === 0) return unknown > 0 ? 'unknown' : 'never'
  // The SDK had no flags yet.
  if (seen.on + seen.off === 0) return 'too early'
  if (seen.off === 0) return 'only on'
  if (seen.on === 0) return 'only off'
  const [variant] = variants.filter((name) => !Object.hasOwn(seen.variants, name))
  return variant === undefined ? FULLY_TESTED : `variant ${variant} never`
}

/** QA links that change the state of a feature for one browser. */
function ForThisBrowser({ panel, state, feature: { name } }: FlagProps & { state: PanelState }) {
  const { scenarioLink } = panel.host
  if (scenarioLink === undefined) return null
  const others = shownScenario(state)
    .split(',')
    // A link that names a scenario starts it again.
    .filter((one) => one.includes(':') && !one.startsWith(`${name}:`))
  return (
    <p class="line">
      <span class="label">Only for one browser, copy a link:</span>
      {['on', 'off', 'gone'].map((how) => (
        <CopyButton
          key={how}
          panel={panel}
          text={scenarioLink([...others, `${name}:${how}`].filter(Boolean).join(','), state.situation.app)}
          what={`a link with ${name} ${how}`}
        >
          {how}
        </CopyButton>
      ))}
    </p>
  )
}

/** A feature's fields, with buttons to copy and archive it. */
function Edit({ panel, feature, types }: FlagProps & { types: readonly string[] }) {
  const { name, type, description, stale, impressionData } = feature
  const { operate, refusal } = useOperations(panel)
  const form = useRef<HTMLFormElement>(null)
  // An external change, or an undo, replaces the user's input.
  useEffect(() => form.current?.reset(), [type, description, stale, impressionData])
  const save = (fields: Record<string, string>) =>
    operate('PUT', pathOf(feature), {
      type: fields.type,
      description: fields.description,
      stale: fields.stale !== undefined,
      impressionData: fields.impressionData !== undefined,
    })
  const clone = async ({ copy }: Record<string, string>, form: HTMLFormElement) => {
    if (await operate('POST', `${pathOf(feature)}/clone`, { name: copy })) form.reset()
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
        <label class="choice line">
          <input type="checkbox" name="stale" defaultChecked={stale} /> stale
        </label>
        <label class="choice line">
          <input type="checkbox" name="impressionData" defaultChecked={impressionData} /> impression data
        </label>
        <button type="submit">Save</button>
      </form>
      <form class="line" aria-label={`Clone ${name}`} onSubmit={onSubmit(clone)}>
        <Field name="copy" label="Copy as" class="grow" required placeholder={`${name}-copy`} />
        <button type="submit">Clone</button>
        <Button class="danger" aria-label={`Archive ${name}`} onClick={() => operate('DELETE', pathOf(feature))}>
          Archive
        </Button>
      </form>
      {refusal}
    </>
  )
}

function Revive({ panel, feature: { name, project } }: FlagProps) {
  const { operate, refusal } = useOperations(panel)
  const path = `/api/admin/projects/${encodeURIComponent(project)}/revive`
  return (
    <>
      <Button onClick={() => operate('POST', path, { features: [name] })}>Revive</Button>
      {refusal}
    </>
  )
}

/** A feature's strategies and variants in one environment. */
function Strategies({ panel, feature, environment }: FlagProps & { environment: FeatureEnvironment }) {
  const { name, strategies, variants } = environment
  return (
    <section class="stack">
      <h3 class="label">{name}</h3>
      {strategies.length === 0 && <p class="muted">No strategies.</p>}
      <ol class="stack">
        {strategies.map((strategy) => (
          <li key={strategy.id}>
            {strategy.parameters.rollout !== undefined && !feature.archived ? (
              <Rollout {...{ panel, feature, strategy }} environment={name} />
            ) : (
              <p>{titleOfStrategy(strategy)}</p>
            )}
            {strategy.disabled && <span class="pill warn">disabled</span>}
            <Pairs class="facts" pairs={factsOf(strategy)} />
          </li>
        ))}
      </ol>
      {variants.length > 0 && <Pairs class="facts" pairs={[['variants', variants.map(variantWords).join(', ')]]} />}
    </section>
  )
}

function titleOfStrategy({ title, name }: ShownStrategy): string {
  return title || name
}

/** The rollout in percent. It is saved on release of the slider or of its key. */
function Rollout({
  panel,
  feature,
  strategy,
  environment,
}: FlagProps & { strategy: ShownStrategy; environment: string }) {
  const { id, parameters } = strategy
  const { rollout = '' } = parameters
  const { operate, refusal } = useOperations(panel)
  const [percent, setPercent] = useState(rollout)
  const isPressed = useRef(false)
  // An external change, or an undo, replaces the user's choice.
  useEffect(() => setPercent(rollout), [rollout])
  const path = `${pathOf(feature)}/environments/${encodeURIComponent(environment)}/strategies/${encodeURIComponent(id)}`
  const save = async (value: string) => {
    if (value === rollout) return
    if (!(await operate('PATCH', path, [{ op: 'replace', path: '/parameters/rollout', value }]))) setPercent(rollout)
  }
  const release = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => {
    isPressed.current = false
    void save(currentTarget.value)
  }
  return (
    <>
      <label class="rollout line">
        <span class="grow">
          {titleOfStrategy(strategy)} <span class="spoken">in {environment}</span>
        </span>
        <input
          type="range"
          min="0"
          max="100"
          value={percent}
          onInput={({ currentTarget }) => setPercent(currentTarget.value)}
          onKeyDown={() => {
            isPressed.current = true
          }}
          onKeyUp={release}
          onChange={(event) => !isPressed.current && release(event)}
        />
        <output>{percent} %</output>
      </label>
      {refusal}
    </>
  )
}

function factsOf({ parameters, constraints, segments, variants }: ShownStrategy): [string, string][] {
  const facts: [string, string][] = Object.entries(parameters).filter(([name]) => name !== 'rollout')
  if (constraints.length > 0) facts.push(['only where', constraints.map(constraintWords).join(' and ')])
  if (segments.length > 0) facts.push(['segments', segments.join(', ')])
  if (variants.length > 0) facts.push(['variants', variants.map(variantWords).join(', ')])
  return facts
}

function constraintWords({ contextName, operator, values = [], value, inverted }: ShownConstraint): string {
  return `${inverted ? 'not ' : ''}${contextName} ${operator} ${values.length > 0 ? values.join(', ') : (value ?? '')}`
}

/** Weights are thousandths. */
function variantWords({ name, weight }: { name: string; weight: number }): string {
  return `${name} ${weight / 10} %`
}
