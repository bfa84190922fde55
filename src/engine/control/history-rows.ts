import * as z from 'zod'
import { hintHeader, jsonAnswer } from '../http/answer.js'
import type { Control } from './control.js'
import { type ControlRow, reads, row } from './row.js'

const atSchema = z.strictObject({ at: z.int({ error: 'must be the id of a moment' }) })

/** Rows about the history of a world. Each answers with the history as it is then. */
export const historyRows: readonly ControlRow[] = [
  reads(
    '/history',
    'The moments that the scenario can go back to, oldest first, each with its `title`: a sentence about what was done',
    ({ control }) => control.history(),
  ),
  reads('/history/:id', 'The records that the step to a moment changed, each before and after', ({ control, params }) =>
    control.changesAt(params.id ?? ''),
  ),
  row('POST', '/history/undo', {
    summary:
      'Undo the last change: a request, an upload, a reset, a rule, a move of the clock; right after a switch, switch back',
    run: ({ control }) => moved(control, control.undo() === undefined ? 'There is nothing to undo.' : undefined),
  }),
  row('POST', '/history/redo', {
    summary: 'Redo what was undone last',
    run: ({ control }) => moved(control, control.redo() === undefined ? 'There is nothing to redo.' : undefined),
  }),
  row('PUT', '/history', {
    summary: 'Go to a moment by its id: `{ "at": 12 }`',
    body: atSchema,
    run({ control }, body) {
      control.goTo(body.at)
      return moved(control)
    },
  }),
]

function moved(control: Control, hint?: string) {
  return jsonAnswer(200, control.history(), hintHeader(hint))
}
