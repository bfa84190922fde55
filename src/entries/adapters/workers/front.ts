import { MockError } from '../../../engine/errors/mock-errors.js'
import { mockErrorAnswer, toMockError, toResponse } from '../../../engine/http/answer.js'
import { answerPreflight } from '../../../engine/http/app.js'
import { SESSION_COOKIE, SESSION_HEADER, selectingPage, sessionInHeaders } from '../../../engine/http/resolve.js'
import { locate, rawPath } from '../../../engine/http/routes.js'
import { isPreflight, isTrustedSender } from '../../../engine/http/senders.js'
import type { MockOptions } from '../../../engine/mock/options.js'
import { cookie, pageCookie, secretCookie } from '../../../support/cookie.js'
import { sha256Hex } from '../../../support/hash.js'
import { segmentsOf } from '../../../support/text.js'
import { type Env, mockOptions, namespaceIn, variable, type WorkerOptions } from './platform.js'

/** The name of the header with the access key, of the parameter in a link, and of the cookie that the link sets. */
const ACCESS = 'flagdouble-access'
const ACCESS_HEADER = `x-${ACCESS}`

/** The seconds for which a link gives access. */
const ACCESS_LASTS = 30 * 24 * 3600

/** The front of the sessions: it checks the access key, and passes each request to its session's object. */
export async function answerInFront(request: Request, env: Env, options: WorkerOptions): Promise<Response> {
  const key = variable(env, 'FLAGDOUBLE_ACCESS')
  if (key === undefined) return refuse('ACCESS_NOT_SET', request)
  try {
    if (isPreflight(request)) return await answerPreflight(request)
    const redirect = followLink(request, key, domainIn(env))
    if (redirect !== undefined) return redirect
    const { headers } = request
    const sent = headers.get(ACCESS_HEADER)
    const hasAccess = sent === null ? isSame(cookie(headers, ACCESS) ?? '', cookieFor(key)) : isSame(sent, key)
    if (!hasAccess) return refuse('ACCESS_REQUIRED', request)
    const sessions = namespaceIn(env)
    if (sessions === undefined) throw notBound
    const inPage = sessionOfPage(request, mockOptions(options, env))
    const name = sessionOf(request, env, inPage)
    const response = await sessions.get(sessions.idFromName(name)).fetch(inSession(request, name))
    if (name !== inPage) return response
    const kept = new Response(response.body, response)
    // The session outlives the app's own navigation.
    kept.headers.append('set-cookie', pageCookie(SESSION_COOKIE, name, { path: '/' }))
    return kept
  } catch (error) {
    return toResponse(mockErrorAnswer(toMockError(error)))
  }
}

const notBound = new MockError(
  'INVALID_OPTION',
  'The worker has no binding to the class FlagdoubleSession.',
  'Add durable_objects and migrations to wrangler.jsonc, as docs/workers.md shows.',
)

const refusals = {
  ACCESS_NOT_SET: [
    'This mock has no access key yet, so it serves only this page.',
    'Set a long random text as its key: npx wrangler secret put FLAGDOUBLE_ACCESS. For wrangler dev, put a line FLAGDOUBLE_ACCESS=… into .dev.vars.',
  ],
  ACCESS_REQUIRED: [
    'The access key is missing or wrong.',
    `Send it as the header ${ACCESS_HEADER}, or open this address once with ?${ACCESS}=KEY in a browser, which then stores a cookie.`,
  ],
} as const

