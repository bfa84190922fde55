import { MockError } from '../contract/mock-errors.js'
import type { Session } from '../sessions/session.js'
import { startStopwatch } from '../support/clock.js'
import { type Answer, mockErrorAnswer, toMockError } from './answer.js'
import type { Arrival, Call, Destination, MatchedBy, Outcome, ServiceOptions } from './call.js'
import { BrokenConnection } from './deliver.js'
import { keepIn } from './login.js'
import { answerOperation } from './operation.js'
import { answerProxied, isProxied } from './proxy.js'
import { entryOf } from './record.js'
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
    const { session, world } = call
    const elapsed = startStopwatch()
    const time = (world instanceof MockError ? session.world() : world).clock.epoch()
    const finish = (outcome: Outcome) => {
      const saving = mayChange(call) ? this.options.durable() : undefined
      return saving === undefined
        ? this.#finish(call, outcome, time, elapsed)
        : whenSaved(saving, outcome).then((saved) => this.#finish(call, saved, time, elapsed))
    }
    const outcome = tryOutcome(call)
    return outcome instanceof Promise ? outcome.then(finish) : finish(outcome)
  }

  /** Adds the name of the scenario to the answer, and enters it in the journal. */
  #finish(call: Call, { answer, record }: Outcome, time: number, elapsed: () => number) {
    const { request, session, world, trust, jar } = call
    if (jar !== undefined) keepIn(jar, answer.headers['set-cookie'])
    const current = record === undefined ? orMockError(() => selectWorld(request, session, trust)) : world
    const scenario = scenarioName(current, session)
    answer.headers[SCENARIO_HEADER] = scenario
    if (record !== undefined) {
      const id = session.journal.record(entryOf(call, answer, record, { time, scenario, elapsed }))
      if (record.cause !== undefined) record.cause.requestId = id
    }
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

/** What comes of a call. Whatever throws is answered as flagdouble's own error. Not async: most calls wait for nothing. */
function tryOutcome(call: Call): Outcome | Promise<Outcome> {
  try {
    const outcome = outcomeOf(call)
    return outcome instanceof Promise ? outcome.catch(failedOutcome) : outcome
  } catch (error) {
    return failedOutcome(error)
  }
}

function failedOutcome(error: unknown): Outcome {
  if (error instanceof BrokenConnection) throw error
  return { answer: mockErrorAnswer(toMockError(error)) }
}

function outcomeOf(call: Call): Outcome | Promise<Outcome> {
  const { place, found, world, options, relay } = call
  const isOurs = place === 'control' || found?.target.kind === 'control'
  if (isOurs && relay === undefined) return options.control(call).then((answer) => ({ answer }))
  const operation = found?.target.kind === 'operation' ? found.target.row : undefined
  if (world instanceof MockError) {
    return { answer: mockErrorAnswer(world), record: { operation: operation?.id ?? null } }
  }
  if (relay !== undefined) return answerProxied(call, world, relay)
  return operation === undefined
    ? answerUnknown({ ...call, world })
    : answerOperation(call, world, operation, found?.params ?? {})
}

/** Whether a call may have changed something. Others don't wait for what is being saved. */
function mayChange({ request: { method }, found }: Call): boolean {
  if (method !== 'GET' && method !== 'HEAD') return true
  return found?.target.kind === 'operation' && found.target.row.writes !== undefined
}

/** The answer goes out when the change that it reports can no longer be lost. */
async function whenSaved(saving: Promise<void>, outcome: Outcome): Promise<Outcome> {
  try {
    await saving
    return outcome
  } catch (error) {
    return { ...outcome, answer: mockErrorAnswer(toMockError(error)) }
  }
}
