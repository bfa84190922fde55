/** Functions that are called back when something happens. */
export class Listeners<Args extends readonly unknown[] = []> {
  readonly #listeners = new Set<(...args: Args) => void>()

  /** Adds a listener. Returns a function that removes it. */
  add(listener: (...args: Args) => void): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
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
