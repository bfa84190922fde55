import * as z from 'zod'
import { type OperationRow, operations } from '../../service/api/operations.js'
import { errorStatusesOf } from '../../service/contract/operation.js'
import type { Profile } from '../../service/contract/profile.js'
import { LOGIN_COOKIE } from '../../service/resources/people/login.js'
import type { FlagStates } from '../../service/resources/sdk/told-features.js'
import { cookie } from '../../support/cookie.js'
import { isObject, laidOut, show } from '../../support/json.js'
import { MockError } from '../errors/mock-errors.js'
import { emptyAnswer, hintHeader, jsonAnswer, textAnswer } from '../http/answer.js'
import { headersWith } from '../http/resolve.js'
import { flagStatesSchema } from '../scenarios/scenario.js'
import { expectSelection, statesOnTop } from '../scenarios/selection.js'
import {
  addRule,
  addState,
  advanceClock,
  durationSchema,
  endLogins,
  releaseClock,
  removeRule,
  removeRules,
  replaceRule,
  replaceState,
  setClock,
  signIn,
} from '../sessions/actions.js'
import type { Session } from '../sessions/session.js'
import { described } from '../sessions/sessions.js'
import type { World } from '../sessions/world.js'
import { exportOf } from '../transfer/write-export.js'
import { historyRows } from './history-rows.js'
import { journalRows } from './journal-rows.js'
import { describeKeys } from './keys.js'
import { acts, type ControlRow, reads, row } from './row.js'
import { scenarioOf } from './saved-scenario.js'
import { clockState, rulesOf, showRule, signedIn } from './views.js'

const switchSchema = z.union(
  [
    z.strictObject({ name: z.string().min(1) }),
    z.strictObject({ names: z.array(z.string().min(1)).min(1) }),
    z.strictObject({ flags: flagStatesSchema }),
  ],
  { error: 'must be { "name": "…" }, { "names": ["…", …] } or { "flags": { "…": "off", … } }' },
)
const titleSchema = z.strictObject({ name: z.string(), title: z.string(), promise: z.string() })
const clockSchema = z.strictObject({
  now: z.union([z.string(), z.number()], { error: 'must be a date such as "2026-11-20T12:00:00Z"' }),
  frozen: z.boolean().optional(),
})

/** The state of a session. `notice` is about its scenario, and `notices` are about the mock. */
export interface SessionStatus {
  names: readonly string[]
  notice?: string
  /** A broken file, a file in use, and flags that SDKs asked for and that don't exist. */
  notices?: string[]
  /** The path of the app that the same server serves. */
  app?: string
  /** The states of flags that SDKs are told. */
  told?: ToldFlag[]
}

