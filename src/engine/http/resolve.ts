import type { Outcome } from '../../service/contract/errors.js'
import { LOGIN_COOKIE } from '../../service/resources/people/login.js'
import { realTime, startStopwatch } from '../../support/clock.js'
import { cookie } from '../../support/cookie.js'
import { none } from '../../support/freeze.js'
import { nearOf } from '../../support/nearest.js'
import { percentDecodedOrRaw } from '../../support/text.js'
import { MockError } from '../errors/mock-errors.js'
import { namesOf, onTop, type Selection, selectionIn } from '../scenarios/selection.js'
import type { Session } from '../sessions/session.js'
import type { Sessions } from '../sessions/sessions.js'
import type { World } from '../sessions/world.js'
import type { Answer } from './answer.js'
import { NO_BODY } from './body.js'
import type { Arrival, Call, CallInWorld, Destination, LoginJar, SelectingPage, ServedMock } from './call.js'
import { rawQuery, rowOfUnknown } from './routes.js'
import { isNavigation, mayUntrustedSend, notAllowed, pageOfTrusted } from './senders.js'

export const SCENARIO_HEADER = 'x-mock-scenario'
export const SCENARIO_COOKIE = 'mock-scenario'
export const SCENARIO_QUERY = 'scenario'
export const SESSION_HEADER = 'x-mock-session'
export const SESSION_COOKIE = 'mock-session'

/** A request with everything that it names, or the reason for rejecting its sender. */
export function resolve(
  request: Request,
  arrival: Arrival,
  destination: Destination,
  mock: ServedMock,
  isTrusted: boolean,
): Outcome<Call, MockError> {
  if (!isTrusted && !mayUntrustedSend(request, destination)) return { failure: notAllowed(request) }
  const mayOpen = isTrusted || isNavigation(request)
  const page = isTrusted && !destination.isMockPath ? selectingPage(request, arrival, mock.allowOrigins) : undefined
  let session: Session | undefined
  let selected: Selected | undefined
  let error: MockError | undefined
  try {
    session = selectSession(request, mock.sessions, sessionOfPage(page, arrival, mock), mayOpen)
    const misspelt = misspeltName(request, arrival, destination)
    if (misspelt !== undefined && destination.isMockPath) return { failure: misspelt }
    if (misspelt !== undefined) throw misspelt
    selected = select(request, session, { page, mayOpen })
  } catch (thrown) {
    if (!(thrown instanceof MockError)) throw thrown
    if (session === undefined) return { failure: thrown }
    error = thrown
  }
  const { world, states = session.selection.states } = selected ?? {}
  const { path, row = rowOfUnknown(destination), rawParams, methods } = destination
  const { sentHeaders, jar, withBody } = arrival
  return {
    data: {
      path,
      row,
      rawParams,
      methods,
      request,
      headers: headersWith(request.headers, jar),
      isTrusted,
      page,
      session,
      world,
      states,
      error,
      mock,
      time: world?.clock.epoch() ?? realTime(),
      elapsed: startStopwatch(),
      followsChanges: world?.hasUserChanges === true,
      sentHeaders,
      jar,
      withBody,
      received: NO_BODY,
      hint: undefined,
    },
  }
}

/** The headers of a request, with the cookie of a jar unless the request has its own. */
export function headersWith(given: Headers, { secret }: Partial<LoginJar> = {}): Headers {
  if (secret === undefined || cookie(given, LOGIN_COOKIE) !== undefined) return given
  const headers = new Headers(given)
  const others = headers.get('cookie')
  headers.set('cookie', `${others === null ? '' : `${others}; `}${LOGIN_COOKIE}=${secret}`)
  return headers
}

/** Stores the login that a response sets or ends in a jar. */
export function keepIn(jar: LoginJar, setCookie: string | undefined): void {
  const [name, value] = (setCookie?.split(';', 1)[0] ?? '').split('=')
  if (name === LOGIN_COOKIE) jar.secret = value || undefined
}

/** The query of a page's address that selects a scenario or a session. */
export const NAMING = /[?&](scenario|session)=/

const MISSPELT_HEADER = /^(?!x-mock-(?:scenario|session)$)(?:x-)?mock-s[a-z_-]+$/i
const MISSPELT_QUERY = /^(?!scenario$)(?:[Ss][A-Za-z]{5,9}|(?:x-)?mock-scenario)$/
const MISSPELT_NAMING = /[?&][Ss][A-Za-z]{5,9}=/

/**
 * The error for a request that misspells the name of the header or of the query parameter for its scenario or session. It
 * would silently get the data of others.
 */
