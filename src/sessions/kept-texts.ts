/** Texts up to this length stay strings: they are hardly larger than what would refer to their bytes. */
const SHORT_TEXT = 128
/** Longer texts have a block of their own. */
const LONG = 16 * 1024

/** Bytes of the first block. Each one is twice as large as the last, up to a full one. */
const FIRST_BLOCK = 4 * 1024
const FULL_BLOCK = 64 * 1024

interface Block {
  bytes: Uint8Array
  /** How many of the texts in it are still kept. */
  texts: number
}

/** A text that is kept: a short one as a string, any other as UTF-8. */
export type KeptText = string | { block: Block; start: number; end: number }

/** What a text is to the entry that has it. */
type TextKind = 'requestHead' | 'request' | 'responseHead' | 'response'

/** A text, and how it is kept. */
interface Last {
  text: string
  kept: KeptText
}

/**
 * Keeps texts outside of the heap. The garbage collector copies a string twice before it leaves it alone; bytes it never
 * touches. Texts are dropped in about the order in which they came, so that blocks can be used again.
 */
export class KeptTexts {
  #block: Block = { bytes: new Uint8Array(0), texts: 0 }
  #used = 0
  #spare: Block | undefined
  /** The last text of each kind, which counts as one more that is kept. */
  readonly #last: Readonly<Record<TextKind, Last>> = {
    requestHead: { text: '', kept: '' },
    request: { text: '', kept: '' },
    responseHead: { text: '', kept: '' },
    response: { text: '', kept: '' },
  }

  /** Keeps a text. What is the same as the last one of its kind, as the headers of a client are, is kept once. */
  keep(text: string, kind: TextKind): KeptText {
    if (text.length > LONG) {
      const bytes = encoder.encode(text)
      return { block: { bytes, texts: 1 }, start: 0, end: bytes.length }
    }
    const last = this.#last[kind]
    if (text !== last.text) {
      this.drop(last.kept)
      last.kept = text.length <= SHORT_TEXT ? text : this.#add(text)
      last.text = text
    }
    if (typeof last.kept !== 'string') last.kept.block.texts += 1
    return last.kept
  }

  #add(text: string): KeptText {
    // A character of a string takes up to three bytes.
    const block = this.#blockFor(3 * text.length)
    const start = this.#used
    this.#used += encoder.encodeInto(text, block.bytes.subarray(start)).written
    block.texts += 1
    return { block, start, end: this.#used }
  }

  /** Forgets a text: its bytes may be overwritten from now on. */
  drop(kept: KeptText): void {
    if (typeof kept === 'string') return
    const { block } = kept
    block.texts -= 1
    const isEmpty = block.texts === 0 && block !== this.#block
    if (isEmpty && block.bytes.length === FULL_BLOCK) this.#spare = block
  }

  #blockFor(bytes: number): Block {
    const { length } = this.#block.bytes
    if (length - this.#used < bytes) {
      const larger = Math.max(FIRST_BLOCK, Math.min(2 * length, FULL_BLOCK), bytes)
      this.#block = this.#spare ?? { bytes: new Uint8Array(larger), texts: 0 }
      this.#spare = undefined
      this.#used = 0
    }
    return this.#block
  }
}

/** A kept text as a string. It must not have been dropped. */
export function readText(kept: KeptText): string {
  return typeof kept === 'string' ? kept : decoder.decode(kept.block.bytes.subarray(kept.start, kept.end))
}

/** Characters of a string, bytes of other texts. */
export function sizeOfText(kept: KeptText): number {
  return typeof kept === 'string' ? kept.length : kept.end - kept.start
}

const encoder = new TextEncoder()
// A byte order mark at the beginning of a text is part of it.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
