import type { Failure } from '../contract/errors.js'
import type { BodyFormat } from '../contract/profile.js'
import type { Result } from '../support/result.js'
import { charsetOf, decodeText, isWellFormed, mediaType, parseForm, parseJson, readBytes } from './body.js'
import type { Check, Exchange, SentBody } from './exchange.js'

const JSON_TYPE = 'application/json'

/** Whether the body is sent as JSON, where the operation takes one. */
export const contentType: Check = ({ request, operation, profile }) => {
  const { anyTypeFor, typeEvenFor } = profile.body
  const matters = operation.body === undefined ? typeEvenFor.includes(operation.id) : !anyTypeFor.includes(operation.id)
  if (!matters) return undefined
  const type = request.headers.get('content-type') ?? ''
  if (mediaType(type) === JSON_TYPE) return undefined
  const what = type === '' ? 'The request has no content type' : `The content type "${type}" is not supported`
  return { kind: 'contentType', message: `${what}; this operation takes "${JSON_TYPE}".` }
}

/** Whether the body's charset and content coding are known. */
export const encoding: Check = (exchange) => {
  const { profile } = exchange
  const { format, charset, coding } = sentBody(exchange)
  if (format === undefined) return undefined
  if (!profile.body.charsets.test(charset)) return unsupported('charset', charset, 'utf-8')
  return coding === undefined || profile.body.encodings.includes(coding)
    ? undefined
    : unsupported('content encoding', coding, profile.body.encodings.join(', '))
}

/** Reads the body, and refuses one that is too large. */
export const size: Check = (exchange) => (sentBody(exchange).format === undefined ? undefined : readBody(exchange))

async function readBody(exchange: Exchange): Promise<Failure | undefined> {
  const { request, profile } = exchange
  const { coding } = sentBody(exchange)
  try {
    exchange.bytes = await readBytes(request, profile.body.limit, coding)
  } catch {
    const how = coding === undefined ? 'could not be read to its end' : `is not well-formed ${coding}`
    return unreadable(`The body ${how}.`)
  }
  if (exchange.bytes !== undefined) return undefined
  return { kind: 'payloadTooLarge', message: `The body is larger than ${profile.body.limit} bytes.` }
}

/** Reads what the body says. */
export const syntax: Check = (exchange) => {
  const { bytes, profile } = exchange
  const { format, charset } = sentBody(exchange)
  const isSeen = format !== undefined && bytes !== undefined && !(bytes.length === 0 && profile.body.emptyIsObject)
  if (!isSeen) {
    if (profile.body.emptyIsObject) exchange.body = {}
    return undefined
  }
  const text = decodeText(bytes, charset, profile.body.refusesBrokenText)
  if (!text.ok) return unreadable(text.failure)
  exchange.text = text.value
  const body = parsers[format](text.value)
  if (!body.ok) return unreadable(body.failure)
  exchange.body = body.value
  return undefined
}

const parsers: Readonly<Record<BodyFormat, (text: string) => Result<unknown, string>>> = {
  json: parseJson,
  form: parseForm,
}

/** How the body is sent, found out once. */
function sentBody(exchange: Exchange): SentBody {
  exchange.sent ??= describeBody(exchange)
  return exchange.sent
}

function describeBody({ request, operation, profile }: Exchange): SentBody {
  if (operation.body === undefined && (!profile.body.alwaysRead || request.body === null)) return NO_BODY
  const type = request.headers.get('content-type') ?? ''
  return {
    format: profile.body.wellFormedTypesOnly && !isWellFormed(type) ? undefined : profile.body.formats[mediaType(type)],
    charset: charsetOf(type) ?? 'utf-8',
    coding: contentCoding(request),
  }
}

const NO_BODY: SentBody = { format: undefined, charset: 'utf-8', coding: undefined }

/** The coding in which the body is sent; undefined if it is sent as it is. */
function contentCoding(request: Request): string | undefined {
  const coding = request.headers.get('content-encoding')?.trim().toLowerCase()
  return coding === undefined || coding === '' || coding === 'identity' ? undefined : coding
}

function unsupported(what: string, sent: string, known: string): Failure {
  return {
    kind: 'unsupportedEncoding',
    message: `The ${what} "${sent}" is not supported; an application/json body may have: ${known}.`,
  }
}

function unreadable(message: string): Failure {
  return { kind: 'unreadableBody', message, details: [{ message, path: '/body' }] }
}