function misspeltName(
  { url, headers }: Request,
  { sentHeaders }: Arrival,
  { isMockPath }: Destination,
): MockError | undefined {
  const names = sentHeaders ?? [...headers.keys()]
  // The headers of a Node server are names and values in turn.
  const step = sentHeaders === undefined ? 1 : 2
  for (let at = 0; at < names.length; at += step) {
    const name = names[at] ?? ''
    const near = MISSPELT_HEADER.test(name) ? nearOf(name.toLowerCase(), [SCENARIO_HEADER, SESSION_HEADER]) : undefined
    if (near !== undefined) return misspelt(`header "${name}"`, near)
  }
  const query = rawQuery(url)
  if (query === '') return undefined
  for (const name of new Set(new URLSearchParams(query).keys())) {
    if (isMisspeltScenario(name)) return misspelt(`query parameter "${name}"`, SCENARIO_QUERY)
  }
  // Only the address of a page names a session.
  const isNaming = /[?&]scenario=/.test(query) && /[?&]session=/.test(query)
  if (isNaming && !isMockPath && sessionInHeaders(headers) === '') {
    return misspelt('query parameter "session"', SESSION_HEADER)
  }
  return undefined
}

function isMisspeltScenario(name: string): boolean {
  return MISSPELT_QUERY.test(name) && nearOf(name.replace(/^.*-/, ''), [SCENARIO_QUERY]) !== undefined
}

/** A hint on the address of our page if it misspells `scenario`. The app can have such a parameter, so it isn't an error. */
export function misspeltInPage(
  { headers, url }: Pick<Request, 'headers' | 'url'>,
  allowOrigins: readonly string[],
): string | undefined {
  if (!MISSPELT_NAMING.test(headers.get('referer') ?? '')) return undefined
  return misspeltInAddress(pageOfTrusted({ headers, url }, allowOrigins)?.searchParams)
}

/** A sentence about a misspelt `scenario` in the query of a page's address. */
export function misspeltInAddress(query = new URLSearchParams()): string | undefined {
  const name = query.has(SCENARIO_QUERY) ? undefined : [...query.keys()].find(isMisspeltScenario)
  return name && `The parameter "${name}" in the page's address has no effect. Did you mean "${SCENARIO_QUERY}"?`
}

/** A hint on a header or a cookie that was meant for this mock. Other programs can also send them, so it isn't an error. */
export function hintOnForeign({ headers }: Request, { catalogue }: Session): string | undefined {
  const named = headers.get('x-scenario')
  if (named !== null && catalogue.has(named))
    return `The header "x-scenario" has no effect. Did you mean "${SCENARIO_HEADER}"?`
  const [, name] = MISSPELT_COOKIE.exec(headers.get('cookie') ?? '') ?? []
  const near = name === undefined ? undefined : nearOf(name, [SCENARIO_COOKIE, SESSION_COOKIE])
  return near && `The cookie "${name}" has no effect. Did you mean "${near}"?`
}

const MISSPELT_COOKIE = /(?:^|;\s*)(?!mock-(?:scenario|session)=)(mock-s[a-z_-]*)=/i

function misspelt(what: string, near: string): MockError {
  return new MockError(
    'INVALID_REQUEST',
    `The ${what} has no effect. Did you mean "${near}"?`,
    'docs/qa.md#which-scenario-applies lists the ways to name a scenario and a session.',
  )
}

/**
 * Our page that sends a request, if its address selects a scenario or a session and the request itself selects none.
 * Behind the proxy of a dev server, only the `Referer` contains the page's address.
 */
export function selectingPage(
  { headers, url }: Request,
  { session }: Arrival,
  allowOrigins: readonly string[],
): SelectingPage | undefined {
  if (!NAMING.test(headers.get('referer') ?? '') || headers.has(SCENARIO_HEADER)) return undefined
  if (new URLSearchParams(rawQuery(url)).has(SCENARIO_QUERY)) return undefined
  const query = pageOfTrusted({ headers, url }, allowOrigins)?.searchParams
  if (query === undefined) return undefined
  const scenario = query.get(SCENARIO_QUERY)
  const inCookie = cookie(headers, SCENARIO_COOKIE) ?? ''
  const isOverridden = scenario !== null && inCookie !== ''
  if (session?.name || isOverridden || sessionInHeaders(headers) !== '') query.delete('session')
  const isNaming = (scenario && scenario !== inCookie) || query.get('session')
  return isNaming ? { query, cookie: inCookie } : undefined
}

function sessionOfPage(page: SelectingPage | undefined, { session }: Arrival, { sessions }: ServedMock): Session {
  const name = page?.query.get('session')
  return name ? sessions.open(name) : (session ?? sessions.unnamed)
}

/** The session name in the headers, or an empty text. */
export function sessionInHeaders(headers: Headers): string {
  return inHeader(headers, SESSION_HEADER) ?? cookie(headers, SESSION_COOKIE) ?? ''
}

/** A name in a header, which is percent-encoded there, as in a cookie. Malformed encoding stays unchanged: `100%`. */
function inHeader(headers: Headers, name: string): string | undefined {
  const text = headers.get(name)
  return text === null ? undefined : percentDecodedOrRaw(text)
}

/**
 * The session that a request names by header or cookie, or else the given session. Throws `ORIGIN_NOT_ALLOWED` if it
 * isn't open and the sender isn't allowed to open it.
 */
