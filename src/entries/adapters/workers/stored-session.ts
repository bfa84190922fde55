import { MockError } from '../../../engine/errors/mock-errors.js'
import { type MockCore, printNotices } from '../../../engine/mock/core.js'
import { aboutSession, adopt, readDocument, savedWorlds, sessionKey } from '../../../engine/persistence/document.js'
import type { Session } from '../../../engine/sessions/session.js'
import { reasonOf } from '../../../support/errors.js'
import type { ObjectStorage } from './platform.js'

/** The maximum characters of a piece: a row of SQLite holds 2 MB, and a character takes up to three bytes. */
const PIECE = 480_000

/** The maximum characters of all pieces: to start, an object of 128 MB needs up to ten bytes for each. */
const MOST = 8 * 1024 * 1024

/** The key of everything except the worlds, which are stored by name. */
const ABOUT = ''

/** A session that resumes stored state: the document of a state file, with a row for each world. */
export class StoredSession {
  readonly #session: Session
  readonly #core: MockCore
  readonly #storage: ObjectStorage
  /** The stored text under each key. */
  #stored: ReadonlyMap<string, string> = new Map()
  /** The clocks, rules and IDs when it stored last. Requests that change nothing count rules, and use IDs for errors. */
  #positions = ''
  #hasChanged = false
  #isGivenUp = false

  /** Throws `STATE_UNREADABLE`. */
  constructor(session: Session, core: MockCore, storage: ObjectStorage) {
    this.#session = session
    this.#core = core
    this.#storage = storage
    try {
      storage.sql.exec('CREATE TABLE IF NOT EXISTS kept (key TEXT, piece INTEGER, text TEXT, PRIMARY KEY (key, piece))')
    } catch (error) {
      throw notSaved(error, 'wrangler.jsonc must list FlagdoubleSession in new_sqlite_classes (docs/workers.md).')
    }
    this.#load(session.name)
    session.onChange(() => {
      this.#hasChanged = true
    })
  }

  /** Stores the changes of a request. The runtime delays its response until they are on disk. Throws if storing fails. */
  store(): void {
    if (this.#isGivenUp) throw startedOver()
    const about = JSON.stringify(aboutSession(this.#core, this.#session))
    const positions = JSON.stringify([...this.#session.worlds.values()].map((world) => world.position()))
    const isSame = about === (this.#stored.get(ABOUT) ?? '{}') && positions === this.#positions
    if (isSame && !this.#hasChanged) return
    const worlds = savedWorlds(this.#session, true).map(([name, world]) => [name, JSON.stringify(world)] as const)
    const texts = new Map([...(about === '{}' ? [] : [[ABOUT, about] as const]), ...worlds])
    if ([...texts.values()].reduce((sum, { length }) => sum + length, 0) > MOST) throw tooLarge()
    const written = [...texts].filter(([key, text]) => this.#stored.get(key) !== text)
    const gone = [...this.#stored.keys()].filter((key) => !texts.has(key))
    this.#write(new Map(written), gone)
    this.#stored = texts
    this.#positions = positions
    this.#hasChanged = false
  }

  /** After a change that could not be stored, its mock differs from the storage, so it stores nothing any more. */
  giveUp(): void {
    this.#isGivenUp = true
  }

  #load(name: string): void {
    try {
      const texts = new Map<string, string>()
      for (const { key, text } of this.#storage.sql.exec('SELECT key, text FROM kept ORDER BY key, piece')) {
        texts.set(String(key), (texts.get(String(key)) ?? '') + String(text))
      }
      if (texts.size === 0) return
      this.#stored = texts
      const worlds = Object.fromEntries(
        [...texts].filter(([key]) => key !== ABOUT).map(([key, text]) => [key, JSON.parse(text)]),
      )
      const kept = readDocument({
        flagdouble: 2,
        sessions: { [sessionKey(name)]: { ...JSON.parse(texts.get(ABOUT) ?? '{}'), worlds } },
      })
      adopt(kept, this.#core)
      printNotices(this.#core.notices())
    } catch (error) {
      throw unreadable(name, error)
    }
  }

  #write(texts: ReadonlyMap<string, string>, gone: readonly string[]): void {
    const { sql } = this.#storage
    try {
      this.#storage.transactionSync(() => {
        for (const key of [...texts.keys(), ...gone]) sql.exec('DELETE FROM kept WHERE key = ?', key)
        for (const [key, text] of texts) {
          for (const [at, piece] of piecesOf(text).entries())
            sql.exec('INSERT INTO kept VALUES (?, ?, ?)', key, at, piece)
        }
      })
    } catch (error) {
      throw notSaved(error, 'The change was undone; the journal and the history start over. Try again.')
    }
  }
}

function notSaved(error: unknown, hint: string): MockError {
  return new MockError('STATE_NOT_SAVED', `The storage failed: ${reasonOf(error)}`, hint)
}

function startedOver(): MockError {
  return new MockError(
    'STATE_NOT_SAVED',
    'Another change could not be stored while this request was under way, so the session was loaded again from the storage.',
    'Read the data, and repeat this request if its change is missing.',
  )
}

function tooLarge(): MockError {
  const problem = `A session stores at most ${MOST.toLocaleString('en')} characters.`
  return new MockError(
    'TOO_MUCH_DATA',
    problem,
    'The change was undone; the journal and the history start over. Remove records that you no longer need, or reset the session.',
  )
}

function unreadable(name: string, error: unknown): MockError {
  const reason = error instanceof MockError ? error.problem : reasonOf(error)
  return new MockError(
    'STATE_UNREADABLE',
    `The stored data of the session "${name}" can't be read: ${reason}`,
    'Deploy the version that stored it, or discard the session with POST /__mock/reset.',
  )
}

/** No piece ends inside a surrogate pair: SQLite stores only whole characters. */
function piecesOf(text: string): string[] {
  const pieces: string[] = []
  for (let start = 0; start < text.length; ) {
    const end = start + PIECE
    const unit = text.charCodeAt(end - 1)
    const cut = unit >= 0xd8_00 && unit < 0xdc_00 ? end - 1 : end
    pieces.push(text.slice(start, cut))
    start = cut
  }
  return pieces
}
