import type { BodyFormat, Profile } from '../contract/profile.js'
import { charsetOf, contentCoding, decodeText, isWellFormed, mediaType } from './body.js'
import type { BodyDescription, Checked, ReceivedBody } from './exchange.js'

/**
 * Reads the body of a request as far as the profile looks at it. What goes wrong is a fact for the checks, which decide
 * in their own order what to answer.
 */
export function receiveBody(
  request: Request,
  checked: Checked,
  profile: Profile,
): ReceivedBody | Promise<ReceivedBody> {
  const description = describeBody(request, checked, profile)
  const { format, charset, coding } = description
  const isRead = format !== undefined && profile.body.charsets.test(charset) && isKnownCoding(coding, profile)
  return isRead
    ? readInto(description, request, checked.bodyLimit ?? profile.body.limit)
    : { format, charset, coding, state: 'ignored' }
}

/** The text of a body that was read; null where none was, or where its charset doesn't fit. */
export function textOf(received: ReceivedBody | undefined, { body: { refusesBrokenText } }: Profile): string | null {
  if (received?.state !== 'read' || received.format === undefined) return null
  const text = decodeText(received.bytes, received.charset, refusesBrokenText)
  return text.ok ? text.value : null
}

export function isKnownCoding(coding: string | undefined, profile: Profile): boolean {
  return coding === undefined || profile.body.encodings.includes(coding)
}

async function readInto(
  { format, charset, coding }: BodyDescription,
  request: Request,
  limit: number,
): Promise<ReceivedBody> {
  try {
    const bytes = await readBytes(request, limit, coding)
    if (bytes === undefined) return { format, charset, coding, state: 'tooLarge' }
    return { format, charset, coding, state: 'read', bytes }
  } catch {
    return { format, charset, coding, state: 'broken' }
  }
}

const NO_BODY: BodyDescription = { format: undefined, charset: 'utf-8', coding: undefined }

function describeBody(request: Request, { body }: Checked, profile: Profile): BodyDescription {
  if (body === undefined && (!profile.body.alwaysRead || request.body === null)) return NO_BODY
  const type = request.headers.get('content-type') ?? ''
  const isIgnored = profile.body.wellFormedTypesOnly && !isWellFormed(type)
  return {
    format: isIgnored ? undefined : formatOf(mediaType(type), profile),
    charset: charsetOf(type) ?? 'utf-8',
    coding: contentCoding(request.headers),
  }
}

/** A media type such as `constructor` must not find what every object inherits. */
function formatOf(type: string, { body: { formats } }: Profile): BodyFormat | undefined {
  return Object.hasOwn(formats, type) ? formats[type] : undefined
}

/** Reads a request's body, decompressed, as bytes. Returns undefined as soon as there are more than the limit. */
export async function readBytes(request: Request, limit: number, coding?: string): Promise<Uint8Array | undefined> {
  const declared = Number(request.headers.get('content-length') ?? 0)
  if (coding === undefined && declared > limit) {
    // Some servers cut a connection whose request has not been read.
    if (request.body !== null) await discard(request.body.getReader()).catch(() => undefined)
    return undefined
  }
  // Only a body that comes over a network in chunks can be longer than it declares. All others are in memory already.
  if (coding === undefined && !request.headers.has('transfer-encoding')) {
    const bytes = new Uint8Array(await request.arrayBuffer())
    return bytes.length > limit ? undefined : bytes
  }
  if (request.body === null) return new Uint8Array()
  const stream =
    coding === undefined
      ? request.body
      : request.body.pipeThrough(
          new DecompressionStream(coding as CompressionFormat) as ReadableWritablePair<Uint8Array, Uint8Array>,
        )
  return readStream(stream, limit)
}

async function readStream(stream: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array | undefined> {
  const reader = stream.getReader()
  const chunks: Uint8Array[] = []
  let length = 0
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    length += next.value.length
    if (length > limit) {
      // Not awaited: one half of a stream that was split, as msw does, ends only together with the other half.
      discard(reader).catch(() => undefined)
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

/** Bytes that are read and dropped after a body has proved too large. */
const MOST_DISCARDED = 16 * 1024 * 1024

/** Reads on for a while: if the connection is cut while the client still sends, the client may lose the answer. */
export async function discard(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  for (let discarded = 0; discarded < MOST_DISCARDED; ) {
    const { done, value } = await reader.read()
    if (done) return
    discarded += value.length
  }
  await reader.cancel()
}
