import * as z from 'zod'
import { type OperationRow, operations } from '../../service/api/operations.js'
import { errorStatusesOf } from '../../service/contract/operation.js'
import type { Profile } from '../../service/contract/profile.js'
import { LOGIN_COOKIE } from '../../service/resources/people/login.js'
import { cookie } from '../../support/cookie.js'
import { isObject, laidOut, show } from '../../support/json.js'
import { MockError } from '../errors/mock-errors.js'
import { emptyAnswer, hintHeader, jsonAnswer, textAnswer } from '../http/answer.js'
import { headersWith } from '../http/checks.js'
import type { ActiveRule } from '../scenarios/force-rule.js'
import { idleRules } from '../scenarios/idle-rules.js'
import { exportOf } from '../transfer/write-export.js'
import { durationSchema } from './clock-values.js'
import type { Control } from './control.js'
import { journalRows } from './journal-rows.js'
import { describeKeys } from './keys.js'
import { acts, type ControlRow, reads, row } from './row.js'
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

/** The state of a session, and notices for users. */
export interface Situation {
  names: readonly string[]
  notice?: string
  filesChanged?: boolean
  /** Problems with files: a broken file, or a file in use. */
  problems?: string[]
}

/** A session in the panel's list. */
export interface SessionSummary {
  name: string
  /** Its current scenarios, comma-separated. */
  scenario: string
  worlds: string[]
  requests: number
}

export type ProfileSummary = Pick<Profile, 'name' | 'responds'>

export type OperationSummary = Pick<OperationRow, 'id' | 'method' | 'path' | 'summary' | 'tag' | 'errors'>

