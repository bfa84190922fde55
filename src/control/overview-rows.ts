import { type OperationRow, operations } from '../api/operations.js'
import { errorStatusesOf } from '../contract/operation.js'
import { describeKeys } from './keys.js'
import { type ControlRow, row, shown } from './row.js'

/** A session, as the panel lists it. */
export interface SessionSummary {
  name: string
  /** What it is switched to, joined by commas. */
  scenario: string
  worlds: string[]
  requests: number
}

export type OperationSummary = Pick<OperationRow, 'id' | 'method' | 'path' | 'summary' | 'tag' | 'errors'>

/** Rows of the control API that list what exists. */
export const overviewRows: readonly ControlRow[] = [
  row({
    method: 'GET',
    path: '/sessions',
    summary:
      'All sessions, the unnamed one first, each with its active scenario, its worlds and its number of requests',
    run: ({ sessions }) =>
      shown(
        sessions.all().map(
          ({ name, switchedTo, worlds, journal }): SessionSummary => ({
            name,
            scenario: switchedTo.join(','),
            worlds,
            requests: journal.count(),
          }),
        ),
      ),
  }),
  row({
    method: 'GET',
    path: '/operations',
    summary: 'All modelled operations, with the error statuses that each can answer',
    run: ({ profile }) =>
      shown(
        (operations as readonly OperationRow[]).map((operation): OperationSummary => {
          const { id, method, path, summary, tag } = operation
          return { id, method, path, summary, tag, errors: errorStatusesOf(operation, profile) }
        }),
      ),
  }),
  row({
    method: 'GET',
    path: '/keys',
    summary: 'Authorization values that work in the world, with what each one allows',
    run({ control }) {
      const { apiTokens, users, roles } = control.world.data.tables
      const holders = { apiTokens: apiTokens.list(), users: users.list(), roles: roles.list() }
      return shown(describeKeys(holders, control.world.clock.now()))
    },
  }),
]
