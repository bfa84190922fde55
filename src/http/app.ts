import { Hono } from 'hono'
import { cors } from 'hono/cors'
import { type OperationRow, operations } from '../api/operations.js'
import { MockError } from '../contract/mock-errors.js'
import { andThen } from '../support/and-then.js'
import { type App, type AppContext, type AppOptions, type DoorBindings, send, sessionOf } from './context.js'
import { FORCED_HEADER } from './forced.js'
import { MOCK_ERROR_HEADER, mockErrorAnswer, recordMockError } from './mock-answer.js'
import { pathBelow, rawPath } from './path.js'
import { SegmentRouter } from './router.js'
import { SCENARIO_HEADER, scenarioOf, trySelectWorld } from './select.js'
import { serve } from './serve.js'
import { answerUnmodelled } from './unmodelled.js'

/** What is mounted beside the operations. */
export type Mount = (app: App, options: AppOptions) => void

/** Stands for a path that is not below the base path; no URL has such a one, and no route. */
const OUTSIDE = '/..'

/** The app made from the table of operations: the same for every door. */
export function createApp(options: AppOptions, mounts: readonly Mount[]): App {
  const router = new SegmentRouter<[never, never]>()
  const getPath = (request: Request, { env }: { env?: DoorBindings } = {}) =>
    pathBelow(options.basePath, env?.delivery?.sentPath ?? rawPath(request.url)) ?? OUTSIDE
  const app: App = new Hono({ router: router as never, getPath })
  for (const operation of operations) {
    app.on(operation.method, operation.path, (c) => answerOperation(c, operation, options))
  }
  for (const mount of mounts) mount(app, options)
  app.notFound((c) => answerUnmodelled(c, options, { methods: router.methodsOf(c.req.path), routes: app.routes }))
  app.onError((error, c) => {
    const scenario = scenarioOf(c.req.raw, sessionOf(c, options))
    return send(c, mockErrorAnswer(toMockError(error), scenario))
  })
  return withCors(app, options)
}

function answerOperation(c: AppContext, operation: OperationRow, options: AppOptions): Response | Promise<Response> {
  const request = c.req.raw
  const session = sessionOf(c, options)
  const world = trySelectWorld(request, session)
  if (world instanceof MockError) return send(c, recordMockError(world, request, session, operation.id))
  const { profile, baseUrl } = options
  return andThen(world.loading, () =>
    andThen(
      serve({ request, operation, rawParams: c.req.param(), session, world, profile, baseUrl }),
      (answer): Response | Promise<Response> => send(c, answer),
    ),
  )
}

function toMockError(error: Error): MockError {
  if (error instanceof MockError) return error
  return new MockError(
    'INTERNAL',
    `flagdouble failed: ${error.message}`,
    'This is a bug of flagdouble; please report it.',
  )
}

/**
 * The app with Hono's CORS middleware before it, for what a page asks for from another origin; preflights need no key.
 * Whatever has no origin goes straight to the app: the middleware would cost it a tenth of its time.
 */
function withCors(app: App, { origins, basePath, profile }: AppOptions): App {
  const middleware = cors({
    origin: (origin, c) => (origins.mayRead(origin, pathBelow(basePath, c.req.path) ?? '') ? origin : null),
    credentials: true,
    allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposeHeaders: [SCENARIO_HEADER, MOCK_ERROR_HEADER, FORCED_HEADER, 'location', 'retry-after', 'etag'],
    maxAge: 600,
  })
  const outer: App = new Hono()
  outer.use('*', middleware)
  outer.all('*', (c) => app.fetch(c.req.raw, c.env))
  const { fetch } = outer
  outer.fetch = (request, ...rest) => {
    const origin = request.headers.get('origin')
    const mayCross = origin !== null && (profile.foreignOrigins || origins.isOurs(origin))
    return mayCross ? fetch(request, ...rest) : app.fetch(request, ...rest)
  }
  return outer
}
