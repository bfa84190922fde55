import { rename, rm, writeFile } from 'node:fs/promises'
import { createIds } from '../../support/ids.js'
import { printable } from '../../support/text.js'
import { describeSystemError, wholeFile } from '../files/json-file.js'
import { UsageError } from '../files/usage-error.js'
import { ServiceClient } from '../remote/client.js'
import type { Io } from './io.js'

/** The exit code of a command that was interrupted, as shells have it for Ctrl-C. */
const INTERRUPTED = 130

/** What a command that reads from a service works with. */
export interface Remote {
  client: ServiceClient
  /** Shows how far it is, on a terminal. */
  progress(done: number, total: number, what: string): void
  /** Writes to standard error, without the key. */
  tell(text: string): void
  withoutKey(text: string): string
}

/** Runs a command that reads from a service, with the key of the user. A signal stops it. Returns its exit code. */
export async function withRemote(url: string, io: Io, work: (remote: Remote) => Promise<number>): Promise<number> {
  const key = (io.env.FLAGDOUBLE_KEY ?? (await io.askSecret?.('Key of the service (it is not shown): ')) ?? '').trim()
  if (key === '') {
    throw new UsageError(
      'A key of the service is needed.',
      'Set FLAGDOUBLE_KEY to a personal access token or an admin API token, or run it in a terminal to be asked.',
    )
  }
  const stopped = new AbortController()
  io.onSignal(() => stopped.abort())
  const withoutKey = (text: string) => text.replaceAll(key, '[key]')
  const bar = new ProgressBar(io)
  const onWait = (seconds: number, path: string) => tell(`${path} is asked again in ${seconds} seconds.\n`)
  const client = new ServiceClient({ url, key, signal: stopped.signal, onWait })
  const tell = (text: string) => {
    bar.clear()
    io.stderr.write(withoutKey(text))
  }
  try {
    return await work({ client, progress: (...where) => bar.show(...where), tell, withoutKey })
  } catch (error) {
    if (!stopped.signal.aborted) throw error
    tell('flagdouble: interrupted. Nothing was written.\n')
    return INTERRUPTED
  } finally {
    bar.clear()
  }
}

const WIDTH = 24

/** One line on a terminal that tells how far the work is. Elsewhere it shows nothing. */
class ProgressBar {
  readonly #io: Io
  #isShown = false

  constructor(io: Io) {
    this.#io = io
  }

  show(done: number, total: number, what: string): void {
    if (!this.#io.stderr.isTTY) return
    this.#isShown = true
    const filled = Math.round((done / total) * WIDTH)
    const text = printable(what).slice(0, 60)
    this.#io.stderr.write(`\r\u001b[K[${'#'.repeat(filled).padEnd(WIDTH)}] ${done}/${total} ${text}`)
  }

  clear(): void {
    if (this.#isShown) this.#io.stderr.write('\r\u001b[K')
    this.#isShown = false
  }
}

/** Writes a file in one step: others see either the old one or the new one, complete. */
async function writeWhole(file: string, text: string): Promise<void> {
  const draft = `${file}.${createIds().uuid()}.tmp`
  try {
    await writeFile(draft, text, { mode: 0o600, flag: 'wx' })
    await rename(draft, file)
  } catch (error) {
    await rm(draft, { force: true })
    throw wholeFile(file, `can't be written: ${describeSystemError(error)}`, 'Choose another place with --out.')
  }
}

/** A value as indented JSON, in which every control character is escaped. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2).replaceAll(/[^\n]+/g, printable)}\n`
}

/** Writes a text where `--out` says, or to standard output. */
export async function writeOut(text: string, { out }: { out?: string }, { stdout }: Io): Promise<void> {
  if (out === undefined || out === '-') stdout.write(text)
  else await writeWhole(out, text)
}
