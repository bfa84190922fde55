/**
 * The mock as msw handlers: one for each operation, in the order of the table, and one for the control API.
 *
 * @module
 */
import type { HttpHandler } from 'msw'
import * as z from 'zod'
import { atCallSite } from '../../engine/errors/arguments.js'
import { MockError } from '../../engine/errors/mock-errors.js'
import { API_PATH, expectFitting, type MockOptions, pathsSchema } from '../../engine/mock/options.js'
import { expectMock } from '../../engine/mock/recognize.js'
import { CORE, type MockSession } from '../../engine/mock/session.js'
import { withoutTrailing } from '../../support/text.js'
import { handlersFor } from './msw/handlers.js'
import { targetOf } from './msw/target.js'

export { listenOptions } from './msw/unhandled.js'

export interface HandlerOptions {
  /**
   * The start of Unleash's paths and of the links in responses, such as `https://flags.example.com/proxy`. Default: the
   * paths that only Unleash has, such as `/api/admin`, at any origin, and links at the mock's own `baseUrl`.
   */
  baseUrl?: string | undefined
  /** The paths of a gateway, as in `createMock`: the mock handles them from now on. */
  paths?: MockOptions['paths']
}

const optionsSchema = z
  .strictObject({ baseUrl: z.string(), paths: pathsSchema } satisfies Record<keyof HandlerOptions, z.ZodType>)
  .partial()

/**
 * Handlers that respond like the mock. They leave an unmodelled request to msw; below `/api`, the journal also lists it, as unmatched. List your own handlers first.
 *
 * @example
 * const server = setupServer(...createHandlers(createMock()))
 * server.listen(listenOptions())
 */
export function createHandlers(mock: MockSession, options: HandlerOptions = {}): HttpHandler[] {
  return atCallSite(createHandlers, () => {
    expectMock(mock, 'createHandlers')
    const { baseUrl, paths } = expectFitting(optionsSchema, options, 'createHandlers')
    if (paths !== undefined) mock[CORE].addPaths(paths)
    const base = baseUrl === undefined ? undefined : parseBase(baseUrl)
    if (base !== undefined) mock[CORE].setDefaultBaseUrl(base.href)
    const target = targetOf(mock, { hasBase: base !== undefined })
    return handlersFor(target, base === undefined ? undefined : (url) => innerUrl(url, base))
  })
}

function parseBase(baseUrl: string): URL {
  const page = globalThis.location?.href
  if (API_PATH.test(baseUrl)) {
    const url = baseUrl.replace(API_PATH, '')
    throw new MockError(
      'INVALID_OPTION',
      `The baseUrl of createHandlers ends with a path of Unleash: "${baseUrl}".`,
      url === '' ? 'Leave it out.' : `Pass the part before it: ${url}`,
    )
  }
  if (URL.canParse(baseUrl, page)) return new URL(baseUrl, page)
  throw new MockError(
    'INVALID_OPTION',
    `"${baseUrl}" is not a URL, so it can't be the baseUrl of createHandlers.`,
    'Pass a complete URL, such as https://flags.example.com/proxy.',
  )
}

/** The URL without the base URL's path. Undefined outside of that path. */
function innerUrl(url: string, base: URL): string | undefined {
  const given = new URL(url)
  const path = withoutTrailing(base.pathname, '/')
  if (given.origin !== base.origin || !given.pathname.startsWith(`${path}/`)) return undefined
  return given.origin + given.href.slice(given.origin.length + path.length)
}
