import { parse, serialize } from 'hono/utils/cookie'

export function cookie(headers: Headers, name: string): string | undefined {
  const header = headers.get('cookie')
  return header === null ? undefined : parse(header, name)[name]
}

/** A `Set-Cookie` header that pages can read and send along. Without `maxAge`, it lasts as long as the browser runs. */
export function pageCookie(name: string, value: string, options: { path: string; maxAge?: number }): string {
  return serialize(name, value, { ...options, sameSite: 'Lax' })
}

/** A `Set-Cookie` header that scripts can't read, for a number of seconds. */
export function secretCookie(
  name: string,
  value: string,
  options: { maxAge: number; secure: boolean; domain?: string | undefined },
): string {
  const { domain, ...rest } = options
  return serialize(name, value, { ...rest, ...(domain && { domain }), path: '/', httpOnly: true, sameSite: 'Lax' })
}

/**
 * A `Set-Cookie` header that scripts can't read. Browsers use `Max-Age`, in seconds: the expiry is a time of the world's
 * clock, which can be in the past for them. It is appended here, because hono rejects a `Max-Age` of more than 400 days.
 */
export function httpOnlyCookie(name: string, value: string, lasts: { maxAge: number; expires: Date }): string {
  const { maxAge, expires } = lasts
  const header = serialize(name, value, { path: '/', maxAge, httpOnly: true, sameSite: 'Lax' })
  return `${header}; Expires=${expires.toUTCString()}`
}
