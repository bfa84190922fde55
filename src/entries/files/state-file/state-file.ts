import { readFile } from 'node:fs/promises'
import { createMock, type Mock } from '../../../engine/mock/mock.js'
import { CORE, sessionOf } from '../../../engine/mock/session.js'
import { KeptSessions } from '../../../engine/persistence/kept-sessions.js'
import { LineError, type Replayed, readHeader, replay } from '../../../engine/persistence/replay.js'
import type { PartialState } from '../../../engine/state/partial-state.js'
import { MockError } from '../../../service/contract/mock-errors.js'
import { EVENTS_KEPT } from '../../../service/store/event-log.js'
import { isObject } from '../../../support/json.js'
import { version } from '../../../version.js'
import { describeSystemError, FileError, readJson, wholeFile } from '../json-file.js'
import { UsageError } from '../usage-error.js'
import { FileLog } from './file-log.js'
import { type Held, Lock } from './lock.js'
import { type ResolvedFile, resolveFile, sweepTemporaryFiles } from './resolved-file.js'

const HINT = 'The file was left unchanged. Fix it, or pass --state another one.'

interface StateFlags {
  state?: string | undefined
  stateSync?: boolean | undefined
  scenario?: unknown
  fixtures: readonly unknown[]
}

/** Opens the state file that flags name, if they name one. Throws a `UsageError` if it can't be used. */
export async function openStateFile(
  { state, stateSync: sync = false, scenario, fixtures }: StateFlags,
  mock: Mock,
  warn: (message: string) => void,
): Promise<StateFile | undefined> {
  if (state === undefined && sync) {
    throw new UsageError('--state-sync needs a state file.', 'Name one: --state flags.json --state-sync')
  }
  if (state === undefined) return undefined
  const file = await StateFile.open(state, { mock, sync, startsInScenario: scenario !== undefined, warn })
  if (file.loaded > 0 && fixtures.length > 0) {
    warn(`The fixtures are not added to what ${state} holds. A reset starts over with them.`)
  }
  return file
}

interface StateFileOptions {
  mock: Mock
  /** Whether each change is on disk before its response goes out. */
  sync: boolean
  /** Whether the unnamed session starts in the mock's scenario, in place of the one that it was in last. */
  startsInScenario: boolean
  warn: (message: string) => void
}

/** Keeps what is changed in any session of a mock in a file. */
export class StateFile {
  readonly #log: FileLog
  readonly #lock: Lock
  /** The number of states that were loaded. */
  readonly loaded: number

  /** Loads the file, if it exists. If it can't be used, throws a `UsageError` and leaves it unchanged. */
  static async open(file: string, options: StateFileOptions): Promise<StateFile> {
    const resolved = await resolveFile(file)
    const lock = await lockFile(file, resolved)
    try {
      await sweepTemporaryFiles(resolved.path)
      return await StateFile.#load(file, resolved, lock, options)
    } catch (error) {
      await lock.release()
      throw error
    }
  }

  static async #load(
    file: string,
    resolved: ResolvedFile,
    lock: Lock,
    { mock, sync, startsInScenario, warn }: StateFileOptions,
  ): Promise<StateFile> {
    const log = new FileLog({ resolved, sync, everything: () => kept.entries(), isLocked: () => lock.check(), warn })
    const kept: KeptSessions = new KeptSessions(log, { outlivesRestarts: true, eventsKept: EVENTS_KEPT })
    lock.onLost((held) => void log.stop(takenOver(file, held)))
    const stored = resolved.exists ? await read(file) : undefined
    if (stored !== undefined) kept.adopt(stored)
    else if (resolved.exists) adoptPlainState(kept, mock, file, await readJson(file))
    const loaded = kept.size
    if (stored?.dropped[0] !== undefined) {
      warn(`What can't be read in ${file} is dropped (${stored.dropped.length}): ${stored.dropped[0]}`)
    }
    if (stored !== undefined) await goOn(file, log, stored)
    if (startsInScenario) kept.switched('', undefined)
    mock[CORE].keepWith(kept)
    warnOfUnknownScenarios(kept, mock, warn)
    await mock.ready
    return new StateFile(log, lock, loaded)
  }

  private constructor(log: FileLog, lock: Lock, loaded: number) {
    this.#log = log
    this.#lock = lock
    this.loaded = loaded
  }

  /** Saves one last time. Throws a `UsageError` if that fails. */
  async close(): Promise<void> {
    await this.#lock.check()
    const failure = await this.#log.close()
    await this.#lock.release()
    if (failure !== undefined) throw new UsageError(failure, 'The changes that were not saved are lost.')
  }
}

