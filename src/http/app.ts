import { Hono } from 'hono'
import { cors } from 'hono/cors'
import { MockError } from '../contract/mock-errors.js'
import { type OperationRow, operations } from '../contract/operations.js'
import type { Session } from '../sessions/session.js'
import type { ScenarioWorld } from '../sessions/world.js'
import { type App, type AppContext, type AppOptions, send, sessionOf } from './context.js'
import { BrokenConnection } from './effects.js'
import { FORCED_HEADER } from './forced.js'
import { MOCK_ERROR_HEADER, mockErrorAnswer, recordMockError } from './mock-answer.js'
import type { OriginPolicy } from './origins.js'
import { pathBelow, rawPath } from './path.js'
import { SegmentRouter } from './router.js'
import { SCENARIO_HEADER, selectWorld } from './select.js'
import { serve } from './serve.js'
import { answerUnmodelled } from './unmodelled.js'

/** What is mounted beside the operations. */
export type Mount = (app: App, options: AppOptions) => void

/** The app made from the table of operations: the same for every door. */
export function createApp(options: AppOptions, mounts: readonly Mount[]): App {
  const router = new SegmentRouter<[never, never]>()
  const getPath = (request: Request) => pathBelow(options.basePath, rawPath(request.url)) ?? ''
  const app: App = new Hono({ router: router as never, getPath })
  app.use('*', crossOrigin(options.origins))
  for (const operation of operations) {
    app.on(operation.method, operation.path, (c) => answerOperation(c, operation, options))
  }
  for (const mount of mounts) mount(app, options)
  app.notFound((c) => answerUnmodelled(c, options, router.knows(c.req.path)))
  app.onError((error, c) => send(c, mockErrorAnswer(toMockError(error))))
  return app
}

async function answerOperation(c: AppContext, operation: OperationRow, options: AppOptions): Promise<Response> {
  const request = c.req.raw
  const session = sessionOf(c, options)
  const world = worldOf(request, session)
  if (world instanceof MockError) return send(c, recordMockError(world, request, session, operation.id))
  if (world.loading !== undefined) await world.loading
  const { profile, baseUrl } = options
  try {
    return await send(
      c,
      await serve({ request, operation, rawParams: c.req.param(), session, world, profile, baseUrl }),
    )
  } catch (error) {
    throw request.signal.aborted ? new BrokenConnection(request.signal.reason) : error
  }
}

function worldOf(request: Request, session: Session): ScenarioWorld | MockError {
  try {
    return selectWorld(request, session)
  } catch (error) {
    if (error instanceof MockError) return error
    throw error
  }
}

function toMockError(error: Error): MockError {
  if (error instanceof MockError) return error
  return new MockError(
    'INTERNAL',
    `flagdouble failed: ${error.message}`,
    'This is a bug of flagdouble; please report it.',
  )
}

/** CORS by Hono's middleware, where a browser asks for it. Preflights need no key. */
function crossOrigin(origins: OriginPolicy) {
  const middleware = cors({
    origin: (origin, c) => (origins.mayRead(origin, c.req.path) ? origin : null),
    credentials: true,
    allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposeHeaders: [SCENARIO_HEADER, MOCK_ERROR_HEADER, FORCED_HEADER, 'location', 'retry-after', 'etag'],
    maxAge: 600,
  })
  return (c: AppContext, next: () => Promise<void>) =>
    c.req.raw.headers.get('origin') === null ? next() : middleware(c, next)
}
