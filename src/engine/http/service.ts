import type { OperationRow } from '../../service/api/operations.js'
import { loginCookie } from '../../service/resources/people/login.js'
import { none } from '../../support/freeze.js'
import { headerText } from '../../support/text.js'
import { namesOf, onTop, selectionIn } from '../scenarios/selection.js'
import { entryOf, type JournaledCall } from '../sessions/journal.js'
import type { Session } from '../sessions/session.js'
import type { World } from '../sessions/world.js'
import { type Answer, BrokenConnection, emptyAnswer, hintHeader, mockErrorAnswer, toMockError } from './answer.js'
import { NO_BODY, receiveBody } from './body.js'
import type {
  Answered,
  Arrival,
  Call,
  CallInWorld,
  Destination,
  LoginJar,
  MatchedBy,
  SelectingPage,
  ServedMock,
} from './call.js'
import { FORCED_HEADER, force, underRules } from './forced.js'
import { isOfOperation, operate } from './operation.js'
import { cookiesFor, faultAnswer } from './page-scenario.js'
import {
  addOwnCors,
  hintOnForeign,
  keepIn,
  misspeltInPage,
  operationQuery,
  resolve,
  SCENARIO_HEADER,
  SCENARIO_QUERY,
  scenarioName,
  scenarioNow,
  selectSession,
} from './resolve.js'
import { isFrontendPath, isServicePath, locate, rawPath } from './routes.js'
import { isPreflight, isTrustedSender } from './senders.js'
import { answerUnknown, isServiceRequest } from './unknown.js'

/** Handles requests. Every adapter calls it, and turns the `Answer` into bytes in its own way. */
export class Service {
  readonly mock: ServedMock

  constructor(mock: ServedMock) {
    this.mock = mock
  }

  locate({ method, url }: Pick<Request, 'method' | 'url'>, { sentPath }: Arrival = {}): Destination {
    return locate(method, sentPath ?? rawPath(url), this.mock.basePath, this.mock.paths)
  }

  /**
   * The handler of a request. Undefined for the root, which only a dedicated server handles, and, unless the address
   * belongs to Unleash alone, for paths that any app can have.
   */
  match(method: string, url: string, isOurAddress: boolean): MatchedBy | undefined {
    const { path = '/', row, isMockPath, methods } = this.locate({ method, url })
    if (path === '/' || !(isOurAddress || isServicePath(path))) return undefined
    return isMockPath ? 'control' : (row?.id ?? (methods && 'otherMethod'))
  }

  /**
   * Handles a request: a read that nothing makes wait at once, without a promise, and everything else later. Rejects with
   * a `BrokenConnection` if the client gives up.
   */
  answer(
    request: Request,
    arrival: Arrival = {},
    destination = this.locate(request, arrival),
  ): Answer | Promise<Answer> {
    const { mock } = this
    // A request that isn't allowed opens nothing and leaves no trace, not even a journal entry.
    const isTrusted = isTrustedSender(request, mock.allowOrigins)
    const { data: call, failure } = resolve(request, arrival, destination, mock, isTrusted)
    if (failure !== undefined) {
      const { activeNames } = arrival.session ?? mock.sessions.unnamed
      const answer = withScenario(mockErrorAnswer(failure), activeNames.join(','))
      if (isFrontendPath(destination.path ?? '')) addOwnCors(answer, request, isTrusted)
      return answer
    }
    // Neither do calls of the control API, which users and tools make.
    if (destination.isMockPath) return answerOwn(call)
    return isPlainRead(call) ? conclude(call, operate(call)) : answerLater(call)
  }
}

/** Whether nothing makes a request wait: no body, no rule and no change to save. */
function isPlainRead(call: Call): call is CallInWorld<OperationRow> {
  const { request, row, world, withBody } = call
  const isRead = request.method === 'GET' && row.run !== undefined && row.writes === undefined && row.body === undefined
  return isRead && withBody === undefined && world !== undefined && !mayForce(world)
}

/** Whether a world delays requests, or has rules that can match them. */
function mayForce({ loading, rules, latency }: World): boolean {
  return loading !== undefined || !rules.isEmpty || latency !== undefined
}

function isInWorld(call: Call): call is CallInWorld {
  return call.world !== undefined
}

/** From a request to its response, step by step. */
async function answerLater(call: Call): Promise<Answer> {
  const { request, row, mock, withBody } = call
  // The body comes first. If it can't be read, the checks decide on the response in the profile's order.
  call.received = await receiveBody(withBody?.() ?? request, row, mock.profile)
  // Without a world, nothing can handle the request.
  if (!isInWorld(call)) return conclude(call, { answer: failedAnswer(call.error, call) })
  let answered: Answered | undefined
  try {
    // Rules of the world can delay an operation, or respond in its place.
    const forced = isOfOperation(call) && mayForce(call.world) ? await force(call) : undefined
    // The operation checks, runs and commits in one synchronous call.
    answered = forced?.answered ?? (isOfOperation(call) ? operate(call) : await answerUnknown(call))
    // The world's latency delays the response, and rules add headers.
    if (forced !== undefined) answered = await underRules(answered, forced, call)
  } catch (error) {
    answered = { ...answered, answer: failedAnswer(error, call) }
  }
  // The client learns of a change, and the journal as well, only after it has been saved.
  const answer = await saved(call, answered.answer)
  return conclude(call, { ...answered, answer })
}

