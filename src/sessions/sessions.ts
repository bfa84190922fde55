import { Session, type SessionOptions } from './session.js'

/** Sessions that an instance keeps; the longest idle goes first. */
const SESSIONS_KEPT = 1000

/** The name of the session of everybody who names none. */
export const UNNAMED = ''

/** The sessions of an instance, each made on first use. The unnamed one is always there. */
export class Sessions {
  readonly unnamed: Session
  readonly #options: SessionOptions
  readonly #named = new Map<string, Session>()
  readonly #observers = new Set<(session: Session) => void>()
  readonly #disposeListeners = new Set<() => void>()

  constructor(options: SessionOptions) {
    this.#options = options
    this.unnamed = new Session(UNNAMED, options)
  }

  open(name: string): Session {
    if (name === UNNAMED) return this.unnamed
    const session = this.#named.get(name) ?? this.#start(name)
    this.#named.delete(name)
    this.#named.set(name, session)
    return session
  }

  /** All that are kept, the unnamed one first, then the longest idle. */
  all(): Session[] {
    return [this.unnamed, ...this.#named.values()]
  }

  /** Calls back when everything is forgotten: what never ends by itself ends then. The answer takes that back. */
  onDispose(listener: () => void): () => void {
    this.#disposeListeners.add(listener)
    return () => this.#disposeListeners.delete(listener)
  }

  /** Forgets everything. */
  dispose(): void {
    for (const listener of this.#disposeListeners) listener()
    this.#disposeListeners.clear()
    this.#named.clear()
    this.#observers.clear()
    this.unnamed.reset()
  }

  /** Calls back for every session, those there are and those to come; the answer ends the latter. */
  observe(observer: (session: Session) => void): () => void {
    for (const session of this.all()) observer(session)
    this.#observers.add(observer)
    return () => this.#observers.delete(observer)
  }

  #start(name: string): Session {
    const session = new Session(name, this.#options)
    const [oldest] = this.#named.keys()
    if (oldest !== undefined && this.#named.size >= SESSIONS_KEPT) this.#named.delete(oldest)
    for (const observer of this.#observers) observer(session)
    return session
  }
}
