import { readFileSync } from 'node:fs'
import { open, readFile, rm, stat, utimes } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import * as z from 'zod'
import { createClock, sleep } from '../../../support/clock.js'
import { systemCode } from '../../../support/errors.js'
import { createIds } from '../../../support/ids.js'

/** Milliseconds between signs of life of a lock. */
const BEAT = 2000

/** Milliseconds without a sign of life after which a lock counts as abandoned, if its process can't be looked up. */
const ABANDONED = 15_000

/** Milliseconds in which two processes that take over the same abandoned lock find out about each other. */
const CONTEST = 100

const holderSchema = z.object({
  pid: z.int(),
  host: z.string(),
  /** When the process started. Empty if unknown. Numbers of processes are used again. */
  started: z.string(),
  /** Unique for each lock. */
  token: z.string(),
})

type Holder = z.infer<typeof holderSchema>

/** A lock that another process holds. */
export interface Held {
  path: string
  /** Undefined if the lock doesn't say. */
  holder: Holder | undefined
}

const clock = createClock()

/** The tokens of the locks that this process holds. */
const own = new Set<string>()

/** A lock on a file: a file next to it that names the process. */
export class Lock {
  readonly #path: string
  readonly #holder: Holder
  readonly #beat: NodeJS.Timeout
  #onLost: (by: Held) => void = () => undefined

  /** Locks a file, or returns who holds it. */
  static async acquire(file: string): Promise<Lock | Held> {
    const path = join(dirname(file), `.${basename(file)}.lock`)
    const { pid } = process
    const me = { pid, host: hostname(), started: startOf(pid), token: createIds().uuid() }
    if (await create(path, me)) return new Lock(path, me)
    const holder = await read(path)
    if (!(await isAbandoned(path, holder))) return { path, holder }
    await rm(path, { force: true })
    if (await create(path, me)) {
      await sleep(CONTEST)
      if ((await read(path))?.token === me.token) return new Lock(path, me)
    }
    return { path, holder: await read(path) }
  }

  private constructor(path: string, holder: Holder) {
    this.#path = path
    this.#holder = holder
    own.add(holder.token)
    this.#beat = setInterval(() => void this.check(), BEAT).unref()
  }

  /** Calls back when another process has taken the lock over. */
  onLost(listener: (by: Held) => void): void {
    this.#onLost = listener
  }

  /** Gives a sign of life. Returns whether this process still has the lock; one that was deleted is made again. */
  async check(): Promise<boolean> {
    const holder = await read(this.#path)
    if (!own.has(this.#holder.token)) return false
    if (holder?.token === this.#holder.token) {
      await utimes(this.#path, clock.now(), clock.now()).catch(() => undefined)
      return true
    }
    // Where the folder is gone as well, there is nothing that somebody else could write to.
    if (holder === undefined && (await create(this.#path, this.#holder).catch(() => true))) return true
    clearInterval(this.#beat)
    own.delete(this.#holder.token)
    this.#onLost({ path: this.#path, holder: await read(this.#path) })
    return false
  }

  async release(): Promise<void> {
    clearInterval(this.#beat)
    own.delete(this.#holder.token)
    if ((await read(this.#path))?.token === this.#holder.token) await rm(this.#path, { force: true })
  }
}

/** Creates the lock. Returns false if there is one already. */
async function create(path: string, holder: Holder): Promise<boolean> {
  try {
    const handle = await open(path, 'wx')
    await handle.writeFile(JSON.stringify(holder)).finally(() => handle.close())
    return true
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false
    throw error
  }
}

async function read(path: string): Promise<Holder | undefined> {
  try {
    return holderSchema.parse(JSON.parse(await readFile(path, 'utf8')))
  } catch {
    return undefined
  }
}

/** A process can be looked up only on its own machine. Else its lock shows whether it still runs. */
async function isAbandoned(path: string, holder: Holder | undefined): Promise<boolean> {
  if (holder?.host === hostname()) {
    const { pid, started, token } = holder
    if (!isRunning(pid) || startOf(pid) !== started) return true
    if (started !== '') return pid === process.pid && !own.has(token)
  }
  const changed = await stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  )
  return clock.epoch() - changed > ABANDONED
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return systemCode(error) === 'EPERM'
  }
}

/** When a process started, in the system's own unit. Empty where /proc doesn't exist. */
function startOf(pid: number): string {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name of the process, in parentheses, may contain spaces. The start is the 20th field after it.
    return status.slice(status.lastIndexOf(')') + 2).split(' ')[19] ?? ''
  } catch {
    return ''
  }
}
