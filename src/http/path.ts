const QUESTION_MARK = '?'.charCodeAt(0)
const NUMBER_SIGN = '#'.charCodeAt(0)
const SLASH = '/'.charCodeAt(0)

/** The path of a URL, or of one without an origin, as it was sent: percent-encoding included. */
export function rawPath(url: string): string {
  const start = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('://') + 3)
  if (start === -1) return '/'
  for (let end = start; end < url.length; end++) {
    const code = url.charCodeAt(end)
    if (code === QUESTION_MARK || code === NUMBER_SIGN) return url.slice(start, end)
  }
  return url.slice(start)
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
  const segments: string[] = []
  let start = 0
  for (let end = 0; end <= path.length; end++) {
    if (end < path.length && path.charCodeAt(end) !== SLASH) continue
    if (end > start) segments.push(path.slice(start, end))
    start = end + 1
  }
  return segments
}

/** The control API is below this path. */
export const CONTROL_PATH = '/__mock'

/** Where the service itself would show its OpenAPI document. */
export const DOCUMENT_PATH = '/docs/openapi.json'

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
