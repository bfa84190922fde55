import { answerInProcess } from '../../../engine/http/app.js'
import type { LoginJar } from '../../../engine/http/call.js'
import { recordUnmodelled } from '../../../engine/http/service.js'
import { CORE, type MockSession, sessionOf } from '../../../engine/mock/session.js'
import { type SavedLogin, savedLoginSchema } from '../../../engine/sessions/logins.js'
import type { Session } from '../../../engine/sessions/session.js'
import { pageStore } from '../browser/page-storage.js'
import type { HandlerTarget } from './handlers.js'

/** The stored part of a login: of its user, only the data by which other worlds recognize them. */
const storedLogin = pageStore('flagdouble:login', savedLoginSchema)

/**
 * The login of a page. Browsers ignore cookies in responses that a script creates, and hide cookies of requests, so it is
 * stored here. With `lasts`, it survives a reload of the tab, like a cookie: the mock starts over then.
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

  /** The jar for a request with which a browser would send cookies. */
  for({ credentials, url }: Request): LoginJar | undefined {
    const sendsCookies = credentials === 'include' || (credentials === 'same-origin' && isSameOrigin(url))
    return sendsCookies ? this : undefined
  }

  #find(secret: string): SavedLogin | undefined {
    return this.#session().logins.get(secret)
  }
}

function isSameOrigin(url: string): boolean {
  return new URL(url).origin === location.origin
}

interface TargetOptions {
  keepsLogin?: boolean
  /** Whether all its requests are for Unleash. Otherwise it leaves paths that any app can have to the app. */
  hasBase?: boolean
}

/** A mock as the target of handlers. In a page, it stores the login that the page's own cookies can't. */
export function targetOf(mock: MockSession, options: TargetOptions = {}): HandlerTarget {
  const core = mock[CORE]
  const { hasBase = false } = options
  const isInPage = 'document' in globalThis
  const login = isInPage ? new PageLogin(() => sessionOf(mock), { lasts: options.keepsLogin }) : undefined
  return {
    match: (method, url) => core.match(method, url, hasBase),
    respond: (request) => answerInProcess(core.service, request, sessionOf(mock), login?.for(request)),
    leave: (request, url) => core.isAt(url) && recordUnmodelled(request, url, core.service.mock, sessionOf(mock)),
  }
}
