import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { vi } from 'vitest'
import { cli } from './build.js'

/** The timeout for effects in another process. */
export const PATIENCE = { timeout: 30_000 }

export interface Running {
  child: ChildProcess
  stdout(): string
  stderr(): string
  /** Resolves to the exit code; null after a signal. */
  exit: Promise<number | null>
}

/** Everything that tests have started, which run at the same time. */
const started: Pick<Running, 'child' | 'exit'>[] = []

/** Ends everything that the tests of a file have started: for its `afterAll`. */
export async function endAll(): Promise<void> {
  for (const { child, exit } of started.splice(0)) {
    child.kill('SIGKILL')
    await exit
  }
}

export function launch(command: string, args: readonly string[], env: Record<string, string> = {}): Running {
  const cwd = join(import.meta.dirname, '..', '..')
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, detached: command === 'npm' })
  const written = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk) => {
    written.stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    written.stderr += chunk
  })
  const exit = once(child, 'close').then(([code]) => code as number | null)
  started.push({ child, exit })
  return { child, stdout: () => written.stdout, stderr: () => written.stderr, exit }
}

export const flagdouble = (...args: string[]) => launch(process.execPath, [cli, ...args])

/** Starts a server on a free port. */
export async function serve(...args: string[]): Promise<Running & { at: string; pid: number }> {
  return ready(flagdouble('start', '--port', '0', '--json', ...args))
}

/** Resolves when the server is ready. */
export async function ready(running: Running): Promise<Running & { at: string; pid: number }> {
  const line = await vi.waitFor(() => /^\{.*\}$/m.exec(running.stdout())?.[0] ?? Promise.reject(), PATIENCE)
  const { url, pid } = JSON.parse(line)
  return { ...running, at: url, pid }
}
