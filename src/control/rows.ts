import * as z from 'zod'
import type { OperationId } from '../api/operations.js'
import { MockError } from '../contract/mock-errors.js'
import type { ActiveRule } from '../scenarios/force-rule.js'
import type { JournalFilter } from '../sessions/journal.js'
import { durationSchema } from './control.js'
import { overviewRows } from './overview-rows.js'
import { type ControlRow, done, row, shown } from './row.js'

const switchSchema = z.union(
  [z.strictObject({ name: z.string().min(1) }), z.strictObject({ names: z.array(z.string().min(1)).min(1) })],
  { error: 'must be { "name": "…" } or { "names": ["…", …] }' },
)
const clockSchema = z.strictObject({ now: z.union([z.string(), z.number()]) })

/** THE table of the control API, below `/__mock`. */
export const controlRows: readonly ControlRow[] = [
  row({
    method: 'GET',
    path: '/scenarios',
    summary: 'All scenarios, each with its promise and whether it is active',
    run: ({ control }) => shown(control.scenarios()),
  }),
  row({
    method: 'GET',
    path: '/scenario',
    summary: 'The active scenarios of the session',
    run: ({ control }) => shown({ names: control.activeScenarios() }),
  }),
  row({
    method: 'PUT',
    path: '/scenario',
    summary: 'Switch the session to one or more scenarios; their data starts over, unless `--state` keeps it',
    body: switchSchema,
    run: ({ control, body }) => shown({ names: control.switchTo('name' in body ? [body.name] : body.names) }),
  }),
  row({
    method: 'DELETE',
    path: '/scenario',
    summary: 'Switch the session back to the scenario it started with',
    run({ control }) {
      control.switchBack()
      return done
    },
  }),
  row({
    method: 'POST',
    path: '/reset',
    summary: 'Reset the session: data, clocks, force rules, journal and active scenario',
    run({ control }) {
      control.reset()
      return done
    },
  }),
  row({
    method: 'GET',
    path: '/state',
    summary: 'A snapshot of the world',
    run: ({ control }) => shown(control.state()),
  }),
  row({
    method: 'PUT',
    path: '/state',
    summary: 'Replace the whole world with a snapshot',
    body: z.unknown(),
    run({ control, body }) {
      control.replaceState(body)
      return shown(control.state())
    },
  }),
  row({
    method: 'PATCH',
    path: '/state',
    summary:
      'Add records; one with an existing key is replaced. An object in place of a list changes the records that it names',
    body: z.unknown(),
    run({ control, body }) {
      control.addState(body)
      return shown(control.state())
    },
  }),
  row({
    method: 'GET',
    path: '/requests',
    summary: 'The journal, newest last; filters: operation, status, matched, since',
    run: ({ control, query }) => shown(control.requests(journalFilter(query))),
  }),
  row({
    method: 'DELETE',
    path: '/requests',
    summary: 'Empty the journal',
    run({ control }) {
      control.clearRequests()
      return done
    },
  }),
  row({
    method: 'GET',
    path: '/clock',
    summary: 'The time of the world, and whether the clock is frozen',
    run: ({ control }) => shown(control.clock()),
  }),
  row({
    method: 'PUT',
    path: '/clock',
    summary: 'Set the clock and freeze it',
    body: clockSchema,
    run({ control, body }) {
      control.setClock(body.now)
      return shown(control.clock())
    },
  }),
  row({
    method: 'DELETE',
    path: '/clock',
    summary: 'Return the clock to real time',
    run({ control }) {
      control.releaseClock()
      return done
    },
  }),
  row({
    method: 'POST',
    path: '/clock/advance',
    summary: 'Advance the clock by ms, seconds, minutes, hours or days',
    body: durationSchema,
    run({ control, body }) {
      control.advanceClock(body)
      return shown(control.clock())
    },
  }),
  row({
    method: 'GET',
    path: '/forced',
    summary: 'The force rules of the world',
    run: ({ control }) => shown(control.forced().map(showRule)),
  }),
  row({
    method: 'POST',
    path: '/forced',
    summary: "Force an operation's response",
    body: z.unknown(),
    run: ({ control, body }) => ({ status: 201, body: showRule(control.force(body)) }),
  }),
  row({
    method: 'DELETE',
    path: '/forced',
    summary: 'Remove all force rules',
    run({ control }) {
      control.clearForced()
      return done
    },
  }),
  row({
    method: 'DELETE',
    path: '/forced/:id',
    summary: 'Remove one force rule',
    run({ control, params }) {
      control.unforce(params.id ?? '')
      return done
    },
  }),
  ...overviewRows,
]

function showRule({ id, rule, seen }: ActiveRule) {
  return { id, ...rule, seen }
}

function journalFilter(query: URLSearchParams): JournalFilter {
  const filter: JournalFilter = {}
  for (const [name, value] of query) {
    if (name === 'operation') filter.operation = value as OperationId
    else if (name === 'status') filter.status = wholeNumber(name, value)
    else if (name === 'matched') filter.matched = yesOrNo(name, value)
    else if (name === 'since') filter.since = /^\d+$/.test(value) ? Number(value) : instant(name, value)
    else throw invalidFilter(`There is no filter "${name}".`)
  }
  return filter
}

function wholeNumber(name: string, value: string): number {
  if (/^\d+$/.test(value)) return Number(value)
  throw invalidFilter(`The filter "${name}" takes a whole number, not "${value}".`)
}

function yesOrNo(name: string, value: string): boolean {
  if (value === 'true' || value === 'false') return value === 'true'
  throw invalidFilter(`The filter "${name}" takes true or false, not "${value}".`)
}

function instant(name: string, value: string): string {
  if (!Number.isNaN(Date.parse(value))) return value
  throw invalidFilter(`The filter "${name}" takes a date-time or the id of an entry, not "${value}".`)
}

function invalidFilter(message: string): MockError {
  return new MockError('INVALID_REQUEST', message, 'The filters are operation, status, matched and since.')
}
