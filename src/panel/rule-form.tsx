import { useEffect, useId, useRef, useState } from 'preact/hooks'
import type { OperationSummary } from '../engine/control/rows.js'
import { faults } from '../engine/scenarios/faults.js'
import type { ForceRule } from '../engine/scenarios/force-rule.js'
import { STATUS_TEXT } from '../service/contract/errors.js'
import { paramNames } from '../service/contract/operation.js'
import { isValidJson } from '../support/json.js'
import { Button, Field, Options, onSubmit, type PartProps, QuietButton } from './controls.js'
import type { PanelState, RuleDraft } from './panel-state.js'
import { ranked, statusWords } from './words.js'

/** The values for several operations in a rule. */
const EVERY = '*'
export const EVERY_ADMIN: ForceRule['operation'] = '/api/admin/*'

/** The delay of a preset in milliseconds. */
export const SLOW = 2000

/** The form's fields for a rule: text, empty if nothing is chosen. */
interface Choice {
  answer: string
  delay: string
  times: string
}

/** The errors that a click chooses before an operation is chosen. */
const COMMON_ERRORS = [403, 404, 500]

const TIMES = [1, 2, 3, 4, 5, 10, 20, 50, 100]

/** The counts that a click chooses. Empty: every time. */
const COMMON_TIMES = ['1', '3', '']

/** The rule form, as a sentence. It starts with the panel's draft. Only its button submits it. */
export function RuleForm({ panel, state }: PartProps) {
  const { operations, entries, draft } = state
  const { id, rule } = draft
  const [chosen, setChosen] = useState(rule.operation)
  const [choice, setChoice] = useState<Choice>(() => ({
    answer: String(rule.fault ?? rule.status ?? ''),
    delay: String(rule.delay ?? ''),
    times: String(rule.times ?? ''),
  }))
  const form = useRef<HTMLFormElement>(null)
  // A draft goes on in its form. After adding a rule, the keys are shortcuts again.
  useEffect(() => {
    const next = rule.operation === '' ? form.current?.closest('[tabindex]') : form.current?.querySelector('[list]')
    if (draft.at > 0 && next instanceof HTMLElement) next.focus()
  }, [])
  const operation = operations.find(({ id }) => id === chosen)
  const submit = async (_: unknown, form: HTMLFormElement) => {
    const { body, headers } = rule
    const made = { operation: chosen, ...(body !== undefined && { body }), ...(headers && { headers }) }
    const given = { ...made, ...readRule(new FormData(form)) }
    const isDone = id === undefined ? panel.act('POST', 'forced', given) : panel.act('PUT', `forced/${id}`, given)
    if (await isDone) panel.draftRule({ operation: '' })
  }
  const change = (part: Partial<Choice>) => setChoice({ ...choice, ...part })
  const { answer, delay, times } = choice
  const changesNothing = answer === '' && Number(delay) === 0 && rule.headers === undefined && rule.body === undefined
  return (
    <form
      class="card stack"
      ref={form}
      aria-label={id === undefined ? 'New rule' : 'Change the rule'}
      onSubmit={onSubmit(submit)}
      onKeyDown={keepEnter}
    >
      <div class="sentence">
        <span>When</span>
        <OperationField
          operations={operations}
          recent={entries.flatMap((entry) => entry.operation ?? []).reverse()}
          value={chosen}
          onChoose={setChosen}
        />
        <span>is called, respond</span>
        <select
          name="answer"
          class="answer"
          aria-label="Response"
          value={answer}
          onChange={({ currentTarget }) => change({ answer: currentTarget.value })}
        >
          <AnswerOptions operation={operation} />
        </select>
        <span>after</span>
        <input
          type="number"
          name="delay"
          aria-label="Delay (ms)"
          min={0}
          step={1}
          placeholder="0"
          value={delay}
          ref={complainIf(changesNothing, 'This rule changes nothing: choose an error or a delay.')}
          onInput={({ currentTarget }) => change({ delay: currentTarget.value })}
        />
        <span>ms,</span>
        <select
          name="times"
          aria-label="How many times"
          value={times}
          onChange={({ currentTarget }) => change({ times: currentTarget.value })}
        >
          <Options pairs={timesPairs(times)} />
        </select>
        {times !== '' && <span>then work.</span>}
      </div>
      <Presets errors={operation?.errors ?? COMMON_ERRORS} choice={choice} onChoose={change} />
      <Limits state={state} operation={operation} rule={rule} hasError={answer !== '' && !(answer in faults)} />
      <div class="line">
        <button type="submit" class="primary">
          {id === undefined ? 'Add the rule' : 'Save the rule'}
          {chosen === EVERY ? ' for every operation' : ''}
        </button>
        {id !== undefined && <Button onClick={() => panel.draftRule({ operation: '' })}>Cancel</Button>}
      </div>
    </form>
  )
}

