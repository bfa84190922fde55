import * as z from 'zod'
import { LOGIN_LASTS, type LoginBook, type Person, type SignedIn } from '../../service/resources/people/login.js'
import { findPerson } from '../../service/resources/people/login.model.js'
import { type StoredUser, userRecordSchema } from '../../service/resources/people/users.js'
import { realTime } from '../../support/clock.js'
import type { WorldData } from '../state/state.js'

/** The maximum logins in a session. The oldest ends first. */
export const LOGINS_KEPT = 10_000

/** A saved login: the user, the scenario, and the real time in milliseconds. */
export const savedLoginSchema = z.object({
  secret: z.string(),
  user: userRecordSchema.pick({ id: true, name: true, email: true, username: true }),
  scenario: z.string(),
  since: z.number(),
  seenAt: z.string().nullable().optional(),
  deletedSessions: z.int().optional(),
})

export type SavedLogin = z.infer<typeof savedLoginSchema>

/** `ended` gives the reason for its end; `met` says whether requests used it: 1 without the name of a browser, 2 with it. */
type KnownLogin = SavedLogin & { ended?: string; met?: number }

/**
 * The logins of a session. A login is valid in every world that has its user, as testers who change the scenario expect.
 * It ends by a logout, a new password, after two days of real time or by a reset, and undo never changes it.
 */
export class Logins implements LoginBook {
  /** The oldest first, including ended logins. */
  readonly #known = new Map<string, KnownLogin>()
  /** The changes of the current request. */
  #pending: ((scenario: string) => void)[] = []
  readonly #changed: () => void

  constructor(changed: () => void = () => undefined) {
    this.#changed = changed
  }

  get(secret: string): SavedLogin | undefined {
    const login = this.#known.get(secret)
    if (login === undefined || login.ended !== undefined) return undefined
    if (realTime() - login.since < LOGIN_LASTS) return login
    login.ended = 'it lasted two days'
    return undefined
  }

  /** The user of a login in a world. Undefined if the login is invalid, or if the world has no such user. */
  userOf(secret: string, { tables }: WorldData): StoredUser | undefined {
    const login = this.get(secret)
    return login && findPerson(tables, login.user)
  }

  /** The reason why a login has ended. Undefined for an unknown login. */
  whyEnded(secret: string): string | undefined {
    return this.#known.get(secret)?.ended
  }

  /** Whether a request tells Unleash more about a login, so that Unleash saves it and sends the cookie again. */
  isNews(secret: string, hasAgent: boolean): boolean {
    const login = this.#known.get(secret)
    const news = hasAgent ? 2 : 1
    if (login === undefined || login.ended !== undefined || (login.met ?? 0) >= news) return false
    login.met = news
    return true
  }

  begin(login: SignedIn): void {
    this.#pending.push((scenario) => this.#add({ ...login, scenario, since: realTime() }))
  }

  change(
    personOf: (login: SignedIn) => Person | undefined,
    reason = 'its user signed out or changed the password',
  ): void {
    this.#pending.push(() => {
      for (const login of this.#known.values()) {
        if (login.ended !== undefined) continue
        const user = personOf(login)
        if (user === undefined) login.ended = reason
        else login.user = user
      }
    })
  }

  /** Applies the changes of a request in a scenario. */
  commit(scenario: string): void {
    if (this.#pending.length === 0) return
    for (const change of this.#pending.splice(0)) change(scenario)
    this.#changed()
  }

  /** Discards the changes of a request. */
  discard(): void {
    this.#pending = []
  }

  /** Ends all logins. */
  clear(): void {
    for (const login of this.#known.values()) login.ended ??= 'everything was reset'
  }

  all(): SavedLogin[] {
    return [...this.#known.keys()].flatMap((secret) => this.get(secret) ?? [])
  }

  toJSON(): SavedLogin[] {
    return this.all().map(({ met: _, ...saved }: KnownLogin) => saved)
  }

  resume(logins: readonly SavedLogin[]): void {
    for (const login of logins) this.#add(login)
  }

  #add(login: KnownLogin): void {
    this.#known.set(login.secret, { ...login })
    const [oldest] = this.#known.keys()
    if (this.#known.size > LOGINS_KEPT && oldest !== undefined) this.#known.delete(oldest)
  }
}
