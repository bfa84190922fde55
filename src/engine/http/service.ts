import type { OperationRow } from '../../service/api/operations.js'
import { MockError } from '../../service/contract/mock-errors.js'
import { startStopwatch } from '../../support/clock.js'
import type { Session } from '../sessions/session.js'
import { type Answer, mockErrorAnswer, toMockError } from './answer.js'
import { NO_BODY, receiveBody } from './body.js'
import type { Arrival, Call, Destination, MatchedBy, Outcome, ReceivedBody, ServiceOptions } from './call.js'
import { BrokenConnection } from './deliver.js'
import { keepIn } from './login.js'
import { answerOperation } from './operation.js'
import { answerProxied, isProxied } from './proxy.js'
import { type Circumstances, entryOf } from './record.js'
import { rawPath } from './routes.js'
import { orMockError, SCENARIO_HEADER, scenarioName, selectSession, selectWorld } from './select.js'
import { refusalOf, trustOf } from './trust.js'
import { answerUnknown } from './unknown.js'

/** Answers requests. Every adapter calls it, and turns the `Answer` into bytes in its own way. */
export class Service {
  readonly options: ServiceOptions

  constructor(options: ServiceOptions) {
    this.options = options
  }

  locate({ method, url }: Pick<Request, 'method' | 'url'>, { sentPath }: Arrival = {}): Destination {
    const { basePath, routes } = this.options
    return routes.locate(method, sentPath ?? rawPath(url), basePath)
  }

  /** What would answer a request. Undefined for the root, which only a server of its own answers. */
  match(method: string, url: string): MatchedBy | undefined {
    const { place, path, found } = this.locate({ method, url })
    if (path === '/') return undefined
    if (place === 'control' || found?.target.kind === 'control') return 'control'
    return found?.target.kind === 'operation' ? found.target.row.id : found?.target.kind
  }

  /** Answers a request. Rejects with a `BrokenConnection` if the client gives up while it waits. */
  answer(
    request: Request,
    arrival: Arrival = {},
    destination = this.locate(request, arrival),
  ): Answer | Promise<Answer> {
    const call = this.#resolve(request, arrival, destination)
    return call instanceof MockError ? this.#refuse(call, arrival) : this.#answer(call)
  }

