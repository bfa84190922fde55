import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished, vi } from 'vitest'
import type { Io, StopSignal } from '../../src/entries/cli/io.js'
import { run } from '../../src/entries/cli/main.js'

/** A run of the command line in this process, with its output so far. */
export interface CliRun {
  stdout(): string
  stderr(): string
  signal(name: StopSignal): void
  /** Resolves to the exit code. */
  done: Promise<number>
  /** The server's URL; resolves when it is ready. */
  url(): Promise<string>
}

export interface CliOptions {
  env?: Record<string, string>
  isTTY?: boolean
  /** The input for a secret. */
  secret?: string
  /** The text of standard input. */
  input?: string
}

/** Runs the command line. At the end of the test, stops a run that is still going. */
export function runCli(
  argv: readonly string[],
  { env = {}, isTTY = false, secret, input = '' }: CliOptions = {},
): CliRun {
  const written = { stdout: '', stderr: '' }
  const listeners = new Set<(signal: StopSignal) => void>()
  const output = (name: 'stdout' | 'stderr') => ({
    isTTY,
    write(text: string) {
      written[name] += text
    },
  })
  const io: Io = {
    stdout: output('stdout'),
    stderr: output('stderr'),
    env,
    pid: 4711,
    onSignal(listener) {
      listeners.add(listener)
    },
    readInput: async () => input,
    askSecret: async () => secret,
  }
  const done = run(argv, io)
  const signal = (name: StopSignal) => {
    for (const listener of listeners) listener(name)
  }
  onTestFinished(async () => {
    signal('SIGTERM')
    await done
  })
  return {
    stdout: () => written.stdout,
    stderr: () => written.stderr,
    signal,
    done,
    url: () => vi.waitFor(() => readUrl(written.stdout), { timeout: 10_000, interval: 2 }),
  }
}

/** Starts a server on a free port, with one line of JSON; resolves when it is ready. */
export async function startCli(argv: readonly string[] = [], options?: CliOptions): Promise<CliRun & { at: string }> {
  const cli = runCli(['start', '--port', '0', '--json', ...argv], options)
  await Promise.race([cli.url(), cli.done])
  if (cli.stdout() === '') throw new Error(`It did not start: ${cli.stderr()}`)
  return { ...cli, at: await cli.url() }
}

/** A separate folder for a test. `put` writes a file in it (an object as JSON), and returns its path. */
export function scratchFolder(): { path: string; put(name: string, content: unknown): string } {
  const path = mkdtempSync(join(tmpdir(), 'flagdouble-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return {
    path,
    put(name, content) {
      const file = join(path, name)
      writeFileSync(
        file,
        typeof content === 'string' || content instanceof Uint8Array ? content : JSON.stringify(content),
      )
      return file
    },
  }
}

function readUrl(stdout: string): string {
  const [, url] = /"url":"([^"]+)"/.exec(stdout) ?? /API\s+(\S+)/.exec(stdout) ?? []
  if (url === undefined) throw new Error(`It is not ready: ${stdout}`)
  return url
}