/** A ref that makes a field invalid, with a message of ours, while a condition holds. */
function complainIf(isWrong: boolean, message: string) {
  return (field: HTMLInputElement | null) => field?.setCustomValidity(isWrong ? message : '')
}

interface PresetsProps {
  errors: readonly number[]
  choice: Choice
  onChoose(part: Partial<Choice>): void
}

/** The most frequent choices, each with one click. */
function Presets({ errors, choice, onChoose }: PresetsProps) {
  const preset = (words: string, part: Partial<Choice>, title?: string) => {
    const isChosen = Object.entries(part).every(([name, value]) => choice[name as keyof Choice] === value)
    return (
      <QuietButton key={words} title={title} aria-pressed={isChosen} onClick={() => onChoose(part)}>
        {words}
      </QuietButton>
    )
  }
  return (
    <fieldset class="line" aria-label="Presets">
      <span class="muted small">Presets:</span>
      {errors.map((status) => preset(String(status), { answer: String(status) }, statusWords(status)))}
      {preset('broken connection', { answer: 'reset' })}
      {preset('slow 2 s', { delay: String(SLOW) })}
      <span class="muted small">·</span>
      {COMMON_TIMES.map((times) => preset(timesWords(times), { times }))}
    </fieldset>
  )
}

/** The number of requests that a rule applies to, in words. */
function timesWords(times: string): string {
  return { '': 'every time', '1': 'once', '2': 'twice' }[times] ?? `${times} times`
}

function timesPairs(chosen: string): [value: string, words: string][] {
  const all = [...new Set([...TIMES, ...(chosen === '' ? [] : [Number(chosen)])])].sort((a, b) => a - b)
  return ['', ...all.map(String)].map((times) => [times, timesWords(times)])
}

/** Enter completes a field, and never submits the form. */
function keepEnter(event: KeyboardEvent): void {
  if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault()
}

interface OperationFieldProps {
  operations: readonly OperationSummary[]
  /** Recently requested operations, newest first. They are the first suggestions. */
  recent: readonly string[]
  /** The ID of an operation, `*`, or empty if none is chosen. */
  value: string
  onChoose(id: string): void
}

/** A field that searches the operations by name, then by path and resource. Enter takes the first match. */
function OperationField({ operations, recent, value, onChoose }: OperationFieldProps) {
  const list = useId()
  const [text, setText] = useState(value)
  const seen = operations.filter(({ id }) => recent.includes(id))
  const suggested = [...new Set([...seen, ...operations])].map(({ id, method, path, tag }) => ({
    id,
    words: `${method} ${path} · ${tag}`,
  }))
  const several = [
    { id: EVERY, words: 'every operation' },
    { id: EVERY_ADMIN, words: 'every operation of the Admin API' },
  ]
  const all = [...suggested, ...several]
  const choose = (id: string) => {
    setText(id)
    onChoose(id)
  }
  const find = () => {
    const [found] = ranked(all, text, ({ id, words }) => [id, words])
    if (text.trim() !== '' && found !== undefined) choose(found.id)
  }
  return (
    <>
      <input
        list={list}
        required
        autoComplete="off"
        aria-label="Operation"
        class="operation"
        placeholder="an operation"
        value={text}
        ref={complainIf(text.trim() !== '' && value === '', `No operation is called ${text.trim()}.`)}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value)
          onChoose(all.find(({ id }) => id === currentTarget.value.trim())?.id ?? '')
        }}
        onKeyDown={({ key }) => key === 'Enter' && find()}
        onBlur={find}
      />
      <datalist id={list}>
        <Options pairs={all.map(({ id, words }) => [id, words])} />
      </datalist>
    </>
  )
}

