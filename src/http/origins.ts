import type { Place } from './routes.js'

/** Which pages may do what. Pages of this machine, and those that are allowed by name, are ours; others are foreign. */
export interface OriginPolicy {
  /** Whether foreign pages may use the service by CORS. */
  readonly foreignMayRead: boolean
  /** Whether foreign origins were shut out on purpose, and not only as the service does. */
  readonly isStrict: boolean
  isOurs(origin: string): boolean
  /** Whether a page may read the responses of a place. Foreign ones never read those of the control API. */
  mayRead(origin: string, place: Place): boolean
}

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
