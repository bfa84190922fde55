import { sha1 } from '@noble/hashes/legacy.js'
import { withoutTrailing } from '../support/trim.js'
import type { Answer } from './answer.js'

/** Adds a weak entity tag, computed from the body as the service does. An empty answer gets none. */
export function addEntityTag(answer: Answer): void {
  if (typeof answer.body !== 'string' || answer.headers.etag !== undefined) return
  answer.headers.etag = weakTag(new TextEncoder().encode(answer.body))
  answer.headers.vary = 'Accept-Encoding'
  answer.compressible = true
}

/** The number of bytes, and their SHA-1 in Base64 without padding. */
function weakTag(bytes: Uint8Array): string {
  const hash = withoutTrailing(btoa(String.fromCharCode(...sha1(bytes))), '=')
  return `W/"${bytes.length.toString(16)}-${hash}"`
}
