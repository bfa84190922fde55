import type { OperationId } from '../api/operations.js'
import { MockError } from '../contract/mock-errors.js'
import type { Profile } from '../contract/profile.js'
import type { Session } from '../sessions/session.js'
import type { Sessions } from '../sessions/sessions.js'
import type { World } from '../sessions/world.js'
import { startStopwatch } from '../support/clock.js'
import type { Answer } from './answer.js'
import { BrokenConnection } from './deliver.js'
import { mockErrorAnswer, toMockError } from './mock-answer.js'
import { answerNotFound } from './not-found.js'
import { answerOperation } from './operation.js'
import type { OriginPolicy } from './origins.js'
import { isControlPath, pathBelow, rawPath, rawQuery } from './path.js'
import type { Match } from './router.js'
import type { KitRoute, Routes, Target } from './routes.js'
import { journalPath, SCENARIO_HEADER, scenarioName, selectSession, selectWorld, trySelectWorld } from './select.js'
import { unknownControlPath, unmodelledRoute } from './unmodelled.js'

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

/** What a door knows about a request besides the request itself. */
export interface Arrival {
  /** The session of a request that names none. Default: the unnamed one. */
  session?: Session | undefined
  /** The path as it was sent, where the URL of a `Request` has lost part of it: segments that are dots. */
  sentPath?: string | undefined
}

/** A request with everything that it names, resolved once. */
export interface Call {
  readonly request: Request
  /** The path below the base path. Undefined if it isn't below it. */
  readonly path: string | undefined
  readonly found: Match<Target> | undefined
  readonly session: Session
  /** The world that the request belongs to, or the error if it names an unknown scenario. */
  readonly world: World | MockError
  readonly options: ServiceOptions
}

/** What came of a call. */
export interface Outcome {
  answer: Answer
  /** How the journal records it. Left out for control calls, which are not recorded. */
  record?: { operation: string | null; requestText?: string | null }
}

/** Answers requests. Every door calls it, and turns the `Answer` into bytes in its own way. */
export class Service {
  readonly options: ServiceOptions

  constructor(options: ServiceOptions) {
    this.options = options
  }

  /** What would answer a request. Undefined for the root, which only a server of its own answers. */
  match(method: string, url: string): MatchedBy | undefined {
    const { basePath, routes } = this.options
    const path = pathBelow(basePath, rawPath(url))
    if (path === undefined || path === '/') return undefined
    if (isControlPath(path)) return 'control'
    const target = routes.match(method, path)?.target
    if (target?.kind === 'operation') return target.row.id as OperationId
    return target?.kind === 'kit' ? 'control' : target?.kind
  }

  /** Answers a request. Rejects with a `BrokenConnection` if the client gives up while it waits. */
  async answer(request: Request, arrival: Arrival = {}): Promise<Answer> {
    const call = this.#resolve(request, arrival)
    const { session, world } = call
    const elapsed = startStopwatch()
    const time = (world instanceof MockError ? session.world() : world).clock.epoch()
    const { answer, record } = await whenDurable(await outcomeOf(call), this.options)
    const scenario = scenarioName(record === undefined ? trySelectWorld(request, session) : world, session)
    answer.headers[SCENARIO_HEADER] = scenario
    if (record === undefined) return answer
    const { operation, requestText = null } = record
    session.journal.record({
      time,
      method: request.method,
      path: journalPath(request.url),
      operation,
      scenario,
      status: answer.fault === 'reset' || answer.fault === 'hang' ? 0 : answer.status,
      durationMs: elapsed(),
      requestText,
      responseText: typeof answer.body === 'string' ? answer.body : null,
      matched: operation !== null,
    })
    return answer
  }

  #resolve(request: Request, { session: given, sentPath }: Arrival): Call {
    const { options } = this
    const session = selectSession(request, options.sessions, given ?? options.sessions.unnamed)
    const path = pathBelow(options.basePath, sentPath ?? rawPath(request.url))
    const found = path === undefined ? undefined : options.routes.match(request.method, path)
    return { request, path, found, session, world: trySelectWorld(request, session), options }
  }
}

/** Whatever throws is answered as flagdouble's own error. */
async function outcomeOf(call: Call): Promise<Outcome> {
  try {
    return await route(call)
  } catch (error) {
    if (error instanceof BrokenConnection) throw error
    return { answer: mockErrorAnswer(toMockError(error)) }
  }
}

/** An answer goes out when the change that it reports, or shows, can no longer be lost. */
async function whenDurable(outcome: Outcome, { durable }: ServiceOptions): Promise<Outcome> {
  const saving = durable()
  if (saving === undefined) return outcome
  try {
    await saving
    return outcome
  } catch (error) {
    return { ...outcome, answer: mockErrorAnswer(toMockError(error)) }
  }
}

async function route(call: Call): Promise<Outcome> {
  const { request, path, found, world, options } = call
  if (found?.target.kind === 'kit') return { answer: await answerKit(call, found.target.route, found.params) }
  if (path !== undefined && isControlPath(path)) throw unknownControlPath(request, options.routes.controlCalls)
  const operation = found?.target.kind === 'operation' ? found.target.row : undefined
  if (world instanceof MockError) {
    return { answer: mockErrorAnswer(world), record: { operation: operation?.id ?? null } }
  }
  if (world.loading !== undefined) await world.loading
  if (operation !== undefined) return answerOperation({ ...call, world }, operation, found?.params ?? {})
  const isKnown = found !== undefined || (path !== undefined && options.profile.unknownPaths === 'service')
  const answer =
    (isKnown ? await answerNotFound({ ...call, world }) : undefined) ??
    mockErrorAnswer(unmodelledRoute(request, options.basePath))
  return { answer, record: { operation: null } }
}

function answerKit(
  { request, session, options }: Call,
  { answer }: KitRoute,
  params: Readonly<Record<string, string>>,
): Answer | Promise<Answer> {
  const world = () => selectWorld(request, session)
  return answer({ request, params, query: new URLSearchParams(rawQuery(request.url)), session, options, world })
}
