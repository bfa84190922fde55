import { type OperationRow, operations } from '../api/operations.js'
import type { Session } from '../sessions/session.js'
import type { World } from '../sessions/world.js'
import type { Answer } from './answer.js'
import type { Caller } from './caller.js'
import { CONTROL_PATH, pathBelow, segmentsOf } from './path.js'
import { type Match, Router } from './router.js'
import type { ServiceOptions } from './service.js'

/** What a route of flagdouble's own is given. */
export interface KitCall {
  request: Request
  params: Readonly<Record<string, string>>
  query: URLSearchParams
  session: Session
  caller: Caller
  options: ServiceOptions
  /** The world that the request names now: the call may have switched the session. Throws `UNKNOWN_SCENARIO`. */
  world(): World
}

/** A route of flagdouble's own: the control API, the panel, the OpenAPI document. */
export interface KitRoute {
  method: string
  path: string
  answer(call: KitCall): Answer | Promise<Answer>
  /** What HEAD gets where `answer` would stream or change something. Default: the head of the answer. */
  head?(call: KitCall): Answer
}

/** What a request leads to. `otherMethod`: its path is known, but not with this method. */
export type Target =
  | { kind: 'operation'; row: OperationRow }
  | { kind: 'kit'; route: KitRoute }
  | { kind: 'otherMethod'; methods: readonly string[] }

/**
 * Whose a path is. `control`: the control API's, known or not. `operation`: that of an operation, whatever the method.
 * `other`: anything else below the base path. `outside`: not below it.
 */
export type Place = 'control' | 'operation' | 'other' | 'outside'

/** Where a request leads. It is found once, and every policy decides by it: routing, CORS, the control API, the UI. */
export interface Destination {
  readonly place: Place
  /** The path below the base path. Undefined if it isn't below it. */
  readonly path: string | undefined
  readonly found: Match<Target> | undefined
}

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

  /** Where a method and a path lead. The path is as it was sent, base path included. */
  locate(method: string, sentPath: string, basePath: string): Destination {
    const path = pathBelow(basePath, sentPath)
    if (path === undefined) return { place: 'outside', path, found: undefined }
    const found = this.#router.match(method === 'HEAD' ? 'GET' : method, path)
    if (found?.target.kind === 'operation') return { place: 'operation', path, found }
    const targets = found === undefined ? this.#router.targetsOf(path) : undefined
    const place = isControlPath(path) ? 'control' : isOfOperation(targets) ? 'operation' : 'other'
    if (targets === undefined) return { place, path, found }
    return { place, path, found: { target: { kind: 'otherMethod', methods: [...targets.keys()] }, params: {} } }
  }
}

/** The path is split exactly as the router splits it. */
function isControlPath(path: string): boolean {
  return segmentsOf(path)[0]?.toLowerCase() === CONTROL_PATH.slice(1)
}

function isOfOperation(targets: ReadonlyMap<string, Target> | undefined): boolean {
  return targets !== undefined && [...targets.values()].some(({ kind }) => kind === 'operation')
}
