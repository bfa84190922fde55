import { rm } from 'node:fs/promises'
import { MockError } from '../../../engine/errors/mock-errors.js'
import { createMock, type Mock } from '../../../engine/mock/mock.js'
import { CORE } from '../../../engine/mock/session.js'
import {
  adopt,
  documentText,
  isDocument,
  readDocument,
  readSnapshot,
  type SavedState,
} from '../../../engine/persistence/document.js'
import { DocumentWriter } from '../../../engine/persistence/writer.js'
import { UNNAMED } from '../../../engine/sessions/sessions.js'
import type { PartialState } from '../../../engine/state/partial-state.js'
import { isObject } from '../../../support/json.js'
import { kindOf } from '../file-kind.js'
import { decode, describeSystemError, FileError, parseJson, readFileBytes, wholeFile } from '../json-file.js'
import { replaceFile } from '../replace-file.js'
import { UsageError } from '../usage-error.js'
import { type Held, Lock } from './lock.js'
import { type ResolvedFile, resolveFile, sweepTemporaryFiles } from './resolved-file.js'

const HINT = 'The file was left unchanged. Fix it, or choose another state file.'

interface StateFlags {
  state?: string | undefined
  stateSync?: boolean | undefined
  scenario?: unknown
}

/** Opens the state file, if a flag names one. Throws a `UsageError` if it can't be used. */
export async function openStateFile(
  { state, stateSync: sync = false, scenario }: StateFlags,
  mock: Mock,
  warn: (message: string) => void,
): Promise<StateFile | undefined> {
  if (state === undefined && sync) {
    throw new UsageError('--state-sync needs a state file.', 'Add one: --state flags.json --state-sync')
  }
  if (state === undefined) return undefined
  return StateFile.open(state, { mock, sync, startsInScenario: scenario !== undefined, warn })
}

interface StateFileOptions {
  mock: Mock
  /** Whether each change is on disk before its response. */
  sync: boolean
  /** Whether the shared session starts in the mock's scenario, in place of its saved scenario. */
  startsInScenario: boolean
  warn: (message: string) => void
  /** The maximum characters of the file. */
  most?: number
}

/** Saves the changes of all sessions of a mock in a file. */
export class StateFile {
  readonly #writer: DocumentWriter
  readonly #lock: Lock

  /**
   * Loads the file, if it exists, and tries to write it. If it can't be used, throws a `UsageError` and leaves it
   * unchanged.
   */
  static async open(file: string, options: StateFileOptions): Promise<StateFile> {
    const resolved = await resolveFile(file)
    const lock = await lockFile(file, resolved)
    try {
      const bytes = resolved.exists ? await readFileBytes(file) : new Uint8Array()
      const text = decode(file, bytes)
      if (text.trim() !== '') load(file, text, options)
      // Until here, a killed process can have left the only complete copy.
      await sweepTemporaryFiles(resolved.path)
      await tryWriting(file, resolved, bytes)
      const writer = createWriter(file, resolved, lock, options)
      options.mock[CORE].persistWith(writer)
      await options.mock.ready
      return new StateFile(writer, lock)
    } catch (error) {
      await lock.release()
      throw error
    }
  }

  private constructor(writer: DocumentWriter, lock: Lock) {
    this.#writer = writer
    this.#lock = lock
  }

  /** Saves a last time. Throws a `UsageError` if saving fails. */
  async close(): Promise<void> {
    const failure = await this.#writer.close()
    await this.#lock.release()
    if (failure !== undefined) throw new UsageError(failure, 'Unsaved changes are lost.')
  }
}

/** Writes the file unchanged, or a first one, so that a place without room or permission is noticed before any change. */
async function tryWriting(file: string, { path, exists, mode, owner }: ResolvedFile, bytes: Uint8Array): Promise<void> {
  try {
    await replaceFile(path, exists ? [bytes] : ['{}'], { mode, owner })
    if (!exists) await rm(path)
  } catch (error) {
    const problem = `The state can't be saved to ${file}: ${describeSystemError(error)}.`
    throw new UsageError(problem, 'Choose a state file in a folder that is writable and has free space.')
  }
}

