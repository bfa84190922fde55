import { type OperationRow, operations } from '../api/operations.js'
import type { Session } from '../sessions/session.js'
import type { World } from '../sessions/world.js'
import type { Answer } from './answer.js'
import { CONTROL_PATH } from './path.js'
import { type Match, Router } from './router.js'
import type { ServiceOptions } from './service.js'

/** What a route of flagdouble's own is given. */
export interface KitCall {
  request: Request
  params: Readonly<Record<string, string>>
  query: URLSearchParams
  session: Session
  options: ServiceOptions
  /** The world that the request names now: the call may have switched the session. Throws `UNKNOWN_SCENARIO`. */
  world(): World
}

/** A route of flagdouble's own: the control API, the panel, the OpenAPI document. */
export interface KitRoute {
  method: string
  path: string
  answer(call: KitCall): Answer | Promise<Answer>
}

/** What a request leads to. `otherMethod`: its path is known, but not with this method. */
export type Target =
  | { kind: 'operation'; row: OperationRow }
  | { kind: 'kit'; route: KitRoute }
  | { kind: 'otherMethod'; methods: readonly string[] }

/** All routes: the table of operations, and flagdouble's own. They never change, so all mocks share them. */
export class Routes {
  readonly #router = new Router<Target>()
  /** The calls of the control API, as `GET /__mock/state`. */
  readonly controlCalls: readonly string[]

  constructor(kitRoutes: readonly KitRoute[]) {
    for (const row of operations) this.#router.add(row.method, row.path, { kind: 'operation', row })
    for (const route of kitRoutes) this.#router.add(route.method, route.path, { kind: 'kit', route })
    this.controlCalls = kitRoutes
      .filter(({ path }) => path.startsWith(CONTROL_PATH))
      .map(({ method, path }) => `${method} ${path}`)
  }

  match(method: string, path: string): Match<Target> | undefined {
    const found = this.#router.match(method === 'HEAD' ? 'GET' : method, path)
    if (found !== undefined) return found
    const methods = this.#router.methodsOf(path)
    return methods.length === 0 ? undefined : { target: { kind: 'otherMethod', methods }, params: {} }
  }
}
