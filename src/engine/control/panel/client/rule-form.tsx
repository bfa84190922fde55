import { useId, useState } from 'preact/hooks'
import { STATUS_TEXT } from '../../../../service/contract/errors.js'
import { paramNames } from '../../../../service/contract/operation.js'
import { faults } from '../../../scenarios/faults.js'
import type { OperationSummary } from '../../rows.js'
import { Field, Options, onSubmit, type PartProps } from './controls.js'
import type { PanelState } from './panel-state.js'
import { mentions } from './words.js'

/** What stands for all operations in a rule. */
const EVERY = '*'

const amounts = [
  ['delay', 'Delay (ms)', '0'],
  ['after', 'Skip first', '0'],
  ['times', 'Repeat', 'always'],
] as const

/** The form for a new rule. It starts with the panel's draft, or empty. */
export function RuleForm({ panel, state }: PartProps) {
  const { operations, entries } = state
  const [draft, setDraft] = useState(() => panel.takeDraft())
  const [chosen, setChosen] = useState(draft.operation)
  const [round, setRound] = useState(0)
  const operation = operations.find(({ id }) => id === chosen)
  const submit = async (_: unknown, form: HTMLFormElement) => {
    const rule = { operation: chosen, ...readRule(new FormData(form)) }
    if (!(await panel.act('POST', 'forced', rule))) return
    // Empty again: the next rule is another one.
    setDraft(panel.takeDraft())
    setChosen('')
    setRound(round + 1)
  }
  return (
    <form key={round} class="card form" aria-label="New rule" onSubmit={onSubmit(submit)}>
      <OperationField
        operations={operations}
        recent={entries.flatMap((entry) => entry.operation ?? []).reverse()}
        value={chosen}
        onChoose={setChosen}
      />
      {chosen !== '' && (
        <>
          <label class="field wide">
            <span class="label">Answer</span>
            <select name="answer">
              <AnswerOptions operation={operation} chosen={draft.status} />
            </select>
          </label>
          <Limits state={state} operation={operation} params={draft.params ?? {}} />
          <Field name="message" label="Error message (empty: the service's own)" class="wide" />
          {amounts.map(([name, label, placeholder]) => (
            <Field key={name} type="number" min={0} step={1} {...{ name, label, placeholder }} />
          ))}
          <button type="submit" class="primary">
            Add the rule{chosen === EVERY ? ' for every operation' : ''}
          </button>
        </>
      )}
    </form>
  )
}

interface OperationFieldProps {
  operations: readonly OperationSummary[]
  /** Operations that were asked for lately, newest first. They are suggested first. */
  recent: readonly string[]
  /** The id of an operation, `*`, or empty: none is chosen. */
  value: string
  onChoose(id: string): void
}

/** A field that searches the operations by name, path and resource. Enter takes the first one that is found. */
function OperationField({ operations, recent, value, onChoose }: OperationFieldProps) {
  const list = useId()
  const [text, setText] = useState(value)
  const seen = operations.filter(({ id }) => recent.includes(id))
  const suggested = [...new Set([...seen, ...operations])].map(({ id, method, path, tag }) => ({
    id,
    words: `${method} ${path} · ${tag}`,
  }))
  const all = [...suggested, { id: EVERY, words: 'every operation' }]
  const choose = (id: string) => {
    setText(id)
    onChoose(id)
  }
  const find = () => {
    const found =
      all.find(({ id }) => id === text.trim()) ?? all.find(({ id, words }) => mentions(`${id} ${words}`, text))
    if (text.trim() !== '') choose(found?.id ?? '')
  }
  return (
    <>
      <label class="field wide">
        <span class="label">Operation</span>
        <input
          list={list}
          required
          autoComplete="off"
          placeholder="Search by name, path or resource"
          value={text}
          onInput={({ currentTarget }) => {
            setText(currentTarget.value)
            onChoose(all.find(({ id }) => id === currentTarget.value.trim())?.id ?? '')
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || value !== '') return
            event.preventDefault()
            find()
          }}
          onBlur={find}
        />
      </label>
      <datalist id={list}>
        <Options pairs={all.map(({ id, words }) => [id, words])} />
      </datalist>
    </>
  )
}

