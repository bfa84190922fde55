import { mockErrorAnswer, toMockError, toResponse } from '../../http/answer.js'
import { createMock, type Mock } from '../../mock/mock.js'
import { followLink, hasAccess, sentKey, withoutKey } from './access.js'
import { mockOptions, type WorkerOptions } from './options.js'
import { type Env, namespaceIn, variable } from './platform.js'
import { notBound, notSet, refuse, required, wrong } from './refusal.js'
import { domainIn, sessionName } from './session-name.js'

/** What stands before the sessions: it asks for the key, and hands each request to the object of its session. */
export class Front {
  readonly #options: WorkerOptions
  /** Answers preflights, which name no session. */
  #mock: Mock | undefined

  constructor(options: WorkerOptions) {
    this.#options = options
  }

  async fetch(request: Request, env: Env): Promise<Response> {
    const key = variable(env, 'FLAGDOUBLE_ACCESS')
    if (key === undefined) return refuse(notSet, request)
    try {
      if (isPreflight(request)) return await this.#answerPreflight(request, env)
      const redirect = await followLink(request, key, domainIn(env))
      if (redirect !== undefined) return redirect
      if (!(await hasAccess(request, key))) return refuse(sentKey(request) ? wrong : required, request)
      const sessions = namespaceIn(env)
      if (sessions === undefined) return refuse(notBound, request)
      return await sessions.get(sessions.idFromName(sessionName(request, env))).fetch(withoutKey(request))
    } catch (error) {
      return toResponse(mockErrorAnswer(toMockError(error)))
    }
  }

  /** Browsers send preflights without keys and cookies. */
  async #answerPreflight(request: Request, env: Env): Promise<Response> {
    this.#mock ??= createMock(mockOptions(this.#options, env))
    const response = await this.#mock.fetch(request)
    return response.headers.has('access-control-allow-origin') ? response : refuse(required, request)
  }
}

function isPreflight({ method, headers }: Request): boolean {
  return method === 'OPTIONS' && headers.has('origin') && headers.has('access-control-request-method')
}
