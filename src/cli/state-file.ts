import { constants } from 'node:fs'
import { access, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { MockError } from '../contract/mock-errors.js'
import type { Mock } from '../mock/mock.js'
import type { State } from '../state/state.js'
import { startStopwatch } from '../support/clock.js'
import { UsageError } from './io.js'
import { describeSystemError, FileError, readJson, wholeFile } from './json-file.js'

/** Milliseconds to collect changes before writing them. */
const GATHER = 100

/** Pause between snapshots, as a multiple of the time the last one took: large states must not slow us down. */
const REST = 10

/** Keeps the state of a mock's unnamed session in a file. */
export class StateFile {
  readonly #file: string
  readonly #mock: Mock
  readonly #onFailure: (message: string) => void
  readonly #unsubscribe: () => void
  #timer: NodeJS.Timeout | undefined
  #saving: Promise<void> = Promise.resolve()
  #pause = GATHER

  /** Loads the file, if it exists. If it can't be used, throws a `FileError` and leaves it unchanged. */
  static async open(file: string, mock: Mock, onFailure: (message: string) => void): Promise<StateFile> {
    const target = await targetOf(file)
    if (target.exists) restore(file, mock, await readJson(file))
    return new StateFile(target.path, mock, onFailure)
  }

  private constructor(file: string, mock: Mock, onFailure: (message: string) => void) {
    this.#file = file
    this.#mock = mock
    this.#onFailure = onFailure
    this.#unsubscribe = mock.onChange(() => this.#schedule())
  }

  /** Saves one last time. */
  async close(): Promise<void> {
    this.#unsubscribe()
    clearTimeout(this.#timer)
    await this.#save()
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#save()
    }, this.#pause)
  }

  /** Saves once the running save is done. */
  #save(): Promise<void> {
    this.#saving = this.#saving.then(() => this.#write())
    return this.#saving
  }

  async #write(): Promise<void> {
    try {
      await this.#mock.ready
      const elapsed = startStopwatch()
      const text = serialise(this.#mock.state())
      this.#pause = Math.max(GATHER, REST * elapsed())
      await replaceFile(this.#file, text)
    } catch (error) {
      this.#onFailure(`The state could not be saved to ${this.#file}: ${describeSystemError(error)}.`)
    }
  }
}

/** JSON with one line per record: fast to write, and easy to compare. */
function serialise(state: State): string {
  const lists = Object.entries(state).map(([name, value]) => {
    if (!Array.isArray(value)) return `${JSON.stringify(name)}: ${JSON.stringify(value)}`
    return `${JSON.stringify(name)}: [${value.map((record) => `\n  ${JSON.stringify(record)}`).join(',')}\n]`
  })
  return `{\n${lists.join(',\n')}\n}\n`
}

/** The file behind a path, with links resolved, and whether it exists. */
async function targetOf(file: string): Promise<{ path: string; exists: boolean }> {
  const path = await realpath(file).catch(() => resolve(file))
  const found = await stat(path).catch(() => undefined)
  if (found?.isDirectory()) throw wholeFile(file, 'this is a folder, not a file', 'Pass the path of a file.')
  try {
    await access(dirname(path), constants.W_OK)
  } catch (error) {
    const reason = describeSystemError(error).replace('file', 'folder')
    throw new UsageError(
      `The state can't be saved in ${dirname(path)}: ${reason}.`,
      'Pass --state a file in a folder that you can write to.',
    )
  }
  return { path, exists: found !== undefined }
}

function restore(file: string, mock: Mock, given: unknown): void {
  try {
    mock.restore(given as never)
  } catch (error) {
    if (!(error instanceof MockError)) throw error
    throw new FileError(file, error.faults, 'The file was left unchanged. Fix it, or pass --state another one.')
  }
}

/** Replaces a file's text in one step: readers see either the old text or the new one, complete. */
async function replaceFile(file: string, text: string): Promise<void> {
  const temporary = join(dirname(file), `.${basename(file)}.${process.pid}.tmp`)
  try {
    const handle = await open(temporary, 'w')
    try {
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}
