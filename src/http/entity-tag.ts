import { sha1 } from '@noble/hashes/legacy.js'
import { withoutTrailing } from '../support/trim.js'
import type { Answer } from './answer.js'

/** The answer with a weak entity tag, computed from its body as the service does. An empty answer gets none. */
export function withEntityTag(answer: Answer): Answer {
  if (typeof answer.body !== 'string' || answer.headers.etag !== undefined) return answer
  const etag = weakTag(new TextEncoder().encode(answer.body))
  return { ...answer, headers: { ...answer.headers, etag, vary: 'Accept-Encoding' }, compressible: true }
}

/** The number of bytes, and their SHA-1 in Base64 without padding. */
function weakTag(bytes: Uint8Array): string {
  const hash = withoutTrailing(btoa(String.fromCharCode(...sha1(bytes))), '=')
  return `W/"${bytes.length.toString(16)}-${hash}"`
}
