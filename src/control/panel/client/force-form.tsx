import { useState } from 'hono/jsx/dom'
import { STATUS_TEXT } from '../../../contract/errors.js'
import { faults } from '../../../scenarios/faults.js'
import type { ForceMatch, ForceRule } from '../../../scenarios/force-rule.js'
import type { OperationSummary } from '../../rows.js'
import { MatchFields } from './match-fields.js'
import type { ForcedRule } from './panel-state.js'
import type { PartProps } from './part.js'
import { counted } from './words.js'

interface AnswerProps {
  operation: OperationSummary | undefined
  /** The status that is selected at first. */
  chosen: number | undefined
}

/** The operation's documented statuses first, then all other error statuses, then faults. */
export function AnswerOptions({ operation, chosen }: AnswerProps) {
  const documented = operation?.errors ?? []
  const others = Object.keys(STATUS_TEXT).map(Number)
  const rest = others.filter((status) => !documented.includes(status))
  return (
    <>
      {documented.length > 0 && (
        <StatusOptions label={`Documented for ${operation?.id}`} statuses={documented} chosen={chosen} />
      )}
      <StatusOptions label={documented.length > 0 ? 'Other errors' : 'Errors'} statuses={rest} chosen={chosen} />
      <optgroup label="Faults">
        {Object.entries(faults).map(([fault, words]) => (
          <option key={fault} value={fault}>
            {`${fault} · ${words}`}
          </option>
        ))}
      </optgroup>
      <optgroup label="Delay only">
        <option value="">the normal answer, later</option>
      </optgroup>
    </>
  )
}

interface StatusProps {
  label: string
  statuses: readonly number[]
  chosen: number | undefined
}

function StatusOptions({ label, statuses, chosen }: StatusProps) {
  return (
    <optgroup label={label}>
      {statuses.map((status) => (
        <option key={status} value={status} selected={status === chosen}>
          {`${status} · ${STATUS_TEXT[status] ?? 'An error'}`}
        </option>
      ))}
    </optgroup>
  )
}

/** The rule that a filled-in form describes, without the fields left empty. */
export function readRule(form: FormData): ForceRule {
  const field = (name: string) => String(form.get(name) ?? '').trim()
  const amounts = ['delay', 'after', 'times'].filter((name) => field(name) !== '').map((name) => [name, +field(name)])
  const answer = field('answer')
  return {
    operation: field('operation'),
    ...(answer in faults ? { fault: answer } : answer === '' ? {} : { status: Number(answer) }),
    ...(field('message') === '' ? {} : { error: { message: field('message') } }),
    ...Object.fromEntries(amounts),
    ...readMatch(form),
  } as ForceRule
}

/** What the fields for `match` say: nothing if all are empty. */
function readMatch(form: FormData): Pick<ForceRule, 'match'> {
  const field = (name: string) => String(form.get(name) ?? '').trim()
  const names = [...form.keys()].filter((name) => name.startsWith('params.') && field(name) !== '')
  const [headerName = '', ...headerValue] = field('headers').split(':')
  const match = {
    ...(names.length > 0 && { params: Object.fromEntries(names.map((name) => [name.slice(7), field(name)])) }),
    ...(field('query') !== '' && { query: Object.fromEntries(new URLSearchParams(field('query'))) }),
    ...(headerName !== '' && { headers: { [headerName.trim()]: headerValue.join(':').trim() } }),
    ...(field('body') !== '' && { body: JSON.parse(field('body')) as unknown }),
  }
  return Object.keys(match).length > 0 ? { match } : {}
}

