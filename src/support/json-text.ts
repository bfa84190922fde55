import { murmur3 } from './hash.js'

/** Serialized JSON, to be sent unchanged or as a part of something larger. */
export class JsonText {
  readonly text: string
  #print: number | undefined

  constructor(text: string, print?: number) {
    this.text = text
    this.#print = print
  }

  /** A number that changes almost always when the text does. */
  get print(): number {
    this.#print ??= murmur3(this.text)
    return this.#print
  }
}

/** Serializes a value as JSON, unless it is already serialized. */
export function toJson(value: unknown): string | undefined {
  return value instanceof JsonText ? value.text : JSON.stringify(value)
}

/** A list of texts. Its print combines theirs: reading all of a long list takes as long as writing it. */
export function listText(items: readonly JsonText[]): JsonText {
  return new JsonText(`[${items.map(({ text }) => text).join(',')}]`)
}

/** One number for all prints, in order. */
export function printOf(items: readonly JsonText[]): number {
  return items.reduce((all, { print }) => (Math.imul(all, 31) + print) | 0, items.length)
}

/** An object, some of whose values can be serialized already. */
export function objectText(fields: Readonly<Record<string, unknown>>, print?: number): JsonText {
  let members = ''
  for (const [name, value] of Object.entries(fields)) {
    const text = toJson(value)
    if (text !== undefined) members += `${members === '' ? '' : ','}${JSON.stringify(name)}:${text}`
  }
  return new JsonText(`{${members}}`, print)
}
