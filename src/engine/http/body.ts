import type { ZodType } from 'zod'
import type { Failure, Outcome } from '../../service/contract/errors.js'
import { BODY_LIMIT } from '../../service/contract/operation.js'
import type { BodyFormat, Profile } from '../../service/contract/profile.js'
import { holdsSecrets } from '../../service/contract/secrets.js'
import { within } from '../../support/clock.js'
import { findJsonFault } from '../../support/json-fault.js'
import { grouped } from '../../support/lists.js'
import type { CheckedRow, ReceivedBody } from './call.js'

/** A media type without its parameters, in lower case: `text/HTML; charset=x` → `text/html`. */
export function mediaType(header: string): string {
  return (header.split(';', 1)[0] ?? '').trim().toLowerCase()
}

/** Whether each parameter of a content type has a name and a value. */
function isWellFormed(header: string): boolean {
  return /^[^;]+(;\s*[^\s=;"]+=("[^"]*"|[^\s;"]+)\s*)*$/.test(header)
}

/** The charset that a content type names, in lower case. */
function charsetOf(header: string): string | undefined {
  return /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(header)?.[1]?.toLowerCase()
}

/** The content coding of a body. Undefined without one. */
function contentCoding(headers: Headers): string | undefined {
  const coding = headers.get('content-encoding')?.trim().toLowerCase()
  return coding === undefined || coding === '' || coding === 'identity' ? undefined : coding
}

/** Rejects invalid UTF-8. It keeps no state between bodies, so all share it. */
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The text of a body, without its byte-order mark. */
export function decodeText(bytes: Uint8Array, charset: string, fatal: boolean): Outcome<string> {
  try {
    const decoder = fatal && charset === 'utf-8' ? utf8 : new TextDecoder(charset, { fatal })
    return { data: decoder.decode(bytes) }
  } catch {
    return { failure: unreadable(`The body is not well-formed ${charset.toUpperCase()}.`) }
  }
}

/** Parses a body. The error for malformed text leaves out the position if the shape has secrets. */
export function parseText(text: string, format: BodyFormat, shape?: ZodType): Outcome<unknown> {
  if (format === 'form') return { data: parseForm(text) }
  if (text !== '') {
    try {
      return { data: JSON.parse(text) }
    } catch {
      // The failure follows.
    }
  }
  const hides = shape !== undefined && holdsSecrets(shape)
  return { failure: unreadable(hides ? 'The body is not valid JSON.' : jsonFault(text)) }
}

function jsonFault(text: string): string {
  if (text === '') return 'The body is empty; a JSON object is expected.'
  if (text === String({})) return 'The body is "[object Object]": send the object as JSON.stringify writes it.'
  const position = findJsonFault(text)
  if (position === undefined) return 'The body is not well-formed JSON: it is nested too deeply.'
  const lines = text.slice(0, position).split('\n')
  const line = lines.length === 1 ? '' : ` (line ${lines.length} column ${(lines.at(-1)?.length ?? 0) + 1})`
  const place = position >= text.length ? 'it ends too early' : `see position ${position}`
  return `The body is not well-formed JSON: ${place}${line}.`
}

/** The fields of a form, as a web page sends them. A repeated field becomes a list. */
function parseForm(text: string): Record<string, string | string[]> {
  return Object.fromEntries(valuesByName(new URLSearchParams(text)).map(([name, values]) => [name, oneOrAll(values)]))
}

/** The value of a name, or the list of its values if it is repeated. */
export function oneOrAll(values: string[]): string | string[] {
  const [first = '', ...more] = values
  return more.length === 0 ? first : values
}

export function unreadable(message: string): Failure {
  return { kind: 'unreadableBody', message, details: [{ message, path: '/body' }] }
}

/** All values of each name, in the order of the request. `getAll` would read everything for each name. */
export function valuesByName(sent: URLSearchParams): [name: string, values: string[]][] {
  const byName = [...grouped(sent, ([name]) => name)]
  return byName.map(([name, pairs]) => [name, pairs.map(([, value]) => value)])
}

/**
 * Reads the body of a request. Errors go to the checks, which choose the response in their own order. If the response
 * doesn't depend on the body, it is still read for the journal, up to its limit.
 */
export function receiveBody(
  request: Request,
  row: Pick<CheckedRow, 'body' | 'bodyLimit'> = {},
  profile: Profile,
): ReceivedBody | Promise<ReceivedBody> {
  const { body, bodyLimit = BODY_LIMIT } = row
  const { alwaysRead, wellFormedTypesOnly, formats } = profile.body
  // Reading `body` of a request without one costs more than the rest of the request.
  if (body === undefined && (request.method === 'GET' || request.body === null)) return NO_BODY
  const type = request.headers.get('content-type') ?? ''
  const media = mediaType(type)
  const isIgnored = (body === undefined && !alwaysRead) || (wellFormedTypesOnly && !isWellFormed(type))
  const sent = {
    // A media type such as `constructor` must not find an inherited property.
    format: !isIgnored && Object.hasOwn(formats, media) ? formats[media] : undefined,
    charset: charsetOf(type) ?? 'utf-8',
    coding: contentCoding(request.headers),
    bytes: undefined,
    text: undefined,
    malformed: undefined,
    failed: undefined,
  }
  return isKnownCoding(sent.coding) ? readAsSent(sent, request, bodyLimit) : sent
}

/** The content codings of request bodies that are decompressed. */
export const CODINGS: readonly string[] = ['gzip', 'deflate']

export function isKnownCoding(coding: string | undefined): boolean {
  return coding === undefined || CODINGS.includes(coding)
}

async function readAsSent(sent: ReceivedBody, request: Request, limit: number): Promise<ReceivedBody> {
  const without = (failed: ReceivedBody['failed']) => (sent.format === undefined ? sent : { ...sent, failed })
  try {
    const bytes = await readBytes(request, limit, sent.coding)
    if (bytes === undefined) return without('tooLarge')
    // Decoded once: for the checks, the rules and the journal.
    const { data: text, failure: malformed } = decodeText(bytes, sent.charset, true)
    return { ...sent, bytes, text: malformed ? decodeText(bytes, sent.charset, false).data : text, malformed }
  } catch {
    return without('broken')
  }
}

// Every description has all properties, so that engines treat them as one kind of object.
export const NO_BODY: ReceivedBody = {
  format: undefined,
  charset: 'utf-8',
  coding: undefined,
  bytes: undefined,
  text: undefined,
  malformed: undefined,
  failed: undefined,
}

/**
 * Reads a request's body, decompressed, as bytes. Returns undefined as soon as the announced or received length exceeds
 * the limit, and leaves the rest unread.
 */
export async function readBytes(request: Request, limit: number, coding?: string): Promise<Uint8Array | undefined> {
  const declared = declaredLength(request.headers)
  if (coding === undefined && declared !== undefined) {
    if (declared > limit) return undefined
    const bytes = new Uint8Array(await request.arrayBuffer())
    return bytes.length > limit ? undefined : bytes
  }
  const { body } = request
  if (body === null) return new Uint8Array()
  if (coding === undefined) return readAtMost(body, limit)
  const decompression = new DecompressionStream(coding as CompressionFormat) as ReadableWritablePair<
    Uint8Array,
    Uint8Array
  >
  return readAtMost(body.pipeThrough(decompression, { preventCancel: true }), limit)
}

/** Reads a stream as bytes. Returns undefined as soon as it exceeds the limit, and leaves the rest unread. */
export async function readAtMost(stream: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array | undefined> {
  const reader = stream.getReader()
  const chunks: Uint8Array[] = []
  let length = 0
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    length += next.value.length
    if (length > limit) {
      reader.releaseLock()
      return undefined
    }
    chunks.push(next.value)
  }
  const bytes = new Uint8Array(length)
  let position = 0
  for (const chunk of chunks) {
    bytes.set(chunk, position)
    position += chunk.length
  }
  return bytes
}

function declaredLength(headers: Headers): number | undefined {
  const sent = headers.get('content-length') ?? ''
  return /^\d+$/.test(sent) && !headers.has('transfer-encoding') ? Number(sent) : undefined
}

/** The maximum bytes to read and drop after the response. */
const MOST_DRAINED = 64 * 1024 * 1024

/** The maximum milliseconds to wait for more of a body. */
const IDLE = 500

/**
 * Reads and drops the rest of a body as long as it keeps coming: a client that is still sending when its connection ends
 * can lose the response.
 */
export async function drain({ body, headers }: Request): Promise<void> {
  const isSent = headers.has('content-length') || headers.has('transfer-encoding')
  if (!isSent || body === null || body.locked) return
  const reader = body.getReader()
  try {
    for (let drained = 0; drained < MOST_DRAINED; ) {
      const next = await within(IDLE, reader.read())
      if (next === undefined || next.done) return
      drained += next.value.length
    }
  } catch {
    // The client has left.
  } finally {
    reader.releaseLock()
  }
}
