import * as z from 'zod'
import { type OperationRow, operations } from '../../service/api/operations.js'
import { MockError } from '../../service/contract/mock-errors.js'
import { errorStatusesOf } from '../../service/contract/operation.js'
import { isObject, laidOut, show } from '../../support/json.js'
import { emptyAnswer, hintHeader, jsonAnswer, textAnswer } from '../http/answer.js'
import type { ActiveRule } from '../scenarios/force-rule.js'
import { idleRules } from '../scenarios/idle-rules.js'
import { exportOf } from '../transfer/write-export.js'
import { durationSchema } from './clock-values.js'
import type { Control } from './control.js'
import { journalRows } from './journal-rows.js'
import { describeKeys } from './keys.js'
import { acts, type ControlRow, reads, rejectVisitors, row } from './row.js'
import { scenarioOf } from './saved-scenario.js'

const switchSchema = z.union(
  [z.strictObject({ name: z.string().min(1) }), z.strictObject({ names: z.array(z.string().min(1)).min(1) })],
  { error: 'must be { "name": "…" } or { "names": ["…", …] }' },
)
const titleSchema = z.strictObject({ name: z.string(), title: z.string(), promise: z.string() })
const clockSchema = z.strictObject({
  now: z.union([z.string(), z.number()], { error: 'must be a date such as "2026-11-20T12:00:00Z"' }),
  frozen: z.boolean().optional(),
})

/** A session, as the panel lists it. */
export interface SessionSummary {
  name: string
  /** What it is switched to, joined by commas. */
  scenario: string
  worlds: string[]
  requests: number
}

export type OperationSummary = Pick<OperationRow, 'id' | 'method' | 'path' | 'summary' | 'tag' | 'errors'>

