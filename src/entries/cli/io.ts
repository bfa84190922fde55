import { CommanderError } from 'commander'
import { MockError } from '../../engine/errors/mock-errors.js'
import { systemCode } from '../../support/errors.js'
import { printable } from '../../support/text.js'
import { describeSystemError, wholeFile } from '../files/json-file.js'
import { replaceFile } from '../files/replace-file.js'
import { inFile } from '../files/sources.js'
import { UsageError } from '../files/usage-error.js'

export interface Output {
  write(text: string): unknown
  readonly isTTY?: boolean | undefined
}

export type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP' | 'SIGQUIT' | 'SIGUSR2'

/** The command line's access to its process, which tests can replace. */
export interface Io {
  stdout: Output
  stderr: Output
  env: Readonly<Record<string, string | undefined>>
  pid: number
  /** Calls the listener for each stop signal, until the process is gone. */
  onSignal(listener: (signal: StopSignal) => void): void
  /** The whole text of standard input. */
  readInput(): Promise<string>
  /** Asks the user at the terminal for a secret without showing it. Undefined without a response. */
  askSecret?(question: string): Promise<string | undefined>
}

/** An output for texts with any names. Control characters except line breaks could steer a terminal, so they are shown as text. */
export function safeOutput(output: Output): Output {
  return {
    isTTY: output.isTTY,
    write: (text) => output.write(text.split('\n').map(printable).join('\n')),
  }
}

/** Writes a text to the `--out` file, or to standard output. A file can contain secrets, so only its owner can read it. */
export async function writeOut(text: string, { out }: { out?: string }, { stdout }: Io): Promise<void> {
  if (out === undefined || out === '-') stdout.write(text)
  else
    await replaceFile(out, [text], { mode: 0o600 }).catch((error: unknown) => {
      const reason = systemCode(error) === 'ENOENT' ? 'there is no such folder' : describeSystemError(error)
      throw wholeFile(out, `can't be written: ${reason}`, 'Choose another place with --out.')
    })
}

/** The exit code for errors that the user can fix. */
export const USAGE = 2
const BUG = 1

/** Prints an error on standard error: one line with the problem, one with a hint. Returns the exit code. */
export function printError(error: unknown, { stderr }: Pick<Io, 'stderr'>): number {
  const { message, hint, code } = explain(error)
  stderr.write(`flagdouble: ${message}\nhint: ${hint}\n`)
  return code
}

function explain(given: unknown): { message: string; hint: string; code: number } {
  const error = inFile(undefined, given)
  if (error instanceof UsageError) return { message: error.message, hint: error.hint, code: USAGE }
  if (error instanceof MockError) return { message: error.problem, hint: error.hint, code: USAGE }
  if (error instanceof CommanderError) {
    const [message = ''] = error.message.replace(/^error: /, '').split('\n')
    return {
      message: `${message.replace(/\.$/, '')}.`,
      hint: 'See `flagdouble --help`, or `flagdouble help COMMAND`.',
      code: USAGE,
    }
  }
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { message: `failed: ${trace}`, hint: 'This is a bug in flagdouble. Please report it.', code: BUG }
}
