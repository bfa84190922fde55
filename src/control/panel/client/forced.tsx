import { useState } from 'hono/jsx/dom'
import { STATUS_TEXT } from '../../../api/status-text.js'
import { faults } from '../../../scenarios/faults.js'
import type { OperationSummary } from '../../overview-rows.js'
import { readRule, ruleWords } from './force-form.js'
import type { PartProps } from './part.js'

/** Makes operations answer what they are told, before every check. */
export function Forced({ panel, state }: PartProps) {
  const { forced, operations } = state
  const [chosen, setChosen] = useState('*')
  const submit = (event: Event) => {
    event.preventDefault()
    void panel.force(readRule(new FormData(event.target as HTMLFormElement)))
  }
  return (
    <>
      <p class="lead">
        A forced answer comes before every check, even before a 401. The newest rule that applies wins.
      </p>
      <form class="card form" aria-label="Force an answer" onSubmit={submit}>
        <label class="field wide">
          <span class="label">Operation</span>
          <select
            name="operation"
            value={chosen}
            onChange={(event: Event) => setChosen((event.target as HTMLSelectElement).value)}
          >
            <option value="*">every operation</option>
            <OperationOptions operations={operations} />
          </select>
        </label>
        <label class="field wide">
          <span class="label">Answer</span>
          <select name="answer">
            <AnswerOptions operation={operations.find(({ id }) => id === chosen)} />
          </select>
        </label>
        <label class="field wide">
          <span class="label">Message of the error (the service's own, if left empty)</span>
          <input name="message" autoComplete="off" />
        </label>
        <Amount name="delay" label="Delay (ms)" />
        <Amount name="after" label="After so many requests" />
        <Amount name="times" label="So many times" placeholder="always" />
        <button type="submit" class="primary">
          Force it
        </button>
      </form>
      <div class="heading-row">
        <h3>In force</h3>
        <button type="button" class="quiet" disabled={forced.length === 0} onClick={() => panel.clearForced()}>
          Take all back
        </button>
      </div>
      {forced.length === 0 && <p class="empty">No answer is forced: every operation answers as it would.</p>}
      <ul class="cards">
        {forced.map((rule) => (
          <li key={rule.id} class="card">
            <div class="card-head">
              <h4>{rule.operation === '*' ? 'Every operation' : rule.operation}</h4>
              <button
                type="button"
                class="quiet"
                aria-label={`Take back the forced answer ${rule.id}`}
                onClick={() => panel.unforce(rule.id)}
              >
                Take back
              </button>
            </div>
            <p>{ruleWords(rule)}</p>
          </li>
        ))}
      </ul>
    </>
  )
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

/** The statuses that the operation documents first, then all others that errors can have, then what breaks. */
function AnswerOptions({ operation }: { operation: OperationSummary | undefined }) {
  const documented = operation?.errors ?? []
  const others = Object.keys(STATUS_TEXT).map(Number)
  const rest = others.filter((status) => !documented.includes(status))
  return (
    <>
      {documented.length > 0 && <StatusOptions label={`Documented for ${operation?.id}`} statuses={documented} />}
      <StatusOptions label={documented.length > 0 ? 'Other errors' : 'Errors'} statuses={rest} />
      <optgroup label="Breaks on the way">
        {Object.entries(faults).map(([fault, words]) => (
          <option key={fault} value={fault}>
            {`${fault} · ${words}`}
          </option>
        ))}
      </optgroup>
      <optgroup label="Only a delay">
        <option value="">as it would, but later</option>
      </optgroup>
    </>
  )
}

function StatusOptions({ label, statuses }: { label: string; statuses: readonly number[] }) {
  return (
    <optgroup label={label}>
      {statuses.map((status) => (
        <option key={status} value={status}>
          {`${status} · ${STATUS_TEXT[status] ?? 'An error'}`}
        </option>
      ))}
    </optgroup>
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
