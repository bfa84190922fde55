import { proxy } from 'hono/proxy'
import { MockError } from '../contract/mock-errors.js'
import type { World } from '../sessions/world.js'
import { withoutTrailing } from '../support/trim.js'
import type { Answer } from './answer.js'
import { isClaimed } from './claims.js'
import { BrokenConnection } from './deliver.js'
import { delayOf, forcedAnswer, matchedRequest, withHeaders } from './forced.js'
import { mockErrorAnswer } from './mock-answer.js'
import { waitAs } from './operation.js'
import { rawPath, rawQuery } from './path.js'
import type { Destination } from './routes.js'
import type { Call, Outcome } from './service.js'

/** What rules for every operation apply to, too. */
const ANY = { id: '*' }

/** How this proxy names itself to the backend, and recognizes itself. */
const VIA = '1.1 flagdouble'

/** Whether a request is passed on to an app's own backend, if there is one: it is not for the service. */
export function isProxied(backend: URL | undefined, destination: Destination): backend is URL {
  return backend !== undefined && !isClaimed(destination)
}

/** Passes a request on to the backend, unless a force rule for every operation answers it. Bodies are not recorded. */
export async function answerProxied({ request, options }: Call, world: World, backend: URL): Promise<Outcome> {
  const { profile } = options
  if (world.loading !== undefined) await world.loading
  const applied = world.rules.countAndMatch(ANY.id, () => matchedRequest(request, {}, undefined, profile))
  await waitAs(delayOf(applied), world, request)
  const { answering } = applied
  const answer =
    answering === undefined ? await relay(request, backend) : forcedAnswer(answering, ANY, profile, world.ids)
  await waitAs(world.latency, world, request)
  return { answer: withHeaders(answer, applied), record: { operation: null, proxied: true } }
}

async function relay(request: Request, backend: URL): Promise<Answer> {
  const target = backend.origin + withoutTrailing(backend.pathname, '/') + rawPath(request.url) + rawQuery(request.url)
  try {
    if (request.headers.get('via')?.includes(VIA)) throw new Error('it leads back to this server')
    const relayed = await proxy(target, {
      raw: request,
      redirect: 'manual',
      strictConnectionProcessing: true,
      customFetch: (copy) => fetch(forBackend(copy, new URL(request.url))),
    })
    return { status: relayed.status, headers: ownLocation(relayed, backend), body: null, relayed }
  } catch (error) {
    if (request.signal.aborted) throw new BrokenConnection(request.signal.reason)
    return mockErrorAnswer(unreachable(error, backend))
  }
}

/** Sets what a proxy says about a request, and drops what concerns only the connection to this server. */
function forBackend(copy: Request, asked: URL): Request {
  const { headers } = copy
  headers.set('x-forwarded-host', headers.get('host') ?? asked.host)
  for (const name of ['host', 'expect', 'proxy-connection']) headers.delete(name)
  headers.append('via', VIA)
  headers.set('x-forwarded-proto', asked.protocol.slice(0, -1))
  return copy
}

/** A redirect to the backend's own address leads to the same place here. */
function ownLocation({ headers }: Response, backend: URL): Record<string, string> {
  const location = headers.get('location')
  const base = backend.origin + withoutTrailing(backend.pathname, '/')
  if (location === null || !`${location}/`.startsWith(`${base}/`)) return {}
  return { location: location.slice(base.length) || '/' }
}

function unreachable(error: unknown, backend: URL): MockError {
  const { message, cause } = error instanceof Error ? error : new Error(String(error))
  const reason = cause instanceof Error ? ('code' in cause ? String(cause.code) : cause.message) : message
  return new MockError(
    'BACKEND_UNREACHABLE',
    `The backend ${backend.href} did not answer: ${reason}.`,
    'Start it, or correct the URL of --proxy.',
  )
}
