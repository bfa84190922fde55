import { useState } from 'hono/jsx/dom'
import type { OperationSummary } from '../../overview-rows.js'
import { AnswerOptions } from './answer-options.js'
import { readRule } from './force-rule-form.js'
import { MatchFields } from './match-fields.js'
import type { PartProps } from './part.js'

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
