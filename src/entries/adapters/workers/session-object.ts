import { mockErrorAnswer, toMockError, toResponse, toWebResponse } from '../../../engine/http/answer.js'
import { createApp, type Deliver } from '../../../engine/http/app.js'
import { drain } from '../../../engine/http/body.js'
import { CONTROL_PATH, rawPath } from '../../../engine/http/routes.js'
import { createMock } from '../../../engine/mock/mock.js'
import { CORE } from '../../../engine/mock/session.js'
import { MockError } from '../../../service/contract/mock-errors.js'
import { HOUR } from '../../../support/calendar.js'
import { createClock, sleep, startStopwatch } from '../../../support/clock.js'
import { sessionName } from './front.js'
import { limitsOf, mockOptions, type WorkerOptions } from './options.js'
import type { Env, ObjectState, ObjectStorage } from './platform.js'
import { StoredSession } from './stored-session.js'

/** Milliseconds after which a session that nobody uses is deleted. */
const KEPT_FOR = 7 * 24 * HOUR

/** A session in memory. */
interface Running {
  answer(request: Request): Promise<Response>
  /** Ends the streams of its events. */
  end(): void
}

/** One session, as a Durable Object: a mock in memory, and what it needs to go on in the object's storage. */
export class SessionObject {
  readonly #storage: ObjectStorage
  readonly #env: Env
  readonly #options: WorkerOptions
  readonly #rate: Rate
  #running: Running | undefined
  #alarmSet = Number.NEGATIVE_INFINITY
  #underWay = 0

  constructor({ storage }: ObjectState, env: Env, options: WorkerOptions) {
    this.#storage = storage
    this.#env = env
    this.#options = options
    this.#rate = new Rate(limitsOf(options).requestsPerSecond)
  }

  async fetch(request: Request): Promise<Response> {
    this.#underWay++
    const response = await this.#respond(request).finally(() => {
      this.#underWay--
    })
    await drain(request)
    return response
  }

  /** Deletes the session: nobody has used it since the alarm was set, unless a request has just come. */
  async alarm(): Promise<void> {
    if (this.#underWay > 0) return this.#putOffDeletion()
    this.#running?.end()
    await this.#discard()
  }

  async #respond(request: Request): Promise<Response> {
    try {
      this.#rate.count()
      if (createClock().epoch() - this.#alarmSet >= HOUR) await this.#putOffDeletion()
      return await this.#answer(request)
    } catch (error) {
      const answer = mockErrorAnswer(toMockError(error))
      if (answer.status === 429) answer.headers['retry-after'] = '1'
      return toResponse(answer)
    }
  }

  async #answer(request: Request): Promise<Response> {
    const name = sessionName(request, this.#env)
    try {
      this.#running ??= this.#start(name, true)
    } catch (error) {
      const isReset = request.method === 'POST' && rawPath(request.url) === `${CONTROL_PATH}/reset`
      if (!isReset || !(error instanceof MockError) || error.code !== 'STATE_UNREADABLE') throw error
      // Whoever may reset a session may discard what can't be read.
      const response = await this.#start(name, false).answer(request)
      if (response.ok) await this.#discard()
      return response
    }
    return this.#running.answer(request)
  }

  /** A mock with one session that goes on with what is stored. Throws `STATE_UNREADABLE`. */
  #start(name: string, isStored: boolean): Running {
    const core = createMock(mockOptions(this.#options, this.#env))[CORE]
    const { stateSize } = limitsOf(this.#options)
    const stored = isStored ? new StoredSession(name, core, this.#storage, stateSize) : undefined
    const session = core.sessions.open(name)
    const app = createApp(core.service, deliverByProxy)
    return {
      async answer(request) {
        core.setDefaultBaseUrl(new URL(request.url).origin)
        const response = await app.fetch(request, { session })
        stored?.settle(request)
        return response
      },
      end: () => core.sessions.dispose(),
    }
  }

  async #discard(): Promise<void> {
    this.#running = undefined
    this.#alarmSet = Number.NEGATIVE_INFINITY
    await this.#storage.deleteAlarm()
    await this.#storage.deleteAll()
  }

  /** Once an hour is enough: the alarm is set an hour later than it needs to be. */
  async #putOffDeletion(): Promise<void> {
    this.#alarmSet = createClock().epoch()
    await this.#storage.setAlarm(this.#alarmSet + KEPT_FOR + HOUR)
  }
}

/** Limits the number of requests per second. */
class Rate {
  readonly #limit: number
  #elapsed = startStopwatch()
  #count = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Throws `TOO_MANY_REQUESTS`. */
  count(): void {
    if (this.#elapsed() >= 1000) {
      this.#elapsed = startStopwatch()
      this.#count = 0
    }
    this.#count++
    if (this.#count <= this.#limit) return
    throw new MockError(
      'TOO_MANY_REQUESTS',
      `This session takes ${this.#limit} requests per second.`,
      'Wait a second, or use a session for each test. createWorker takes another limit: { limits: { requestsPerSecond } }.',
    )
  }
}

/** Milliseconds that an answer hangs. The runtime ends requests that nothing will answer. */
const HANGS = 60_000

/**
 * A worker can't break a connection: a proxy is in between. A reset is a 502, a hanging answer ends as a 504, and a
 * truncated body ends where it breaks off.
 */
const deliverByProxy: Deliver = async (answer, { req: { raw } }) => {
  switch (answer.fault) {
    case 'reset':
      return toResponse({ status: 502, headers: withoutBody(answer.headers), body: null })
    case 'hang':
      await sleep(HANGS, raw.signal).catch(() => undefined)
      return toResponse({ status: 504, headers: withoutBody(answer.headers), body: null })
    case 'truncate':
      return toWebResponse({ ...answer, fault: 'malformed' }, raw)
    default:
      return toWebResponse(answer, raw)
  }
}

function withoutBody({ 'content-type': _, ...headers }: Record<string, string>): Record<string, string> {
  return headers
}
