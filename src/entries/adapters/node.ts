/**
 * The mock as a listening Node server.
 *
 * @module
 */
import { createServer, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { atCallSite } from '../../engine/errors/arguments.js'
import { MockError } from '../../engine/errors/mock-errors.js'
import { SCENARIO_HEADER, SESSION_HEADER } from '../../engine/http/resolve.js'
import { rawQuery } from '../../engine/http/routes.js'
import { printNotices } from '../../engine/mock/core.js'
import { createMock, type Mock, type MockOptions } from '../../engine/mock/mock.js'
import { isMock } from '../../engine/mock/recognize.js'
import { CORE } from '../../engine/mock/session.js'
import { reasonOf } from '../../support/errors.js'
import { type Certificate, readServerArguments, type ServerOptions } from './node/arguments.js'
import { createBackend } from './node/backend.js'
import { Connections } from './node/close.js'
import { listen, urlHost } from './node/listen.js'
import { answerUnreadable, createHostPolicy, createListener, type Early, rejectHost } from './node/listener.js'
import { announce } from './node/running.js'

export type { Certificate, ServerOptions }

export interface RunningServer extends AsyncDisposable {
  /** The base URL of the mock, with its base path and without a trailing slash. */
  readonly url: string
  /** The port that it listens on. */
  readonly port: number
  /** The mock that it serves: change its data, or read its requests. */
  readonly mock: Mock
  /**
   * Stops the server: open requests get a grace period in milliseconds (default: 5,000); hanging requests and event
   * streams are cut at once. You can call it again, with a shorter grace period.
   */
  close(grace?: number): Promise<void>
}

export const DEFAULT_PORT = 4242
export const DEFAULT_HOST = '127.0.0.1'

/**
 * The milliseconds for which an idle connection stays open. Node's own five seconds pass quickly on a busy machine; a
 * client that reuses a connection at that instant fails with `ECONNRESET`.
 */
const KEEP_ALIVE = 65_000

/** Health checks can name any host: the response contains no data. */
const PROBES = ['/health', '/ready']

/** The headers by which a request can name a session or a scenario. */
const NAMING = ['cookie', SESSION_HEADER, SCENARIO_HEADER]

function createFrom(options: MockOptions): Mock {
  const mock = createMock(options)
  printNotices(mock[CORE].notices())
  return mock
}

/** Throws `INVALID_OPTION` unless the texts are a certificate and its key. */
function secureServer(https: Certificate, listener: RequestListener) {
  try {
    return createSecureServer({ requireHostHeader: false, ...https }, listener)
  } catch (error) {
    const problem = `startServer can't use https: it is not a certificate and its key: ${reasonOf(error)}.`
    throw new MockError(
      'INVALID_OPTION',
      problem,
      'Pass the texts of two PEM files that belong together: { cert, key }.',
    )
  }
}

/**
 * Starts a server for a mock, or for a new one with these options. Rejects with an error that gives the reason if it can't listen (its `code` is Node's: `EADDRINUSE`, `EACCES` …), and with a `MockError` for invalid arguments and if the folder of `ui` has no `index.html`.
 *
 * @example
 * await using server = await startServer({ scenario: 'expired-token' }, { port: 0 })
 * await fetch(`${server.url}/health`)
 */
export async function startServer(given: Mock | MockOptions = {}, options: ServerOptions = {}): Promise<RunningServer> {
  const read = atCallSite(startServer, () => readServerArguments(given, options))
  const { port = DEFAULT_PORT, host = DEFAULT_HOST, allowHosts = [], ui: folder, https, proxy } = read
  const mock = atCallSite(startServer, () => (isMock(given, 'startServer') ? given : createFrom(given)))
  const backend = proxy === undefined ? undefined : createBackend(new URL(proxy), mock)
  const others = folder === undefined ? backend : await (await import('./node/ui.js')).createUi(folder, mock)
  const mayAsk = createHostPolicy(host, allowHosts)
  const early: Early = (request, arrival) => {
    const { host: asked } = arrival.incoming.headers
    if (mayAsk(asked)) return others?.(request, arrival)
    const { row } = mock[CORE].service.locate(request, arrival)
    // HTTP/1.0 has no Host header, and load balancers still use it.
    const isNamed = asked !== undefined || arrival.incoming.httpVersion === '1.0'
    const isProbe = isNamed && row !== undefined && PROBES.includes(row.path)
    const isNaming = NAMING.some((name) => request.headers.has(name)) || rawQuery(request.url) !== ''
    return isProbe && !isNaming ? undefined : rejectHost(asked)
  }
  const listener = createListener(mock, { hostname: urlHost(host), early })
  const server = https ? secureServer(https, listener) : createServer({ requireHostHeader: false }, listener)
  server.keepAliveTimeout = KEEP_ALIVE
  server.on('clientError', answerUnreadable)
  const connections = new Connections(server)
  await listen(server, port, host)
  const { port: bound } = server.address() as AddressInfo
  const { basePath } = mock[CORE]
  const url = `${https ? 'https' : 'http'}://${urlHost(host)}:${bound}${basePath}`
  mock[CORE].setDefaultBaseUrl(url)
  announce(server, url)
  const close = (grace?: number) => {
    mock[CORE].sessions.endWaits()
    return connections.close(grace)
  }
  return { url, port: bound, mock, close, [Symbol.asyncDispose]: () => close() }
}
