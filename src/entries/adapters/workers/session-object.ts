import { MockError } from '../../../engine/errors/mock-errors.js'
import { mockErrorAnswer, toMockError, toResponse, toWebResponse } from '../../../engine/http/answer.js'
import { createApp, type Deliver } from '../../../engine/http/app.js'
import { drain } from '../../../engine/http/body.js'
import { sessionInHeaders } from '../../../engine/http/resolve.js'
import { locate, rawPath } from '../../../engine/http/routes.js'
import { createMock } from '../../../engine/mock/mock.js'
import { CORE } from '../../../engine/mock/session.js'
import { HOUR } from '../../../support/calendar.js'
import { realTime, sleep } from '../../../support/clock.js'
import { segmentsOf } from '../../../support/text.js'
import { type Env, mockOptions, type ObjectState, type ObjectStorage, type WorkerOptions } from './platform.js'
import { StoredSession } from './stored-session.js'

/** The milliseconds after which an unused session is deleted. */
const KEPT_FOR = 7 * 24 * HOUR

interface RunningSession {
  answer(request: Request): Promise<Response>
  /** Ends its event streams and waits. Requests that are still under way store nothing. */
  end(): void
}

/** One session, as a Durable Object: a mock in memory, and its document in the object's storage. */
export class SessionObject {
  readonly #storage: ObjectStorage
  readonly #env: Env
  readonly #options: WorkerOptions
  #running: RunningSession | undefined
  #alarmSet = Number.NEGATIVE_INFINITY
  #underWay = 0

  constructor({ storage }: ObjectState, env: Env, options: WorkerOptions) {
    this.#storage = storage
    this.#env = env
    this.#options = options
  }

  async fetch(request: Request): Promise<Response> {
    this.#underWay++
    try {
      if (realTime() - this.#alarmSet >= HOUR) await this.#putOffDeletion()
      return await this.#answer(request)
    } catch (error) {
      return toResponse(mockErrorAnswer(toMockError(error)))
    } finally {
      this.#underWay--
      await drain(request)
    }
  }

  /** Deletes the session, which has been unused since the alarm was set, unless a request has just come. */
  async alarm(): Promise<void> {
    if (this.#underWay > 0) return this.#putOffDeletion()
    this.#running?.end()
    await this.#discard()
  }

  async #answer(request: Request): Promise<Response> {
    if (isCallOf('start', request)) throw noCommonStart()
    try {
      this.#running ??= this.#start(request, true)
    } catch (error) {
      if (!isCallOf('reset', request) || !(error instanceof MockError) || error.code !== 'STATE_UNREADABLE') throw error
      // Callers that can reset a session can discard unreadable data.
      const response = await this.#start(request, false).answer(request)
      if (response.ok) await this.#discard()
      return response
    }
    return this.#running.answer(request)
  }

  /** A mock with one session that resumes the stored state. It undoes changes that can't be stored. */
  #start({ headers }: Request, isStored: boolean): RunningSession {
    const core = createMock(mockOptions(this.#options, this.#env))[CORE]
    const session = core.sessions.open(sessionInHeaders(headers))
    const stored = isStored ? new StoredSession(session, core, this.#storage) : undefined
    const app = createApp(core.service, deliverByProxy)
    const end = () => {
      stored?.giveUp()
      core.sessions.eventReaders.endAll()
      core.sessions.endWaits()
    }
    const answer = async (request: Request) => {
      core.setDefaultBaseUrl(new URL(request.url).origin)
      const response = await app.fetch(request, { session })
      try {
        stored?.store()
      } catch (error) {
        end()
        // A later request can have started the next mock already.
        if (this.#running === running) this.#running = undefined
        throw error
      }
      return response
    }
    const running = { answer, end }
    return running
  }

  async #discard(): Promise<void> {
    this.#running = undefined
    this.#alarmSet = Number.NEGATIVE_INFINITY
    await this.#storage.deleteAlarm()
    await this.#storage.deleteAll()
  }

  /** Once an hour is enough: the alarm is set an hour later than necessary. */
  async #putOffDeletion(): Promise<void> {
    this.#alarmSet = realTime()
    await this.#storage.setAlarm(this.#alarmSet + KEPT_FOR + HOUR)
  }
}

function isCallOf(name: 'reset' | 'start', { method, url }: Request): boolean {
  const { place, path = '' } = locate(method, rawPath(url), '')
  return method === 'POST' && place === 'control' && segmentsOf(path.toLowerCase())[1] === name
}

/** No session can reach the objects of the others. */
function noCommonStart(): MockError {
  return new MockError(
    'INVALID_REQUEST',
    'On Cloudflare Workers, the data of a session cannot become the start of all sessions.',
    'Deploy the data as a fixture: GET /__mock/state is one (docs/workers.md).',
  )
}

/** The milliseconds that a response hangs. The runtime ends requests that can't get a response. */
const HANGS = 60_000

/** A worker can't break a connection, because a proxy is in between. A reset is a 502, a hanging response ends as a 504. */
const deliverByProxy: Deliver = async (answer, { req: { raw } }) => {
  const { 'content-type': _, ...headers } = answer.headers
  if (answer.fault === 'reset') return toResponse({ status: 502, headers, body: null })
  if (answer.fault !== 'hang')
    return toWebResponse(answer.fault === 'truncate' ? { ...answer, fault: 'malformed' } : answer, raw)
  await sleep(HANGS, raw.signal).catch(() => undefined)
  return toResponse({ status: 504, headers, body: null })
}
