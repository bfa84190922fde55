import type { OperationId } from '../api/operations.js'
import { MockError } from '../contract/mock-errors.js'
import type { Profile } from '../contract/profile.js'
import type { Session } from '../sessions/session.js'
import type { Sessions } from '../sessions/sessions.js'
import type { World } from '../sessions/world.js'
import { startStopwatch } from '../support/clock.js'
import type { Answer } from './answer.js'
import { type Caller, callerOf, refusalOf } from './caller.js'
import { keepIn, type LoginJar } from './login.js'
import { mockErrorAnswer } from './mock-answer.js'
import type { OriginPolicy } from './origins.js'
import { tryOutcome } from './outcome.js'
import { isProxied, type Relay } from './proxy.js'
import { type CallRecord, entryOf } from './record.js'
import { type Destination, type Routes, rawPath } from './routes.js'
import { mayChange, whenSaved } from './saved.js'
import { SCENARIO_HEADER, scenarioName, trySelectSession, trySelectWorld } from './select.js'

export interface ServiceOptions {
  sessions: Sessions
  profile: Profile
  routes: Routes
  /** The start of every link in a response. */
  baseUrl: () => string
  /** The path that everything is below: `''` or `'/x'`. */
  basePath: string
  origins: OriginPolicy
  /** Real milliseconds since the mock was created. */
  uptime: () => number
  /** Settles when all changes so far are on disk. Undefined if there is nothing to wait for. */
  durable: () => Promise<void> | undefined
}

/** What a request would be answered by: an operation, the control API, or a known path that takes other methods. */
export type MatchedBy = OperationId | 'control' | 'otherMethod'

/** What an adapter knows about a request besides the request itself. */
export interface Arrival {
  /** The session of a request that names none. Default: the unnamed one. */
  session?: Session | undefined
  /** The path as it was sent, where the URL of a `Request` has lost part of it: segments that are dots. */
  sentPath?: string | undefined
  /** The headers as they were sent, names and values in turn, where they are at hand. */
  sentHeaders?: readonly string[] | undefined
  /** Passes a request on that is not for the service. Undefined if there is nowhere to pass it. */
  relay?: Relay | undefined
  /** Where the login of the sender is kept, if not in cookies. */
  jar?: LoginJar | undefined
}

/** A request with everything that it names, resolved once. */
export interface Call extends Destination, Readonly<Pick<Arrival, 'sentHeaders' | 'jar'>> {
  readonly request: Request
  readonly caller: Caller
  readonly session: Session
  /** The world that the request belongs to, or the error if it names an unknown scenario. */
  readonly world: World | MockError
  readonly options: ServiceOptions
  /** Passes the request on. Undefined if it is answered here. */
  readonly relay: Relay | undefined
}

/** What came of a call. */
export interface Outcome {
  answer: Answer
  /** How the journal records it. Left out for control calls, which are not recorded. */
  record?: CallRecord
}

/** Answers requests. Every adapter calls it, and turns the `Answer` into bytes in its own way. */
export class Service {
  readonly options: ServiceOptions

  constructor(options: ServiceOptions) {
    this.options = options
  }

  /** Where a request leads. */
  locate({ method, url }: Pick<Request, 'method' | 'url'>, { sentPath }: Arrival = {}): Destination {
    const { basePath, routes } = this.options
    return routes.locate(method, sentPath ?? rawPath(url), basePath)
  }

  /** What would answer a request. Undefined for the root, which only a server of its own answers. */
  match(method: string, url: string): MatchedBy | undefined {
    const { place, path, found } = this.locate({ method, url })
    if (path === '/') return undefined
    if (place === 'control' || found?.target.kind === 'control') return 'control'
    return found?.target.kind === 'operation' ? (found.target.row.id as OperationId) : found?.target.kind
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
    const { request, session, world, caller, jar } = call
    if (jar !== undefined) keepIn(jar, answer.headers['set-cookie'])
    const scenario = scenarioName(record === undefined ? trySelectWorld(request, session, caller) : world, session)
    answer.headers[SCENARIO_HEADER] = scenario
    if (record !== undefined) session.journal.record(entryOf(call, answer, record, { time, scenario, elapsed }))
    return answer
  }

  /** A request with everything that it names, or why its caller gets no answer. */
  #resolve(request: Request, arrival: Arrival, destination: Destination): Call | MockError {
    const { options } = this
    const caller = callerOf(request, options.origins)
    const relay = isProxied(arrival.relay, destination) ? arrival.relay : undefined
    // What foreign pages may send to an app's own backend is up to that backend.
    const refusal = relay === undefined ? refusalOf(caller, destination) : undefined
    if (refusal !== undefined) return refusal
    const session = trySelectSession(request, options.sessions, this.#sessionOf(arrival), caller)
    if (session instanceof MockError) return session
    const world = trySelectWorld(request, session, caller, relay !== undefined)
    const { place, path, found } = destination
    const { sentHeaders, jar } = arrival
    return { place, path, found, request, caller, session, world, options, relay, sentHeaders, jar }
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