  #answer(call: Call): Answer | Promise<Answer> {
    if (isControlCall(call)) return this.#answerControl(call)
    const { session, world, request, options, found, relay } = call
    const elapsed = startStopwatch()
    const time = (world instanceof MockError ? session.world() : world).clock.epoch()
    const row = found?.target.kind === 'operation' ? found.target.row : undefined
    const answer = (received: ReceivedBody) => {
      const circumstances = { operation: row?.id ?? null, received, time, elapsed }
      const finish = (outcome: Outcome) => this.#finish(call, outcome, circumstances)
      const outcome = tryOutcome(call, row, received)
      return outcome instanceof Promise ? outcome.then(finish) : finish(outcome)
    }
    const received = relay === undefined ? receiveBody(request, row, options.profile) : NO_BODY
    return received instanceof Promise ? received.then(answer) : answer(received)
  }

  /** An answer goes out when the change that it reports can no longer be lost. */
  #finish(
    call: Call,
    outcome: Outcome,
    circumstances: Omit<Circumstances, 'scenario' | 'moment'>,
  ): Answer | Promise<Answer> {
    const { session, world, jar } = call
    const record = (answer: Answer) => {
      if (jar !== undefined) keepIn(jar, answer.headers['set-cookie'])
      const scenario = scenarioName(world, session)
      answer.headers[SCENARIO_HEADER] = scenario
      const moment = world instanceof MockError ? undefined : session.momentOf(world)
      const id = session.journal.record(entryOf(call, { ...outcome, answer }, { ...circumstances, scenario, moment }))
      if (outcome.cause !== undefined) outcome.cause.requestId = id
      return answer
    }
    const saving = mayChange(call) ? this.options.durable() : undefined
    return saving === undefined ? record(outcome.answer) : whenSaved(saving, outcome.answer).then(record)
  }

  /** Control calls are not in the journal. They may switch the scenario that their answer names. */
  async #answerControl(call: Call): Promise<Answer> {
    const { request, session, trust, jar } = call
    const given = await this.options.control(call).catch(failedAnswer)
    const saving = mayChange(call) ? this.options.durable() : undefined
    const answer = saving === undefined ? given : await whenSaved(saving, given)
    if (jar !== undefined) keepIn(jar, answer.headers['set-cookie'])
    const world = orMockError(() => selectWorld(request, session, trust))
    answer.headers[SCENARIO_HEADER] = scenarioName(world, session)
    return answer
  }

  /** A request with everything that it names, or why its sender gets no answer. */
  #resolve(request: Request, arrival: Arrival, destination: Destination): Call | MockError {
    const { options } = this
    const trust = trustOf(request, options.origins)
    const relay = isProxied(arrival.relay, destination) ? arrival.relay : undefined
    // What foreign pages may send to an app's own backend is up to that backend.
    const refusal = relay === undefined ? refusalOf(request, trust, destination) : undefined
    if (refusal !== undefined) return refusal
    const session = orMockError(() => selectSession(request, options.sessions, this.#sessionOf(arrival), trust))
    if (session instanceof MockError) return session
    const world = orMockError(() => selectWorld(request, session, trust, relay !== undefined))
    const { place, path, found } = destination
    const { sentHeaders, jar } = arrival
    return { place, path, found, request, trust, session, world, options, relay, sentHeaders, jar }
  }

  /** Nothing happens, not even an entry in the journal. */
  #refuse(reason: MockError, arrival: Arrival): Answer {
    const answer = mockErrorAnswer(reason)
    answer.headers[SCENARIO_HEADER] = scenarioName(reason, this.#sessionOf(arrival))
    return answer
  }

  #sessionOf({ session = this.options.sessions.unnamed }: Arrival): Session {
    return session
  }
}

/** Whether a call is for flagdouble itself, wherever else it could be passed on. */
function isControlCall({ place, found, relay }: Call): boolean {
  return relay === undefined && (place === 'control' || found?.target.kind === 'control')
}

/** What comes of a request. Whatever throws is answered as flagdouble's own error. Not async: most wait for nothing. */
function tryOutcome(call: Call, row: OperationRow | undefined, received: ReceivedBody): Outcome | Promise<Outcome> {
  const failed = (error: unknown): Outcome => ({ answer: failedAnswer(error) })
  try {
    const outcome = outcomeOf(call, row, received)
    return outcome instanceof Promise ? outcome.catch(failed) : outcome
  } catch (error) {
    return failed(error)
  }
}

function failedAnswer(error: unknown): Answer {
  if (error instanceof BrokenConnection) throw error
  return mockErrorAnswer(toMockError(error))
}

function outcomeOf(call: Call, row: OperationRow | undefined, received: ReceivedBody): Outcome | Promise<Outcome> {
  const { world, relay, found } = call
  if (world instanceof MockError) throw world
  if (relay !== undefined) return answerProxied(call, world, relay)
  return row === undefined
    ? answerUnknown({ ...call, world }, received)
    : answerOperation(call, world, row, found?.params ?? {}, received)
}

/** Whether a call may have changed something. Others don't wait for what is being saved. */
function mayChange({ request: { method }, found }: Call): boolean {
  if (method !== 'GET' && method !== 'HEAD') return true
  return found?.target.kind === 'operation' && found.target.row.writes !== undefined
}

async function whenSaved(saving: Promise<void>, answer: Answer): Promise<Answer> {
  try {
    await saving
    return answer
  } catch (error) {
    return mockErrorAnswer(toMockError(error))
  }
}
