import type { Failure } from '../contract/errors.js'
import type { Reply } from '../contract/operation.js'
import type { FeatureRecord } from '../resources/flags/features/schema.js'
import { presentRole } from '../resources/people/roles/present.js'
import type { Tables } from '../resources/shared/context.js'
import { deepCopy, type Frozen } from '../support/freeze.js'
import { fail, type Result } from '../support/result.js'
import { createCollections, tableNames } from './collections.js'
import { StoredEventLog } from './event-log.js'
import { type LoadOptions, loadState } from './load-state.js'
import type { State } from './state.js'
import { Transaction } from './transaction.js'

/** All records of one world: many readers, one writer at a time. */
export class Store {
  readonly #collections = createCollections()
  readonly #log = new StoredEventLog()
  /** For reading only: what is written to it is never published. */
  readonly tables: Tables = new Transaction(this.#collections, this.#log).tables
  #tail: Promise<void> = Promise.resolve()
  #writers = 0
  #version = 0
  readonly #listeners = new Set<() => void>()

  /**
   * Runs an operation that may write, after all writes that came before. What it staged becomes visible in one step
   * if it succeeds; if not, it leaves nothing behind.
   */
  write(run: (tables: Tables) => Result<Reply, Failure>): Promise<Result<Reply, Failure>> {
    const turn = this.#writers === 0 ? this.#commit(run) : this.#tail.then(() => this.#commit(run))
    this.#writers++
    const leave = () => {
      this.#writers--
    }
    this.#tail = turn.then(leave, leave)
    return turn
  }

  /** Loads given state in one step; throws a `MockError` and changes nothing if it is not well-formed. */
  load(given: unknown, options: LoadOptions): void {
    loadState(this.#collections, this.#log, given, options)
    this.#changed()
  }

  /** Everything the world holds, as plain JSON that is the caller's own. */
  snapshot(): State {
    const { tables } = this
    const state = {
      version: 1,
      ...Object.fromEntries(tableNames.map((name) => [name, tables[name].list()])),
      features: tables.features.list().map((feature) => ({ ...feature, ...onlyIn(feature, tables) })),
      signupTokens: tables.signupTokens.list().map((token) => {
        const role = tables.roles.get(token.role.id)
        const users = token.users.flatMap(({ id }) => tables.users.get(id) ?? [])
        return {
          ...token,
          users: users.map(({ id, name, username }) => ({ id, name, username })),
          role: role === undefined ? token.role : presentRole(role),
        }
      }),
      events: this.#log.all(),
    }
    return deepCopy(state) as unknown as State
  }

  /** Calls back after each change; the answer ends that. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async #commit(run: (tables: Tables) => Result<Reply, Failure>): Promise<Result<Reply, Failure>> {
    for (;;) {
      const transaction = new Transaction(this.#collections, this.#log)
      const result = run(transaction.tables)
      if (!result.ok || transaction.isEmpty) return result
      if (!transaction.claim()) return fail({ kind: 'nameExists', message: 'The name is being taken just now.' })
      const version = this.#version
      let published = false
      try {
        await transaction.prepare()
        published = version === this.#version
        if (published) {
          transaction.publish()
          this.#changed()
          return result
        }
        // State was loaded meanwhile: the operation runs again, on that.
      } finally {
        if (!published) transaction.discard()
        transaction.release()
      }
    }
  }

  #changed(): void {
    this.#version++
    for (const listener of this.#listeners) listener()
  }
}

/** What a snapshot tells of a feature that is not in all environments of its project. */
function onlyIn({ project, environments }: Frozen<FeatureRecord>, tables: Tables): { onlyIn?: string[] } {
  const names = environments.map(({ name }) => name)
  const isEverywhere = tables.projects.get(project)?.environments.every((name) => names.includes(name)) ?? true
  return isEverywhere ? {} : { onlyIn: names }
}
