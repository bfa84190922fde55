import { describeSystemError } from '../../files/json-file.js'
import { UsageError } from '../../files/usage-error.js'
import type { Mock } from '../../mock/mock.js'
import { load } from './load.js'
import { Lock } from './lock.js'
import { sweepTemporaryFiles, type Target, targetOf } from './target.js'
import type { Writer } from './writer.js'

export interface StateFileOptions {
  mock: Mock
  /** Whether each change is on disk before its response goes out. */
  sync: boolean
  /** Whether the unnamed session starts in the mock's scenario, in place of the one that it was in last. */
  startsInScenario: boolean
  warn: (message: string) => void
}

/** Keeps what is changed in any session of a mock in a file. */
export class StateFile {
  readonly #writer: Writer
  readonly #lock: Lock
  /** The number of states that were loaded. */
  readonly loaded: number

  /** Loads the file, if it exists. If it can't be used, throws a `UsageError` and leaves it unchanged. */
  static async open(file: string, options: StateFileOptions): Promise<StateFile> {
    const target = await targetOf(file)
    const lock = await lockTarget(file, target)
    try {
      await sweepTemporaryFiles(target.path)
      const { writer, size } = await load(file, target, options)
      return new StateFile(lock, writer, size)
    } catch (error) {
      await lock.release()
      throw error
    }
  }

  private constructor(lock: Lock, writer: Writer, loaded: number) {
    this.#lock = lock
    this.#writer = writer
    this.loaded = loaded
  }

  /** Saves one last time. Throws a `UsageError` if that fails. */
  async close(): Promise<void> {
    const failure = await this.#writer.close()
    await this.#lock.release()
    if (failure !== undefined) throw new UsageError(failure, 'The changes that were not saved are lost.')
  }
}

async function lockTarget(file: string, { path }: Target): Promise<Lock> {
  const lock = await Lock.acquire(path).catch((error: unknown) => {
    const reason = describeSystemError(error)
    throw new UsageError(`The state file ${file} can't be locked: ${reason}.`, 'Pass --state a file in another folder.')
  })
  if (lock instanceof Lock) return lock
  const { holder } = lock
  const process = holder === undefined ? '' : ` (process ${holder.pid} on ${holder.host})`
  throw new UsageError(
    `The state file ${file} is in use by another flagdouble${process}.`,
    `Stop that one, or pass --state another file. If it no longer runs, delete ${lock.path}.`,
  )
}
