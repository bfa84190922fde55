import { useState } from 'hono/jsx/dom'
import { STATUS_TEXT } from '../../../api/status-text.js'
import { faults } from '../../../scenarios/faults.js'
import type { OperationSummary } from '../../overview-rows.js'
import { readRule, ruleWords } from './force-form.js'
import type { PartProps } from './part.js'

/** Lists force rules and adds new ones. */
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
        A forced answer takes precedence over every check, even a 401. The newest rule that applies wins.
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
          <span class="label">Error message (empty: the service's own)</span>
          <input name="message" autoComplete="off" />
        </label>
        <Amount name="delay" label="Delay (ms)" />
        <Amount name="after" label="Skip first" />
        <Amount name="times" label="Repeat" placeholder="always" />
        <button type="submit" class="primary">
          Force this answer
        </button>
      </form>
      <div class="heading-row">
        <h3>In force</h3>
        <button type="button" class="quiet" disabled={forced.length === 0} onClick={() => panel.clearForced()}>
          Remove all
        </button>
      </div>
      {forced.length === 0 && <p class="empty">No forced answers. Every operation answers normally.</p>}
      <ul class="cards">
        {forced.map((rule) => (
          <li key={rule.id} class="card">
            <div class="card-head">
              <h4>{rule.operation === '*' ? 'Every operation' : rule.operation}</h4>
              <button
                type="button"
                class="quiet"
                aria-label={`Remove the forced answer ${rule.id}`}
                onClick={() => panel.unforce(rule.id)}
              >
                Remove
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

/** The operation's documented statuses first, then all other error statuses, then faults. */
function AnswerOptions({ operation }: { operation: OperationSummary | undefined }) {
  const documented = operation?.errors ?? []
  const others = Object.keys(STATUS_TEXT).map(Number)
  const rest = others.filter((status) => !documented.includes(status))
  return (
    <>
      {documented.length > 0 && <StatusOptions label={`Documented for ${operation?.id}`} statuses={documented} />}
      <StatusOptions label={documented.length > 0 ? 'Other errors' : 'Errors'} statuses={rest} />
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
