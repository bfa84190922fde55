import { LOGINS_KEPT, type SignedIn } from '../resources/people/login.js'
import { findLogin, keepLogin } from '../resources/people/login.model.js'
import type { WorldData } from '../state/state.js'
import type { Commit } from '../store/table.js'
import type { Clock } from '../support/clock.js'
import { none } from '../support/freeze.js'

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

/**
 * Who is signed in in a session. Logins are records of worlds. But a login made in one of them counts in all others that
 * have its user, as a person who changes the scenario expects. It ends in all of them at once.
 */
export class Logins {
  readonly #worlds: Worlds
  /** Those of worlds that are gone: restarted, or dropped to make room. */
  readonly #left = new Map<string, FoundLogin>()
  /** Whether worlds are just told of an end, and would tell the others again. */
  #isEnding = false

  constructor(worlds: Worlds) {
    this.#worlds = worlds
  }

  /** A login that is valid in any world of the session. */
  find(secret: string, now: Date): FoundLogin | undefined {
    for (const [name, { data, clock }] of this.#worlds.open()) {
      const found = signedIn(data, secret, clock.now())
      if (found !== undefined) return { ...found, scenario: name }
    }
    for (const [name, { data }] of this.#worlds.kept()) {
      const found = signedIn(data, secret, now)
      if (found !== undefined) return { ...found, scenario: name }
    }
    return this.#left.get(secret)
  }

  /** The logins of worlds that are gone. They go on in new ones. */
  left(): Iterable<SignedIn> {
    return this.#left.values()
  }

  /** Remembers the logins of a world that is about to go. */
  leave({ name, data, clock }: OpenWorld): void {
    for (const { secret } of data.tables.logins.list()) {
      const found = signedIn(data, secret, clock.now())
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

  /** Ends in all other worlds the logins that a commit is about to end in one. */
  endWith(commit: Commit, from: OpenWorld): void {
    if (this.#isEnding) return
    this.#isEnding = true
    try {
      for (const secret of endedBy(commit, from.data)) this.#end(secret, from)
    } finally {
      this.#isEnding = false
    }
  }

  clear(): void {
    this.#left.clear()
  }

  #end(secret: string, { data: last }: OpenWorld): void {
    for (const [name, { data }] of this.#worlds.kept()) if (data.tables.logins.has(secret)) this.#worlds.reopen(name)
    for (const { data } of this.#worlds.open().values()) {
      if (data !== last && data.tables.logins.has(secret)) data.transact(({ logins }) => logins.remove(secret))
    }
    this.#left.delete(secret)
  }
}

function signedIn({ tables }: WorldData, secret: string, now: Date): SignedIn | undefined {
  const login = findLogin(tables, secret, now)
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