interface AnswerProps {
  operation: OperationSummary | undefined
  /** The status that is selected at first. */
  chosen: number | undefined
}

/** The operation's documented statuses first, then all other error statuses, then faults. */
function AnswerOptions({ operation, chosen }: AnswerProps) {
  const documented = operation?.errors ?? []
  const others = Object.keys(STATUS_TEXT).map(Number)
  const rest = others.filter((status) => !documented.includes(status))
  const pairs = (statuses: readonly number[]) =>
    statuses.map((status) => [status, `${status} · ${STATUS_TEXT[status] ?? 'An error'}`] as const)
  return (
    <>
      {documented.length > 0 && (
        <optgroup label={`Documented for ${operation?.id}`}>
          <Options pairs={pairs(documented)} chosen={chosen} />
        </optgroup>
      )}
      <optgroup label={documented.length > 0 ? 'Other errors' : 'Errors'}>
        <Options pairs={pairs(rest)} chosen={chosen} />
      </optgroup>
      <optgroup label="Faults">
        <Options pairs={Object.entries(faults).map(([fault, words]) => [fault, `${fault} · ${words}`])} />
      </optgroup>
      <optgroup label="Delay only">
        <option value="">the normal answer, later</option>
      </optgroup>
    </>
  )
}

/** The rule that a filled-in form describes, but for its operation; without the fields left empty. */
export function readRule(form: FormData): object {
  const field = (name: string) => String(form.get(name) ?? '').trim()
  const given = amounts.filter(([name]) => field(name) !== '').map(([name]) => [name, +field(name)])
  const answer = field('answer')
  const match = readMatch(form, field)
  return {
    ...(answer in faults ? { fault: answer } : answer === '' ? {} : { status: Number(answer) }),
    ...(field('message') === '' ? {} : { error: { message: field('message') } }),
    ...Object.fromEntries(given),
    ...(Object.keys(match).length > 0 && { match }),
  }
}

/** What the fields for `match` say. */
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
  /** What the parameters start with. */
  params: Readonly<Record<string, string>>
}

/** What a request must contain for the rule to apply. All of it may stay empty. */
function Limits({ state, operation, params }: LimitsProps) {
  return (
    <fieldset class="wide form limits">
      <legend class="label">Only for requests with (empty: all)</legend>
      {paramNames(operation?.path ?? '').map((name) => (
        <Field
          key={name}
          name={`params.${name}`}
          label={name}
          placeholder="any"
          suggested={valuesOf(name, state)}
          defaultValue={params[name]}
        />
      ))}
      <Field name="query" label="Query" placeholder="archived=true" />
      <Field name="headers" label="Header" placeholder="x-team: checkout" />
      <Field name="body" label="Body contains (JSON)" placeholder={'{ "name": "copy" }'} onInput={complainOfJson} />
    </fieldset>
  )
}

/** What a parameter of a path can be in the data. */
function valuesOf(name: string, { data }: PanelState): string[] {
  if (name === 'featureName') return data?.features.map((feature) => feature.name) ?? []
  if (name === 'projectId') return data?.projects.map(({ id }) => id) ?? []
  if (name === 'token') return data?.signupTokens.map(({ secret }) => secret) ?? []
  if (name === 'environment') return data?.environments.map((environment) => environment.name) ?? []
  return []
}

/** The browser shows this when the form is submitted, at the field. */
function complainOfJson({ currentTarget: field }: { readonly currentTarget: HTMLInputElement }): void {
  field.setCustomValidity(field.value.trim() === '' || isJsonText(field.value) ? '' : 'This must be JSON.')
}

function isJsonText(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
