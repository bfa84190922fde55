import { CORE } from '../../src/engine/mock/session.js'
import { createMock } from '../../src/index.js'
import { isObject } from '../../src/support/json.js'
import type { FidelityRequest, FidelityResponse } from './exchange.js'

/** A place where two responses differ. */
export interface Difference {
  /** `status`, the name of a header, `cookies`, or the path in the body without positions, like `.features[].name`. */
  place: string
  /** `order`: two lists have the same items in another order. */
  kind: 'status' | 'header' | 'value' | 'order'
  /** In the response of Unleash. Undefined if it is missing there. */
  expected: unknown
  actual: unknown
}

/** Dates, UUIDs, ULIDs, hashes, and secrets in hexadecimal digits. */
const VOLATILE =
  /\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b[0-9A-HJKMNP-TV-Z]{26}\b|\$2[aby]\$\d\d\$[\w./]{53}|(?<![0-9a-f])[0-9a-f]{32,64}(?![0-9a-f])/gu
const DATE = /^\d{4}-\d\d-\d\d/u

/** Texts that each server writes in its own words: only the names in quotation marks count. */
const PROSE_FIELDS: readonly string[] = [
  'message',
  'summary',
  'description',
  'label',
  'documentation',
  'details',
  'error',
]
const PROSE = new RegExp(`(?:^|\\.)(${PROSE_FIELDS.join('|')})$`)

/**
 * The IDs and secrets of Unleash and of the mock that stand for each other. A value is paired when it is first met; from then
 * on, it has to be met together with its partner.
 */
export class Pairs {
  #here = new Map<string, string>()
  #there = new Map<string, string>()
  /** Texts that requests sent: these aren't volatile. */
  #sent = new Set<string>()

  /** `here` are the IDs of the personal access tokens that `addUsers` made. Those of Unleash begin with 1. */
  constructor(here: readonly number[] = []) {
    for (const [index, id] of here.entries()) this.match('access token', index + 1, id)
  }

  remember({ body }: FidelityRequest): void {
    const text = typeof body === 'string' ? body : JSON.stringify(body ?? null)
    for (const [, sent = ''] of text.matchAll(/"((?:[^"\\]|\\.)*)"/gu)) this.#sent.add(sent)
  }

  wasSent(text: string): boolean {
    return this.#sent.has(text)
  }

  /** Whether the values stand for each other. */
  match(series: string, expected: string | number, actual: string | number): boolean {
    const [there, here] = [`${series} ${expected}`, `${series} ${actual}`]
    if (!this.#here.has(there) && !this.#there.has(here)) {
      this.#here.set(there, String(actual))
      this.#there.set(here, String(expected))
    }
    return this.#here.get(there) === String(actual) && this.#there.get(here) === String(expected)
  }

  /** A path or a JSON body for the mock: with its IDs and secrets in place of those of Unleash. */
  translate = (text: string): string => {
    const texts = text.replace(VOLATILE, (value) => this.#here.get(`text ${value}`) ?? value)
    return texts
      .replace(
        /(\/(?:user-admin|roles\/user)\/)(\d+)/gu,
        (_, before: string, id: string) => before + this.#number('user', id),
      )
      .replace(
        /(\/user\/tokens\/)(\d+)/gu,
        (_, before: string, id: string) => before + this.#number('access token', id),
      )
      .replace(
        /(\/segments\/(?:strategies\/)?)(\d+)/gu,
        (_, before: string, id: string) => before + this.#number('segment', id),
      )
      .replace(/("segment(?:s|Ids)":\[)([\d,]+)/gu, (_, before: string, ids: string) => {
        return (
          before +
          ids
            .split(',')
            .map((id) => this.#number('segment', id))
            .join(',')
        )
      })
  }

  #number(series: string, id: string): string {
    return this.#here.get(`${series} ${id}`) ?? id
  }

  matchTexts(expected: string, actual: string): boolean {
    const [left, right] = [expected.match(VOLATILE) ?? [], actual.match(VOLATILE) ?? []]
    if (expected.replace(VOLATILE, '§') !== actual.replace(VOLATILE, '§')) return false
    return left.every((value, index) => {
      const other = right[index] ?? ''
      if (this.#here.has(`text ${value}`)) return this.match('text', value, other)
      if (this.wasSent(value)) return value === other
      return DATE.test(value) ? DATE.test(other) : this.match('text', value, other)
    })
  }

  /** A text that two equal items of lists have in common. */
  key(value: unknown, side: 'expected' | 'actual'): string {
    const text = JSON.stringify(sorted(value), (name, item: unknown) => {
      const isPaired = typeof item === 'number' && /^(id|.*Id|segments)$/u.test(name)
      const isProse = typeof item === 'string' && PROSE_FIELDS.includes(name) && !this.wasSent(item)
      return isPaired || isProse ? '#' : item
    })
    return text.replace(VOLATILE, (found) => {
      if (DATE.test(found)) return '§'
      const partner = side === 'expected' ? this.#here.get(`text ${found}`) : this.#there.get(`text ${found}`)
      if (partner === undefined) return '§'
      return side === 'expected' ? found : partner
    })
  }
}

/** A JSON value with the properties of its objects in alphabetical order. */
export function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map((name) => [name, sorted(value[name])]),
  )
}

