import { MockError } from '../../service/contract/mock-errors.js'
import type { Destination, OriginPolicy, Trust } from './call.js'

/** Who sent a request, as far as a browser's headers tell. */
export function trustOf({ headers, method, url }: Request, origins: OriginPolicy): Trust {
  const prefetches = isPrefetch(headers)
  if (!isForeign(headers, origins)) {
    if (prefetches) return 'guest'
    return isInPage(headers) && !isAllowedAddress(url, origins) ? 'resident' : 'trusted'
  }
  if (prefetches) return 'blind'
  const mode = headers.get('sec-fetch-mode')
  if (isOfWindow(headers) && method === 'GET') return 'visitor'
  if (mode !== null && mode !== 'cors') return 'blind'
  // Browsers send the mode. A client that only names an origin is none, and the service answers it.
  return origins.foreignMayRead || (mode === null && !origins.isStrict) || READS.includes(method) ? 'guest' : 'blind'
}

/** Whether a sender may open and restart sessions and worlds. Others use those that are open, and so evict none. */
export function mayOpen(trust: Trust): boolean {
  return mayFollowLinks(trust) || trust === 'resident'
}

/** Whether a sender may follow links for people, which change what a browser uses. */
export function mayFollowLinks(trust: Trust): boolean {
  return trust === 'trusted' || trust === 'visitor'
}

/** Why a sender gets no answer at a destination. Undefined where it gets one. */
export function refusalOf(request: Request, trust: Trust, { place, row }: Destination): MockError | undefined {
  if (trust === 'trusted') return undefined
  if (trust === 'guest' && place === 'control') return ownPageNotAllowed(request) ?? notAllowed('use the control API')
  const changes = row?.method === 'GET' && row.writes === true
  if (trust === 'blind' || changes) return notAllowed('send this request')
  return undefined
}

export function notAllowed(what: string): MockError {
  return new MockError(
    'ORIGIN_NOT_ALLOWED',
    `A page of another site, or a prefetch, may not ${what}.`,
    'Open the address yourself, or allow the page with --allow-origin ORIGIN or the option allowOrigins.',
  )
}

/**
 * Why a page of the mock's own address may not control it, such as the panel behind a proxy. Undefined for other pages. Its
 * address must be allowed by name: whoever owns a name can point it at this machine, so any page can have the mock's
 * origin, and not every adapter checks the host.
 */
export function ownPageNotAllowed({ headers, url }: Request): MockError | undefined {
  const origin = headers.get('origin')
  if (origin === null || !URL.canParse(origin)) return undefined
  // Over plain HTTP, browsers don't say that a page is of the same origin.
  const isOwn = headers.get('sec-fetch-site') === 'same-origin' || new URL(origin).host === new URL(url).host
  if (!isOwn) return undefined
  return new MockError(
    'ORIGIN_NOT_ALLOWED',
    `Pages of this mock's own address, "${origin}", may not control it until that address is allowed.`,
    `Start the mock with --allow-origin ${origin}, or with the option allowOrigins.`,
  )
}

const READS = ['GET', 'HEAD', 'OPTIONS']

function isForeign(headers: Headers, origins: OriginPolicy): boolean {
  const site = headers.get('sec-fetch-site')
  if (site === 'same-origin') return false
  const origin = headers.get('origin')
  if (origin !== null) return !origins.isOurs(origin)
  if (site === null || site === 'none') return false
  // Images and frames of our own pages have no Origin. No page can send a Referer other than its own.
  const page = headers.get('referer')
  return page === null || !URL.canParse(page) || !origins.isOurs(new URL(page).origin)
}

/** Whether a browser opens a page in a whole window. */
function isOfWindow(headers: Headers): boolean {
  return headers.get('sec-fetch-mode') === 'navigate' && headers.get('sec-fetch-dest') === 'document'
}

/** Whether a page of the same origin sends a request, and stays. */
function isInPage(headers: Headers): boolean {
  return headers.get('sec-fetch-site') === 'same-origin' && !isOfWindow(headers)
}

/** Behind a proxy that ends TLS, the mock doesn't see the scheme that the browser does. */
function isAllowedAddress(url: string, origins: OriginPolicy): boolean {
  const { host } = new URL(url)
  return origins.isOurs(`http://${host}`) || origins.isOurs(`https://${host}`)
}

/** Browsers fetch ahead what nobody has opened yet. */
function isPrefetch(headers: Headers): boolean {
  return PURPOSES.some((name) => headers.get(name)?.toLowerCase().includes('prefetch'))
}

/** The standard header, and the older ones of Chrome and Firefox. */
const PURPOSES = ['sec-purpose', 'purpose', 'x-moz']

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\]|.+\.localhost)$/

export function createOriginPolicy(
  allowed: readonly string[],
  foreignMayRead: boolean,
  isStrict: boolean,
): OriginPolicy {
  const isOurs = (origin: string) => allowed.includes(origin) || isLoopback(origin)
  return {
    foreignMayRead,
    isStrict,
    isOurs,
    mayRead: (origin, place) => isOurs(origin) || (foreignMayRead && place !== 'control'),
  }
}

/** Whether a host name is this machine's own. */
export function isLoopbackHost(hostname: string): boolean {
  return LOOPBACK.test(hostname.toLowerCase())
}

function isLoopback(origin: string): boolean {
  if (!/^https?:\/\//.test(origin)) return false
  try {
    return isLoopbackHost(new URL(origin).hostname)
  } catch {
    return false
  }
}
