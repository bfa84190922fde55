import { get as getPlain } from 'node:http'
import { get as getSecure } from 'node:https'
import { reasonOf } from '../../support/errors.js'
import { withoutTrailing } from '../../support/text.js'
import { urlHost } from '../adapters/node/listen.js'
import { DEFAULT_HOST, DEFAULT_PORT } from '../adapters/node.js'
import { UsageError } from '../files/usage-error.js'
import type { StartFlags } from './flags.js'
import { type Io, printError } from './io.js'
import { readStartFlags } from './service-variables.js'

const UNHEALTHY = 1

/** The maximum milliseconds without data from the server. */
const PATIENCE = 5000

/**
 * `flagdouble health`: checks the server that `start` starts with the same flags and variables. Returns 0 if it is
 * healthy, or else 1, for any reason: Docker reserves all other codes.
 */
export async function health(given: Readonly<Record<string, unknown>>, io: Io): Promise<number> {
  try {
    const url = healthUrl(readStartFlags(given, io.env))
    const status = await statusOf(url).catch((error: unknown) => {
      throw new UsageError(`${url} can't be reached: ${reasonOf(error)}.`, 'Is the server running?')
    })
    if (status === 200) return 0
    throw new UsageError(`${url} responds with ${status}.`, 'Another server listens there, or the server is not ready.')
  } catch (error) {
    printError(error, io)
    return UNHEALTHY
  }
}

function healthUrl({ port = DEFAULT_PORT, host = DEFAULT_HOST, cert, baseUrl, basePath }: StartFlags): string {
  if (port === 0)
    throw new UsageError('Port 0 means any free port.', 'Pass the port of a running server: --port NUMBER.')
  const path = basePath ?? (baseUrl === undefined ? '' : withoutTrailing(new URL(baseUrl).pathname, '/'))
  return `${cert === undefined ? 'http' : 'https'}://${urlHost(host)}:${port}${path}/__mock/health`
}

function statusOf(url: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    // The certificate names the clients' host, not the address that the server listens on.
    const options = { timeout: PATIENCE, rejectUnauthorized: false }
    const request = url.startsWith('https:') ? getSecure(url, options) : getPlain(url, options)
    request.on('timeout', () => request.destroy(new Error('no response within five seconds')))
    request.on('error', reject)
    request.on('response', (response) => {
      response.resume()
      resolve(response.statusCode)
    })
  })
}
