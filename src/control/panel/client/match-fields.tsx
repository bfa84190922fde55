import { paramNames } from '../../../contract/operation.js'
import type { OperationSummary } from '../../rows.js'

/** What a request must contain for the rule to apply. All of it may stay empty. */
export function MatchFields({ operation }: { operation: OperationSummary | undefined }) {
  return (
    <details class="wide">
      <summary>
        <span class="name">Only for requests with…</span>
      </summary>
      <div class="form">
        {paramNames(operation?.path ?? '').map((name) => (
          <Part key={name} name={`params.${name}`} label={name} />
        ))}
        <Part name="query" label="Query" placeholder="archived=true" />
        <Part name="headers" label="Header" placeholder="x-team: checkout" />
        <Part name="body" label="Body contains (JSON)" placeholder={'{ "name": "copy" }'} onInput={complainOfJson} />
      </div>
    </details>
  )
}

interface PartProps {
  name: string
  label: string
  placeholder?: string
  onInput?: (event: Event) => void
}

function Part({ name, label, placeholder = '', onInput = () => {} }: PartProps) {
  return (
    <label class="field">
      <span class="label">{label}</span>
      <input name={name} placeholder={placeholder} onInput={onInput} autoComplete="off" />
    </label>
  )
}

/** The browser shows this when the form is submitted, at the field. */
function complainOfJson(event: Event): void {
  const field = event.target as HTMLInputElement
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