/** The normal response first, then the operation's documented statuses, all other errors, and faults. */
function AnswerOptions({ operation }: { operation: OperationSummary | undefined }) {
  const documented = operation?.errors ?? []
  const others = Object.keys(STATUS_TEXT).map(Number)
  const rest = others.filter((status) => !documented.includes(status))
  const pairs = (statuses: readonly number[]) => statuses.map((status) => [status, statusWords(status)] as const)
  return (
    <>
      <option value="">normally</option>
      {documented.length > 0 && (
        <optgroup label={`Documented for ${operation?.id}`}>
          <Options pairs={pairs(documented)} />
        </optgroup>
      )}
      <optgroup label={documented.length > 0 ? 'Other errors' : 'Errors'}>
        <Options pairs={pairs(rest)} />
      </optgroup>
      <optgroup label="Faults">
        <Options pairs={Object.entries(faults).map(([fault, words]) => [fault, `${fault} · ${words}`])} />
      </optgroup>
    </>
  )
}

const amounts = ['delay', 'after', 'times'] as const

/** The rule in a form, without its operation and without empty fields. */
export function readRule(form: FormData): object {
  const field = (name: string) => String(form.get(name) ?? '').trim()
  const given = amounts.filter((name) => field(name) !== '').map((name) => [name, +field(name)])
  const answer = field('answer')
  const match = readMatch(form, field)
  return {
    ...(answer in faults ? { fault: answer } : answer === '' ? {} : { status: Number(answer) }),
    ...(field('message') === '' ? {} : { error: { message: field('message') } }),
    ...Object.fromEntries(given),
    ...(Object.keys(match).length > 0 && { match }),
  }
}

/** The `match` fields of the form. */
function readMatch(form: FormData, field: (name: string) => string): object {
  const names = [...form.keys()].filter((name) => name.startsWith('params.') && field(name) !== '')
  const [headerName = '', ...headerValue] = field('headers').split(':')
  return {
    ...(names.length > 0 && { params: Object.fromEntries(names.map((name) => [name.slice(7), field(name)])) }),
    ...(field('query') !== '' && { query: Object.fromEntries(new URLSearchParams(field('query'))) }),
    ...(headerName !== '' && { headers: { [headerName.trim()]: headerValue.join(':').trim() } }),
    ...(field('body') !== '' && { body: JSON.parse(field('body')) }),
  }
}

interface LimitsProps {
  state: PanelState
  operation: OperationSummary | undefined
  rule: RuleDraft['rule']
  /** Whether the response is an error, which can have a message. */
  hasError: boolean
}

/** The conditions of a rule and its other fields. All of them are optional. */
function Limits({ state, operation, rule: { match = {}, after, error }, hasError }: LimitsProps) {
  const { params = {}, query, headers = {}, body } = match
  const [header] = Object.entries(headers)
  const details = useRef<HTMLDetailsElement>(null)
  const open = () => details.current?.setAttribute('open', '')
  return (
    // Invalid fields must be visible.
    <details ref={details} open={Object.keys(match).length > 0 || after !== undefined} onInvalidCapture={open}>
      <summary class="opens">only for …</summary>
      <div class="form limits">
        {paramNames(operation?.path ?? '').map((name) => (
          <Field
            key={name}
            name={`params.${name}`}
            label={name}
            placeholder="any"
            suggested={valuesOf(name, state)}
            defaultValue={params[name] === undefined ? '' : String(params[name])}
          />
        ))}
        <Field
          name="query"
          label="Query"
          placeholder="archived=true"
          defaultValue={String(new URLSearchParams(query as Record<string, string> | undefined))}
        />
        <Field name="headers" label="Header" placeholder="x-team: checkout" defaultValue={header?.join(': ')} />
        <Field
          name="body"
          label="Body contains (JSON)"
          placeholder={'{ "name": "copy" }'}
          defaultValue={body === undefined ? '' : JSON.stringify(body)}
          onInput={complainOfJson}
        />
        <Field name="after" type="number" min={0} step={1} label="Skip first" placeholder="0" defaultValue={after} />
        {hasError && (
          <Field name="message" label="Error message (empty: Unleash's own)" defaultValue={error?.message} />
        )}
      </div>
    </details>
  )
}

/** The possible values of a path parameter in the data. */
function valuesOf(name: string, { data }: PanelState): string[] {
  if (name === 'featureName') return data?.features.map((feature) => feature.name) ?? []
  if (name === 'projectId') return data?.projects.map(({ id }) => id) ?? []
  if (name === 'token') return data?.signupTokens.map(({ secret }) => secret) ?? []
  if (name === 'environment') return data?.environments.map((environment) => environment.name) ?? []
  return []
}

/** The browser shows this message at the field on submit. */
function complainOfJson({ currentTarget: field }: { readonly currentTarget: HTMLInputElement }): void {
  field.setCustomValidity(field.value.trim() === '' || isValidJson(field.value) ? '' : 'This must be JSON.')
}
