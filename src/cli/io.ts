/** Where text goes. */
export interface Output {
  write(text: string): unknown
  readonly isTTY?: boolean | undefined
}

export type StopSignal = 'SIGINT' | 'SIGTERM'

/** Everything that the command line has of the world around it, so that a test can stand in for the process. */
export interface Io {
  stdout: Output
  stderr: Output
  env: Readonly<Record<string, string | undefined>>
  pid: number
  /** Calls back for each signal to stop; the answer ends that. */
  onSignal(listener: (signal: StopSignal) => void): () => void
}

/** A fault of the user's: one line that says what is wrong and where, and one that helps. It ends with exit code 2. */
export class UsageError extends Error {
  readonly hint: string

  constructor(message: string, hint: string) {
    super(message)
    this.hint = hint
  }
}
