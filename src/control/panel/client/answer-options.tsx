import { STATUS_TEXT } from '../../../api/status-text.js'
import { faults } from '../../../scenarios/faults.js'
import type { OperationSummary } from '../../overview-rows.js'

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