/** The reason for rejecting a request. Pages of other sites can read it. */
function refuse(code: keyof typeof refusals, { headers }: Request): Response {
  const [problem, hint] = refusals[code]
  const answer = mockErrorAnswer(new MockError(code, problem, hint))
  const origin = headers.get('origin')
  if (headers.get('accept')?.includes('text/html')) {
    answer.headers['content-type'] = 'text/html; charset=utf-8'
    answer.body = `<!doctype html><html lang="en"><meta charset="utf-8"><title>flagdouble</title><h1>flagdouble</h1><p>${problem}</p><p>${hint}</p></html>`
  }
  Object.assign(answer.headers, { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
  if (origin !== null) {
    Object.assign(answer.headers, {
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': 'x-mock-error',
      vary: 'origin',
    })
  }
  return toResponse(answer)
}

/** The response to a link with the access key: it sets the cookie, and redirects to the URL without the key. */
function followLink({ url, method }: Request, key: string, domain: string | undefined): Response | undefined {
  const { hostname, protocol, searchParams } = new URL(url)
  const sent = searchParams.get(ACCESS)
  if (sent === null || method !== 'GET' || !isSame(sent, key)) return undefined
  const headers = {
    location: withoutKey(url),
    'set-cookie': secretCookie(ACCESS, cookieFor(key), {
      maxAge: ACCESS_LASTS,
      secure: protocol === 'https:',
      // Browsers ignore a cookie for a domain that doesn't contain the URL.
      domain: domain !== undefined && `.${hostname}`.endsWith(`.${domain}`) ? domain : undefined,
    }),
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
  }
  return new Response(null, { status: 302, headers })
}

/** The session in the address of our page that sends a request, if the page selects the scenario. */
function sessionOfPage(request: Request, { allowOrigins = [] }: MockOptions): string | undefined {
  const { isMockPath } = locate(request.method, rawPath(request.url), '')
  if (isMockPath || !isTrustedSender(request, allowOrigins)) return undefined
  const page = selectingPage(request, {}, allowOrigins)
  return page?.query.get('session') || undefined
}

/**
 * The session that a request names: by a QA link, header, cookie, page or subdomain of `FLAGDOUBLE_DOMAIN`, in this order.
 * `selectingPage` leaves out the session of a page if a header or a cookie names one.
 */
function sessionOf({ headers, method, url }: Request, env: Env, inPage = ''): string {
  const { hostname, searchParams } = new URL(url)
  const { place, path = '' } = locate(method, rawPath(url), '')
  const isLink = place === 'control' && segmentsOf(path.toLowerCase())[1] === 'use'
  const domain = domainIn(env)
  const isBelow = domain !== undefined && hostname.endsWith(`.${domain}`)
  const named = (isLink && searchParams.get('session')) || sessionInHeaders(headers) || inPage
  return named || (isBelow ? hostname.slice(0, -domain.length - 1) : '')
}

/** The request for its session: with the session's name, and without the access key, so that nothing can store or show it. */
function inSession(request: Request, session: string): Request {
  const headers = new Headers(request.headers)
  const url = withoutKey(request.url)
  headers.delete(ACCESS_HEADER)
  if (session !== '') headers.set(SESSION_HEADER, encodeURIComponent(session))
  const cookies = headers
    .get('cookie')
    ?.split(';')
    .filter((one) => one.split('=', 1)[0]?.trim() !== ACCESS)
  if (cookies !== undefined) headers.set('cookie', cookies.join(';'))
  const referer = headers.get('referer')
  if (referer !== null) headers.set('referer', withoutKey(referer))
  return new Request(url === request.url ? request : new Request(url, request), { headers })
}

/** A URL without the access key that a link can contain. */
function withoutKey(page: string): string {
  if (!URL.canParse(page)) return ''
  const url = new URL(page)
  if (!url.searchParams.has(ACCESS)) return page
  url.searchParams.delete(ACCESS)
  return url.href
}

/** The domain whose subdomains are sessions. */
function domainIn(env: Env): string | undefined {
  return variable(env, 'FLAGDOUBLE_DOMAIN')?.toLowerCase()
}

/** The cookie contains a hash of the access key, so that it doesn't reveal the key. */
function cookieFor(key: string): string {
  return sha256Hex(`${ACCESS} ${key}`)
}

/** Compares hashes: the time that this takes doesn't reveal the texts. */
function isSame(sent: string, expected: string): boolean {
  return sha256Hex(sent) === sha256Hex(expected)
}
