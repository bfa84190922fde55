/** Texts up to this length stay strings: they are hardly larger than what would refer to their bytes. */
const SHORT = 128
/** Longer texts have bytes of their own. */
const LONG = 16 * 1024

const FIRST_BLOCK = 4 * 1024
const LARGEST_BLOCK = 64 * 1024

/** A text that is kept: a short one as a string, any other as UTF-8. */
export type KeptText = string | { block: Uint8Array; start: number; end: number }

/**
 * Keeps texts outside of the heap. The garbage collector copies a string twice before it leaves it alone; bytes it never
 * touches. A block of bytes is freed together with the last text in it.
 */
export class KeptTexts {
  #block = new Uint8Array(0)
  #used = 0

  keep(text: string): KeptText {
    if (text.length <= SHORT) return text
    if (text.length > LONG) return whole(encoder.encode(text))
    // A character of a string takes up to three bytes.
    this.#makeRoom(3 * text.length)
    const start = this.#used
    this.#used += encoder.encodeInto(text, this.#block.subarray(start)).written
    return { block: this.#block, start, end: this.#used }
  }

  #makeRoom(bytes: number): void {
    if (this.#block.length - this.#used >= bytes) return
    const doubled = Math.min(2 * this.#block.length, LARGEST_BLOCK)
    this.#block = new Uint8Array(Math.max(FIRST_BLOCK, doubled, bytes))
    this.#used = 0
  }
}

export function readText(kept: KeptText): string {
  return typeof kept === 'string' ? kept : decoder.decode(kept.block.subarray(kept.start, kept.end))
}

/** Characters of a string, bytes of other texts. */
export function sizeOfText(kept: KeptText): number {
  return typeof kept === 'string' ? kept.length : kept.end - kept.start
}

function whole(block: Uint8Array): KeptText {
  return { block, start: 0, end: block.length }
}

const encoder = new TextEncoder()
// A byte order mark at the beginning of a text is part of it.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
