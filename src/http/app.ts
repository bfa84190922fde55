import { type Context, Hono } from 'hono'
import { cors } from 'hono/cors'
import type { Answer } from './answer.js'
import { toWebResponse } from './deliver.js'
import { FORCED_HEADER } from './forced.js'
import { MOCK_ERROR_HEADER } from './mock-answer.js'
import { pathBelow, rawPath } from './path.js'
import { SCENARIO_HEADER } from './select.js'
import type { Arrival, Service } from './service.js'

export type App = Hono<{ Bindings: Arrival }>
export type AppContext = Context<{ Bindings: Arrival }>

/** Turns an answer into a response, or sends it by itself and returns a response that says so. */
export type Deliver = (answer: Answer, c: AppContext) => Response | Promise<Response>

/**
 * The service as a Hono app. A door that can send an answer more directly than by a `Response` says how. For pages of
 * other origins Hono's CORS middleware comes first, so preflights need no key.
 */
export function createApp(service: Service, deliver: Deliver = (answer, c) => toWebResponse(answer, c.req.raw)): App {
  const { origins, basePath, profile } = service.options
  const answer = async (c: AppContext) => deliver(await service.answer(c.req.raw, c.env), c)
  const crossOrigin = cors({
    origin: (origin, c) => (origins.mayRead(origin, pathBelow(basePath, rawPath(c.req.url)) ?? '') ? origin : null),
    credentials: true,
    allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposeHeaders: [SCENARIO_HEADER, MOCK_ERROR_HEADER, FORCED_HEADER, 'location', 'retry-after', 'etag'],
    maxAge: 600,
  })
  const app: App = new Hono()
  const answerCrossOrigin = async (c: AppContext) => {
    const preflight = await crossOrigin(c, async () => {
      c.res = await answer(c)
    })
    return preflight ?? c.res
  }
  app.all('*', (c) => {
    const origin = c.req.raw.headers.get('origin')
    const mayCross = origin !== null && (profile.foreignOrigins || origins.isOurs(origin))
    return mayCross ? answerCrossOrigin(c) : answer(c)
  })
  return app
}
