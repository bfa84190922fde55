import { sha1 } from '@noble/hashes/legacy.js'
import { withoutTrailing } from '../support/text.js'
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

/** The answer, or an empty 304 if the request's `If-None-Match` names its entity tag. */
export function ifNoneMatch(request: Pick<Request, 'headers'>, answer: Answer): Answer {
  const { etag } = answer.headers
  const known = request.headers.get('if-none-match')
  if (etag === undefined || known === null || answer.status !== 200) return answer
  return namesTag(known, etag) ? { status: 304, headers: { etag }, body: null } : answer
}

/** Weak comparison, as the standard requires for a GET. */
function namesTag(known: string, etag: string): boolean {
  const strong = (tag: string) => tag.trim().replace(/^W\//, '')
  return known.trim() === '*' || known.split(',').some((tag) => strong(tag) === strong(etag))
}