/** A text that isn't prose: nothing, or a name such as `NotFoundError`. */
const WORD = /^\w*$/u

/** The end of a message of Unleash, with the value that was sent. */
const ECHO = / You (sent|provided) .*$/su

/** The names in quotation marks in a text of Unleash. */
function namesIn(text: string, quoted: RegExp): string[] {
  const names = [...text.replace(ECHO, '').matchAll(quoted)].map(([, a, b, c]) => a ?? b ?? c ?? '')
  return names.filter((name) => /[\p{L}\p{N}]/u.test(name))
}

/** The names in a text of Unleash, as text: its facts, without its words. */
export function factsOf(text: string): string {
  if (WORD.test(text)) return text
  return ['…', ...namesIn(text, /"([^"]*)"|`([^`]+)`|'([^']+)'/gu).map((name) => `"${name}"`)].join(' ')
}

/** A response without the words of Unleash. Texts that requests sent stay. */
export function withoutProse(response: FidelityResponse, pairs: Pairs): FidelityResponse {
  const strip = (value: unknown, isProse = false): unknown => {
    if (typeof value === 'string') return isProse && !pairs.wasSent(value) ? factsOf(value) : value
    if (Array.isArray(value)) return value.map((item) => strip(item, isProse))
    if (!isObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name, strip(item, PROSE_FIELDS.includes(name))]),
    )
  }
  return 'body' in response ? { ...response, body: strip(response.body) } : response
}

function hasFacts(expected: string, actual: string): boolean {
  if (WORD.test(expected)) return expected === actual
  const names = namesIn(expected, /"([^"]*)"|`([^`]+)`/gu)
  return names.every((name) => name.search(VOLATILE) >= 0 || name === 'details' || actual.includes(name))
}

/** The series to which a number belongs. Undefined if the number means itself. */
function seriesOf(place: string, parent: object): string | undefined {
  if (/revisionId$/u.test(place)) return 'revision'
  if (/(userId|createdByUserId)$/u.test(place)) return 'user'
  if (/(segments|segmentIds)\[\]$/u.test(place)) return 'segment'
  if (!/\.id$/u.test(place) || /roles?(\[\])?\.id$/iu.test(place)) return undefined
  if ('createdBy' in parent && 'data' in parent) return 'event'
  if ('imageUrl' in parent || 'username' in parent) return 'user'
  if ('expiresAt' in parent && 'description' in parent) return 'access token'
  return /segments\[\]\.id$/u.test(place) || 'constraints' in parent ? 'segment' : `other ${place}`
}

const core = createMock({ profile: 'unleash-8' })[CORE]

/** The operation that a request calls, by the mock's table. */
export function operationOf({ method, path }: FidelityRequest): string | undefined {
  const id = core.match(method, `http://localhost${path}`, true)
  return id === 'control' || id === 'otherMethod' ? undefined : id
}

