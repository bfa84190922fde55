import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { INIT_VARIABLES, Server, UNLEASH_8 } from '../test/fidelity/exchange.js'
import { freePort } from './ports.js'

/** The built command line with the profile `unleash-8`. It keeps its data over a restart, and stops when this process exits. */
export class Flagdouble {
  #process: ChildProcess | undefined
  readonly #folder = mkdtempSync(join(tmpdir(), 'flagdouble-lab-'))
  readonly #state = join(this.#folder, 'state.json')
  #port = 0

  constructor(readonly cli: string) {
    process.once('exit', () => {
      this.#process?.kill('SIGKILL')
      rmSync(this.#folder, { recursive: true, force: true })
    })
  }

  async fresh(): Promise<Server> {
    await this.#end()
    rmSync(this.#state, { force: true })
    this.#port = await freePort()
    return new Server(await this.#start())
  }

  async restart(): Promise<void> {
    await this.#end()
    await this.#start()
  }

  async #start(): Promise<string> {
    const options = ['--port', String(this.#port), '--json', ...UNLEASH_8, '--state', this.#state]
    const env = { PATH: process.env.PATH, ...INIT_VARIABLES }
    const child = spawn(process.execPath, [this.cli, 'start', ...options], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env,
    })
    this.#process = child
    const [line] = await once(createInterface({ input: child.stdout }), 'line')
    return JSON.parse(line).url
  }

  async #end(): Promise<void> {
    if (this.#process === undefined) return
    this.#process.kill('SIGTERM')
    if (this.#process.exitCode === null) await once(this.#process, 'exit')
    this.#process = undefined
  }
}
