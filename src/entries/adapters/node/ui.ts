import { readFile, realpath } from 'node:fs/promises'
import { extname, isAbsolute, join, relative } from 'node:path'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono/quick'
import { MockError } from '../../../engine/errors/mock-errors.js'
import { textAnswer, toResponse } from '../../../engine/http/answer.js'
import type { Arrival, Destination } from '../../../engine/http/call.js'
import { cookiesOfPage, faultAnswer } from '../../../engine/http/page-scenario.js'
import { DOCUMENT_PATH, sdkPathsIn } from '../../../engine/http/routes.js'
import { isNavigation, isTrustedSender } from '../../../engine/http/senders.js'
import type { Mock } from '../../../engine/mock/mock.js'
import { CORE } from '../../../engine/mock/session.js'
import { operations } from '../../../service/api/operations.js'
import { percentDecoded, segmentsOf } from '../../../support/text.js'

/** Responds to a request for the UI's pages and their files; undefined for other requests. */
export type Ui = (request: Request, arrival: Arrival) => Promise<Response | undefined>

/** The first segments of Unleash's paths. Below them only the mock responds, even to unknown paths. */
const SERVICE_AREAS = new Set(
  [...operations.map(({ path }) => path), DOCUMENT_PATH, '/internal-backstage'].map((path) => segmentsOf(path)[0]),
)

/**
 * Serves a built copy of Unleash's own frontend: its files unchanged, and its `index.html` for every path inside it.
 * Rejects with a `MockError` `INVALID_OPTION` for a folder without an `index.html`.
 */
export async function createUi(folder: string, mock: Mock): Promise<Ui> {
  const { basePath } = mock[CORE]
  mock[CORE].appPath = `${basePath}/`
  const html = await readFile(join(folder, 'index.html'), 'utf8').catch(() => {
    throw new MockError(
      'INVALID_OPTION',
      `The folder "${folder}" has no index.html.`,
      'Pass the built frontend, which is the folder frontend/build of the npm package unleash-server.',
    )
  })
  const page = fillIn(html, basePath)
  // Hono's path is decoded.
  const rewriteRequestPath = (path: string) => path.slice(decodeURI(basePath).length)
  const files = new Hono().use(serveStatic({ root: folder, rewriteRequestPath })).notFound(notFound)
  const { service } = mock[CORE]
  return async (request, arrival) => {
    const destination = service.locate(request, arrival)
    if (!isOfUi(request, destination)) return undefined
    if (!isTrustedSender(request, service.mock.allowOrigins) && !isNavigation(request)) return undefined
    const { path = '' } = destination
    if (isHidden(path)) return notFound()
    if (extname(path) !== '' && !path.endsWith('.html')) {
      return (await leadsOutside(folder, path)) ? notFound() : files.fetch(request)
    }
    const { data: cookies, failure } = cookiesOfPage(request, service.mock, basePath || '/')
    if (failure !== undefined) return toResponse(faultAnswer(failure, request, service.mock))
    return toResponse({ ...textAnswer(200, 'text/html', page), cookies })
  }
}

/** Whether a request is for the UI: a read outside of the operations, the control API, and the paths below them. */
function isOfUi({ method }: Request, { place, path = '' }: Destination): boolean {
  if (place !== 'other' || (method !== 'GET' && method !== 'HEAD')) return false
  if (sdkPathsIn(path).length > 0) return false
  const [area = ''] = segmentsOf(path.toLowerCase())
  return !SERVICE_AREAS.has(area)
}

/** Whether a path leads to a file that isn't part of a frontend, such as `/.env` or `/.git/config`, in any encoding. */
function isHidden(path: string): boolean {
  const decoded = percentDecoded(path)
  return decoded === undefined || /[/\\]\./.test(decoded)
}

/** Whether a path leads by a symbolic link to a file outside of the folder, or to a hidden file in it. */
async function leadsOutside(folder: string, path: string): Promise<boolean> {
  const file = await realpath(join(folder, path)).catch(() => undefined)
  if (file === undefined) return true
  const inside = relative(await realpath(folder), file)
  return isAbsolute(inside) || isHidden(`/${inside}`)
}

function notFound(): Response {
  return new Response('Not found', { status: 404 })
}

/** The page with its placeholders filled: its base path, and no CDN, flags or token. */
function fillIn(html: string, basePath: string): string {
  return html
    .replaceAll('::baseUriPath::', basePath)
    .replaceAll('::faviconPrefix::', basePath)
    .replaceAll('::cdnPrefix::', '')
    .replaceAll('::uiFlags::', encodeURI('{}'))
    .replaceAll('::unleashToken::', '')
    .replaceAll('"/static/', `"${basePath}/static/`)
}
