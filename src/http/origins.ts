import { isControlPath } from './path.js'

/** Which pages may do what. Pages of this machine, and those that are allowed by name, are ours. */
export interface OriginPolicy {
  /** Whether a page may change something by the control API. */
  isOurs(origin: string): boolean
  /** Whether a page may read the answers on a path: any page those of the service, only our own those of the control API. */
  mayRead(origin: string, path: string): boolean
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\]|.+\.localhost)$/

export function createOriginPolicy(allowed: readonly string[]): OriginPolicy {
  const isOurs = (origin: string) => allowed.includes(origin) || isLoopback(origin)
  return {
    isOurs,
    mayRead: (origin, path) => isOurs(origin) || !isControlPath(path),
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
