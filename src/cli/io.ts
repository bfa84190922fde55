/** Where text goes. */
export interface Output {
  write(text: string): unknown
  readonly isTTY?: boolean | undefined
}

export type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'SIGQUIT'

/** Everything that the command line needs from its process, so that tests can stand in for it. */
export interface Io {
  stdout: Output
  stderr: Output
  env: Readonly<Record<string, string | undefined>>
  pid: number
  /** Calls the listener for each signal to stop, until the process is gone. */
  onSignal(listener: (signal: StopSignal) => void): void
}
