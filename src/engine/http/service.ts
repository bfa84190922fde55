import { realTime, startStopwatch } from '../../support/clock.js'
import { runSteps, type Steps, waited } from '../../support/steps.js'
import { type Answer, BrokenConnection, hintHeader, mockErrorAnswer, toMockError } from './answer.js'
import { receiveBody } from './body.js'
import type { Answered, Arrival, Asked, Call, Destination, MatchedBy, ReceivedBody, ServiceOptions } from './call.js'
import { headersWith, keepIn } from './checks.js'
import { force, mayForce, underRules } from './forced.js'
import { isOfOperation, operate } from './operation.js'
import { entryOf } from './record.js'
import { resolve, SCENARIO_HEADER, scenarioName, scenarioNow } from './resolve.js'
import { isServicePath, locate, rawPath } from './routes.js'
import { answerUnknown, rowOfUnknown } from './unknown.js'

/** Answers requests. Every adapter calls it, and turns the `Answer` into bytes in its own way. */
export class Service {
  readonly options: ServiceOptions

  constructor(options: ServiceOptions) {
    this.options = options
  }

  locate({ method, url }: Pick<Request, 'method' | 'url'>, { sentPath }: Arrival = {}): Destination {
    return locate(method, sentPath ?? rawPath(url), this.options.basePath, this.options.paths)
  }

  /**
   * What would answer a request. Undefined for the root, which only a server of its own answers, and, unless the address is the
   * service's alone, for what any app may have there.
   */
  match(method: string, url: string, isOwnAddress: boolean): MatchedBy | undefined {
    const { path = '/', row, isOwn, methods } = this.locate({ method, url })
    if (path === '/' || !(isOwnAddress || isServicePath(path))) return undefined
    return isOwn ? 'control' : (row?.id ?? (methods && 'otherMethod'))
  }

  /** Answers a request, without a promise where nothing has to wait. Rejects with a `BrokenConnection` if the client gives up. */
  answer(
    request: Request,
    arrival: Arrival = {},
    destination = this.locate(request, arrival),
  ): Answer | Promise<Answer> {
    return runSteps(this.#pipeline(request, arrival, destination))
  }

  /** From a request to its answer. Each step takes values and returns a value; `waited` marks where a step may wait. */
  *#pipeline(request: Request, arrival: Arrival, destination: Destination): Steps<Answer> {
    const { options } = this
    const { data: call, failure } = resolve(request, arrival, destination, options)
    if (failure !== undefined) {
      // It leaves no trace, not even an entry in the journal.
      const session = arrival.session ?? options.sessions.unnamed
      return finish({}, scenarioName(undefined, session), mockErrorAnswer(failure))
    }
    if (destination.isOwn) return yield* answerControl(call)

    const { session, world, row } = call
    const elapsed = startStopwatch()
    const time = world?.clock.epoch() ?? realTime()
    const received = yield* waited(receiveBody(request, row, options.profile))
    let answered: Answered
    try {
      const asked = askedOf(call, received)
      const forced = mayForce(asked) ? yield* waited(force(asked)) : undefined
      if (forced?.answered !== undefined) answered = forced.answered
      else answered = isOfOperation(asked) ? operate(asked) : yield* waited(answerUnknown(call, asked))
      if (forced !== undefined) answered = yield* waited(underRules(answered, forced, asked))
    } catch (error) {
      answered = { answer: failedAnswer(error) }
    }
    const answer = yield* saved(call, answered.answer)
    finish(call, scenarioName(world, session), answer)
    const notice = session.noticeIn(world)
    if (notice !== undefined) answer.headers = { ...hintHeader(notice), ...answer.headers }
    const entry = (id: number) => entryOf(id, call, { received, time, elapsed }, { ...answered, answer })
    const id = session.journal.record(entry)
    if (answered.cause !== undefined) answered.cause.requestId = id
    return answer
  }
}

/** Answers a call of the control API, which is not in the journal. It may switch the scenario that its answer names. */
function* answerControl(call: Call): Steps<Answer> {
  const given = yield* waited(call.options.control(call).catch(failedAnswer))
  const answer = yield* saved(call, given)
  return finish(call, scenarioNow(call), answer)
}

/** The request to a world that a call makes. Throws the fault where there is no world. */
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

/** An answer goes out, and is entered in the journal, when the change that it reports can no longer be lost. */
function* saved({ request: { method }, row, options }: Call, answer: Answer): Steps<Answer> {
  const mayChange = (method !== 'GET' && method !== 'HEAD') || row?.writes !== undefined
  const saving = mayChange ? options.durable() : undefined
  return saving === undefined ? answer : yield* waited(saving.then(() => answer, failedAnswer))
}

/** Completes an answer: it names the scenario, and the login that it sets or ends goes into the jar. */
function finish({ jar }: Pick<Call, 'jar'>, scenario: string, answer: Answer): Answer {
  if (jar !== undefined) keepIn(jar, answer.headers['set-cookie'])
  answer.headers[SCENARIO_HEADER] = scenario
  return answer
}

function failedAnswer(error: unknown): Answer {
  if (error instanceof BrokenConnection) throw error
  return mockErrorAnswer(toMockError(error))
}
