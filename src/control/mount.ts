import { setCookie } from 'hono/cookie'
import { operationsDocument } from '../api/openapi.js'
import { MockError } from '../contract/mock-errors.js'
import { emptyAnswer, jsonAnswer } from '../http/answer.js'
import type { Mount } from '../http/app.js'
import { decodeText, parseJson, readBytes } from '../http/body.js'
import { type App, type AppContext, type AppOptions, nameScenario, send, sessionOf } from '../http/context.js'
import { CONTROL_PATH, DOCUMENT_PATH } from '../http/path.js'
import {
  operationQuery,
  SCENARIO_COOKIE,
  SCENARIO_HEADER,
  scenarioNames,
  scenarioOf,
  selectWorld,
} from '../http/select.js'
import type { Catalogue } from '../scenarios/catalogue.js'
import { describeIssue } from '../store/state-fault.js'
import { startStopwatch } from '../support/clock.js'
import { DEEPEST, isTooDeep } from '../support/nesting.js'
import { Control } from './control.js'
import { streamEvents } from './events.js'
import { mountPanel } from './panel/panel.js'
import type { ControlRow } from './row.js'
import { controlRows } from './rows.js'

/** Bytes of the body of a control call. */
const LIMIT = 32 * 1024 * 1024

/** Mounts the control API, from its table, and the documents beside it. */
export function mountControl(catalogue: Catalogue, version: string): Mount {
  const uptime = startStopwatch()
  return (app, options) => {
    for (const row of controlRows) {
      app.on(row.method, CONTROL_PATH + row.path, (c) => answerRow(c, row, options, catalogue))
    }
    app.get(`${CONTROL_PATH}/health`, (c) => {
      const { name: scenario } = selectWorld(c.req.raw, sessionOf(c, options))
      const health = { status: 'ok', version, scenario, uptime: Math.round(uptime()) / 1000 }
      return send(c, jsonAnswer(200, health, { [SCENARIO_HEADER]: scenario }))
    })
    app.get(`${CONTROL_PATH}/events`, (c) => streamEvents(c, options))
    app.get(`${CONTROL_PATH}/use/:scenario`, (c) => useScenario(c, options, catalogue))
    mountDocument(app, version, options)
    mountPanel(app, options)
    // Whoever opens the bare address in a browser wants to see something; what is mounted at / before this one wins.
    app.get('/', (c) => {
      nameScenario(c, options)
      return c.redirect(`${options.basePath}${CONTROL_PATH}/`)
    })
  }
}

async function answerRow(c: AppContext, row: ControlRow, options: AppOptions, catalogue: Catalogue): Promise<Response> {
  if (row.method !== 'GET') refuseForeignPages(c, options)
  const request = c.req.raw
  const session = sessionOf(c, options)
  const control = new Control(session, catalogue, () => selectWorld(request, session))
  await selectWorld(request, session).loading
  const { status, body } = row.run({
    control,
    sessions: options.sessions,
    body: (await readBody(request, row)) as never,
    query: new URLSearchParams(operationQuery(request.url)),
    params: c.req.param(),
  })
  const headers = { [SCENARIO_HEADER]: scenarioOf(request, session) }
  return send(c, body === undefined ? emptyAnswer(status, headers) : jsonAnswer(status, body, headers))
}

async function readBody(request: Request, { body: schema, path }: ControlRow): Promise<unknown> {
  if (schema === undefined) return undefined
  const bytes = await readBytes(request, LIMIT)
  if (bytes === undefined) {
    throw new MockError(
      'BODY_TOO_LARGE',
      'The body is over 32 MiB.',
      'Split the state and send it by several PATCH calls.',
    )
  }
  const text = decodeText(bytes, 'utf-8', true)
  const read = text.ok ? parseJson(text.value) : text
  if (!read.ok) throw new MockError('INVALID_REQUEST', read.failure, 'Send a JSON object, in UTF-8.')
  const given = read.value
  if (isTooDeep(given)) {
    throw new MockError('INVALID_REQUEST', `The body is nested deeper than ${DEEPEST} levels.`, 'Send a flatter one.')
  }
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  const faults = parsed.error.issues.map((issue) => describeIssue(issue, given))
  const what = faults.map((fault) => `${fault.path}: ${fault.message}`).join('; ')
  throw new MockError(
    'INVALID_REQUEST',
    `The body of ${path} is not well-formed: ${what}.`,
    'The README lists the calls.',
  )
}

/** The QA link: sets the cookie, starts the world afresh, and leads back to the page. */
function useScenario(c: AppContext, options: AppOptions, catalogue: Catalogue): Response {
  refuseForeignPages(c, options)
  const names = scenarioNames(c.req.param('scenario') ?? '')
  const redirect = c.req.query('redirect') ?? `${options.basePath}${CONTROL_PATH}/`
  if (!isPathOfOurs(redirect)) {
    throw new MockError(
      'INVALID_REDIRECT',
      `"${redirect}" is not a path of this origin.`,
      'Give a path such as ?redirect=/flags; a QA link never leads to another site.',
    )
  }
  new Control(sessionOf(c, options), catalogue).restart(names)
  setCookie(c, SCENARIO_COOKIE, names.join(','), { path: '/', sameSite: 'Lax' })
  nameScenario(c, options)
  return c.redirect(redirect)
}

function isPathOfOurs(path: string): boolean {
  const origin = 'http://origin.invalid'
  return path.startsWith('/') && URL.canParse(path, origin) && new URL(path, origin).origin === origin
}

function refuseForeignPages(c: AppContext, { origins }: AppOptions): void {
  const origin = c.req.header('origin')
  if (origin === undefined || origins.isOurs(origin)) return
  throw new MockError(
    'ORIGIN_NOT_ALLOWED',
    `Pages of "${origin}" may not control this mock.`,
    `Allow it with --allow-origin ${origin}, or the option allowOrigins.`,
  )
}

function mountDocument(app: App, version: string, options: AppOptions): void {
  for (const path of [`${CONTROL_PATH}/openapi.json`, DOCUMENT_PATH]) {
    app.get(path, async (c) => {
      const headers = { [SCENARIO_HEADER]: scenarioOf(c.req.raw, sessionOf(c, options)) }
      return send(c, jsonAnswer(200, await operationsDocument(version), headers))
    })
  }
}
