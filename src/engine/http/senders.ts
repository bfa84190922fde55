import { MockError } from '../errors/mock-errors.js'
import type { Destination } from './call.js'
import { isFrontendPath, plainPath } from './routes.js'

// Trusted senders can do everything. Pages of other sites can send only what everybody can.

/**
 * Whether a program or one of our pages sends a request, by headers that a page can't forge. Our pages are those of this
 * machine, of the mock's own host name, and of allowed origins. A prefetch is nobody's: no user has opened the page yet,
 * and the browser repeats the request when a user does.
 */
export function isTrustedSender({ headers, url }: Request, allowOrigins: readonly string[]): boolean {
  if (isPrefetch(headers)) return false
  const site = headers.get('sec-fetch-site')
  if (site === 'same-origin') return true
  const origin = headers.get('origin')
  if (origin !== null) return isOurOrigin(origin, url, allowOrigins)
  // Programs send neither header, and a typed address comes from no site.
  if (site === null || site === 'none') return true
  // Images and frames have no origin. A page can only send its own address as the Referer.
  const page = refererOrigin(headers)
  return page !== undefined && isOurOrigin(page, url, allowOrigins)
}

/** The address of our page that sends a request, if the browser tells all of it. */
export function pageOfTrusted(
  { headers, url }: Pick<Request, 'headers' | 'url'>,
  allowOrigins: readonly string[],
): URL | undefined {
  const page = headers.get('referer')
  if (page === null || !URL.canParse(page)) return undefined
  const address = new URL(page)
  return isOurOrigin(address.origin, url, allowOrigins) ? address : undefined
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\]|.+\.localhost)$/

/** Whether a host name means this machine. */
export function isLoopbackHost(hostname: string): boolean {
  return LOOPBACK.test(hostname.toLowerCase())
}

function isOurOrigin(origin: string, url: string, allowOrigins: readonly string[]): boolean {
  if (allowOrigins.includes(origin)) return true
  if (!/^https?:\/\//.test(origin) || !URL.canParse(origin)) return false
  const { hostname } = new URL(origin)
  // The public DNS has no name below `.test`. The server has accepted its own host name, whose pages can have any port.
  return isLoopbackHost(hostname) || hostname.endsWith('.test') || hostname === new URL(url).hostname
}

/** Whether a page of another site can send a request: to the frontend API or a health check, or by opening a page. */
export function mayUntrustedSend(request: Request, { path = '' }: Destination): boolean {
  if (isPrefetch(request.headers)) return false
  const isShared = isFrontendPath(path) || SHARED.includes(plainPath(path))
  if (isNavigation(request)) return isShared || PAGE.test(plainPath(path))
  return isShared && (request.headers.get('sec-fetch-mode') ?? 'cors') === 'cors'
}

const SHARED = ['/health', '/ready']

/** The panel, the address that leads to it, and the links for users. */
const PAGE = /^\/(__mock(\/use(\/[^/]+)?|\/leave)?)?$/

/** Whether a browser opens a page in a whole window. */
export function isNavigation({ headers, method }: Request): boolean {
  const isOfWindow = headers.get('sec-fetch-mode') === 'navigate' && headers.get('sec-fetch-dest') === 'document'
  return isOfWindow && method === 'GET' && !isPrefetch(headers)
}

/** Whether a browser asks for permission before a request. Such a question carries no headers and no cookies. */
export function isPreflight({ headers, method }: Request): boolean {
  return method === 'OPTIONS' && headers.has('origin') && headers.has('access-control-request-method')
}

/** By the standard header, or the older headers of Chrome and Firefox. */
function isPrefetch(headers: Headers): boolean {
  const purpose = headers.get('sec-purpose') ?? headers.get('purpose') ?? headers.get('x-moz')
  return purpose?.toLowerCase().includes('prefetch') === true
}

function refererOrigin(headers: Headers): string | undefined {
  const page = headers.get('referer')
  return page !== null && URL.canParse(page) ? new URL(page).origin : undefined
}

/** The reason for rejecting a page of another site, with the flag that allows the page. */
export function notAllowed({ headers }: Request, what = 'use only the frontend API of this mock'): MockError {
  if (isPrefetch(headers)) return rejection('No user has opened this page yet.', 'Open the address yourself.')
  const origin = headers.get('origin') ?? refererOrigin(headers)
  if (origin === undefined) {
    const hint = 'Open the address yourself, or allow the origin of the page with --allow-origin.'
    return rejection(`Pages of other sites can ${what}.`, hint)
  }
  if (origin === 'null') {
    return rejection(`Pages without an origin, such as files, can ${what}.`, 'Serve the page from localhost.')
  }
  return rejection(
    `Pages of ${origin} can ${what}.`,
    `Start the mock with --allow-origin ${origin}, or with the option allowOrigins: ["${origin}"].`,
  )
}

function rejection(problem: string, hint: string): MockError {
  return new MockError('ORIGIN_NOT_ALLOWED', problem, hint)
}
