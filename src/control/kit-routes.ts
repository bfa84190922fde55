import { MockError } from '../contract/mock-errors.js'
import { type Answer, emptyAnswer, jsonAnswer } from '../http/answer.js'
import { mayOpen, notAllowed } from '../http/caller.js'
import {
  CONTROL_PATH,
  DOCUMENT_PATH,
  decodeSegment,
  isPathOfOrigin,
  type KitCall,
  type KitRoute,
} from '../http/routes.js'
import { SCENARIO_COOKIE, SCENARIO_QUERY } from '../http/select.js'
import { scenarioNames } from '../scenarios/catalogue.js'
import { pageCookie } from '../support/cookie.js'
import { version } from '../version.js'
import { Control } from './control.js'
import { readControlBody } from './control-body.js'
import { headOfEvents, streamEvents } from './events.js'
import { panelRoutes } from './panel/panel.js'
import type { ControlRow } from './row.js'
import { controlRows } from './rows.js'

/** Every route of flagdouble's own: the control API from its table, the panel, the OpenAPI document. */
export const kitRoutes: readonly KitRoute[] = [
  ...controlRows.map((row) => ({
    method: row.method,
    path: CONTROL_PATH + row.path,
    answer: (call: KitCall) => answerRow(call, row),
  })),
  get(`${CONTROL_PATH}/health`, ({ world, options }) => {
    const uptime = Math.round(options.uptime()) / 1000
    return jsonAnswer(200, { status: 'ok', version, scenario: world().name, uptime })
  }),
  get(`${CONTROL_PATH}/events`, streamEvents, headOfEvents),
  get(`${CONTROL_PATH}/use/:scenario`, useScenario, (call) => redirect(redirectOf(call))),
  get(`${CONTROL_PATH}/openapi.json`, answerDocument),
  get(DOCUMENT_PATH, answerDocument),
  ...panelRoutes,
  // People who open the bare address in a browser want to see something.
  get('/', ({ options }) => redirect(`${options.basePath}${CONTROL_PATH}/`)),
]

/** One that streams or changes something has an answer of its own for HEAD. */
function get(path: string, answer: KitRoute['answer'], head?: KitRoute['head']): KitRoute {
  return { method: 'GET', path, answer, ...(head && { head }) }
}

function redirect(location: string, headers: Readonly<Record<string, string>> = {}): Answer {
  return emptyAnswer(302, { location, ...headers })
}

async function answerRow(call: KitCall, row: ControlRow): Promise<Answer> {
  if (row.method !== 'GET') rejectForeignPages(call)
  const { request, session, world, options, query } = call
  await world().loading
  query.delete(SCENARIO_QUERY)
  const { status, body, headers } = row.run({
    control: new Control(session, world),
    sessions: options.sessions,
    profile: options.profile,
    baseUrl: options.baseUrl(),
    body: await readControlBody(request, row),
    query,
    params: decodeParams(call.params),
  })
  return body === undefined ? emptyAnswer(status, headers) : jsonAnswer(status, body, headers)
}

function decodeParams(params: KitCall['params']): Record<string, string> {
  return Object.fromEntries(Object.entries(params).map(([name, raw]) => [name, decodeSegment(raw) ?? raw]))
}

/** The QA link: sets the cookie, restarts the world, and redirects back to the page. */
function useScenario(call: KitCall): Answer {
  rejectForeignPages(call)
  if (!mayOpen(call.caller)) throw notAllowed('follow a QA link')
  const names = scenarioNames(decodeParams(call.params).scenario ?? '')
  const target = redirectOf(call)
  const cookie = pageCookie(SCENARIO_COOKIE, names.join(','), { path: '/' })
  new Control(call.session).restart(names)
  return redirect(target, { 'set-cookie': cookie })
}

/** Where a link leads back to. */
function redirectOf({ query, options }: KitCall): string {
  return ownPath(query.get('redirect') ?? `${options.basePath}${CONTROL_PATH}/`)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const CONTROL_CHARACTER = /[\u0000-\u001f\u007f-\u009f]/

/** A path of this origin as it may stand in a header: percent-encoded. Throws `INVALID_REDIRECT` for anything else. */
function ownPath(path: string): string {
  if (isPathOfOrigin(path) && !CONTROL_CHARACTER.test(path)) {
    const { href, origin } = new URL(path, 'http://origin.invalid')
    return href.slice(origin.length)
  }
  throw new MockError(
    'INVALID_REDIRECT',
    `${JSON.stringify(path)} is not a path of this origin.`,
    'Give a path such as ?redirect=/flags. A QA link never leads to another site.',
  )
}

function rejectForeignPages({ request, options }: KitCall): void {
  const origin = request.headers.get('origin')
  if (origin === null || options.origins.isOurs(origin)) return
  throw new MockError(
    'ORIGIN_NOT_ALLOWED',
    `Pages of "${origin}" may not control this mock.`,
    `Allow it with --allow-origin ${origin}, or with the option allowOrigins.`,
  )
}

/** It is made on demand: nothing else needs the code. */
async function answerDocument(call: KitCall): Promise<Answer> {
  const document = await import('./document.js')
  return document.answerDocument(call)
}
