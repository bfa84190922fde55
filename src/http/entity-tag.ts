import type { Answer } from './answer.js'

/** The answer with a weak entity tag, made from its body, as caches like it. An empty one has none. */
export function withEntityTag(answer: Answer): Answer {
  if (answer.body === null || answer.headers.etag !== undefined) return answer
  const etag = `W/"${answer.body.length.toString(16)}-${fingerprint(answer.body)}"`
  return { ...answer, headers: { ...answer.headers, etag, vary: 'Accept-Encoding' }, compressible: true }
}

/** A short text that differs where the given one does, nearly always: two rounds of FNV-1a. */
function fingerprint(text: string): string {
  return [0x811c9dc5, 0x01000193].map((start) => hash(text, start).toString(36)).join('')
}

function hash(text: string, start: number): number {
  let state = start
  for (let position = 0; position < text.length; position++) {
    state = Math.imul(state ^ text.charCodeAt(position), 0x01000193)
  }
  return state >>> 0
}
