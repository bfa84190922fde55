import { answerInProcess } from '../../../engine/http/app.js'
import { recordUnmodelled } from '../../../engine/http/record.js'
import { CORE, type MockSession, sessionOf } from '../../../engine/mock/session.js'
import type { HandlerTarget } from './handlers.js'
import { PageLogin } from './page-login.js'

/** A mock, as handlers ask it. In a page, it keeps the login that the page's own cookies can't. */
export function targetOf(mock: MockSession, options: { keepsLogin?: boolean } = {}): HandlerTarget {
  const core = mock[CORE]
  const isInPage = 'document' in globalThis
  const login = isInPage ? new PageLogin(() => sessionOf(mock), { lasts: options.keepsLogin }) : undefined
  return {
    match: (method, url) => core.match(method, url),
    respond: (request) => answerInProcess(core.service, request, sessionOf(mock), login?.for(request)),
    leave: (request, url) => core.isAt(url) && recordUnmodelled(request, url, core.service.options, sessionOf(mock)),
  }
}
