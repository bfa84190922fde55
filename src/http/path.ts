/** The path of a URL, or of one without an origin, as it was sent: percent-encoding included. */
export function rawPath(url: string): string {
  const start = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('://') + 3)
  if (start === -1) return '/'
  const path = url.slice(start)
  const end = path.search(/[?#]/)
  return end === -1 ? path : path.slice(0, end)
}

/** The query of a URL with its `?`, or `''`. Without the fragment. */
export function rawQuery(url: string): string {
  const start = url.indexOf('?')
  if (start === -1) return ''
  const end = url.indexOf('#', start)
  return end === -1 ? url.slice(start) : url.slice(start, end)
}

/** The segments of a path. Empty ones don't count. */
export function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '')
}

/** The control API is below this path. */
export const CONTROL_PATH = '/__mock'

/** Where the service itself would show its OpenAPI document. */
export const DOCUMENT_PATH = '/docs/openapi.json'

/** The kinds of SDKs whose paths a path contains after something else. Fixed segments are as they were sent. */
export function sdkPathsIn(path: string): ('client' | 'frontend')[] {
  const [, ...later] = segmentsOf(path)
  const rest = `/${later.join('/')}`
  return (['client', 'frontend'] as const).filter((access) => rest.includes(`/api/${access}`))
}

/** The path below a base path, or undefined if it isn't below it. */
export function pathBelow(basePath: string, path: string): string | undefined {
  if (basePath === '') return path
  if (path === basePath) return '/'
  return path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : undefined
}

/** A percent-decoded path segment, or undefined if its encoding is malformed. */
export function decodeSegment(raw: string): string | undefined {
  if (!raw.includes('%')) return raw
  try {
    return decodeURIComponent(raw)
  } catch {
    return undefined
  }
}

/** Whether a text in an address leads to a path of the same origin. What begins with two slashes would name a host. */
export function isPathOfOrigin(path: string): boolean {
  const origin = 'http://origin.invalid'
  if (!path.startsWith('/') || !URL.canParse(path, origin)) return false
  const target = new URL(path, origin)
  return target.origin === origin && !target.pathname.startsWith('//')
}
