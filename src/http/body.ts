import { fail, ok, type Result } from '../support/result.js'

/** The first value of a header that may have parameters, in lower case: `text/HTML; charset=x` → `text/html`. */
export function mediaType(header: string): string {
  return (header.split(';', 1)[0] ?? '').trim().toLowerCase()
}

/** Whether each parameter of a content type has a name and a value. */
export function isWellFormed(header: string): boolean {
  return /^[^;]+(;\s*[^\s=;"]+=("[^"]*"|[^\s;"]+)\s*)*$/.test(header)
}

/** The charset that a content type names, in lower case. */
export function charsetOf(header: string): string | undefined {
  return /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(header)?.[1]?.toLowerCase()
}

/** Reads a request's body, inflated, as bytes; `undefined` as soon as there are more than the limit. */
export async function readBytes(request: Request, limit: number, encoding?: string): Promise<Uint8Array | undefined> {
  const declared = Number(request.headers.get('content-length') ?? 0)
  if (encoding === undefined && declared > limit) return undefined
  // Only what comes over a network in pieces can be longer than it says; the rest is in memory already.
  if (encoding === undefined && !request.headers.has('transfer-encoding')) {
    const bytes = new Uint8Array(await request.arrayBuffer())
    return bytes.length > limit ? undefined : bytes
  }
  if (request.body === null) return new Uint8Array()
  const stream =
    encoding === undefined
      ? request.body
      : request.body.pipeThrough(
          new DecompressionStream(encoding as CompressionFormat) as ReadableWritablePair<Uint8Array, Uint8Array>,
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
      // Not awaited: half of a stream that was split, as msw does, ends only together with the other half.
      discard(reader).catch(() => undefined)
      return undefined
    }
    chunks.push(next.value)
  }
  const bytes = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

/** Bytes that are taken in after a body proved too large. */
const MOST_DISCARDED = 16 * 1024 * 1024

/** Takes in what still comes, for a while: a connection that is cut while the client sends may lose it the answer. */
async function discard(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  for (let discarded = 0; discarded < MOST_DISCARDED; ) {
    const { done, value } = await reader.read()
    if (done) return
    discarded += value.length
  }
  await reader.cancel()
}

/** The usual decoder, which refuses what is not UTF-8; it keeps nothing from one body to the next. */
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The text of a body; a byte-order mark is taken off. */
export function decodeText(bytes: Uint8Array, charset: string, fatal: boolean): Result<string, string> {
  try {
    const decoder = fatal && charset === 'utf-8' ? utf8 : new TextDecoder(charset, { fatal })
    return ok(decoder.decode(bytes))
  } catch {
    return fail(`The body is not well-formed ${charset.toUpperCase()}.`)
  }
}

export function parseJson(text: string): Result<unknown, string> {
  if (text === '') return fail('The body is empty; a JSON object is expected.')
  try {
    return ok(JSON.parse(text) as unknown)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return fail(`The body is not well-formed JSON: ${reason}.`)
  }
}

/** The fields of a form, as they are sent by a web page; one that is sent more than once is a list. */
export function parseForm(text: string): Result<unknown, string> {
  const form = new URLSearchParams(text)
  const fields = [...new Set(form.keys())].map((name) => {
    const values = form.getAll(name)
    return [name, values.length === 1 ? values[0] : values] as const
  })
  return ok(Object.fromEntries(fields))
}
