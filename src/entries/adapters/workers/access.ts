import { bytesToHex } from '@noble/hashes/utils.js'
import { cookie, secretCookie } from '../../../support/cookie.js'

/** The header with the key, the parameter of the link with it, and the cookie that the link sets. */
export const ACCESS = 'flagdouble-access'
export const ACCESS_HEADER = `x-${ACCESS}`

/** Seconds that a link gives access for. */
const ACCESS_LASTS = 30 * 24 * 3600

/** Whether a request has the key: in the header, or in the cookie that stands for it. */
export async function hasAccess({ headers }: Request, key: string): Promise<boolean> {
  const sent = headers.get(ACCESS_HEADER)
  if (sent !== null) return isSame(sent, key)
  return isSame(cookie(headers, ACCESS) ?? '', await cookieFor(key))
}

/** Whether a request was sent with any key, right or wrong. A cookie may be a former key's. */
export function sentKey({ headers, url }: Request): boolean {
  return headers.has(ACCESS_HEADER) || new URL(url).searchParams.has(ACCESS) || cookie(headers, ACCESS) !== undefined
}

/** The response to a link with the key: sets the cookie, and leads to the same address without the key. */
export async function followLink(
  { url, method }: Request,
  key: string,
  domain: string | undefined,
): Promise<Response | undefined> {
  const target = new URL(url)
  const sent = target.searchParams.get(ACCESS)
  if (sent === null || method !== 'GET' || !(await isSame(sent, key))) return undefined
  target.searchParams.delete(ACCESS)
  const secure = target.protocol === 'https:'
  const headers = {
    location: target.href,
    'set-cookie': secretCookie(ACCESS, await cookieFor(key), {
      maxAge: ACCESS_LASTS,
      secure,
      // A browser takes no cookie for a domain that the address isn't in.
      domain: domain !== undefined && `.${target.hostname}`.endsWith(`.${domain}`) ? domain : undefined,
    }),
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
  }
  return new Response(null, { status: 302, headers })
}

/** The request without the key, so that nothing behind this can keep or show it. */
export function withoutKey(request: Request): Request {
  const headers = new Headers(request.headers)
  const url = new URL(request.url)
  url.searchParams.delete(ACCESS)
  headers.delete(ACCESS_HEADER)
  const cookies = (headers.get('cookie') ?? '').split(';').map((one) => one.trim())
  const others = cookies.filter((one) => one.split('=', 1)[0]?.trim() !== ACCESS)
  if (others.length < cookies.length) headers.set('cookie', others.join('; '))
  const referer = headers.get('referer')
  if (referer !== null) headers.set('referer', pageWithoutKey(referer))
  // A page of the worker's own is not a foreign one.
  if (headers.get('origin') === url.origin) headers.delete('origin')
  return new Request(url.href === request.url ? request : new Request(url, request), { headers })
}

/** The address of a page, which a link with the key may have led to. */
function pageWithoutKey(referer: string): string {
  if (!URL.canParse(referer)) return ''
  const page = new URL(referer)
  if (!page.searchParams.has(ACCESS)) return referer
  page.searchParams.delete(ACCESS)
  return page.href
}

/** The cookie is not the key itself, so that someone who sees it doesn't learn the key. */
async function cookieFor(key: string): Promise<string> {
  return bytesToHex(await digest(`${ACCESS} ${key}`))
}

/** Takes the same time wherever two texts differ. */
async function isSame(sent: string, expected: string): Promise<boolean> {
  const [one, other] = await Promise.all([digest(sent), digest(expected)])
  return one.reduce((difference, byte, at) => difference | (byte ^ (other[at] ?? 0)), 0) === 0
}

async function digest(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
}
