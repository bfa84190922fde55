import { toResponse } from '../../http/answer.js'
import { createApp } from '../../http/app.js'
import { mockErrorAnswer, toMockError } from '../../http/mock-answer.js'
import { CONTROL_PATH, rawPath } from '../../http/path.js'
import { discard } from '../../http/receive.js'
import { createMock, type Mock } from '../../mock/mock.js'
import { CORE } from '../../mock/session.js'
import { createClock } from '../../support/clock.js'
import { deliverByProxy } from './deliver.js'
import { KeptSession } from './kept-session.js'
import { limitsOf, mockOptions, type WorkerOptions } from './options.js'
import type { Environment, ObjectState, ObjectStorage } from './platform.js'
import { Rate } from './rate.js'
import { Rows } from './rows.js'
import { sessionName } from './session-name.js'

const HOUR = 3_600_000

/** Milliseconds after which a session that nobody uses is deleted. */
const KEPT_FOR = 7 * 24 * HOUR

type Answering = (request: Request) => Promise<Response>

/** One session, as a Durable Object: a mock in memory, and what it needs to go on in the object's storage. */
export class SessionObject {
  readonly #storage: ObjectStorage
  readonly #env: Environment
  readonly #options: WorkerOptions
  readonly #rate: Rate
  #answering: Promise<Answering> | undefined
  /** When the alarm was set last. */
  #alarmSet = Number.NEGATIVE_INFINITY

  constructor({ storage }: ObjectState, env: Environment, options: WorkerOptions) {
    this.#storage = storage
    this.#env = env
    this.#options = options
    this.#rate = new Rate(limitsOf(options).requestsPerSecond)
  }

  async fetch(request: Request): Promise<Response> {
    const response = await this.#respond(request)
    if (request.body !== null && !request.bodyUsed) await discard(request.body.getReader())
    return response
  }

  /** Deletes the session: nobody has used it since the alarm was set. */
  async alarm(): Promise<void> {
    this.#answering = undefined
    await this.#discard()
  }

  async #respond(request: Request): Promise<Response> {
    try {
      this.#rate.count()
      await this.#putOffDeletion()
      this.#answering ??= this.#start(request)
      const answer = await this.#answering.catch((error: unknown) => {
        this.#answering = undefined
        throw error
      })
      return await answer(request)
    } catch (error) {
      const answer = mockErrorAnswer(toMockError(error))
      if (answer.status === 429) answer.headers['retry-after'] = '1'
      return toResponse(answer)
    }
  }

  async #start(request: Request): Promise<Answering> {
    const name = sessionName(request, this.#env)
    const mock = createMock(mockOptions(this.#options, this.#env))
    return follow(mock, name, await this.#resume(name, request))
  }

  /** A reset discards what can't be read. */
  async #resume(name: string, request: Request): Promise<KeptSession> {
    const resume = () => new KeptSession(name, new Rows(this.#storage, limitsOf(this.#options).stateSize))
    try {
      return resume()
    } catch (error) {
      if (request.method !== 'POST' || rawPath(request.url) !== `${CONTROL_PATH}/reset`) throw error
      await this.#discard()
      return resume()
    }
  }

  async #discard(): Promise<void> {
    this.#alarmSet = Number.NEGATIVE_INFINITY
    await this.#storage.deleteAlarm()
    await this.#storage.deleteAll()
  }

  /** Once an hour is enough: the alarm is set an hour later than it needs to be. */
  async #putOffDeletion(): Promise<void> {
    const now = createClock().epoch()
    if (now - this.#alarmSet < HOUR) return
    this.#alarmSet = now
    await this.#storage.setAlarm(now + KEPT_FOR + HOUR)
  }
}

/** Has a mock go on with what was kept of a session, and answer its requests. */
function follow(mock: Mock, name: string, kept: KeptSession): Answering {
  const core = mock[CORE]
  core.keepWith(kept)
  const session = core.sessions.open(name)
  kept.resumeJournal(session)
  const app = createApp(core.service, deliverByProxy)
  return async (request) => {
    core.setDefaultBaseUrl(new URL(request.url).origin)
    const response = await app.fetch(request, { session })
    kept.settle(session)
    return response
  }
}
