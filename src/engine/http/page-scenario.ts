import type { Outcome } from '../../service/contract/errors.js'
import { cookie, pageCookie } from '../../support/cookie.js'
import { MockError } from '../errors/mock-errors.js'
import { namesOf, type Selection, selectionIn } from '../scenarios/selection.js'
import { type Answer, MOCK_ERROR_HEADER, mockErrorAnswer, textAnswer } from './answer.js'
import type { ServedMock } from './call.js'
import { SCENARIO_COOKIE, SCENARIO_QUERY, SESSION_COOKIE, scenarioNamedIn, selectSession } from './resolve.js'
import { CONTROL_PATH, rawPath, rawQuery } from './routes.js'

/** Whether a browser asks for a page. */
export function wantsPage({ method, headers }: Pick<Request, 'method' | 'headers'>): boolean {
  return method === 'GET' && headers.get('accept')?.includes('text/html') === true
}

/**
 * The cookies that a page's address sets for its browser. `?scenario=`, `?session=` or both act as a QA link that restarts
 * nothing, so a reload keeps the data. An empty name ends the scenario.
 */
export function cookiesOfPage(request: Request, mock: ServedMock, path: string): Outcome<readonly string[], MockError> {
  try {
    if (request.method !== 'GET') return { data: [] }
    const query = new URLSearchParams(rawQuery(request.url))
    const scenario = scenarioNamedIn(query)
    const named = query.get('session') ?? ''
    const { sessions } = mock
    const session = named === '' ? selectSession(request, sessions, sessions.unnamed) : sessions.open(named)
    if (!scenario) {
      const ended = scenario === '' ? [pageCookie(SCENARIO_COOKIE, '', { path, maxAge: 0 })] : []
      return { data: [...ended, ...cookiesFor([], query, path)] }
    }
    const names = namesInBrowser(request, selectionIn(scenario))
    session.select(selectionIn(...names))
    return { data: cookiesFor(names, query, path) }
  } catch (error) {
    if (error instanceof MockError) return { failure: error }
    throw error
  }
}

/** The names that a browser has after it opens an address: states alone change no scenarios. */
export function namesInBrowser({ headers }: Request, { scenarios, states }: Selection): string[] {
  const inCookie = selectionIn(cookie(headers, SCENARIO_COOKIE) ?? '')
  return namesOf({ scenarios: scenarios.length === 0 ? inCookie.scenarios : scenarios, states })
}

/** The cookies for names, and for the session in the query of a page's address. */
export function cookiesFor(names: readonly string[], query: URLSearchParams, path: string): string[] {
  const named = [
    [SCENARIO_COOKIE, names.join(',')],
    [SESSION_COOKIE, query.get('session')],
  ] as const
  return named.flatMap(([name, value]) => (value ? [pageCookie(name, value, { path })] : []))
}

/** The response to a request that names an unknown scenario, or two: a page for users, JSON for programs. */
export function faultAnswer(error: MockError, request: Request, mock: ServedMock): Answer {
  const isOfNames = error.code === 'UNKNOWN_SCENARIO' || error.meant.length > 0
  if (!isOfNames || !wantsPage(request)) return mockErrorAnswer(error)
  const page = unknownScenarioPage(error, request, mock)
  const headers = {
    [MOCK_ERROR_HEADER]: error.code,
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
  }
  return textAnswer(error.status, 'text/html', page, headers)
}

function unknownScenarioPage(
  { problem, meant }: MockError,
  { url }: Request,
  { basePath, sessions }: ServedMock,
): string {
  const control = basePath + CONTROL_PATH
  const query = new URLSearchParams(rawQuery(url))
  const isLink = rawPath(url).startsWith(`${control}/use/`)
  const isInAddress = isLink || query.has(SCENARIO_QUERY)
  query.delete(SCENARIO_QUERY)
  const page = isLink ? (query.get('redirect') ?? '/') : `${rawPath(url)}${query.size === 0 ? '' : `?${query}`}`
  const redirect = `?redirect=${encodeURIComponent(page)}`
  const open = (name: string) => `<a href="${control}/use/${encodeURIComponent(name)}${redirect}">`
  const scenarios = sessions.unnamed.catalogue.all()
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="color-scheme" content="light dark">
<meta name="viewport" content="width=device-width"><title>Unknown scenario</title>
<style>html { background: canvas }</style>
<main>
<h1>Unknown scenario</h1>
<p>${escaped(problem)}${isInAddress ? '' : ' A cookie of this browser names it.'}</p>
${meant.map((name) => `<p>${open(name)}Open ${escaped(name)}</a></p>`).join('')}
<p><a href="${control}/leave${redirect}">Leave the scenario</a></p>
<h2>All scenarios</h2>
<ul>${scenarios.map(({ name, title }) => `<li>${open(name)}${escaped(name)}</a>: ${escaped(title)}</li>`).join('')}</ul>
</main>
</html>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
