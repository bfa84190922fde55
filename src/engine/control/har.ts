import { version } from '../../version.js'
import type { JournalEntry } from '../sessions/journal-entry.js'

/** Where nothing is known about a number of bytes. */
const UNKNOWN = -1

/** Entries of the journal as an HTTP Archive, version 1.2. What only flagdouble knows has names that begin with `_`. */
export function toHar(entries: readonly JournalEntry[], origin: string) {
  return {
    log: {
      version: '1.2',
      creator: { name: 'flagdouble', version },
      entries: entries.map((entry) => harEntry(entry, origin)),
      comment: 'Secrets are redacted.',
    },
  }
}

function harEntry(entry: JournalEntry, origin: string) {
  const { time, durationMs, operation, scenario, caller, matched, forced, sent } = entry
  return {
    startedDateTime: time,
    time: durationMs,
    request: harRequest(entry, origin),
    response: harResponse(entry),
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
    _operation: operation,
    _scenario: scenario,
    _caller: caller,
    _matched: matched,
    ...(forced && { _forced: forced }),
    ...(sent && { _sent: sent }),
  }
}

function harRequest({ method, path, requestHeaders, requestBody }: JournalEntry, origin: string) {
  const url = origin + asUri(path)
  const text = textOf(requestBody)
  const mimeType = requestHeaders['content-type'] ?? ''
  return {
    method,
    url,
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: pairs(Object.entries(requestHeaders)),
    queryString: pairs(new URL(url).searchParams),
    ...(text === '' ? {} : { postData: { mimeType, text } }),
    headersSize: UNKNOWN,
    bodySize: UNKNOWN,
  }
}

function harResponse({ status, responseHeaders, responseBody }: JournalEntry) {
  const text = textOf(responseBody)
  const size = new TextEncoder().encode(text).length
  return {
    status,
    statusText: '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: pairs(Object.entries(responseHeaders)),
    content: { size, mimeType: responseHeaders['content-type'] ?? '', ...(text === '' ? {} : { text }) },
    redirectURL: responseHeaders.location ?? '',
    headersSize: UNKNOWN,
    bodySize: UNKNOWN,
  }
}

/** The text of a body. The journal parses JSON; a body that isn't stays text. */
export function textOf(body: unknown): string {
  if (body === null || body === undefined) return ''
  return typeof body === 'string' ? body : JSON.stringify(body)
}

function pairs(entries: Iterable<readonly [string, string]>): { name: string; value: string }[] {
  return [...entries].map(([name, value]) => ({ name, value }))
}

/** A path without characters that a URI has not, such as the brackets of `[redacted]`. */
function asUri(path: string): string {
  return path.replace(/%(?![\da-f]{2})|[^\w\-.~!$&'()*+,;=:@/?%]/giu, encodeURIComponent)
}
