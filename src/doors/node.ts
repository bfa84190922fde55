/**
 * The service as a listening Node server.
 *
 * @module
 */
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { createMock, type Mock, type MockOptions } from '../mock.js'
import { closeGracefully, type Listener } from './node/close.js'
import { answerDirectly, type NodeBindings } from './node/delivery.js'
import { createHostPolicy, refuseHost } from './node/hosts.js'

export interface ServerOptions {
  /** 0 picks a free one. Default: 4242. */
  port?: number | undefined
  /** The address to listen at. Default: 127.0.0.1, which only this machine reaches. */
  host?: string | undefined
  /** Hosts, beside this machine's and the bound one, that requests may name. */
  allowHosts?: readonly string[] | undefined
}

export interface RunningServer extends AsyncDisposable {
  /** Where the service is, with its base path and without a slash at its end. */
  readonly url: string
  readonly port: number
  readonly mock: Mock
  /** Stops: open requests get up to 5 seconds to finish, those that hang are cut. Can be called again. */
  close(): Promise<void>
}

export const DEFAULT_PORT = 4242
export const DEFAULT_HOST = '127.0.0.1'

/**
 * Starts a server for a mock, or for a new one with these options. Rejects with Node's own error if it can't listen
 * (`EADDRINUSE`, `EACCES` …).
 *
 * @example
 * await using server = await startServer({ scenario: 'expired-token' }, { port: 0 })
 * await fetch(`${server.url}/health`)
 */
export async function startServer(given: Mock | MockOptions = {}, options: ServerOptions = {}): Promise<RunningServer> {
  const { port = DEFAULT_PORT, host = DEFAULT_HOST, allowHosts = [] } = options
  const mock = isMock(given) ? given : createMock(given)
  const mayAsk = createHostPolicy(host, allowHosts)
  const listener = await listen(port, host, (request, bindings) =>
    mayAsk(bindings.incoming.headers.host) ? mock.fetch(request, answerDirectly(bindings)) : refuseHost(bindings),
  )
  const { port: bound } = listener.address() as AddressInfo
  const basePath = new URL(mock.baseUrl).pathname.replace(/\/+$/, '')
  const url = `http://${urlHost(host)}:${bound}${basePath}`
  mock.settle(url)
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= closeGracefully(listener)
    return closing
  }
  return { url, port: bound, mock, close, [Symbol.asyncDispose]: close }
}

type Handler = (request: Request, bindings: NodeBindings) => Response | Promise<Response>

function listen(port: number, hostname: string, fetch: Handler): Promise<Listener> {
  return new Promise((resolve, reject) => {
    // Without overriding the globals: msw in the same process needs the real Request and Response.
    const listener = serve({ fetch: fetch as never, port, hostname, overrideGlobalObjects: false }, () => {
      listener.off('error', reject)
      resolve(listener)
    }) as Listener
    listener.once('error', reject)
  })
}

function isMock(given: Mock | MockOptions): given is Mock {
  return 'fetch' in given && typeof given.fetch === 'function'
}

/** The host as a client on this machine can name it. */
function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
