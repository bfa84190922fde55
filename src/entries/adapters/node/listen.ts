import type { Server } from 'node:http'
import { systemCode } from '../../../support/errors.js'

/** The reason why a server can't listen, in words. Its code is Node's own. */
export class CannotListen extends Error {
  override readonly name = 'CannotListen'
  readonly code: string | undefined
  readonly problem: string
  readonly hint: string

  constructor(cause: unknown, problem: string, hint: string) {
    super(`${problem} ${hint}`, { cause })
    this.code = systemCode(cause)
    this.problem = problem
    this.hint = hint
  }
}

/** Rejects with a `CannotListen` if the port or the address is unavailable. */
export async function listen(server: Server, port: number, host: string): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      // Without a host, Node listens on all IPv6 and IPv4 addresses, or only on IPv4 if the machine lacks IPv6.
      server.listen(port, host === '::' ? undefined : host, () => {
        server.off('error', reject)
        resolve()
      })
    })
  } catch (error) {
    throw explain(error, port, host)
  }
}

function explain(error: unknown, port: number, host: string): unknown {
  switch (systemCode(error)) {
    case 'EADDRINUSE':
      return new CannotListen(
        error,
        `Port ${port} on ${host} is already in use.`,
        `Stop the other server, or use another port, such as ${port + 1} (--port ${port + 1}). 0 picks a free one (--port 0).`,
      )
    case 'EACCES':
      return new CannotListen(
        error,
        `No permission to listen on port ${port}.`,
        'Use a port above 1023, such as 4242 (--port 4242).',
      )
    case 'EADDRNOTAVAIL':
    case 'EINVAL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new CannotListen(
        error,
        `The host "${host}" is not an address of this machine.`,
        'Use 127.0.0.1 or ::1 for this machine only, 0.0.0.0 or :: for all its networks.',
      )
    default:
      return error
  }
}

/** The host as a client on this machine can name it. Many containers lack IPv6, so `::` is also reached via IPv4. */
export function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}