/** A state of a flag that SDKs are told. */
export interface ToldFlag {
  flag: string
  state: string
  /** Whether the request, its session or its scenario tells it. */
  by: 'request' | 'session' | 'scenario'
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

function toldIn({ composition }: World, { selection }: Session, states: FlagStates): ToldFlag[] {
  const by = (flag: string, state: string) => {
    if (!states.has(flag)) return 'scenario'
    return selection.states.get(flag) === state ? 'session' : 'request'
  }
  return [...statesOnTop(composition.flags, states)].map(([flag, state]) => ({ flag, state, by: by(flag, state) }))
}

/** THE table of the control API, below `/__mock`. */
export const controlRows: readonly ControlRow[] = [
  reads('/scenarios', 'All scenarios, each with its description (`promise`) and whether it is active', ({ session }) =>
    session.catalogue.states(session.selection.scenarios),
  ),
  row('POST', '/scenarios', {
    summary:
      'Save the current state as a scenario, with its rules and any frozen clock. With `--scenarios`, the server writes it into that folder, and the response contains its `file`',
    body: titleSchema,
    async run({ world, states, session, mock }, body) {
      const scenario = session.catalogue.readNew(
        await scenarioOf({ world: world().ready(), states: states(), session }, body),
      )
      // To keep it first would drop the oldest one for a scenario that can't be written.
      const file = await mock.scenarioFolder?.write(scenario)
      try {
        session.catalogue.keep(scenario)
      } catch (error) {
        await mock.scenarioFolder?.remove(scenario.name)
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
    summary:
      'Remove a saved scenario and its file. Sessions that are in it continue, until it would have to start again',
    async run({ session: { catalogue }, mock, params: { name = '' } }) {
      catalogue.expectSaved(name)
      // The file first: if it stayed, the scenario would be back after a restart.
      await mock.scenarioFolder?.remove(name)
      catalogue.saved.remove(name)
      return emptyAnswer(204)
    },
  }),
  reads(
    '/scenario',
    "The active scenarios of the session. `notice` explains why the session fell back to the default scenario, or which of your changes don't fit your files. `notices` lists broken files, and missing flags that SDKs asked for. `app` is the path of the app that the same server serves. `told` lists the states of flags that SDKs are told",
    ({ session, world, states, mock: { sessions, appPath, coverage } }): SessionStatus => {
      const current = world().ready()
      const notices = [...sessions.fileNotices.values(), coverage.missingIn(current)].filter((one) => one !== undefined)
      const notice = session.noticeIn(current, states())
      const told = toldIn(current, session, states())
      return {
        names: session.activeNames,
        ...(notice !== undefined && { notice }),
        ...(notices.length > 0 && { notices }),
        ...(appPath !== undefined && { app: appPath }),
        ...(told.length > 0 && { told }),
      }
    },
  ),
  row('PUT', '/scenario', {
    summary:
      'Switch the session to one or more scenarios; their data starts over, unless `--state` keeps it. States of flags alone, in `names` or `flags`, replace the states that SDKs are told, and start nothing',
    body: switchSchema,
    leavesWorld: true,
    async run({ session }, body) {
      const selection =
        'flags' in body
          ? { scenarios: [], states: new Map(Object.entries(body.flags)) }
          : expectSelection('name' in body ? [body.name] : body.names)
      await session.loaded(selection)
      session.switchTo(selection)
      const {
        activeNames: names,
        notice,
        selection: { scenarios },
      } = session
      return jsonAnswer(200, { names }, hintHeader(notice ?? session.catalogue.idleRules(scenarios)))
    },
  }),
  row('DELETE', '/scenario', {
    summary: 'Switch the session back to the scenario it started with',
    leavesWorld: true,
    async run({ session }) {
      await session.switchBack()
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
  row('POST', '/start', {
    summary:
      "Take the data of the session's scenario as the start of all sessions, like one more fixture: new sessions and resets begin with it, and other sessions keep their changes on top",
    async run({ world, session, mock }) {
      await mock.takeStart(world(), described(session))
      return emptyAnswer(204)
    },
  }),
  acts('DELETE', '/start', 'Return to the start of the files, without the data that was taken', ({ mock }) =>
    mock.leaveStart(),
  ),
  reads('/state', 'A snapshot of the data', ({ world }) => world().ready().snapshot()),
  row('GET', '/export', {
    summary: "Export features in Unleash's format; `project`, which can be repeated, and `environment` select them",
    repeatable: ['project'],
    query: ['environment'],
    run(call) {
      const { world, query } = call
      const options = { projects: query.getAll('project'), environment: query.get('environment') ?? undefined }
      return jsonAnswer(200, exportOf(world().ready().data.tables, options))
    },
  }),
  row('PUT', '/state', {
    summary: 'Replace all data with a snapshot',
    body: z.unknown(),
    run({ world }, body) {
      replaceState(world(), body)
      return jsonAnswer(200, world().snapshot())
    },
  }),
  row('PATCH', '/state', {
    summary:
      'Merge records into the state, as a JSON Merge Patch (RFC 7396) in which a list of records is merged like an object by their keys',
    body: z.unknown(),
    run({ world }, body) {
      const file = addState(world(), body)
      return jsonAnswer(200, world().snapshot(), hintHeader(file?.leftOut[0]))
    },
  }),
  ...journalRows,
  ...historyRows,
  reads('/clock', 'The time of the scenario, and whether its clock is frozen', ({ world }) => clockState(world())),
  row('PUT', '/clock', {
    summary: 'Set the clock; it stops there, or runs on with `"frozen": false`',
    body: clockSchema,
    run({ world }, body) {
      setClock(world(), body.now, { frozen: body.frozen })
      return jsonAnswer(200, clockState(world()))
    },
  }),
  acts('DELETE', '/clock', 'Return the clock to real time', ({ world }) => releaseClock(world())),
  row('POST', '/clock/advance', {
    summary: 'Advance the clock by ms, seconds, minutes, hours or days',
    body: durationSchema,
    run({ world }, body) {
      advanceClock(world(), body)
      return jsonAnswer(200, clockState(world()))
    },
  }),
  reads('/forced', 'The rules of the scenario; `idle` explains why a rule can never apply', ({ world }) =>
    rulesOf(world().ready()),
  ),
  row('POST', '/forced', {
    summary: 'Add a rule, which overrides the responses of an operation',
    body: z.unknown(),
    run: ({ world }, body) => jsonAnswer(201, showRule(addRule(world(), body))),
  }),
  acts('DELETE', '/forced', 'Remove all rules', ({ world }) => removeRules(world())),
  row('PUT', '/forced/:id', {
    summary: 'Change a rule, and reset its count so that it applies again',
    body: z.unknown(),
    run: ({ world, params }, body) => jsonAnswer(200, showRule(replaceRule(world(), params.id ?? '', body))),
  }),
  acts('DELETE', '/forced/:id', 'Remove one rule', ({ world, params }) => removeRule(world(), params.id ?? '')),
  reads(
    '/login',
    'The logins of the session, as users of the scenario; `here` marks the caller',
    ({ world, request, jar }) => signedIn(world().ready(), cookie(headersWith(request.headers, jar), LOGIN_COOKIE)),
  ),
  row('POST', '/login', {
    summary: 'Sign in as a user of the scenario by id, without a password. The response sets the login cookie',
    body: z.strictObject({ user: z.int() }),
    run: ({ world }, body) => emptyAnswer(204, { 'set-cookie': signIn(world().ready(), body.user) }),
  }),
  acts('DELETE', '/login/:user', 'End all logins of a user, by id', ({ world, params }) =>
    endLogins(world().ready(), Number(params.user)),
  ),
  reads(
    '/sessions',
    'All sessions, starting with the shared session, each with its active scenario, the scenarios that it has data for (`worlds`) and its number of requests',
    ({ mock }) =>
      mock.sessions.all().map(
        ({ name, activeNames, worlds, journal }): SessionSummary => ({
          name,
          scenario: activeNames.join(','),
          worlds: [...worlds.keys()],
          requests: journal.count(),
        }),
      ),
  ),
  reads(
    '/flag-coverage',
    'How often each feature was on, off and in each variant: in responses to SDKs (`served`), and in the evaluations that SDKs reported (`asked`), in all sessions',
    ({ world, mock }) => mock.coverage.report(world().ready()).flags,
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
  reads('/keys', 'The Authorization values of the scenario, each with its permissions', ({ world }) => {
    const { data, clock } = world().ready()
    const { apiTokens, users, roles } = data.tables
    const holders = { apiTokens: apiTokens.list(), users: users.list(), roles: roles.list() }
    return describeKeys(holders, clock.now())
  }),
]

function otherName(inFile: string, inPath: string): MockError {
  const problem = `The scenario is named ${show(inFile)} in the file, and ${show(inPath)} in the path.`
  return new MockError('INVALID_SCENARIO', `${problem} ($.name)`, 'Use the same name in both.')
}
