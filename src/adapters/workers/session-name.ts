import { CONTROL_PATH } from '../../http/routes.js'
import { SESSION_COOKIE, SESSION_HEADER } from '../../http/select.js'
import { UNNAMED } from '../../sessions/sessions.js'
import { cookie } from '../../support/cookie.js'
import { type Env, variable } from './platform.js'

/** The session that a request names by a link's query, header, cookie or subdomain of `FLAGDOUBLE_DOMAIN`, in this order. */
export function sessionName({ headers, url }: Request, env: Env): string {
  const named = sessionInLink(url) ?? headers.get(SESSION_HEADER) ?? cookie(headers, SESSION_COOKIE) ?? ''
  return named === '' ? subdomain(new URL(url).hostname, domainIn(env)) : named
}

/** The session that a link for people leads to: it is the one that the link starts over. */
function sessionInLink(url: string): string | undefined {
  const { pathname, searchParams } = new URL(url)
  return pathname.startsWith(`${CONTROL_PATH}/use`) ? searchParams.get('session') || undefined : undefined
}

/** The domain whose subdomains are sessions. */
export function domainIn(env: Env): string | undefined {
  return variable(env, 'FLAGDOUBLE_DOMAIN')?.toLowerCase()
}

function subdomain(hostname: string, domain: string | undefined): string {
  return domain !== undefined && hostname.endsWith(`.${domain}`) ? hostname.slice(0, -domain.length - 1) : UNNAMED
}