async function lockFile(file: string, { path }: ResolvedFile): Promise<Lock> {
  const lock = await Lock.acquire(path).catch((error: unknown) => {
    const reason = describeSystemError(error)
    throw new UsageError(`The state file ${file} can't be locked: ${reason}.`, 'Pass --state a file in another folder.')
  })
  if (lock instanceof Lock) return lock
  if (lock.holder === undefined) {
    throw new UsageError(
      `The state file ${file} is locked by ${lock.path}, which does not say by whom.`,
      'If no other flagdouble uses the file, delete the lock. Else pass --state another file.',
    )
  }
  throw new UsageError(
    `The state file ${file} is in use by another flagdouble${processOf(lock)}.`,
    `Stop that one, or pass --state another file. If it no longer runs, delete ${lock.path}.`,
  )
}

function takenOver(file: string, held: Held): string {
  return `The state file ${file} is no longer locked for this process: another flagdouble${processOf(held)} uses it. Nothing more is saved.`
}

function processOf({ holder }: Held): string {
  return holder === undefined ? '' : ` (process ${holder.pid} on ${holder.host})`
}

/** What a state file holds; undefined for one that is not in its format. */
async function read(file: string): Promise<Replayed | undefined> {
  const bytes = await readFile(file).catch(() => undefined)
  const header = bytes === undefined ? undefined : readHeader(bytes)
  if (bytes === undefined || header === undefined) return undefined
  return inFile(file, () => replay(bytes, header))
}

/** Lines of two versions are not mixed. */
async function goOn(file: string, log: FileLog, stored: Replayed): Promise<void> {
  const isOurs = stored.writtenBy === version && stored.dropped.length === 0
  await (isOurs ? log.goOn(stored) : log.rewrite()).catch((error: unknown) => {
    const problem = `The state can't be saved to ${file}: ${describeSystemError(error)}.`
    throw new UsageError(problem, 'The file was left unchanged. Make room for it.')
  })
}

/** A file that holds one state, as the control API shows it. */
function adoptPlainState(kept: KeptSessions, mock: Mock, file: string, given: unknown): void {
  try {
    inFile(file, () => mock.restore(given as Parameters<Mock['restore']>[0]))
  } catch (error) {
    throw isFixture(given) ? fixtureFault(file) : error
  }
  const { name, data } = sessionOf(mock).world()
  const state = { id: 1, session: mock.name, scenario: name, data, position: undefined }
  kept.adopt({ states: [state], active: new Map(), visits: new Map(), scenarios: [] })
}

/** Whether it leaves out what every state has, and can be added to a scenario's own. */
function isFixture(given: unknown): boolean {
  if (!isObject(given) || ['projects', 'environments', 'users', 'roles'].every((list) => list in given)) return false
  try {
    createMock({ fixtures: given as PartialState })
    return true
  } catch {
    return false
  }
}

function fixtureFault(file: string): FileError {
  const message = 'is a fixture: it holds records to add to those of a scenario, and a state file is complete'
  return new FileError(file, [{ path: '$', message }], `Pass it with --fixtures ${file}, and --state another file.`)
}

/** Adds the file's name to errors in its data. */
function inFile<Value>(file: string, run: () => Value): Value {
  try {
    return run()
  } catch (error) {
    if (error instanceof MockError) throw new FileError(file, error.faults, HINT)
    if (error instanceof LineError) throw wholeFile(file, error.message, HINT)
    throw error
  }
}

function warnOfUnknownScenarios(kept: KeptSessions, mock: Mock, warn: StateFileOptions['warn']): void {
  for (const session of kept.sessions()) {
    const unknown = kept.activeScenarios(session)?.find((name) => !mock[CORE].catalogue.has(name))
    if (unknown === undefined) continue
    const who = session === '' ? 'The session' : `The session "${session}"`
    warn(`${who} was in the scenario "${unknown}", which no longer exists. It starts in the default one.`)
  }
}
