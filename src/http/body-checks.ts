import type { Failure } from '../contract/errors.js'
import type { BodyFormat } from '../contract/profile.js'
import { holdsSecrets } from '../contract/secrets.js'
import type { Result } from '../support/result.js'
import { decodeText, isKnownCoding, mediaType, parseForm, parseJson } from './body.js'
import type { Check } from './exchange.js'

const JSON_MEDIA_TYPE = 'application/json'

/** Whether the body is sent as JSON, where the operation takes a body. */
export const contentType: Check = ({ request, checked, profile }) => {
  const { anyTypeFor, typeEvenFor } = profile.body
  const { id = '', body } = checked
  const matters = body === undefined ? typeEvenFor.includes(id) : !anyTypeFor.includes(id)
  if (!matters) return undefined
  const type = request.headers.get('content-type') ?? ''
  if (mediaType(type) === JSON_MEDIA_TYPE) return undefined
  const what = type === '' ? 'The request has no content type' : `The content type "${type}" is not supported`
  return { kind: 'contentType', message: `${what}; this operation takes "${JSON_MEDIA_TYPE}".` }
}

/** Whether the body's charset and content coding are supported. */
export const encoding: Check = ({ received: { format, charset, coding }, profile }) => {
  if (format === undefined) return undefined
  if (!profile.body.charsets.test(charset)) return unsupported('charset', charset, 'utf-8')
  return coding === undefined || isKnownCoding(coding, profile)
    ? undefined
    : unsupported('content encoding', coding, profile.body.encodings.join(', '))
}

/** Whether the whole body could be read. */
export const size: Check = ({ received, profile, checked }) => {
  if (received.state === 'tooLarge') {
    const limit = checked.bodyLimit ?? profile.body.limit
    return { kind: 'payloadTooLarge', message: `The body is larger than ${limit} bytes.` }
  }
  if (received.state !== 'broken') return undefined
  const { coding } = received
  return unreadable(`The body ${coding === undefined ? 'could not be read to its end' : `is not valid ${coding}`}.`)
}

/** Parses the body. */
export const syntax: Check = (exchange) => {
  const { received, profile, checked } = exchange
  const { format, charset } = received
  const isEmpty = received.state !== 'read' || (received.bytes.length === 0 && profile.body.emptyIsObject)
  if (isEmpty || format === undefined) {
    if (profile.body.emptyIsObject) exchange.body = {}
    return undefined
  }
  const text = decodeText(received.bytes, charset, profile.body.refusesBrokenText)
  if (!text.ok) return unreadable(text.failure)
  exchange.text = text.value
  const body = parsers[format](text.value)
  if (!body.ok) {
    const takesSecrets = checked.body !== undefined && holdsSecrets(checked.body)
    return unreadable(
      takesSecrets ? `The body is not valid ${format === 'json' ? 'JSON' : 'form data'}.` : body.failure,
    )
  }
  exchange.body = body.value
  return undefined
}

const parsers: Readonly<Record<BodyFormat, (text: string) => Result<unknown, string>>> = {
  json: parseJson,
  form: parseForm,
}

function unsupported(what: string, sent: string, known: string): Failure {
  return {
    kind: 'unsupportedEncoding',
    message: `The ${what} "${sent}" is not supported. An application/json body may use: ${known}.`,
  }
}

function unreadable(message: string): Failure {
  return { kind: 'unreadableBody', message, details: [{ message, path: '/body' }] }
}
