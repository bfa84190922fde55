import { answerInProcess } from '../../../engine/http/app.js'
import type { LoginJar } from '../../../engine/http/call.js'
import { recordUnmodelled } from '../../../engine/http/service.js'
import { CORE, type MockSession, sessionOf } from '../../../engine/mock/session.js'
import { type KeptLogin, keptLoginSchema } from '../../../engine/sessions/logins.js'
import type { Session } from '../../../engine/sessions/session.js'
import { pageStore } from '../browser/page-storage.js'
import type { HandlerTarget } from './handlers.js'

/** What is stored of a login: nothing of its user but what other worlds know them again by. */
const storedLogin = pageStore('flagdouble:login', keptLoginSchema)

/**
 * The login of a page. Browsers drop the cookies of responses that a script makes, and hide those of requests, so it is
 * kept here. With `lasts`, it is kept while this tab reloads the page, as a cookie would be: the mock starts over then.
 */
class PageLogin implements LoginJar {
  readonly #session: () => Session
  readonly #lasts: boolean
  #secret: string | undefined

  constructor(session: () => Session, { lasts = false } = {}) {
    this.#session = session
    this.#lasts = lasts
    const earlier = lasts ? storedLogin.read() : undefined
    if (earlier !== undefined) session().logins.resume([earlier])
    this.#secret = earlier?.secret
    // A reset ends all logins.
    session().onSwitch(() => {
      if (this.#secret !== undefined && this.#find(this.#secret) === undefined) this.secret = undefined
    })
  }

  get secret(): string | undefined {
    return this.#secret
  }

  set secret(secret: string | undefined) {
    this.#secret = secret
    if (this.#lasts) storedLogin.write(secret === undefined ? undefined : this.#find(secret))
  }

  /** The jar for a request that a browser would send cookies with. */
  for({ credentials, url }: Request): LoginJar | undefined {
    const sendsCookies = credentials === 'include' || (credentials === 'same-origin' && isOwnOrigin(url))
    return sendsCookies ? this : undefined
  }

  #find(secret: string): KeptLogin | undefined {
    return this.#session().logins.get(secret)
  }
}

function isOwnOrigin(url: string): boolean {
  return new URL(url).origin === location.origin
}

interface TargetOptions {
  keepsLogin?: boolean
  /** Whether all that it is asked is for the service. Otherwise it leaves to the app what any app may have. */
  hasBase?: boolean
}

/** A mock, as handlers ask it. In a page, it keeps the login that the page's own cookies can't. */
export function targetOf(mock: MockSession, options: TargetOptions = {}): HandlerTarget {
  const core = mock[CORE]
  const { hasBase = false } = options
  const isInPage = 'document' in globalThis
  const login = isInPage ? new PageLogin(() => sessionOf(mock), { lasts: options.keepsLogin }) : undefined
  return {
    match: (method, url) => core.match(method, url, hasBase),
    respond: (request) => answerInProcess(core.service, request, sessionOf(mock), login?.for(request)),
    leave: (request, url) => core.isAt(url) && recordUnmodelled(request, url, core.service.options, sessionOf(mock)),
  }
}
