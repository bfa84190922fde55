/**
 * The mock on Cloudflare Workers: a Durable Object per session.
 *
 * @module
 */
import { atCallSite } from '../../engine/errors/arguments.js'
import { answerInFront } from './workers/front.js'
import { type Env, expectWorkerOptions, type ObjectState, type WorkerOptions } from './workers/platform.js'
import { SessionObject } from './workers/session-object.js'

export type { Env, ObjectState, WorkerOptions }

/** The exports of a worker's module. */
export interface WorkerExports {
  /** The class of Durable Objects that `wrangler.jsonc` names. */
  FlagdoubleSession: new (
    state: ObjectState,
    env: Env,
  ) => { fetch(request: Request): Promise<Response>; alarm(): Promise<void> }
  default: { fetch(request: Request, env: Env): Promise<Response> }
}

/**
 * Creates a worker with your own scenarios and fixtures. The variables `FLAGDOUBLE_PROFILE`, `FLAGDOUBLE_SCENARIO`,
 * `FLAGDOUBLE_SEED` and `FLAGDOUBLE_NOW` take precedence over its options, and `FLAGDOUBLE_ALLOW_ORIGIN` adds to
 * `allowOrigins`. It serves nothing until `FLAGDOUBLE_ACCESS` is set. Throws a `MockError` for an invalid option.
 *
 * @example
 * const worker = createWorker({ scenarios: [checkoutFails], fixtures })
 * export const FlagdoubleSession = worker.FlagdoubleSession
 * export default worker.default
 */
export function createWorker(options: WorkerOptions = {}): WorkerExports {
  atCallSite(createWorker, () => expectWorkerOptions(options))
  return {
    FlagdoubleSession: class FlagdoubleSession extends SessionObject {
      constructor(state: ObjectState, env: Env) {
        super(state, env, options)
      }
    },
    default: { fetch: (request, env) => answerInFront(request, env, options) },
  }
}

const worker = createWorker()

export const FlagdoubleSession = worker.FlagdoubleSession

export default worker.default
