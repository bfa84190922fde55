/** Functions that are called back when something happens. One that throws stops neither the others nor the request. */
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

/** A listener whose error is logged, so that it can't break the request that it is called for. */
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
