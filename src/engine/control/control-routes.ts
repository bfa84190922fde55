import { nearOf } from '../../support/nearest.js'
import { percentDecodedOrRaw } from '../../support/text.js'
import { version } from '../../version.js'
import { MockError } from '../errors/mock-errors.js'
import { type Answer, emptyAnswer, jsonAnswer, textAnswer } from '../http/answer.js'
import type { Call } from '../http/call.js'
import { select } from '../http/resolve.js'
import { CONTROL_PATH, DOCUMENT_PATH, Router, rawPath, rawQuery, SIGNED_OUT_PATH } from '../http/routes.js'
import { linkRoutes } from './links.js'
import { panelRoutes } from './panel/panel.js'
import type { ControlCall, ControlRoute } from './row.js'
import { controlRows } from './rows.js'

/** Every route of flagdouble itself: the control API from its table, the panel, the OpenAPI document. */
export const controlRoutes: readonly ControlRoute[] = [
  ...controlRows,
  get(`${CONTROL_PATH}/health`, ({ world, mock }) => {
    const uptime = Math.round(mock.uptime()) / 1000
    return jsonAnswer(200, { status: 'ok', version, scenario: world().name, uptime })
  }),
  get(`${CONTROL_PATH}/events`, streamEvents),
  ...linkRoutes,
  get(`${CONTROL_PATH}/openapi.json`, loadDocument),
  get(DOCUMENT_PATH, loadDocument),
  ...panelRoutes,
  // Users who open the bare address in a browser expect a page.
  get('/', ({ mock }) => emptyAnswer(302, { location: `${mock.basePath}${CONTROL_PATH}/` })),
  // Clients follow the redirect of a logout.
  get(SIGNED_OUT_PATH, () => textAnswer(200, 'text/html', SIGNED_OUT_PAGE)),
]

const SIGNED_OUT_PAGE = '<!doctype html><html lang="en"><title>Signed out</title><h1>Signed out</h1></html>'

const router = new Router<ControlRoute>()
for (const route of controlRoutes) router.add(route.method, route.path, route)

/** Handles a call to flagdouble itself. Rejects an unknown path with `UNKNOWN_CONTROL_PATH`. */
export async function answerControl({ request, path = '', session, isTrusted, mock, jar }: Call): Promise<Answer> {
  const found = router.match(request.method === 'HEAD' ? 'GET' : request.method, path)
  if (found === undefined) throw unknownControlPath(request, path)
  const { target: route } = found
  const params = Object.fromEntries(Object.entries(found.params).map(([name, raw]) => [name, percentDecodedOrRaw(raw)]))
  const query = new URLSearchParams(rawQuery(request.url))
  const selected = () => select(request, session)
  const world = () => selected().world
  const states = () => selected().states
  return route.answer({ request, params, query, session, isTrusted, mock, jar, world, states })
}

function unknownControlPath({ method, url }: Request, path: string): MockError {
  const given = `${method} ${rawPath(url)}`
  const calls = controlRoutes.filter(({ path }) => path.startsWith(CONTROL_PATH))
  const methods = router.methodsOf(path)
  const near = nearOf(
    given,
    calls.map((call) => `${call.method} ${call.path}`),
  )
  const hint = methods === undefined ? near && `The nearest call is ${near}` : `This path takes ${methods.join(', ')}`
  return new MockError(
    'UNKNOWN_CONTROL_PATH',
    `Unknown control call: ${given}.`,
    hint === undefined ? 'docs/control-api.md lists all calls.' : `${hint}; docs/control-api.md lists all calls.`,
  )
}

function get(path: string, answer: ControlRoute['answer']): ControlRoute {
  return { method: 'GET', path, answer }
}

/** Created on demand: nothing else needs the code. */
async function loadDocument(call: ControlCall): Promise<Answer> {
  const document = await import('./document.js')
  return document.answerDocument(call)
}

/**
 * Server-sent events: `request` for each journal entry of the session, with its id, and `scenario` for each switch, with
 * the names. A client that reconnects with `Last-Event-ID` gets the events in between, as far as the journal still has
 * them; for the others, `missed` gives the first and the last ID. The stream ends when the client leaves or the mock is
 * disposed.
 */
function streamEvents({ request, session, mock: { sessions } }: ControlCall): Answer {
  const last = Number(request.headers.get('last-event-id') ?? Number.NaN)
  const since = Number.isInteger(last) ? last : undefined
  const body = request.method === 'HEAD' ? null : sessions.eventReaders.follow(session, request.signal, since)
  // Otherwise a compressing dev server holds the events back.
  const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache, no-transform' }
  return { status: 200, headers, body }
}