/** All differences between the responses of Unleash and of the mock to the same request. */
export function compare(expected: FidelityResponse, actual: FidelityResponse, pairs: Pairs): Difference[] {
  if (expected.status !== actual.status) {
    const here = isObject(actual.body) ? actual.body.name : undefined
    return [
      { place: 'status', kind: 'status', expected: expected.status, actual: `${actual.status} ${here ?? ''}`.trim() },
    ]
  }
  const found: Difference[] = []
  const headers = new Set([...Object.keys(expected.headers), ...Object.keys(actual.headers)])
  for (const name of headers) {
    const [there, here] = [expected.headers[name], actual.headers[name]]
    const isSame =
      typeof there === 'string' && typeof here === 'string' ? isSameHeader(name, there, here) : there === here
    if (!isSame) found.push({ place: name, kind: 'header', expected: there, actual: here })
  }
  if (expected.cookies.join() !== actual.cookies.join()) {
    found.push({ place: 'cookies', kind: 'header', expected: expected.cookies.join(), actual: actual.cookies.join() })
  }
  if (expected.body !== undefined || actual.body !== undefined) {
    compareValues({ place: '', parent: {}, pairs, found }, expected.body, actual.body)
  }
  return found
}

/** The kind of a value; of a list with other items, the types or names of those that one server has more often. */
export function detailsOf({ kind, expected, actual }: Difference): string[] {
  if (kind !== 'value') return ['']
  if (!Array.isArray(expected) || !Array.isArray(actual)) return [`${kindOf(expected)} ${kindOf(actual)}`]
  const names = (list: unknown[]) => list.map((item) => (isObject(item) ? `${item.type ?? item.name}` : kindOf(item)))
  const [there, here] = [names(expected), names(actual)]
  const often = (list: string[], name: string) => list.filter((one) => one === name).length
  const odd = [...new Set([...there, ...here])].filter((name) => often(there, name) !== often(here, name))
  return odd.length === 0
    ? ['other']
    : odd.map((name) => `${often(there, name) > often(here, name) ? '-' : '+'}${name}`)
}

const kindOf = (value: unknown) => (typeof value === 'boolean' || value == null ? `${value}` : typeof value)

/** A `Location` ends with an ID. */
function isSameHeader(name: string, there: string, here: string): boolean {
  const masked = (text: string) =>
    name === 'location' ? text.replace(/\d+$|[0-9A-Z]{26}$|[0-9a-f]{32,}$/u, '§') : text
  return masked(there) === masked(here)
}

interface Place {
  place: string
  parent: object
  pairs: Pairs
  found: Difference[]
}

function compareValues(at: Place, expected: unknown, actual: unknown): void {
  const { place, parent, pairs, found } = at
  const differs = (kind: Difference['kind'] = 'value') => found.push({ place: place || 'body', kind, expected, actual })
  if (typeof expected === 'string' && typeof actual === 'string') {
    const isProse = PROSE.test(place) && !pairs.wasSent(expected)
    if (!(isProse ? hasFacts(expected, actual) : pairs.matchTexts(expected, actual))) differs()
  } else if (typeof expected === 'number' && typeof actual === 'number') {
    const series = expected > 0 ? seriesOf(place, parent) : undefined
    if (series === undefined ? expected !== actual : series !== 'revision' && !pairs.match(series, expected, actual))
      differs()
  } else if (Array.isArray(expected) && Array.isArray(actual)) {
    compareLists(at, expected, actual, differs)
  } else if (isObject(expected) && isObject(actual)) {
    for (const name of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
      compareValues({ ...at, place: `${place}.${name}`, parent: expected }, expected[name], actual[name])
    }
  } else if (expected !== actual) differs()
}

function compareLists(
  { place, pairs, ...at }: Place,
  expected: unknown[],
  actual: unknown[],
  differs: (kind?: Difference['kind']) => void,
): void {
  if (expected.length !== actual.length) {
    differs()
    return
  }
  const rest = actual.map((value, index) => ({ value, index, key: pairs.key(value, 'actual') }))
  const equal = expected.map((value) => {
    const key = pairs.key(value, 'expected')
    const index = rest.findIndex((item) => item.key === key)
    return index < 0 ? undefined : rest.splice(index, 1)[0]
  })
  // The other items are compared in their order.
  const partners = equal.map((item) => item ?? rest.shift())
  if (partners.some((item, index) => index !== item?.index)) differs('order')
  for (const [index, value] of expected.entries()) {
    compareValues({ ...at, pairs, place: `${place}[]` }, value, partners[index]?.value)
  }
}
