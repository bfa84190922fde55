import type { Context, Hono } from 'hono'
import type { Profile } from '../contract/profile.js'
import type { Session } from '../sessions/session.js'
import type { Sessions } from '../sessions/sessions.js'
import type { Answer } from './answer.js'
import { type Delivery, deliver } from './effects.js'
import type { OriginPolicy } from './origins.js'
import { SCENARIO_HEADER, scenarioOf, selectSession } from './select.js'

/** What a door hands to the app along with a request. */
export interface DoorBindings {
  /** The session it came in by, if its request names none. */
  session?: Session
  delivery?: Delivery
}

export type App = Hono<{ Bindings: DoorBindings }>
export type AppContext = Context<{ Bindings: DoorBindings }>

export interface AppOptions {
  sessions: Sessions
  profile: Profile
  /** What links that the service gives out begin with. */
  baseUrl: () => string
  /** The path that everything lies below: `''` or `'/x'`. */
  basePath: string
  origins: OriginPolicy
}

/** The session that a request belongs to. */
export function sessionOf(c: AppContext, { sessions }: Pick<AppOptions, 'sessions'>): Session {
  return selectSession(c.req.raw, sessions, c.env?.session ?? sessions.unnamed)
}

/** Has a response of Hono's name the scenario, as every answer does. */
export function nameScenario(c: AppContext, options: Pick<AppOptions, 'sessions'>): void {
  c.header(SCENARIO_HEADER, scenarioOf(c.req.raw, sessionOf(c, options)))
}

/** Sends an answer by the door that the request came through. */
export function send(c: AppContext, answer: Answer): Response | Promise<Response> {
  return deliver(answer, c.req.raw, c.env?.delivery ?? {})
}
