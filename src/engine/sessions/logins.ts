import { LOGIN_LASTS, LOGINS_KEPT, type LoginRecord, type SignedIn } from '../../service/resources/people/login.js'
import { keepLogin } from '../../service/resources/people/login.model.js'
import type { Commit } from '../../service/store/table.js'
import { type Clock, createClock } from '../../support/clock.js'
import { type Frozen, none } from '../../support/freeze.js'
import type { WorldData } from '../state/state.js'

/** What is asked of a world here. */
interface OpenWorld {
  readonly name: string
  readonly data: WorldData
  readonly clock: Clock
}

/** The worlds of a session, by their names: those that are open, and the data of those that are only kept. */
interface Worlds {
  open(): ReadonlyMap<string, OpenWorld>
  kept(): ReadonlyMap<string, { readonly data: WorldData }>
  /** Opens one that is kept. Undefined if its scenario no longer exists. */
  reopen(name: string): OpenWorld | undefined
}

/** A login, and the scenario in which somebody signed in. */
export interface FoundLogin extends SignedIn {
  scenario: string
}

/** What is known of a login besides its records. */
interface KnownLogin {
  /** Since when it is one, by the real time. */
  since: number
  /** Why it no longer is. */
  ended?: string
}

/**
 * Who is signed in in a session. Logins are records of worlds. But a login made in one of them counts in all others that
 * have its user, as a person who changes the scenario expects. It ends in all of them at once: with its user, by a logout, or when it is
 * over by the real time, whatever the clocks of the worlds show.
 */
export class Logins {
  readonly #worlds: Worlds
  /** Those of worlds that are gone: restarted, or dropped to make room. */
  readonly #left = new Map<string, FoundLogin>()
  /** The oldest first. */
  readonly #known = new Map<string, KnownLogin>()
  readonly #time = createClock()
  /** Whether worlds are just told of an end, and would tell the others again. */
  #isEnding = false

  constructor(worlds: Worlds) {
    this.#worlds = worlds
  }

  /** A login that is valid in any world of the session. */
  find(secret: string): FoundLogin | undefined {
    for (const [name, { data }] of [...this.#worlds.open(), ...this.#worlds.kept()]) {
      const found = signedIn(data, secret)
      if (found !== undefined) return { ...found, scenario: name }
    }
    return this.#left.get(secret)
  }

  /** The logins of worlds that are gone. They go on in new ones. */
  left(): Iterable<SignedIn> {
    return this.#left.values()
  }

  /** Remembers the logins of a world that is about to go. */
  leave({ name, data }: OpenWorld): void {
    for (const { secret } of data.tables.logins.list()) {
      const found = signedIn(data, secret)
      if (found !== undefined) this.add({ ...found, scenario: name })
    }
  }

  /** Has those be signed in in a world that comes back who are signed in now, and nobody else. */
  comeBack({ data, clock }: OpenWorld): void {
    data.transact((tables) => {
      for (const { secret } of tables.logins.list()) if (!this.#left.has(secret)) tables.logins.remove(secret)
      for (const login of this.#left.values()) keepLogin(login, tables, clock.now())
    })
  }

  add(login: FoundLogin): void {
    this.#left.set(login.secret, login)
    const [oldest] = this.#left.keys()
    if (this.#left.size > LOGINS_KEPT && oldest !== undefined) this.#left.delete(oldest)
  }

  /** The logins of a world begin to age. */
  begin({ data, clock }: OpenWorld): void {
    for (const login of data.tables.logins.oldestFirst()) this.#begin(login, clock)
  }

  /** Has the logins begin that a commit is about to make in a world, and those end in all others that it ends there. */
  follow(commit: Commit, from: OpenWorld): void {
    if (this.#isEnding) return
    const ofLogins = commit.changes.get('logins') ?? none
    const made = ofLogins.flatMap(({ after }) => after ?? []) as Frozen<LoginRecord>[]
    for (const login of made) this.#begin(login, from.clock)
    let why = 'its user signed out, or has another password'
    if (made.length > 0) why = `there are ${LOGINS_KEPT.toLocaleString('en')} newer ones`
    if (commit.replacesAll) why = 'the state was replaced by one without it'
    for (const secret of endedBy(commit, from.data)) this.#end(secret, why, from.data)
  }

  /** Ends a login that has lasted as long as it may. */
  endIfOver(secret: string): void {
    const known = this.#known.get(secret)
    if (known === undefined || known.ended !== undefined || this.#time.epoch() - known.since < LOGIN_LASTS) return
    this.#end(secret, 'it lasted two days')
  }

  /** Why a login is none any more. Undefined if it never was one here. */
  whyEnded(secret: string): string | undefined {
    const known = this.#known.get(secret)
    return known && (known.ended ?? 'its user was removed')
  }

  /** Ends all logins. */
  clear(): void {
    this.#left.clear()
    for (const known of this.#known.values()) known.ended ??= 'everything was reset'
  }

  /** A login that is given may have begun earlier: as long ago as its date is, by the clock of its world and by the real time. */
  #begin({ secret, createdAt }: Frozen<LoginRecord>, clock: Clock): void {
    const known = this.#known.get(secret)
    if (known !== undefined && known.ended === undefined) return
    const [now, began] = [this.#time.epoch(), Date.parse(createdAt)]
    const age = Math.max(0, Math.min(now - began, clock.epoch() - began))
    this.#known.delete(secret)
    this.#known.set(secret, { since: now - age })
    const [oldest] = this.#known.keys()
    if (this.#known.size > LOGINS_KEPT && oldest !== undefined) this.#known.delete(oldest)
  }

  #end(secret: string, why: string, last?: WorldData): void {
    this.#isEnding = true
    try {
      for (const [name, { data }] of this.#worlds.kept()) if (data.tables.logins.has(secret)) this.#worlds.reopen(name)
      for (const { data } of this.#worlds.open().values()) {
        if (data !== last && data.tables.logins.has(secret)) data.transact(({ logins }) => logins.remove(secret))
      }
    } finally {
      this.#isEnding = false
    }
    this.#left.delete(secret)
    const known = this.#known.get(secret)
    if (known !== undefined) known.ended = why
  }
}

function signedIn({ tables }: WorldData, secret: string): SignedIn | undefined {
  const login = tables.logins.get(secret)
  const user = login && tables.users.get(login.userId)
  return user && { secret, user }
}

/** The logins that end with a commit. One that goes with its user is still valid where the user still exists. */
function endedBy({ changes, replacesAll }: Commit, { tables }: WorldData): string[] {
  const ofLogins = changes.get('logins') ?? none
  if (replacesAll) {
    const kept = new Set(ofLogins.map(({ key }) => key))
    return tables.logins.list().flatMap(({ secret }) => (kept.has(secret) ? [] : [secret]))
  }
  if (ofLogins.length === 0) return []
  const users = changes.get('users') ?? none
  const gone = new Set(users.filter(({ after }) => after === undefined).map(({ key }) => key))
  return ofLogins
    .filter(({ key, after }) => after === undefined && !gone.has(tables.logins.get(String(key))?.userId ?? ''))
    .map(({ key }) => String(key))
}
