/** An error that the user can fix: one line with the problem, one with a hint. The command line's exit code is 2. */
export class UsageError extends Error {
  readonly hint: string

  constructor(message: string, hint: string) {
    super(message)
    this.hint = hint
  }
}
