import * as z from 'zod'
import {
  LOGIN_LASTS,
  type LoginBook,
  type Person,
  SIGNED_OUT,
  type SignedIn,
} from '../../service/resources/people/login.js'
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

/** `met` says whether requests used it: 1 without the name of a browser, 2 with it. */
type KnownLogin = SavedLogin & { met?: number }

/**
 * The logins of a session. A login is valid in every world that has its user, as testers who change the scenario expect.
 * It ends by a logout, a new password, after two days of real time or by a reset, and undo never changes it.
 */
export class Logins implements LoginBook {
  /** The valid logins, the oldest first. */
  readonly #valid = new Map<string, KnownLogin>()
  /** The secrets of valid logins, by the ID of the user. */
  readonly #byUser = new Map<number, Set<string>>()
  /** The reasons why others have ended, by their secrets. */
  readonly #ended = new Map<string, string>()
  /** The changes of the current request. */
  #pending: ((scenario: string) => void)[] = []
  readonly #changed: () => void

  constructor(changed: () => void = () => undefined) {
    this.#changed = changed
  }

  get(secret: string): SavedLogin | undefined {
    const login = this.#valid.get(secret)
    if (login === undefined || realTime() - login.since < LOGIN_LASTS) return login
    this.#end(login, 'it lasted two days')
    return undefined
  }

  of(userId: number): SavedLogin[] {
    return [...(this.#byUser.get(userId) ?? [])].flatMap((secret) => this.get(secret) ?? [])
  }

  /** The user of a login in a world. Undefined if the login is invalid, or if the world has no such user. */
  userOf(secret: string, { tables }: WorldData): StoredUser | undefined {
    const login = this.get(secret)
    return login && findPerson(tables, login.user)
  }

  /** The reason why a login has ended. Undefined for an unknown login. */
  whyEnded(secret: string): string | undefined {
    return this.#ended.get(secret)
  }

  /** Whether a request tells Unleash more about a login, so that Unleash saves it and sends the cookie again. */
  isNews(secret: string, hasAgent: boolean): boolean {
    const login = this.#valid.get(secret)
    const news = hasAgent ? 2 : 1
    if (login === undefined || (login.met ?? 0) >= news) return false
    login.met = news
    return true
  }

  begin(login: SignedIn): void {
    this.#pending.push((scenario) => this.#add({ ...login, scenario, since: realTime() }))
  }

  end(secret: string, reason: string): void {
    this.#pending.push(() => {
      const login = this.#valid.get(secret)
      if (login !== undefined) this.#end(login, reason)
    })
  }

  change(personOf: (login: SignedIn) => Person | undefined, reason = SIGNED_OUT): void {
    this.#pending.push(() => {
      for (const login of [...this.#valid.values()]) {
        const user = personOf(login)
        if (user === undefined) this.#end(login, reason)
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
    for (const login of [...this.#valid.values()]) this.#end(login, 'everything was reset')
  }

  all(): SavedLogin[] {
    return [...this.#valid.keys()].flatMap((secret) => this.get(secret) ?? [])
  }

  toJSON(): SavedLogin[] {
    return this.all().map(({ met: _, ...saved }: KnownLogin) => saved)
  }

  resume(logins: readonly SavedLogin[]): void {
    for (const login of logins) this.#add(login)
  }

  #add(login: KnownLogin): void {
    this.#ended.delete(login.secret)
    this.#remove(login.secret)
    this.#valid.set(login.secret, { ...login })
    this.#byUser.set(login.user.id, (this.#byUser.get(login.user.id) ?? new Set()).add(login.secret))
    const [oldest] = this.#valid.keys()
    if (this.#valid.size > LOGINS_KEPT && oldest !== undefined) this.#remove(oldest)
  }

  #end({ secret }: SavedLogin, reason: string): void {
    this.#remove(secret)
    this.#ended.set(secret, reason)
    const [oldest] = this.#ended.keys()
    if (this.#ended.size > LOGINS_KEPT && oldest !== undefined) this.#ended.delete(oldest)
  }

  #remove(secret: string): void {
    const login = this.#valid.get(secret)
    if (login === undefined) return
    this.#valid.delete(secret)
    const secrets = this.#byUser.get(login.user.id)
    secrets?.delete(secret)
    if (secrets?.size === 0) this.#byUser.delete(login.user.id)
  }
}
