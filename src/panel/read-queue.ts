/** How much to read: everything, or only what each part of the panel shows. */
export type Extent = 'brief' | 'all'

/** Milliseconds to collect changes before reading again. */
const GATHER_MS = 150

/** Reads one after the other, so that older data never replaces newer data. Wishes during a read are one more read. */
export class ReadQueue {
  readonly #read: (extent: Extent) => Promise<void>
  #wanted: Extent | undefined
  #reading: Promise<void> | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(read: (extent: Extent) => Promise<void>) {
    this.#read = read
  }

  /** Resolves when a read of this extent, begun from now on, has ended. */
  now(extent: Extent): Promise<void> {
    this.want(extent)
    this.#reading ??= this.#readWanted().finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  /** Calls a function soon, unless it will be called anyway. */
  soon(run: () => void): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      run()
    }, GATHER_MS)
  }

  /** Extends the next read. */
  want(extent: Extent): void {
    if (this.#wanted !== 'all') this.#wanted = extent
  }

  /** Forgets the function to call soon. */
  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  async #readWanted(): Promise<void> {
    while (this.#wanted !== undefined) {
      const extent = this.#wanted
      this.#wanted = undefined
      await this.#read(extent)
    }
  }
}
