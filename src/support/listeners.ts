/** Functions to call when something happens. If one throws, the others still run, and the request goes on. */
export class Listeners<Args extends readonly unknown[] = []> {
  readonly #listeners = new Set<(...args: Args) => void>()

  /** Adds a listener. Returns a function that removes it. */
  add(listener: (...args: Args) => void): () => void {
    const own = isolated(listener)
    this.#listeners.add(own)
    return () => {
      this.#listeners.delete(own)
    }
  }

  get isEmpty(): boolean {
    return this.#listeners.size === 0
  }

  notify(...args: Args): void {
    for (const listener of this.#listeners) listener(...args)
  }

  clear(): void {
    this.#listeners.clear()
  }
}

/** A listener whose errors are logged, so that they can't break the request. */
export function isolated<Args extends readonly unknown[]>(listener: (...args: Args) => void): (...args: Args) => void {
  return (...args) => {
    try {
      listener(...args)
    } catch (error) {
      // biome-ignore lint/suspicious/noConsole: thrown on, it would break a request or end the process
      console.error('[flagdouble] A listener threw an error:', error)
    }
  }
}
