/** The path of a URL as it was sent, percent-encoding and all. */
export function rawPath(url: string): string {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  if (start === -1) return '/'
  for (let end = start; end < url.length; end++) {
    const code = url.charCodeAt(end)
    if (code === QUESTION_MARK || code === NUMBER_SIGN) return url.slice(start, end)
  }
  return url.slice(start)
}

const QUESTION_MARK = '?'.charCodeAt(0)
const NUMBER_SIGN = '#'.charCodeAt(0)

/** Below this path the kit itself is controlled. */
export const CONTROL_PATH = '/__mock'

/** Where the service itself would show its OpenAPI document. */
export const DOCUMENT_PATH = '/docs/openapi.json'

export function isControlPath(path: string): boolean {
  const start = path.slice(0, CONTROL_PATH.length + 1).toLowerCase()
  return start === CONTROL_PATH || start === `${CONTROL_PATH}/`
}

/** The path below a base path; undefined for one that does not lie there. */
export function pathBelow(basePath: string, path: string): string | undefined {
  if (basePath === '') return path
  if (path === basePath) return '/'
  return path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : undefined
}
