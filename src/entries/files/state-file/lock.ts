import { readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import * as z from 'zod'
import { realTime, sleep } from '../../../support/clock.js'
import { systemCode } from '../../../support/errors.js'
import { createIds } from '../../../support/ids.js'

/** The milliseconds between heartbeats of a lock, and without a heartbeat until it counts as abandoned. */
const BEAT = 2000
const ABANDONED = 15_000

/** The milliseconds in which two processes that take over the same abandoned lock notice each other. */
const CONTEST = 100

const holderSchema = z.object({ pid: z.int(), host: z.string(), token: z.string() })

type Holder = z.infer<typeof holderSchema>

/** Another process's lock. */
export interface Held {
  path: string
  /** Undefined if the lock doesn't name it. */
  holder: Holder | undefined
}

/** The tokens of this process's locks. */
const own = new Set<string>()

/** A lock on a file: a file next to it that names the process. */
export class Lock {
  readonly #path: string
  readonly #holder: Holder
  readonly #beat: NodeJS.Timeout

  /** Locks a file, or returns the other holder. */
  static async acquire(file: string): Promise<Lock | Held> {
    const path = join(dirname(file), `.${basename(file)}.lock`)
    const me = { pid: process.pid, host: hostname(), token: createIds().uuid() }
    if (await create(path, me)) return new Lock(path, me)
    const holder = await read(path)
    if (!(await isAbandoned(path, holder))) return { path, holder }
    await rm(path, { force: true })
    await create(path, me)
    await sleep(CONTEST)
    const winner = await read(path)
    return winner?.token === me.token ? new Lock(path, me) : { path, holder: winner }
  }

  private constructor(path: string, holder: Holder) {
    this.#path = path
    this.#holder = holder
    own.add(holder.token)
    this.#beat = setInterval(() => void this.takenBy(), BEAT).unref()
  }

  /** Updates the heartbeat. Returns the new holder, if another process has taken the lock over; recreates a deleted lock. */
  async takenBy(): Promise<Held | undefined> {
    let holder = await read(this.#path)
    if (holder === undefined && (await create(this.#path, this.#holder).catch(() => true))) holder = this.#holder
    if (holder?.token !== this.#holder.token) return { path: this.#path, holder }
    const now = new Date(realTime())
    await utimes(this.#path, now, now).catch(() => undefined)
    return undefined
  }

  async release(): Promise<void> {
    clearInterval(this.#beat)
    own.delete(this.#holder.token)
    const isOurs = (await read(this.#path))?.token === this.#holder.token
    // A lock that stays, as on a disk that became read-only, is abandoned.
    if (isOurs) await rm(this.#path, { force: true }).catch(() => undefined)
  }
}

/** Creates the lock. Returns false if it exists. */
async function create(path: string, holder: Holder): Promise<boolean> {
  try {
    await writeFile(path, JSON.stringify(holder), { flag: 'wx' })
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

/** A process of this machine can be asked, also while it is stopped. That of another machine is known by its heartbeat. */
async function isAbandoned(path: string, holder: Holder | undefined): Promise<boolean> {
  if (holder?.host === hostname()) return !isRunning(holder)
  const beat = await stat(path).catch(() => undefined)
  // A heartbeat in the future comes from before a clock went back.
  return Math.abs(realTime() - (beat?.mtimeMs ?? 0)) > ABANDONED
}

function isRunning({ pid, token }: Holder): boolean {
  // In a container, each start has the same process ID.
  if (pid === process.pid) return own.has(token)
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return systemCode(error) === 'EPERM'
  }
}