/** THE table of the control API, below `/__mock`. */
export const controlRows: readonly ControlRow[] = [
  reads('/scenarios', 'All scenarios, each with its promise and whether it is active', ({ control }) =>
    control.scenarios(),
  ),
  row('POST', '/scenarios', {
    summary:
      'Save the current state as a scenario, with its rules and any frozen clock. With `--scenarios`, the server writes it into that folder, and the response contains its `file`',
    body: titleSchema,
    async run({ control, session, mock }, body) {
      const scenario = session.catalogue.readNew(await scenarioOf(control.world, session, body))
      // To keep it first would drop the oldest one for a scenario that can't be written.
      const file = await mock.writeScenario?.(scenario)
      try {
        session.catalogue.keep(scenario)
      } catch (error) {
        await mock.removeScenarioFile?.(scenario.name)
        throw error
      }
      return jsonAnswer(201, file === undefined ? scenario : { ...scenario, file })
    },
  }),
  row('GET', '/scenarios/:name', {
    summary: 'Download a scenario as a file for `--scenarios`',
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
    summary: 'Remove a saved scenario and its file',
    async run({ mock, params: { name = '' } }) {
      mock.sessions.expectRemovable(name)
      // The file first: if it stayed, the scenario would be back after a restart.
      await mock.removeScenarioFile?.(name)
      mock.sessions.removeScenario(name)
      return emptyAnswer(204)
    },
  }),
  reads(
    '/scenario',
    'The active scenarios of the session. `notice` explains why the session fell back to the default scenario, or says that your files changed. `problems` lists broken files',
    ({ session, control: { world }, mock: { sessions } }): Situation => {
      const filesChanged = world.outdated !== undefined
      const problems = [...sessions.problems.values()]
      const notice = session.noticeIn(world)
      return {
        names: session.switchedTo,
        ...(notice !== undefined && { notice }),
        ...(filesChanged && { filesChanged }),
        ...(problems.length > 0 && { problems }),
      }
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
      'Reset the session: data, clocks, rules, journal, logins and active scenario; `logins=keep` leaves all users signed in',
    query: ['logins'],
    leavesWorld: true,
    run({ session, query }) {
      const logins = query.get('logins')
      if (logins !== null && logins !== 'keep') {
        const problem = `The parameter "logins" must be "keep" or missing, but is ${show(logins)}.`
        throw new MockError('INVALID_REQUEST', problem, 'Send POST /__mock/reset?logins=keep.')
      }
      session.reset({ keepsLogins: logins === 'keep' })
      return emptyAnswer(204)
    },
  }),
  reads('/state', 'A snapshot of the data', ({ control }) => control.world.snapshot()),
  row('GET', '/export', {
    summary: "Export features in Unleash's format; `project`, which can be repeated, and `environment` select them",
    repeatable: ['project'],
    query: ['environment'],
    run(call) {
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
      'Merge records into the state, as a JSON Merge Patch (RFC 7396) in which a list of records is merged like an object by their keys',
    body: z.unknown(),
    run({ control }, body) {
      control.addState(body)
      return jsonAnswer(200, control.world.snapshot())
    },
  }),
  ...journalRows,
  reads(
    '/history',
    'The history of the scenario, oldest entry first. The `title` of an entry describes the change',
    ({ control }) => control.history(),
  ),
  reads(
    '/history/:id',
    'The records that a history entry changed, each before and after the change',
    ({ control, params }) => control.changesAt(params.id ?? ''),
  ),
  row('POST', '/history/undo', {
    summary:
      'Undo the last change: a request, an upload, a reset, a rule or a clock change; right after a switch, switch back',
    run: ({ control }) => moved(control, control.step(-1) === undefined ? 'There is nothing to undo.' : undefined),
  }),
  row('POST', '/history/redo', {
    summary: 'Redo the last undone change',
    run: ({ control }) => moved(control, control.step(1) === undefined ? 'There is nothing to redo.' : undefined),
  }),
  row('PUT', '/history', {
    summary: 'Go to a history entry by its id: `{ "at": 12 }`',
    body: z.strictObject({ at: z.int({ error: 'must be the id of a history entry' }) }),
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
  reads(
    '/forced',
    'The rules of the scenario; `idle` explains why a rule can never apply',
    ({ control: { world } }) => {
      const own = new Set(world.composition.force)
      const all = world.rules.all()
      const idle = new Map(idleRules(all.map(({ rule }) => rule)).map(({ at, by }) => [at, by]))
      return all.map((active, at) => ({
        ...showRule(active),
        ...(own.has(active.rule) && { byScenario: true }),
        ...(idle.has(at) && { idle: whyIdle(all[idle.get(at) ?? -1]) }),
      }))
    },
  ),
  row('POST', '/forced', {
    summary: 'Add a rule, which overrides the responses of an operation',
    body: z.unknown(),
    run: ({ control }, body) => jsonAnswer(201, showRule(control.force(body))),
  }),
  acts('DELETE', '/forced', 'Remove all rules', ({ control }) => control.clearForced()),
  row('PUT', '/forced/:id', {
    summary: 'Change a rule, and reset its count so that it applies again',
    body: z.unknown(),
    run: ({ control, params }, body) => jsonAnswer(200, showRule(control.reforce(params.id ?? '', body))),
  }),
  acts('DELETE', '/forced/:id', 'Remove one rule', ({ control, params }) => control.unforce(params.id ?? '')),
  reads(
    '/login',
    'The logins of the session, as users of the scenario; `here` marks the caller',
    ({ control, request, jar }) => control.signedIn(cookie(headersWith(request.headers, jar), LOGIN_COOKIE)),
  ),
  row('POST', '/login', {
    summary: 'Sign in as a user of the scenario by id, without a password. The response sets the login cookie',
    body: z.strictObject({ user: z.int() }),
    run: ({ control }, body) => emptyAnswer(204, { 'set-cookie': control.signIn(body.user) }),
  }),
  acts('DELETE', '/login/:user', 'End all logins of a user, by id', ({ control, params }) =>
    control.signOut(Number(params.user)),
  ),
  reads(
    '/sessions',
    'All sessions, starting with the shared session, each with its active scenario, the scenarios that it has data for (`worlds`) and its number of requests',
    ({ mock }) =>
      mock.sessions.all().map(
        ({ name, switchedTo, worlds, journal }): SessionSummary => ({
          name,
          scenario: switchedTo.join(','),
          worlds,
          requests: journal.count(),
        }),
      ),
  ),
  reads(
    '/flag-coverage',
    'How often each feature was on, off and in each variant: in responses to SDKs (`served`), and in the evaluations that SDKs reported (`asked`), in all sessions',
    ({ control: { world } }) => world.coverage.of(world),
  ),
  reads('/operations', 'All modelled operations, each with its possible error statuses', ({ mock: { profile } }) =>
    (operations as readonly OperationRow[]).map((operation): OperationSummary => {
      const { id, method, path, summary, tag } = operation
      return { id, method, path, summary, tag, errors: errorStatusesOf(operation, profile) }
    }),
  ),
  reads('/profile', 'The profile, and how it responds', ({ mock: { profile } }): ProfileSummary => {
    const { name, responds } = profile
    return { name, responds }
  }),
  reads('/keys', 'The Authorization values of the scenario, each with its permissions', ({ control }) => {
    const { apiTokens, users, roles } = control.world.data.tables
    const holders = { apiTokens: apiTokens.list(), users: users.list(), roles: roles.list() }
    return describeKeys(holders, control.world.clock.now())
  }),
]

function otherName(inFile: string, inPath: string): MockError {
  const problem = `The scenario is named ${show(inFile)} in the file, and ${show(inPath)} in the path.`
  return new MockError('INVALID_SCENARIO', `${problem} ($.name)`, 'Use the same name in both.')
}

function whyIdle(by: ActiveRule | undefined): string {
  return by === undefined ? 'its `times` is 0' : `the newer rule ${by.id} handles all of its requests`
}

function showRule({ id, rule, seen }: ActiveRule) {
  return { id, ...rule, seen }
}

/** Each call that moves in the history responds with the updated history. */
function moved(control: Control, hint?: string) {
  return jsonAnswer(200, control.history(), hintHeader(hint))
}
