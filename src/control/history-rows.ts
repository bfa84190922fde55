import * as z from 'zod'
import { hintHeader } from '../http/answer.js'
import type { Control } from './control.js'
import { type ControlRow, row, shown } from './row.js'

const atSchema = z.strictObject({ at: z.int({ error: 'must be the id of a moment' }) })

/** Rows about the history of a world. Each answers with the history as it is then. */
export const historyRows: readonly ControlRow[] = [
  row({
    method: 'GET',
    path: '/history',
    summary: 'The moments that the world can go back to, oldest first, and which of them is now',
    run: ({ control }) => shown(control.history()),
  }),
  row({
    method: 'GET',
    path: '/history/:id',
    summary: 'The records that the step to a moment changed, each before and after',
    run: ({ control, params }) => shown(control.changesAt(Number(params.id))),
  }),
  row({
    method: 'POST',
    path: '/history/undo',
    summary: 'Undo the last change: a request, an upload, a reset, a switch, a force rule, a move of the clock',
    run: ({ control }) => moved(control, control.undo() === undefined ? 'There is nothing to undo.' : undefined),
  }),
  row({
    method: 'POST',
    path: '/history/redo',
    summary: 'Redo what was undone last',
    run: ({ control }) => moved(control, control.redo() === undefined ? 'There is nothing to redo.' : undefined),
  }),
  row({
    method: 'PUT',
    path: '/history',
    summary: 'Go to a moment by its id: `{ "at": 12 }`',
    body: atSchema,
    run({ control, body }) {
      control.goTo(body.at)
      return moved(control)
    },
  }),
]

function moved(control: Control, hint?: string) {
  return { ...shown(control.history()), headers: hintHeader(hint) }
}
