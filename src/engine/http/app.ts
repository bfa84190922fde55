import type { Context } from 'hono'
import { cors } from 'hono/cors'
// Its router takes no time to build, and the app has a single route.
import { Hono } from 'hono/quick'
import { isObject, show } from '../../support/json.js'
import { MockError } from '../errors/mock-errors.js'
import type { Session } from '../sessions/session.js'
import { type Answer, HINT_HEADER, MOCK_ERROR_HEADER, toWebResponse } from './answer.js'
import { drain } from './body.js'
import type { Arrival, LoginJar } from './call.js'
import { FORCED_HEADER } from './forced.js'
import { SCENARIO_HEADER } from './resolve.js'
import { isFrontendPath } from './routes.js'
import type { Service } from './service.js'

export type App = Hono<{ Bindings: Arrival }>
/** The app as users see it, without the internal data that adapters pass. */
export type PublicApp = Hono
export type AppContext = Context<{ Bindings: Arrival }>

/** Turns an `Answer` into a `Response`, or sends it directly and returns a `Response` that says so. */
export type Deliver<Bindings extends Arrival = Arrival> = (
  answer: Answer,
  c: Context<{ Bindings: Bindings }>,
) => Response | Promise<Response>

/** The API as a Hono app. An adapter can pass a faster way to send an `Answer` than by a `Response`. */
export function createApp(service: Service, deliver: Deliver = deliverResponse): App {
  const app: App = new Hono()
  return app.all('*', (c) => answerCall(service, c, deliver))
}

/** All in-process mocks share an app: creating an app takes as long as creating a mock. */
const inProcess = new Hono<{ Bindings: Arrival & { service: Service } }>().all('*', (c) =>
  answerCall(c.env.service, c, deliverResponse),
)

/** Sends a request to a mock in this process. Rejects with a `BrokenConnection` if no response arrives. */
export async function answerInProcess(
  service: Service,
  request: Request,
  session: Session,
  jar?: LoginJar,
): Promise<Response> {
  return inProcess.fetch(request, { service, session, jar })
}

/** The `Request` of a `fetch` call. Throws `INVALID_REQUEST` for anything that isn't an address or a `Request`. */
export function toRequest(input: Request | URL | string, init?: RequestInit): Request {
  const isAddress = typeof input === 'string' || input instanceof URL
  if (isAddress && URL.canParse(input, 'http://localhost')) return new Request(new URL(input, 'http://localhost'), init)
  if (!isAddress && typeof input?.url === 'string') {
    // Runtimes also pass a second argument to a `fetch` function, such as the bindings of a Cloudflare Worker.
    const isInit = isObject(init) && INIT_FIELDS.some((field) => field in init)
    return isInit ? new Request(input, init) : input
  }
  throw new MockError(
    'INVALID_REQUEST',
    `mock.fetch takes a path, a URL or a Request, not ${show(input)}.`,
    "Pass a path such as '/api/admin/projects', or a complete URL.",
  )
}

const INIT_FIELDS = ['method', 'headers', 'body', 'signal', 'credentials', 'cache']

/** Servers of other runtimes cut a connection if the request has unread bytes. */
function deliverResponse(answer: Answer, { req: { raw } }: Pick<AppContext, 'req'>): Response | Promise<Response> {
  const isUnread = answer.status === 413 || (raw.body !== null && !raw.bodyUsed)
  return isUnread ? drain(raw).then(() => toWebResponse(answer, raw)) : toWebResponse(answer, raw)
}

const crossOrigin = cors({
  origin: (origin) => origin,
  credentials: true,
  allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
  exposeHeaders: [SCENARIO_HEADER, MOCK_ERROR_HEADER, FORCED_HEADER, HINT_HEADER, 'location', 'retry-after', 'etag'],
  maxAge: 600,
})

const preflights = new Hono().use(crossOrigin)

/** The response to a preflight, without a mock: it only lets a page read the response to the request itself. */
export async function answerPreflight(request: Request): Promise<Response> {
  return preflights.fetch(request)
}

/** For pages, Hono's CORS middleware comes first, so preflights need no API token. */
function answerCall<Bindings extends Arrival>(
  service: Service,
  c: Context<{ Bindings: Bindings }>,
  deliver: Deliver<Bindings>,
): Response | Promise<Response> {
  const { raw } = c.req
  const destination = service.locate(raw, c.env)
  const answer = () => {
    const given = service.answer(raw, c.env, destination)
    return given instanceof Promise ? given.then((settled) => deliver(settled, c)) : deliver(given, c)
  }
  // Unleash's own setting decides which pages read the frontend API. Elsewhere, a page can read why it is rejected.
  const isShared = raw.headers.has('origin') && !isFrontendPath(destination.path ?? '')
  return isShared ? answerCrossOrigin(c, answer) : answer()
}

async function answerCrossOrigin(c: Context, answer: () => Response | Promise<Response>): Promise<Response> {
  const preflight = await crossOrigin(c, async () => {
    c.res = await answer()
  })
  return preflight ?? c.res
}
