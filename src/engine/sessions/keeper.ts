/** What keeps the sessions of a mock beyond its process. */
export interface Keeper {
  /** Whether a switch leaves the data of the world that it restarts, so that only a reset discards it. */
  readonly outlivesRestarts: boolean
  /** Called after anything of a session has changed. It takes no time, so it may be called too often. */
  changed(): void
  /**
   * Settles when all changes so far are on disk. Undefined if they are, or if nobody needs to wait for that. Rejects with
   * a `MockError` if they can't be written.
   */
  durable(): Promise<void> | undefined
}
