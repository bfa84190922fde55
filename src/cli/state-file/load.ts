import { readFile } from 'node:fs/promises'
import { MockError } from '../../contract/mock-errors.js'
import { FileError, readJson, wholeFile } from '../../files/json-file.js'
import type { Mock } from '../../mock/mock.js'
import { CORE, sessionOf } from '../../mock/session.js'
import { converted } from '../../state/converted.js'
import { dataOf } from '../../state/state.js'
import { version } from '../../version.js'
import { KeptStates } from './kept-states.js'
import { LogFile } from './log-file.js'
import { readHeader, replay, type Stored } from './replay.js'
import type { StateFileOptions } from './state-file.js'
import { Storage } from './storage.js'
import type { Target } from './target.js'
import { Writer } from './writer.js'

const HINT = 'The file was left unchanged. Fix it, or pass --state another one.'

/** Loads a file into a mock, and returns what writes to it from then on. Throws a `FileError`. */
export async function load(
  file: string,
  target: Target,
  { mock, sync, startsInScenario, warn }: StateFileOptions,
): Promise<{ writer: Writer; size: number }> {
  const states: KeptStates = new KeptStates({ add: (entry) => writer.add(entry), durable: () => writer.durable() })
  const stored = target.exists ? await readStored(file) : undefined
  if (stored !== undefined) adoptAll(states, stored, file)
  else if (target.exists) adoptPlainState(states, mock, file, await readJson(file))
  const { size } = states
  const storage = new Storage(target, await appendable(target, stored))
  const writer = new Writer({ storage, path: target.path, sync, entries: () => states.entries(), warn })
  if (startsInScenario) states.switched('', undefined)
  warnOfUnknownScenarios(states, mock, warn)
  mock[CORE].keepWith(states)
  await mock.ready
  return { writer, size }
}

/** What a state file holds; undefined for one that is not in its format. */
async function readStored(file: string): Promise<Stored | undefined> {
  const bytes = await readFile(file).catch(() => undefined)
  const header = bytes === undefined ? undefined : readHeader(bytes)
  if (bytes === undefined || header === undefined) return undefined
  try {
    return replay(bytes, header)
  } catch (error) {
    throw wholeFile(file, error instanceof Error ? error.message : String(error), HINT)
  }
}

/** The file, if it can be appended to. Another version's lines are not mixed with ours. */
async function appendable(target: Target, stored: Stored | undefined) {
  if (stored === undefined || stored.isCut || stored.header.version !== version) return undefined
  return { log: await LogFile.append(target), current: stored.bytes }
}

function adoptAll(states: KeptStates, { header, states: stored, active }: Stored, file: string): void {
  for (const state of stored) {
    const data = dataOf(state.tables)
    const current = header.version === version ? data : inFile(file, () => converted(data, file))
    states.adopt(state, current)
  }
  for (const [session, names] of active) states.adoptActive(session, names)
}

/** A file that holds one state, as earlier versions wrote it, and as the control API shows it. */
function adoptPlainState(states: KeptStates, mock: Mock, file: string, given: unknown): void {
  inFile(file, () => mock.restore(given as Parameters<Mock['restore']>[0]))
  const { name, data } = sessionOf(mock).world()
  states.adopt({ id: 1, session: mock.name, scenario: name }, data)
}

/** Adds the file's name to errors in its data. */
function inFile<Value>(file: string, read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof MockError)) throw error
    throw new FileError(file, error.faults, HINT)
  }
}

function warnOfUnknownScenarios(states: KeptStates, mock: Mock, warn: StateFileOptions['warn']): void {
  for (const session of states.sessions()) {
    const unknown = states.activeScenarios(session)?.find((name) => !mock[CORE].catalogue.has(name))
    if (unknown === undefined) continue
    const who = session === '' ? 'The session' : `The session "${session}"`
    warn(`${who} was in the scenario "${unknown}", which no longer exists. It starts in the default one.`)
  }
}