function createWriter(
  file: string,
  { path, mode, owner }: ResolvedFile,
  lock: Lock,
  { mock, sync, warn, most }: StateFileOptions,
): DocumentWriter {
  return new DocumentWriter({
    keepsDataOnSwitch: true,
    sync,
    warn,
    async write() {
      const held = await lock.takenBy()
      if (held !== undefined) throw new Error(`another flagdouble${processOf(held)} uses it`)
      await replaceFile(path, documentText(mock[CORE], { withSettings: false, most }), { mode, owner, sync })
    },
    failed: (error) => `The state could not be saved to ${file}: ${describeSystemError(error)}.`,
    recovered: `The state is saved to ${file} again.`,
  })
}

async function lockFile(file: string, { path }: ResolvedFile): Promise<Lock> {
  const lock = await Lock.acquire(path).catch((error: unknown) => {
    const reason = describeSystemError(error)
    throw new UsageError(`The state file ${file} can't be locked: ${reason}.`, 'Choose a state file in another folder.')
  })
  if (lock instanceof Lock) return lock
  if (lock.holder === undefined) {
    throw new UsageError(
      `The state file ${file} is locked by ${lock.path}, which names no owner.`,
      'If no other flagdouble uses the file, delete the lock. Otherwise, choose another state file.',
    )
  }
  throw new UsageError(
    `The state file ${file} is in use by another flagdouble${processOf(lock)}.`,
    `Stop it, or choose another state file. If it no longer runs, delete ${lock.path}.`,
  )
}

function processOf({ holder }: Held): string {
  return holder === undefined ? '' : ` (process ${holder.pid} on ${holder.host})`
}

/** Resumes the file's contents in the mock: a document, or a snapshot of the shared session's world. */
function load(file: string, text: string, { mock, startsInScenario, warn }: StateFileOptions): void {
  if (isLog(text)) throw wholeFile(file, 'is the state file of an earlier version, a log of changes', HINT)
  const given = parseJson(file, text)
  const { name } = mock[CORE].sessions.unnamed.world()
  const kept = isDocument(given) ? inFile(file, () => readDocument(given)) : snapshotIn(file, given, name)
  const unnamed = kept.sessions.get(UNNAMED)
  if (unnamed !== undefined && startsInScenario) unnamed.selection = undefined
  for (const notice of kept.notices) warn(`${file}: ${notice}`)
  adopt(kept, mock[CORE])
}

/** Whether a text has the format of earlier versions: its first line is a header. */
function isLog(text: string): boolean {
  return /^\{[^\n]*"flagdouble":\s*"state"/.test(text)
}

function snapshotIn(file: string, given: unknown, world: string): SavedState {
  try {
    return inFile(file, () => readSnapshot(given, world))
  } catch (error) {
    throw otherKind(file, given) ?? error
  }
}

/** The error for a file of another kind: a scenario, or a fixture, which lacks required parts of a full state. */
function otherKind(file: string, given: unknown): FileError | undefined {
  if (!isObject(given)) return undefined
  if (kindOf(file, given) === 'scenario') {
    return wholeFile(file, 'is a scenario, not a state file', 'Put it into a folder, and pass --scenarios FOLDER.')
  }
  const isState = ['projects', 'environments', 'users', 'roles'].every((list) => list in given)
  if (isState || !canStartOn(given)) return undefined
  const message = 'is a fixture, and a state file must contain complete sessions'
  return wholeFile(file, message, `Pass it as --fixtures ${file}, and another file as --state.`)
}

function canStartOn(fixture: object): boolean {
  try {
    createMock({ fixtures: fixture as PartialState })
    return true
  } catch {
    return false
  }
}

/** Adds the file's name to errors in its data. */
function inFile<Value>(file: string, run: () => Value): Value {
  try {
    return run()
  } catch (error) {
    if (error instanceof MockError) throw new FileError(file, error.faults, HINT)
    throw error
  }
}
