import { findJsonFault } from '../support/json-fault.js'
import { fail, ok, type Result } from '../support/result.js'

/** A media type without its parameters, in lower case: `text/HTML; charset=x` → `text/html`. */
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

/** The coding in which a body is sent. Undefined if there is none. */
export function contentCoding(headers: Headers): string | undefined {
  const coding = headers.get('content-encoding')?.trim().toLowerCase()
  return coding === undefined || coding === '' || coding === 'identity' ? undefined : coding
}

/** Rejects what isn't UTF-8. It keeps no state between bodies, so one is enough. */
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** The text of a body, without its byte-order mark. */
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
  } catch {
    const position = findJsonFault(text) ?? text.length
    const place = position >= text.length ? 'it ends too early' : `see position ${position}`
    return fail(`The body is not well-formed JSON: ${place}.`)
  }
}

/** The fields of a form, as a web page sends them. A field that is sent more than once becomes a list. */
export function parseForm(text: string): Result<unknown, string> {
  const fields = [...valuesByName(new URLSearchParams(text))]
  return ok(Object.fromEntries(fields.map(([name, values]) => [name, values.length === 1 ? values[0] : values])))
}

/** All values of each name, in the order in which the names are sent. `getAll` would read everything for each name. */
export function valuesByName(sent: URLSearchParams): Map<string, string[]> {
  const byName = new Map<string, string[]>()
  for (const [name, value] of sent) {
    const values = byName.get(name)
    if (values === undefined) byName.set(name, [value])
    else values.push(value)
  }
  return byName
}
