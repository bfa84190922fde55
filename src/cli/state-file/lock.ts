import { readFileSync } from 'node:fs'
import { open, readFile, rm, stat, utimes } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { createClock, sleep } from '../../support/clock.js'
import { createIds } from '../../support/ids.js'

/** Milliseconds between signs of life of a lock. */
const BEAT = 2000

/** Milliseconds without a sign of life after which a lock counts as abandoned, if its process can't be looked up. */
const ABANDONED = 15_000

/** Milliseconds in which two processes that take over the same abandoned lock find out about each other. */
const CONTEST = 100

/** The process that holds a lock. */
interface Holder {
  pid: number
  host: string
  /** When it started, where the system tells, else empty: a number of a process can be used again. */
  started: string
  /** Unique for each lock. */
  token: string
}

/** A lock that another process holds. */
interface Held {
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
  readonly #token: string
  readonly #beat: NodeJS.Timeout

  /** Locks a file, or returns who holds it. */
  static async acquire(file: string): Promise<Lock | Held> {
    const path = join(dirname(file), `.${basename(file)}.lock`)
    const { pid } = process
    const me: Holder = { pid, host: hostname(), started: startOf(pid), token: createIds().uuid() }
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

  private constructor(path: string, { token }: Holder) {
    this.#path = path
    this.#token = token
    own.add(token)
    this.#beat = setInterval(() => {
      utimes(path, clock.now(), clock.now()).catch(() => undefined)
    }, BEAT).unref()
  }

  async release(): Promise<void> {
    clearInterval(this.#beat)
    own.delete(this.#token)
    if ((await read(this.#path))?.token === this.#token) await rm(this.#path, { force: true })
  }
}

/** Creates the lock. Returns false if there is one already. */
async function create(path: string, holder: Holder): Promise<boolean> {
  try {
    const handle = await open(path, 'wx')
    await handle.writeFile(JSON.stringify(holder)).finally(() => handle.close())
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

async function read(path: string): Promise<Holder | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Holder
  } catch {
    return undefined
  }
}

async function isAbandoned(path: string, holder: Holder | undefined): Promise<boolean> {
  if (holder?.host !== hostname()) {
    const changed = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => 0,
    )
    return clock.epoch() - changed > ABANDONED
  }
  if (holder.pid === process.pid) return !own.has(holder.token)
  return !isRunning(holder.pid) || startOf(holder.pid) !== holder.started
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
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
