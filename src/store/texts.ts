import { JsonText } from '../support/json-text.js'

/**
 * From how many records on the texts of a table are kept, and from which use of them on where there are fewer: nothing is
 * kept for a mock that lives for one test. And how many characters. Tests change it.
 */
export const keeping = { from: 100, characters: 64 * 1024 * 1024 }

/** How many whole answers are kept. */
const ANSWERS = 16

/** What a text depends on besides the records of its table, such as the versions of other tables. */
export type Basis = readonly (string | number | boolean)[]

/**
 * What the records of a table look like on the wire, kept from one request to the next: 10,000 features take 60 ms to
 * present and write anew, and 5 to put together from their texts. A record that changes is another object, so its text
 * can't be out of date.
 */
export interface Texts {
  /** Returns a function that writes a record, or knows how it was written before, on the same basis. */
  ofEach<Item extends object>(name: string, basis: Basis, write: (record: Item) => string): (record: Item) => JsonText
  /** A text about any of the records, as it was written before if no record, nor the basis, has changed since. */
  ofAll(name: string, basis: Basis, write: () => JsonText): JsonText
}

/** Those of a small table that is not used much, and of one with changes that are not committed yet: nothing is kept. */
export const unkept: Texts = {
  ofEach: (_name, _basis, write) => (record) => new JsonText(write(record)),
  ofAll: (_name, _basis, write) => write(),
}

interface View {
  basis: Basis
  texts: Map<object, JsonText>
}

export class RecordTexts implements Texts {
  readonly #views = new Map<string, View>()
  readonly #answers = new Map<string, { basis: Basis; answer: JsonText }>()
  #characters = 0

  ofEach<Item extends object>(name: string, basis: Basis, write: (record: Item) => string): (record: Item) => JsonText {
    const view = this.#view(name, basis)
    return (record) => {
      const known = view.texts.get(record)
      if (known !== undefined) return known
      const written = new JsonText(write(record))
      if (this.#hasRoom(written, view)) view.texts.set(record, written)
      return written
    }
  }

  ofAll(name: string, basis: Basis, write: () => JsonText): JsonText {
    const known = this.#answers.get(name)
    if (known !== undefined && isSame(known.basis, basis)) return known.answer
    this.#dropAnswer(name)
    if (this.#answers.size === ANSWERS) this.#dropAnswers()
    const answer = write()
    if (this.#hasRoom(answer)) this.#answers.set(name, { basis, answer })
    return answer
  }

  /** A record is gone, or another has taken its place. */
  forget(record: object | undefined): void {
    this.#dropAnswers()
    if (record === undefined) return
    for (const { texts } of this.#views.values()) {
      this.#characters -= texts.get(record)?.text.length ?? 0
      texts.delete(record)
    }
  }

  #view(name: string, basis: Basis): View {
    const known = this.#views.get(name)
    if (known !== undefined && isSame(known.basis, basis)) return known
    const view = { basis, texts: new Map<object, JsonText>() }
    this.#dropView(name)
    this.#views.set(name, view)
    return view
  }

  /** Whether a text may be kept, and counts it then. Where room is short, the view in use drives out all others. */
  #hasRoom({ text }: JsonText, used?: View): boolean {
    if (this.#characters + text.length > keeping.characters) {
      this.#dropAnswers()
      for (const [name, view] of this.#views) if (view !== used) this.#dropView(name)
    }
    if (this.#characters + text.length > keeping.characters) return false
    this.#characters += text.length
    return true
  }

  #dropView(name: string): void {
    for (const { text } of this.#views.get(name)?.texts.values() ?? []) this.#characters -= text.length
    this.#views.delete(name)
  }

  #dropAnswer(name: string): void {
    this.#characters -= this.#answers.get(name)?.answer.text.length ?? 0
    this.#answers.delete(name)
  }

  #dropAnswers(): void {
    for (const name of this.#answers.keys()) this.#dropAnswer(name)
  }
}

function isSame(one: Basis, other: Basis): boolean {
  return one.length === other.length && one.every((value, i) => value === other[i])
}
