import { pageCookie } from '../../support/cookie.js'
import { didYouMean } from '../../support/nearest.js'
import { MockError } from '../errors/mock-errors.js'
import { emptyAnswer } from '../http/answer.js'
import { namesInBrowser } from '../http/page-scenario.js'
import { SCENARIO_COOKIE, SCENARIO_QUERY, SESSION_COOKIE } from '../http/resolve.js'
import { CONTROL_PATH, isPathOfOrigin } from '../http/routes.js'
import { expectSelection, selectionIn } from '../scenarios/selection.js'
import type { ControlCall, ControlRoute } from './row.js'

/** Links for users: each sets or removes cookies of the browser, and redirects to a page. */
export const linkRoutes: readonly ControlRoute[] = [
  link('/use/:scenario', useScenario),
  link('/use', useSession),
  link('/leave', leave),
]

function link(path: string, follow: (call: ControlCall) => string[] | Promise<string[]>): ControlRoute {
  const answer = async (call: ControlCall) => {
    const { request, query, mock } = call
    expectParameters(query)
    const location = ownPath(query.get('redirect') ?? `${mock.basePath}${CONTROL_PATH}/`)
    return { ...emptyAnswer(302, { location }), cookies: request.method === 'HEAD' ? [] : await follow(call) }
  }
  return { method: 'GET', path: CONTROL_PATH + path, answer }
}

/**
 * The QA link: it selects a scenario for this browser, in the named session or the browser's own. The scenario starts
 * over, unless the link is on a page of another site: such a page must not discard data. States of flags start nothing.
 */
async function useScenario({ request, params, query, session, isTrusted, mock }: ControlCall): Promise<string[]> {
  const selection = expectSelection([params.scenario ?? ''])
  const names = namesInBrowser(request, selection)
  const inSession = query.has('session') ? sessionNamed(query) : undefined
  const used = inSession === undefined ? session : mock.sessions.open(inSession)
  if (isTrusted) await used.loaded(selection)
  used.select(selectionIn(...names))
  if (isTrusted && selection.scenarios.length > 0) used.restart(selection.scenarios)
  const cookies = [pageCookie(SCENARIO_COOKIE, names.join(','), { path: '/' })]
  return inSession === undefined ? cookies : [...cookies, sessionCookie(inSession)]
}

/** Selects a session, with its current scenarios, for this browser. */
function useSession({ query, mock }: ControlCall): string[] {
  const name = sessionNamed(query)
  mock.sessions.open(name)
  return [sessionCookie(name)]
}

/** Returns to the shared session and its current scenarios. */
function leave({ mock }: ControlCall): string[] {
  // A UI page below a base path sets its cookie there.
  const paths = new Set(['/', mock.basePath || '/'])
  return [SCENARIO_COOKIE, SESSION_COOKIE].flatMap((name) =>
    [...paths].map((path) => pageCookie(name, '', { path, maxAge: 0 })),
  )
}

function sessionCookie(name: string): string {
  return pageCookie(SESSION_COOKIE, name, { path: '/' })
}

function sessionNamed(query: URLSearchParams): string {
  const name = query.get('session') ?? ''
  if (name !== '') return name
  const scenario = query.get('scenario')
  if (scenario) {
    const path = `${CONTROL_PATH}/use/${encodeURIComponent(scenario)}`
    throw new MockError(
      'INVALID_REQUEST',
      'A link names its scenario in the path.',
      `Write ${path} and then the query.`,
    )
  }
  throw new MockError(
    'INVALID_REQUEST',
    'The name of the session is missing.',
    `Add it, such as ${CONTROL_PATH}/use?session=nora. ${CONTROL_PATH}/leave returns to the shared session.`,
  )
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: it looks for control characters
const CONTROL_CHARACTER = /[\u0000-\u001f\u007f-\u009f]/

const PARAMETERS = ['redirect', 'session', SCENARIO_QUERY]

/** Throws `INVALID_REQUEST` for a misspelt parameter. Mail programs and others add their own. */
function expectParameters(query: URLSearchParams): void {
  for (const name of query.keys()) {
    const hint = PARAMETERS.includes(name) ? '' : didYouMean(name, PARAMETERS)
    if (hint === '') continue
    const problem = `A QA link has no parameter ${JSON.stringify(name)}.${hint}`
    throw new MockError('INVALID_REQUEST', problem, `It takes ${PARAMETERS.slice(0, 2).join(' and ')}.`)
  }
}

/** A path of this origin, percent-encoded for a header. Throws `INVALID_REDIRECT` for anything else. */
function ownPath(path: string): string {
  if (isPathOfOrigin(path) && !CONTROL_CHARACTER.test(path)) {
    const { href, origin } = new URL(path, 'http://origin.invalid')
    return href.slice(origin.length)
  }
  throw new MockError(
    'INVALID_REDIRECT',
    `${JSON.stringify(path)} is not a path of this origin.`,
    'Use a path such as ?redirect=/flags. A QA link never leads to another site.',
  )
}