/** A rule in words. */
export function ruleWords({ match, status, fault, error, body, delay, after, times, seen }: ForcedRule): string {
  return [
    ...(status === undefined ? [] : [`${status} (${STATUS_TEXT[status] ?? 'custom status'})`]),
    ...(fault === undefined ? [] : [`${fault}: ${faults[fault]}`]),
    ...(error === undefined ? [] : [`error: ${Object.values(error).join(', ')}`]),
    ...(body === undefined ? [] : ['custom body']),
    ...(delay === undefined ? [] : [`delayed by ${delay} ms`]),
    ...(after === undefined ? [] : [`after ${counted(after, 'request')}`]),
    ...(times === undefined ? [] : [`for ${counted(times, 'request')}`]),
    ...(match === undefined ? [] : [`only with ${matchWords(match)}`]),
    `matched ${counted(seen, 'time')}`,
  ].join(' · ')
}

function matchWords({ params, query, headers, body }: ForceMatch): string {
  const listed = Object.entries({ ...params, ...query, ...headers }).map(([name, value]) => `${name}: ${value}`)
  return [...listed, ...(body === undefined ? [] : [`a body with ${JSON.stringify(body)}`])].join(', ')
}

/** The form for a new force rule. It starts with the panel's draft. */
export function ForceForm({ panel, state: { operations, draft } }: PartProps) {
  const [wanted, setWanted] = useState('')
  const [chosen, setChosen] = useState(draft.operation)
  const search = (event: Event) => {
    const text = (event.target as HTMLInputElement).value
    setWanted(text)
    const found = operations.filter((operation) => mentions(operation, text))
    if (text !== '' && !found.some(({ id }) => id === chosen)) setChosen(found[0]?.id ?? '*')
  }
  const operation = operations.find(({ id }) => id === chosen)
  const submit = (event: Event) => {
    event.preventDefault()
    void panel.force(readRule(new FormData(event.target as HTMLFormElement)))
  }
  return (
    <form class="card form" aria-label="Force an answer" onSubmit={submit}>
      <label class="field">
        <span class="label">Search by name or path</span>
        <input type="search" value={wanted} onInput={search} onKeyDown={keepOpen} autoComplete="off" />
      </label>
      <label class="field two">
        <span class="label">Operation</span>
        <select
          name="operation"
          value={chosen}
          onChange={(event: Event) => setChosen((event.target as HTMLSelectElement).value)}
        >
          <option value="*">every operation</option>
          <OperationOptions operations={operations.filter((one) => mentions(one, wanted))} />
        </select>
      </label>
      <label class="field wide">
        <span class="label">Answer</span>
        <select name="answer">
          <AnswerOptions operation={operation} chosen={draft.status} />
        </select>
      </label>
      <label class="field wide">
        <span class="label">Error message (empty: the service's own)</span>
        <input name="message" autoComplete="off" />
      </label>
      <Amount name="delay" label="Delay (ms)" />
      <Amount name="after" label="Skip first" />
      <Amount name="times" label="Repeat" placeholder="always" />
      <MatchFields operation={operation} />
      <button type="submit" class="primary">
        Force this answer
      </button>
    </form>
  )
}

/** Enter in the search field must not submit the form. */
function keepOpen(event: KeyboardEvent): void {
  if (event.key === 'Enter') event.preventDefault()
}

function mentions({ id, method, path, tag, summary }: OperationSummary, wanted: string): boolean {
  return `${id} ${method} ${path} ${tag} ${summary}`.toLowerCase().includes(wanted.trim().toLowerCase())
}

function OperationOptions({ operations }: { operations: OperationSummary[] }) {
  const tags = [...new Set(operations.map(({ tag }) => tag))].sort()
  return (
    <>
      {tags.map((tag) => (
        <optgroup key={tag} label={tag}>
          {operations
            .filter((operation) => operation.tag === tag)
            .map(({ id, method, path }) => (
              <option key={id} value={id}>
                {`${id} · ${method} ${path}`}
              </option>
            ))}
        </optgroup>
      ))}
    </>
  )
}

function Amount({ name, label, placeholder = '0' }: { name: string; label: string; placeholder?: string }) {
  return (
    <label class="field">
      <span class="label">{label}</span>
      <input type="number" name={name} min="0" step="1" placeholder={placeholder} />
    </label>
  )
}