/** Handles a call of the control API. It can switch the scenario that the response names. */
async function answerOwn(call: Call): Promise<Answer> {
  const answer = await call.mock.control(call).catch((error: unknown) => failedAnswer(error, call))
  return withScenario(await saved(call, answer), scenarioNow(call), call.jar)
}

/** Names the scenario in a response, and enters the request in the journal. Throws if the client has given up. */
function conclude(call: Call, answered: Answered): Answer {
  const { request, path, page, session, world, states, jar, isTrusted, mock } = call
  const { answer, cause, gone } = answered
  if (page !== undefined && world !== undefined) followPage(answer, page)
  if (world !== undefined && answered.caller?.login !== undefined)
    renewLogin(call, world, answered, answered.caller.login)
  const scenario = scenarioName(call)
  withScenario(answer, scenario, jar)
  const notice =
    misspeltInPage(request, mock.allowOrigins) ??
    session.noticeIn(world, states) ??
    call.hint ??
    hintOnForeign(request, session)
  if (notice !== undefined) answer.headers = { ...hintHeader(notice), ...answer.headers }
  if (!isPreflight(request)) {
    const id = enter(call, answered, scenario)
    if (cause !== undefined) cause.requestId = id
  }
  if (gone !== undefined) throw gone
  // Other sites' pages can read the frontend API, as far as Unleash's own setting allows.
  if (isFrontendPath(path ?? '')) addOwnCors(answer, request, isTrusted, world)
  return answer
}

/** Unleash saves the address and the browser of a login at its first requests, and sends the cookie again. */
function renewLogin({ request: { headers }, path }: Call, world: World, { answer }: Answered, login: string): void {
  if (path?.startsWith('/api/admin') && world.logins.isNews(login, headers.has('user-agent'))) {
    answer.headers['set-cookie'] ??= loginCookie(login, world.clock.now())
  }
}

/** Lets the names in a page's address outlive the app's own navigation, or says that a cookie takes precedence. */
function followPage(answer: Answer, { query, cookie }: SelectingPage): void {
  const address = selectionIn(query.get(SCENARIO_QUERY) ?? '')
  const names = namesOf(onTop(address, selectionIn(cookie)))
  if (names.join() !== cookie || query.get('session')) {
    answer.cookies = [...(answer.cookies ?? none), ...cookiesFor(names, query, '/')]
  }
  if (namesOf(address).every((name) => names.includes(name))) return
  const [inCookie, inAddress] = [cookie, query.get(SCENARIO_QUERY)].map((name) => JSON.stringify(name))
  const hint = `A cookie in this browser selects ${inCookie}, so ${inAddress} in the page's address has no effect. ${LEAVE}`
  answer.headers = { ...hintHeader(hint), ...answer.headers }
}

const LEAVE = 'GET /__mock/leave removes the cookie.'

/** A response, once the changes so far are saved; or the reason why they aren't. */
function saved(call: Call, answer: Answer): Answer | Promise<Answer> {
  const { request, row, mock } = call
  const { method } = request
  const mayChange = (method !== 'GET' && method !== 'HEAD') || row.writes !== undefined
  const saving = mayChange ? mock.saved() : undefined
  return saving === undefined
    ? answer
    : saving.then(
        () => answer,
        (error: unknown) => failedAnswer(error, call),
      )
}

/** A response that names its scenario. The login that it sets or ends goes to the jar. */
function withScenario(answer: Answer, scenario: string, jar?: LoginJar): Answer {
  if (jar !== undefined) keepIn(jar, answer.headers['set-cookie'])
  answer.headers[SCENARIO_HEADER] = headerText(scenario)
  return answer
}

function failedAnswer(error: unknown, { request, mock }: Call): Answer {
  if (error instanceof BrokenConnection) throw error
  return faultAnswer(toMockError(error), request, mock)
}

/** Enters a request and its response in the journal. Returns the ID of the entry. */
function enter(call: JournaledCall & Pick<Call, 'request' | 'session'>, answered: Answered, scenario: string): number {
  const { request, session } = call
  return session.journal.record((id) =>
    entryOf(id, call, answered, {
      path: journalPath(request.url),
      scenario,
      isForced: FORCED_HEADER in answered.answer.headers,
    }),
  )
}

/**
 * Journals a request that an adapter passes to another server, if it looks like a request to Unleash. Returns whether it
 * does.
 */
export function recordUnmodelled(request: Request, url: string, mock: ServedMock, given: Session): boolean {
  const { method, headers } = request
  if (!isServiceRequest({ url, method, headers }, mock.basePath)) return false
  const session = selectSession(request, mock.sessions, given)
  const world = session.world()
  const { states } = session.selection
  const call = { request, session, world, states, row: {}, received: NO_BODY, time: world.clock.epoch() }
  enter({ ...call, followsChanges: false, elapsed: () => 0 }, { answer: emptyAnswer(0) }, scenarioName(call))
  return true
}

/** The path and the query of a URL in the journal, without flagdouble's own parameter. */
export function journalPath(url: string): string {
  return url.includes('?') ? rawPath(url) + operationQuery(url) : rawPath(url)
}
