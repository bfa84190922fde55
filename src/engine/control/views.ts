import { findPerson } from '../../service/resources/people/login.model.js'
import { displayNameOf } from '../../service/resources/people/users.js'
import type { ActiveRule } from '../scenarios/force-rule.js'
import { idleRules } from '../scenarios/idle-rules.js'
import type { World } from '../sessions/world.js'

// The clock, the rules and the logins of a world, as the control API shows them.

/** The state of a clock. */
export interface ClockState {
  now: string
  frozen: boolean
}

export function clockState({ clock }: World): ClockState {
  return { now: clock.now().toISOString(), frozen: clock.frozen }
}

export function rulesOf({ composition, rules }: World) {
  const own = new Set(composition.force)
  const all = rules.all()
  const idle = new Map(idleRules(all.map(({ rule }) => rule)).map(({ at, by }) => [at, by]))
  return all.map((active, at) => ({
    ...showRule(active),
    ...(own.has(active.rule) && { byScenario: true }),
    ...(idle.has(at) && { idle: whyIdle(all[idle.get(at) ?? -1]) }),
  }))
}

export function showRule({ id, rule, seen }: ActiveRule) {
  return { id, ...rule, seen }
}

function whyIdle(by: ActiveRule | undefined): string {
  return by === undefined ? 'its `times` is 0' : `the newer rule ${by.id} handles all of its requests`
}

/** A user with a login in a session. */
export interface SignedInUser {
  user: number
  name: string
  /** Whether this is the caller's login. */
  here: boolean
}

/** The session's logins, as users of the world. The given secret marks the caller's login. */
export function signedIn({ logins, data }: World, secret: string | undefined): SignedInUser[] {
  const found = new Map<number, SignedInUser>()
  for (const login of logins.all()) {
    const user = findPerson(data.tables, login.user)
    if (user === undefined) continue
    const here = login.secret === secret || found.get(user.id)?.here === true
    found.set(user.id, { user: user.id, name: displayNameOf(user), here })
  }
  return [...found.values()]
}