/** THE table of the control API, below `/__mock`. */
export const controlRows: readonly ControlRow[] = [
  reads('/scenarios', 'All scenarios, each with its promise and whether it is active', ({ control }) =>
    control.scenarios(),
  ),
  row('POST', '/scenarios', {
    summary:
      'Save what there is as a scenario: its data, its rules, its clock if that is frozen. With `--scenarios` it is written into that folder, and the answer has its `file`',
    body: titleSchema,
    async run({ control, session, options }, body) {
      const scenario = session.catalogue.save(await scenarioOf(control.world, session, body))
      try {
        const file = await options.writeScenario?.(scenario)
        return jsonAnswer(201, file === undefined ? scenario : { ...scenario, file })
      } catch (error) {
        session.catalogue.forget(scenario.name)
        throw error
      }
    },
  }),
  row('GET', '/scenarios/:name', {
    summary: 'A scenario, to download as a file for `--scenarios`',
    run({ session, params }) {
      const scenario = session.catalogue.get(params.name ?? '')
      const headers = { 'content-disposition': `attachment; filename="${scenario.name}.json"` }
      return textAnswer(200, 'application/json', `${laidOut(scenario)}\n`, headers)
    },
  }),
  row('PUT', '/scenarios/:name', {
    summary: 'Add a scenario file to the session, or replace the saved scenario of that name',
    body: z.unknown(),
    async run({ session, params }, body) {
      const name = isObject(body) ? body.name : undefined
      if (typeof name === 'string' && name !== params.name) throw otherName(name, params.name ?? '')
      const { scenario, isNew } = await session.addScenario(body)
      return jsonAnswer(isNew ? 201 : 200, scenario)
    },
  }),
  row('DELETE', '/scenarios/:name', {
    summary: 'Remove a scenario that was saved, and the file that was written for it',
    async run({ options, params: { name = '' } }) {
      options.sessions.removeScenario(name)
      await options.removeScenarioFile?.(name)
      return emptyAnswer(204)
    },
  }),
  reads(
    '/scenario',
    'The active scenarios of the session. `notice` says why these are the default ones, if others could not start any more, or that your files changed',
    ({ session, control: { world } }) => {
      const notice = session.noticeIn(world)
      const isChanged = world.filesChanged && { filesChanged: true }
      return { names: session.switchedTo, ...(notice !== undefined && { notice }), ...isChanged }
    },
  ),
  row('PUT', '/scenario', {
    summary: 'Switch the session to one or more scenarios; their data starts over, unless `--state` keeps it',
    body: switchSchema,
    leavesWorld: true,
    run({ control, session }, body) {
      const names = control.switchTo('name' in body ? [body.name] : body.names)
      return jsonAnswer(200, { names }, hintHeader(session.catalogue.idleRules(names)))
    },
  }),
  row('DELETE', '/scenario', {
    summary: 'Switch the session back to the scenario it started with',
    leavesWorld: true,
    run({ session }) {
      session.switchBack()
      return emptyAnswer(204)
    },
  }),
  row('POST', '/reset', {
    summary:
      'Reset the session: data, clocks, rules, journal, logins and active scenario; `logins=keep` leaves everybody signed in',
    query: ['logins'],
    leavesWorld: true,
    run({ session, query }) {
      const logins = query.get('logins')
      if (logins !== null && logins !== 'keep') {
        const problem = `"logins" is keep, or left out: a reset signs everybody out. It is ${show(logins)}.`
        throw new MockError('INVALID_REQUEST', problem, 'Send POST /__mock/reset?logins=keep.')
      }
      session.reset({ keepsLogins: logins === 'keep' })
      return emptyAnswer(204)
    },
  }),
  acts(
    'POST',
    '/keep',
    'Keep the data of a scenario whose files changed, and drop the notice about that',
    ({ control }) => control.keepData(),
  ),
  reads('/state', 'A snapshot of the data', ({ control }) => control.world.snapshot()),
  row('GET', '/export', {
    summary:
      "The features as the service's export file, which the service imports; `project`, which may be repeated, and `environment` choose which",
    repeatable: ['project'],
    query: ['environment'],
    run(call) {
      rejectVisitors(call)
      const { control, query } = call
      const options = { projects: query.getAll('project'), environment: query.get('environment') ?? undefined }
      return jsonAnswer(200, exportOf(control.world.data.tables, options))
    },
  }),
  row('PUT', '/state', {
    summary: 'Replace all data with a snapshot',
    body: z.unknown(),
    run({ control }, body) {
      control.replaceState(body)
      return jsonAnswer(200, control.world.snapshot())
    },
  }),
  row('PATCH', '/state', {
    summary:
      'Merge records into the state, as a JSON Merge Patch (RFC 7396) in which a list of records stands for an object by their keys',
    body: z.unknown(),
    run({ control }, body) {
      control.addState(body)
      return jsonAnswer(200, control.world.snapshot())
    },
  }),
  ...journalRows,
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
    run: ({ control }) => moved(control, control.step(-1) === undefined ? 'There is nothing to undo.' : undefined),
  }),
  row('POST', '/history/redo', {
    summary: 'Redo what was undone last',
    run: ({ control }) => moved(control, control.step(1) === undefined ? 'There is nothing to redo.' : undefined),
  }),
  row('PUT', '/history', {
    summary: 'Go to a moment by its id: `{ "at": 12 }`',
    body: z.strictObject({ at: z.int({ error: 'must be the id of a moment' }) }),
    run({ control }, body) {
      control.goTo(body.at)
      return moved(control)
    },
  }),
  reads('/clock', 'The time of the scenario, and whether its clock is frozen', ({ control }) => control.clock()),
  row('PUT', '/clock', {
    summary: 'Set the clock; it stops there, or runs on with `"frozen": false`',
    body: clockSchema,
    run({ control }, body) {
      control.setClock(body.now, { frozen: body.frozen })
      return jsonAnswer(200, control.clock())
    },
  }),
  acts('DELETE', '/clock', 'Return the clock to real time', ({ control }) => control.releaseClock()),
  row('POST', '/clock/advance', {
    summary: 'Advance the clock by ms, seconds, minutes, hours or days',
    body: durationSchema,
    run({ control }, body) {
      control.advanceClock(body)
      return jsonAnswer(200, control.clock())
    },
  }),
  reads('/forced', 'The rules of the scenario; `idle` says why one can never apply', ({ control: { world } }) => {
    const own = world.composition.force
    const all = world.rules.all()
    const idle = new Map(idleRules(all.map(({ rule }) => rule)).map(({ at, by }) => [at, by]))
    return all.map((active, at) => ({
      ...showRule(active),
      ...(own.includes(active.rule) && { byScenario: true }),
      ...(idle.has(at) && { idle: whyIdle(all[idle.get(at) ?? -1]) }),
    }))
  }),
  row('POST', '/forced', {
    summary: "Add a rule: what answers in an operation's place",
    body: z.unknown(),
    run: ({ control }, body) => jsonAnswer(201, showRule(control.force(body))),
  }),
  acts('DELETE', '/forced', 'Remove all rules', ({ control }) => control.clearForced()),
  acts('DELETE', '/forced/:id', 'Remove one rule', ({ control, params }) => control.unforce(params.id ?? '')),
  row('POST', '/login', {
    summary: 'Sign in as a user of the scenario, by id and without a password: the answer sets the cookie',
    body: z.strictObject({ user: z.int() }),
    run: ({ control }, body) => emptyAnswer(204, { 'set-cookie': control.signIn(body.user) }),
  }),
  reads(
    '/sessions',
    'All sessions, the unnamed one first, each with its active scenario, those that it has data of (`worlds`) and its number of requests',
    ({ options }) =>
      options.sessions.all().map(
        ({ name, switchedTo, worlds, journal }): SessionSummary => ({
          name,
          scenario: switchedTo.join(','),
          worlds,
          requests: journal.count(),
        }),
      ),
  ),
  reads(
    '/operations',
    'All modelled operations, with the error statuses that each can answer',
    ({ options: { profile } }) =>
      (operations as readonly OperationRow[]).map((operation): OperationSummary => {
        const { id, method, path, summary, tag } = operation
        return { id, method, path, summary, tag, errors: errorStatusesOf(operation, profile) }
      }),
  ),
  reads(
    '/keys',
    'Authorization values that work in the scenario, with what each one allows',
    ({ control, options }) => {
      const { apiTokens, users, roles } = control.world.data.tables
      const holders = { apiTokens: apiTokens.list(), users: users.list(), roles: roles.list() }
      return describeKeys(holders, control.world.clock.now(), options.profile)
    },
  ),
]

function otherName(inFile: string, inPath: string): MockError {
  const problem = `The scenario is named ${show(inFile)} in the file, and ${show(inPath)} in the path.`
  return new MockError('INVALID_SCENARIO', `${problem} ($.name)`, 'Write the same name into both.')
}

function whyIdle(by: ActiveRule | undefined): string {
  return by === undefined ? 'it is for 0 requests' : `the newer rule ${by.id} answers all of its requests`
}

function showRule({ id, rule, seen }: ActiveRule) {
  return { id, ...rule, seen }
}

/** Each call that moves in the history answers with the history as it is then. */
function moved(control: Control, hint?: string) {
  return jsonAnswer(200, control.history(), hintHeader(hint))
}
