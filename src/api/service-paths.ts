import { withoutTrailing } from '../support/trim.js'
import { operations } from './operations.js'

/** Whether a path is one of the service's, in any case and with or without a slash at its end. */
export function isServicePath(path: string): boolean {
  patterns ??= [...new Set(operations.map((row) => row.path.toLowerCase()))].map(toPattern)
  const sent = withoutTrailing(path.toLowerCase(), '/')
  return patterns.some((pattern) => pattern.test(sent))
}

let patterns: readonly RegExp[] | undefined

function toPattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`)
}
