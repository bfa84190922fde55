import { parse } from 'hono/utils/cookie'

/** The value of a cookie that a request carries. */
export function cookie(headers: Headers, name: string): string | undefined {
  const header = headers.get('cookie')
  return header === null ? undefined : parse(header, name)[name]
}
