import type { Answer } from './answer.js'

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
