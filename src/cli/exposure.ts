import { DEFAULT_HOST } from '../doors/node.js'
import { isLoopbackHost } from '../http/origins.js'
import type { StartFlags } from './flags.js'

/** What to warn about if other machines can reach the server. Undefined if they can't. */
export function exposureWarning({ host = DEFAULT_HOST }: Pick<StartFlags, 'host'>): string | undefined {
  if (isLoopbackHost(host.includes(':') ? `[${host}]` : host)) return undefined
  return (
    `warning: with --host ${host} other machines can reach this server. Its keys are public, so they can read and ` +
    'change everything. They must name the host as --host or --allow-host does.'
  )
}