export function selectSession(request: Request, sessions: Sessions, otherwise: Session, mayOpen = true): Session {
  const name = sessionInHeaders(request.headers)
  if (name === '') return otherwise
  if (!mayOpen && !sessions.all().some((session) => session.name === name)) throw notAllowed(request, OPEN_ONES)
  return sessions.open(name)
}

/** What a request selects: a world, and the states of flags that its SDKs are told. */
type Selected = Pick<CallInWorld, 'world' | 'states'>

/**
 * The world of a request, by the scenarios in its query, its header, its cookie or the address of its page, or else by the
 * session's; and the states of flags from all of these. Throws `UNKNOWN_SCENARIO` or `TOO_MANY_SCENARIOS`: it never falls
 * back silently. Throws `ORIGIN_NOT_ALLOWED` if the world isn't open and the sender isn't allowed to open it.
 */
export function select(
  request: Request,
  session: Session,
  { page, mayOpen = true }: { page?: SelectingPage | undefined; mayOpen?: boolean } = {},
): Selected {
  const selection = selectionOf(request, page)
  if (selection === undefined) return { world: session.world(), states: session.selection.states }
  if (!mayOpen && !isOpen(session, selection.scenarios)) throw notAllowed(request, OPEN_ONES)
  return session.select(selection)
}

/** The names in a request, or undefined. An empty name stands for the session's scenarios, whatever its cookie names. */
function selectionOf({ url, headers }: Request, page: SelectingPage | undefined): Selection | undefined {
  const query = rawQuery(url)
  const texts = [
    query.includes(SCENARIO_QUERY) ? scenarioNamedIn(new URLSearchParams(query)) : undefined,
    inHeader(headers, SCENARIO_HEADER),
    cookie(headers, SCENARIO_COOKIE) || undefined,
    page && scenarioNamedIn(page.query),
  ]
  let selection: Selection | undefined
  for (const text of texts) {
    if (text === '') break
    if (text === undefined) continue
    const below = selectionIn(text)
    selection = selection === undefined ? below : onTop(below, selection)
  }
  return selection
}

const OPEN_ONES = 'use only sessions and scenarios that are open'

function isOpen({ worlds, selection }: Session, scenarios: readonly string[]): boolean {
  const name = scenarios.join(',')
  return name === '' || worlds.has(name) || name === selection.scenarios.join(',')
}

/** The names in a response: its world's and its states or, if the request names an unknown scenario, the session's. */
export function scenarioName({ world, states, session }: Pick<Call, 'world' | 'states' | 'session'>): string {
  if (world === undefined) return session.activeNames.join(',')
  return states.size === 0 ? world.name : [world.name, ...namesOf({ scenarios: none, states })].join(',')
}

/** The names after the request, which can have switched the session. */
export function scenarioNow({ request, session }: Call): string {
  try {
    return scenarioName({ ...select(request, session), session })
  } catch (error) {
    if (error instanceof MockError) return session.activeNames.join(',')
    throw error
  }
}

/** The query for the operation, without flagdouble's own parameter. */
export function operationQuery(url: string): string {
  const sent = rawQuery(url)
  if (!sent.includes(SCENARIO_QUERY)) return sent
  const query = new URLSearchParams(sent)
  query.delete(SCENARIO_QUERY)
  return query.size === 0 ? '' : `?${query}`
}

/** The scenario that a query names. Throws `INVALID_REQUEST` if it names several. */
export function scenarioNamedIn(query: URLSearchParams): string | undefined {
  const named = query.getAll(SCENARIO_QUERY)
  if (named.length < 2) return named[0]
  const together = named.join(',')
  throw new MockError(
    'INVALID_REQUEST',
    `The address has the parameter "${SCENARIO_QUERY}" more than once.`,
    `To combine scenarios, list their names with commas: ?${SCENARIO_QUERY}=${together}`,
    [],
    { meant: [together] },
  )
}

/** Adds the headers that let pages of the origins in Unleash's setting (default: all) read a response. */
export function addOwnCors({ headers }: Answer, request: Request, isTrusted: boolean, world?: World): void {
  const { frontendApiOrigins: allowed = ['*'] } = world?.data.tables.settings.get('frontend') ?? {}
  const origin = request.headers.get('origin')
  const isFromHere = isTrusted && origin !== null
  // Local pages can send cookies, which select the scenario. Browsers then require the page's own origin.
  const anyone = isFromHere ? origin : '*'
  const given = allowed.includes('*') ? anyone : allowed.find((one) => one === origin)
  if (given !== undefined) headers['access-control-allow-origin'] = given
  headers['access-control-allow-credentials'] = 'true'
  const own = isFromHere ? Object.keys(headers).filter((name) => name.startsWith('x-mock-')) : []
  headers['access-control-expose-headers'] = ['ETag', ...own].join(',')
  headers.vary = headers.vary === undefined ? 'Origin' : `Origin, ${headers.vary}`
}
