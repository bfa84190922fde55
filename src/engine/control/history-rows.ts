import * as z from 'zod'
import { hintHeader, jsonAnswer } from '../http/answer.js'
import type { RecordChange } from '../sessions/history.js'
import { REDACTED, redactRecord } from '../sessions/redact.js'
import { secretFieldsOf } from '../state/state-fault.js'
import { type ControlCall, type ControlRow, reads, row } from './row.js'

export const historyRows: readonly ControlRow[] = [
  reads(
    '/history',
    'The history of the scenario, oldest entry first. The `title` of an entry describes the change',
    ({ session, world }) => session.history.list(world().ready()),
  ),
  reads(
    '/history/:id',
    'The records that a history entry changed, each before and after the change',
    ({ session, params }) => session.history.changesAt(idOf(params.id ?? '')).map(withoutSecrets),
  ),
  row('POST', '/history/undo', {
    summary:
      'Undo the last change: a request, an upload, a reset, a rule or a clock change; right after a switch, switch back',
    run: (call) => moved(call, call.session.history.step(-1) ? undefined : 'There is nothing to undo.'),
  }),
  row('POST', '/history/redo', {
    summary: 'Redo the last undone change',
    run: (call) => moved(call, call.session.history.step(1) ? undefined : 'There is nothing to redo.'),
  }),
  row('PUT', '/history', {
    summary: 'Go to a history entry by its id: `{ "at": 12 }`',
    body: z.strictObject({ at: z.int({ error: 'must be the id of a history entry' }) }),
    run(call, body) {
      call.session.history.goTo(body.at)
      return moved(call)
    },
  }),
]

/** The number of an ID; any other text is returned for the error. */
function idOf(text: string): number | string {
  return /^\d+$/.test(text) ? Number(text) : text
}

/** Each call that moves in the history responds with the updated history. */
function moved({ session, world }: ControlCall, hint?: string) {
  return jsonAnswer(200, session.history.list(world()), hintHeader(hint))
}

/** A change of a record without secrets. Even the key of a record can be a secret. */
function withoutSecrets({ table, key, before, after }: RecordChange): RecordChange {
  const shown = (record: object | undefined) => record && { ...(redactRecord(table, record) as object) }
  const record = new Map(Object.entries(after ?? before ?? {}))
  const isHidden = secretFieldsOf(table).some((name) => record.get(name) === key)
  return { table, key: isHidden ? REDACTED : key, before: shown(before), after: shown(after) }
}
