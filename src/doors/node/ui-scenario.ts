import { SCENARIO_COOKIE, SCENARIO_QUERY } from '../../http/select.js'
import type { Mock } from '../../mock.js'
import { LOGIN_COOKIE } from '../../resources/people/login/schema.js'
import type { State } from '../../store/state.js'
import { cookie } from '../../support/cookie.js'

/**
 * Has a browser enter the scenario that its page's URL names: what the page asks for goes there, by a cookie, and who is
 * signed in stays so. An empty name leads back. Answers the headers of the page, or the refusal of an unknown name.
 */
export async function enterScenario(
  mock: Mock,
  request: Request,
  scenario: string,
  basePath: string,
): Promise<Record<string, string> | Response> {
  const path = `Path=${basePath || '/'}; SameSite=Lax`
  if (scenario === '') return { 'set-cookie': `${SCENARIO_COOKIE}=; Max-Age=0; ${path}` }
  const control = (name: string, init: RequestInit = {}) => {
    const headers = { cookie: request.headers.get('cookie') ?? '', 'content-type': 'application/json' }
    return mock.fetch(new Request(new URL(`${basePath}/__mock/${name}`, request.url), { ...init, headers }))
  }
  const entered = `state?${SCENARIO_QUERY}=${encodeURIComponent(scenario)}`
  const found = await control(entered)
  if (!found.ok) return found
  const secret = cookie(request.headers, LOGIN_COOKIE)
  if (secret !== undefined) {
    const { logins } = (await (await control('state')).json()) as State
    const login = logins.filter((candidate) => candidate.secret === secret)
    // Refused where the scenario knows no such user, who then has to sign in there.
    await control(entered, { method: 'PATCH', body: JSON.stringify({ logins: login }) })
  }
  return { 'set-cookie': `${SCENARIO_COOKIE}=${encodeURIComponent(scenario)}; ${path}` }
}
