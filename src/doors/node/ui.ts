import { readFile } from 'node:fs/promises'
import { extname, join, resolve, sep } from 'node:path'
import { MockError } from '../../contract/mock-errors.js'
import { pathBelow, rawPath } from '../../http/path.js'
import { SCENARIO_QUERY } from '../../http/select.js'
import type { Mock } from '../../mock/mock.js'
import { CORE } from '../../mock/session.js'
import { withoutTrailing } from '../../support/trim.js'
import { enterScenario } from './ui-scenario.js'

/** Answers a request for the pages of the UI and what they load; undefined where it is none. */
export type Ui = (request: Request) => Promise<Response | undefined>

/** Paths below which only the service answers, also for what it does not know. */
const SERVICE_PATHS = /^\/(api|auth|invite|health|docs|edge|internal-backstage|__mock)(\/|$)/i

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webp': 'image/webp',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
}

/**
 * Serves a built copy of the service's own frontend: its files as they are, its `index.html` for every path that is a
 * place within it. Rejects with a `MockError` `INVALID_OPTION` for a folder without an `index.html`.
 */
export async function createUi(folder: string, mock: Mock): Promise<Ui> {
  const basePath = withoutTrailing(new URL(mock.baseUrl).pathname, '/')
  const html = await readFile(join(folder, 'index.html'), 'utf8').catch(() => {
    throw new MockError(
      'INVALID_OPTION',
      `There is no index.html in the folder "${folder}".`,
      'Name the built frontend: the folder frontend/build of the npm package unleash-server.',
    )
  })
  const page = fillIn(html, basePath)
  return async (request) => {
    const path = pathBelow(basePath, rawPath(request.url))
    const reads = request.method === 'GET' || request.method === 'HEAD'
    if (path === undefined || !reads || SERVICE_PATHS.test(path)) return undefined
    if (path !== '/' && mock[CORE].match(request.method, request.url) !== undefined) return undefined
    if (extname(path) !== '' && !path.endsWith('.html')) return answerFile(folder, path)
    const scenario = new URL(request.url).searchParams.get(SCENARIO_QUERY)
    const entered = scenario === null ? {} : await enterScenario(mock, request, scenario, basePath)
    return entered instanceof Response ? entered : htmlResponse(page, entered)
  }
}

/** The page with its placeholders filled: where it lies, no CDN, no flags and no token of its own. */
function fillIn(html: string, basePath: string): string {
  return html
    .replaceAll('::baseUriPath::', basePath)
    .replaceAll('::faviconPrefix::', basePath)
    .replaceAll('::cdnPrefix::', '')
    .replaceAll('::uiFlags::', encodeURI('{}'))
    .replaceAll('::unleashToken::', '')
    .replaceAll('"/static/', `"${basePath}/static/`)
}

function htmlResponse(page: string, headers: Readonly<Record<string, string>>): Response {
  return new Response(page, { headers: { ...headers, 'content-type': 'text/html; charset=utf-8' } })
}

async function answerFile(folder: string, path: string): Promise<Response> {
  const file = fileBelow(folder, path)
  const bytes = file === undefined ? undefined : await readFile(file).catch(() => undefined)
  if (file === undefined || bytes === undefined) return new Response('Not found', { status: 404 })
  const type = MEDIA_TYPES[extname(file).toLowerCase()] ?? 'application/octet-stream'
  return new Response(new Uint8Array(bytes), { headers: { 'content-type': type } })
}

/** The file that a path names; undefined for one outside the folder. */
function fileBelow(folder: string, path: string): string | undefined {
  const root = resolve(folder)
  try {
    const file = resolve(root, `.${decodeURIComponent(path)}`)
    return file.startsWith(root + sep) && !file.includes('\0') ? file : undefined
  } catch {
    return undefined
  }
}
