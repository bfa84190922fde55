import { holderOf, nameOf, sentToken } from '../../service/resources/people/callers.js'
import { realTime, startStopwatch } from '../../support/clock.js'
import { none } from '../../support/freeze.js'
import type { KeptEntry } from '../sessions/journal.js'
import { headersText, redactPath } from '../sessions/redact.js'
import type { Session } from '../sessions/session.js'
import { type Answer, BrokenConnection, emptyAnswer, hintHeader, mockErrorAnswer, toMockError } from './answer.js'
import { NO_BODY, receiveBody } from './body.js'
import type { Answered, Arrival, Asked, Call, Destination, MatchedBy, ReceivedBody, ServiceOptions } from './call.js'
import { headersWith, keepIn } from './checks.js'
import { FORCED_HEADER, force, underRules } from './forced.js'
import { keyHint } from './key-hint.js'
import { isOfOperation, operate } from './operation.js'
import {
  addOwnCors,
  operationQuery,
  resolve,
  SCENARIO_HEADER,
  scenarioName,
  scenarioNow,
  selectSession,
} from './resolve.js'
import { isFrontendPath, isServicePath, locate, rawPath } from './routes.js'
import { isFromOurs, isPreflight } from './senders.js'
import { answerUnknown, isServiceRequest, rowOfUnknown } from './unknown.js'

/** Handles requests. Every adapter calls it, and turns the `Answer` into bytes in its own way. */
export class Service {
  readonly options: ServiceOptions

  constructor(options: ServiceOptions) {
    this.options = options
  }

  locate({ method, url }: Pick<Request, 'method' | 'url'>, { sentPath }: Arrival = {}): Destination {
    return locate(method, sentPath ?? rawPath(url), this.options.basePath, this.options.paths)
  }

  /**
   * The handler of a request. Undefined for the root, which only a dedicated server handles, and, unless the address
   * belongs to Unleash alone, for paths that any app can have.
   */
  match(method: string, url: string, isOwnAddress: boolean): MatchedBy | undefined {
    const { path = '/', row, isOwn, methods } = this.locate({ method, url })
    if (path === '/' || !(isOwnAddress || isServicePath(path))) return undefined
    return isOwn ? 'control' : (row?.id ?? (methods && 'otherMethod'))
  }

  /** Handles a request, without a promise if nothing has to wait. Rejects with a `BrokenConnection` if the client gives up. */
  answer(
    request: Request,
    arrival: Arrival = {},
    destination = this.locate(request, arrival),
  ): Answer | Promise<Answer> {
    return runSteps(this.#pipeline(request, arrival, destination))
  }

  /** From a request to its response. Each step takes values and returns a value; `waited` marks steps that can wait. */
  *#pipeline(request: Request, arrival: Arrival, destination: Destination): Steps<Answer> {
    const { options } = this
    const hasOwnCors = isFrontendPath(destination.path ?? '')
    const isOurs = isFromOurs(request, options.allowOrigins)
    const { data: call, failure } = resolve(request, arrival, destination, options, isOurs)
    if (failure !== undefined) {
      // The request leaves no trace, not even a journal entry.
      const session = arrival.session ?? options.sessions.unnamed
      const answer = finish({}, scenarioName(undefined, session), mockErrorAnswer(failure))
      if (hasOwnCors) addOwnCors(answer, request, isOurs)
      return answer
    }
    if (destination.isOwn) return yield* answerControl(call)

    const { session, world, row } = call
    const elapsed = startStopwatch()
    const time = world?.clock.epoch() ?? realTime()
    const received = yield* waited(receiveBody(request, row, options.profile))
    let answered: Answered | undefined
    let gone: BrokenConnection | undefined
    let advice: string | undefined
    try {
      const asked = askedOf(call, received)
      const forced = mayForce(asked) ? yield* waited(force(asked)) : undefined
      if (forced?.answered !== undefined) answered = forced.answered
      else answered = isOfOperation(asked) ? operate(asked) : yield* waited(answerUnknown(call, asked))
      if (forced !== undefined) answered = yield* waited(underRules(answered, forced, asked))
      advice = keyHint(call, asked, answered.answer)
    } catch (error) {
      // A client that gave up gets no response, but its request can have changed something.
      if (error instanceof BrokenConnection) gone = error
      answered = {
        ...answered,
        answer: gone === undefined ? failedAnswer(error) : { ...emptyAnswer(0), fault: 'reset' },
      }
    }
    const answer = yield* saved(call, answered.answer)
    finish(call, scenarioName(world, session), answer)
    const hint = session.noticeIn(world) ?? advice
    if (hint !== undefined) answer.headers = { ...hintHeader(hint), ...answer.headers }
    if (!isPreflight(request)) {
      const entry = (id: number) => entryOf(id, call, { received, time, elapsed }, { ...answered, answer })
      const id = session.journal.record(entry)
      if (answered.cause !== undefined) answered.cause.requestId = id
    }
    if (gone !== undefined) throw gone
    if (hasOwnCors) addOwnCors(answer, request, isOurs, world)
    return answer
  }
}

