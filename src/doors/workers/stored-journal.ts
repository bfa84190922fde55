import type { Journal, JournalEntry } from '../../sessions/journal.js'
import type { Row, Rows } from './rows.js'
import { pad } from './stored-world.js'

const LIST = { world: '', list: 'journal', rank: 0 }
/** How far a journal that was cleared had counted. */
const LAST = { world: '', list: 'session', key: 'last-entry', rank: 0 }

/** Characters of an entry that are stored. Of a longer one the bodies are not. */
const ENTRY_KEPT = 16_000

const TOO_LONG = '… (too long to be stored)'

/** Stores what a journal shows: entries without their secrets. */
export class StoredJournal {
  readonly #rows: Rows
  readonly #entries: readonly JournalEntry[]
  #last: number
  #oldest: number

  /** Goes on with the session's rows. */
  constructor(rows: Rows, own: readonly Row[]) {
    this.#rows = rows
    const texts = own.filter(({ list }) => list === LIST.list).map(({ text }) => text ?? 'null')
    this.#entries = texts.map((text) => JSON.parse(text) as JournalEntry)
    this.#oldest = this.#entries[0]?.id ?? 0
    this.#last = Math.max(this.#entries.at(-1)?.id ?? 0, Number(own.find(({ key }) => key === LAST.key)?.text ?? 0))
  }

  resume(journal: Journal): void {
    journal.resume(this.#entries, this.#last)
  }

  /** Stores new entries, and drops those that the journal has dropped. */
  write(journal: Journal): void {
    for (const entry of journal.find({ since: this.#last })) {
      this.#rows.put({ ...LIST, key: pad(entry.id), text: textOf(entry) })
    }
    this.#last = journal.lastId
    const oldest = journal.all()[0]?.id ?? this.#last + 1
    if (oldest === this.#oldest) return
    this.#rows.removeBefore({ ...LIST, key: pad(oldest) })
    if (oldest > this.#last) this.#rows.put({ ...LAST, text: String(this.#last) })
    this.#oldest = oldest
  }
}

function textOf(entry: JournalEntry): string {
  const text = JSON.stringify(entry)
  if (text.length <= ENTRY_KEPT) return text
  return JSON.stringify({ ...entry, requestBody: TOO_LONG, responseBody: TOO_LONG })
}
