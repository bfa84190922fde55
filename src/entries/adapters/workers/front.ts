import { mockErrorAnswer, toMockError, toResponse } from '../../../engine/http/answer.js'
import { sessionInHeaders } from '../../../engine/http/resolve.js'
import { CONTROL_PATH } from '../../../engine/http/routes.js'
import { createMock, type Mock } from '../../../engine/mock/mock.js'
import { UNNAMED } from '../../../engine/sessions/sessions.js'
import { MockError } from '../../../service/contract/mock-errors.js'
import { ACCESS, ACCESS_HEADER, followLink, hasAccess, sentKey, withoutKey } from './access.js'
import { mockOptions, type WorkerOptions } from './options.js'
import { type Env, namespaceIn, variable } from './platform.js'

/** What stands before the sessions: it asks for the key, and hands each request to the object of its session. */
export class Front {
  readonly #options: WorkerOptions
  /** Answers preflights, which name no session. */
  #mock: Mock | undefined

  constructor(options: WorkerOptions) {
    this.#options = options
  }

  async fetch(request: Request, env: Env): Promise<Response> {
    const key = variable(env, 'FLAGDOUBLE_ACCESS')
    if (key === undefined) return refuse(notSet, request)
    try {
      if (isPreflight(request)) return await this.#answerPreflight(request, env)
      const redirect = await followLink(request, key, domainIn(env))
      if (redirect !== undefined) return redirect
      if (!(await hasAccess(request, key))) return refuse(sentKey(request) ? wrong : required, request)
      const sessions = namespaceIn(env)
      if (sessions === undefined) return refuse(notBound, request)
      return await sessions.get(sessions.idFromName(sessionName(request, env))).fetch(withoutKey(request))
    } catch (error) {
      return toResponse(mockErrorAnswer(toMockError(error)))
    }
  }

  /** Browsers send preflights without keys and cookies. */
  async #answerPreflight(request: Request, env: Env): Promise<Response> {
    this.#mock ??= createMock(mockOptions(this.#options, env))
    const response = await this.#mock.fetch(request)
    return response.headers.has('access-control-allow-origin') ? response : refuse(required, request)
  }
}

function isPreflight({ method, headers }: Request): boolean {
  return method === 'OPTIONS' && headers.has('origin') && headers.has('access-control-request-method')
}

const notSet = new MockError(
  'ACCESS_NOT_SET',
  'This mock has no access key yet, so it serves nothing else.',
  'Set one, a long random text, and deploy again: npx wrangler secret put FLAGDOUBLE_ACCESS. For wrangler dev, put a line FLAGDOUBLE_ACCESS=… into .dev.vars.',
)

export const required = new MockError(
  'ACCESS_REQUIRED',
  'This mock needs its access key.',
  `Send it as the header ${ACCESS_HEADER}, or open this address once with ?${ACCESS}=KEY in a browser, which then keeps a cookie.`,
)

export const wrong = new MockError(
  'ACCESS_REQUIRED',
  'The access key that was sent is not that of this mock.',
  `Check it for missing or additional characters. It is sent as the header ${ACCESS_HEADER}, or opened once as ?${ACCESS}=KEY in a browser.`,
)

const notBound = new MockError(
  'INVALID_OPTION',
  'The worker has no binding to the class FlagdoubleSession.',
  'Add durable_objects and migrations to wrangler.jsonc, as docs/deploy.md shows.',
)

const headers = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** Why a request is not answered: a page for people, JSON for programs. Pages of other sites may read it. */
export function refuse(error: MockError, request: Request): Response {
  const origin = request.headers.get('origin')
  const answer = mockErrorAnswer(error)
  Object.assign(answer.headers, headers)
  if (origin !== null) Object.assign(answer.headers, crossOrigin(origin))
  if (request.headers.get('accept')?.includes('text/html')) {
    answer.headers['content-type'] = 'text/html; charset=utf-8'
    answer.body = pageOf(error)
  }
  return toResponse(answer)
}

function crossOrigin(origin: string): Record<string, string> {
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': 'x-mock-error',
    vary: 'origin',
  }
}

/** The texts are constants: there is nothing to escape. */
function pageOf({ problem, hint }: MockError): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="robots" content="noindex"><title>flagdouble</title></head>
<body><h1>flagdouble</h1><p>${problem}</p><p>${hint}</p></body>
</html>
`
}

/** The session that a request names by a link's query, header, cookie or subdomain of `FLAGDOUBLE_DOMAIN`, in this order. */
export function sessionName({ headers, url }: Request, env: Env): string {
  return sessionInLink(url) || sessionInHeaders(headers) || subdomain(new URL(url).hostname, domainIn(env))
}

/** The session that a link for people leads to: it is the one that the link starts over. */
function sessionInLink(url: string): string {
  const { pathname, searchParams } = new URL(url)
  return pathname.startsWith(`${CONTROL_PATH}/use`) ? (searchParams.get('session') ?? '') : ''
}

/** The domain whose subdomains are sessions. */
function domainIn(env: Env): string | undefined {
  return variable(env, 'FLAGDOUBLE_DOMAIN')?.toLowerCase()
}

function subdomain(hostname: string, domain: string | undefined): string {
  return domain !== undefined && hostname.endsWith(`.${domain}`) ? hostname.slice(0, -domain.length - 1) : UNNAMED
}