/** Handles a call of the control API, which isn't in the journal. It can switch the scenario that the response names. */
function* answerControl(call: Call): Steps<Answer> {
  const given = yield* waited(call.options.control(call).catch(failedAnswer))
  const answer = yield* saved(call, given)
  return finish(call, scenarioNow(call), answer)
}

/** The call's request to a world. Throws the fault if the world is missing. */
function askedOf(call: Call, received: ReceivedBody): Asked {
  const { request, world, fault, options, row, params = {}, jar } = call
  const { profile, baseUrl, basePath } = options
  if (world === undefined) throw fault
  const headers = headersWith(request.headers, jar)
  return {
    request,
    headers,
    row: row ?? rowOfUnknown(call, profile),
    world,
    profile,
    baseUrl,
    basePath,
    rawParams: params,
    received,
  }
}

/** Whether a world delays a request, or has rules that can match it. Rules match only operations. */
function mayForce({ row, world: { loading, rules, latency } }: Asked): boolean {
  return row.id !== undefined && (loading !== undefined || !rules.isEmpty || latency !== undefined)
}

/** Sends a response and its journal entry only after its change has been saved. */
function* saved({ request: { method }, row, options }: Call, answer: Answer): Steps<Answer> {
  const mayChange = (method !== 'GET' && method !== 'HEAD') || row?.writes !== undefined
  const saving = mayChange ? options.durable() : undefined
  return saving === undefined ? answer : yield* waited(saving.then(() => answer, failedAnswer))
}

/** Completes a response: names the scenario, and stores the login that it sets or ends in the jar. */
function finish({ jar }: Pick<Call, 'jar'>, scenario: string, answer: Answer): Answer {
  if (jar !== undefined) keepIn(jar, answer.headers['set-cookie'])
  answer.headers[SCENARIO_HEADER] = scenario
  return answer
}

function failedAnswer(error: unknown): Answer {
  if (error instanceof BrokenConnection) throw error
  return mockErrorAnswer(toMockError(error))
}

/** The arrival of a request. */
interface Received {
  readonly received: ReceivedBody
  /** The arrival time, by the clock of its world. */
  readonly time: number
  readonly elapsed: () => number
}

type EnteredCall = Pick<Call, 'request' | 'sentHeaders' | 'session' | 'world' | 'options' | 'row'>

/** The journal entry of a request. */
function entryOf(
  id: number,
  { request, sentHeaders, session, world, row }: EnteredCall,
  { received, time, elapsed }: Received,
  { answer: { status, fault, headers, body }, caller, cause, sent = none }: Answered,
): KeptEntry {
  const { method, url, headers: requestHeaders } = request
  const tables = world?.data.tables
  const token = tables && (caller?.token ?? sentToken(tables, requestHeaders))
  const name = row === undefined || caller === undefined ? null : nameOf(caller)
  const operation = row?.id ?? null
  const noAnswer = fault === 'reset' || fault === 'hang'
  const entry: KeptEntry = {
    id,
    time,
    method,
    path: redactPath(journalPath(url), operation),
    operation,
    scenario: scenarioName(world, session),
    status: noAnswer ? 0 : status,
    durationMs: elapsed(),
    caller: name ?? (token ? holderOf(token, tables) : null),
    showsKey: token !== undefined && token.generated !== true,
    requestHead: headersText(sentHeaders ?? requestHeaders),
    responseHead: noAnswer ? '' : headersText(headers),
    request: received.text ?? '',
    response: typeof body === 'string' ? body : '',
    matched: operation !== null,
  }
  if (cause?.commit !== undefined) entry.commit = cause.commit
  if (FORCED_HEADER in headers) entry.forced = true
  if (sent.length > 0) entry.sent = sent
  return entry
}

/**
 * Journals a request that an adapter passes to another server, if it looks like a request to Unleash. Returns whether it
 * does.
 */
export function recordUnmodelled(request: Request, url: string, options: ServiceOptions, given: Session): boolean {
  if (!isServiceRequest(url, options.basePath)) return false
  const session = selectSession(request, options.sessions, given)
  const world = session.world()
  const call = { request, sentHeaders: undefined, session, world, options, row: undefined }
  const received = { received: NO_BODY, time: world.clock.epoch(), elapsed: () => 0 }
  session.journal.record((id) => entryOf(id, call, received, { answer: emptyAnswer(0) }))
  return true
}

/** The path and the query of a URL in the journal, without flagdouble's own parameter. */
export function journalPath(url: string): string {
  return url.includes('?') ? rawPath(url) + operationQuery(url) : rawPath(url)
}

/** A function in steps: it yields each promise that it waits for, and continues with the promise's value. */
type Steps<Result> = Generator<Promise<unknown>, Result>

/** The value of a step, at once unless it is a promise: `const body = yield* waited(read(request))`. */
function* waited<Value>(value: Value | Promise<Value>): Steps<Value> {
  return value instanceof Promise ? ((yield value) as Value) : value
}

/** Runs a function in steps to its end. Returns a promise only if a step had to wait: promises cost time. */
function runSteps<Result>(steps: Steps<Result>, step = steps.next()): Result | Promise<Result> {
  if (step.done) return step.value
  return step.value.then(
    (value) => runSteps(steps, steps.next(value)),
    (error: unknown) => runSteps(steps, steps.throw(error)),
  )
}
