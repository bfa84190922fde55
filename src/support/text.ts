/** The words of a text, over any number of lines. */
export function words(text: string): string[] {
  return text.trim().split(/\s+/)
}

/**
 * Makes a text one piece. Otherwise a concatenated text keeps its parts, and a substring the whole text, until a character
 * is read.
 */
export function inOnePiece(text: string): string {
  text.charCodeAt(0)
  return text
}

/** Ends the text with a full stop, unless it already ends with punctuation. */
export function sentence(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`
}

/** The text without any repetitions of a character at its end. An expression such as `/=+$/` takes quadratic time. */
export function withoutTrailing(text: string, character: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === character) end--
  return text.slice(0, end)
}

const HALF_PAIR = /\p{Surrogate}/gu

/** The percent-encoded text, for a URL. Half of a surrogate pair, which has no encoding, becomes `\uFFFD`. */
export function percentEncoded(text: string): string {
  return encodeURIComponent(text.replace(HALF_PAIR, '\ufffd'))
}

/**
 * The text as a header value, which takes only visible ASCII characters, and spaces inside: all others and `%` are
 * percent-encoded.
 */
export function headerText(text: string): string {
  return text.replace(/^ | $|[^ -$&-~]/gu, percentEncoded)
}

/** The percent-decoded part of a URL. Undefined if the encoding is malformed. */
export function percentDecoded(text: string): string | undefined {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** The percent-decoded text, or the text itself if its encoding is malformed. */
export function percentDecodedOrRaw(text: string): string {
  return percentDecoded(text) ?? text
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: it removes them
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g

/** The text for a terminal: control characters, which could steer it, become `\u001b`. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** `1 request`, `2,000 requests`, with an optional irregular plural. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? noun : plural}`
}

/** The distinct comma-separated texts of a query. */
export function textsIn(query: string): string[] {
  return [...new Set(query.split(','))]
}

/**
 * Returns a function that tells whether a comma-separated text of a query occurs in a place, in any case. As in SQL, `%` in
 * a text stands for any characters and, in a short piece between them, `_` for one.
 */
export function mentionsOf(query: string): (places: readonly (string | null)[]) => boolean {
  const patterns = textsIn(query).map((text) => text.trim().toLowerCase().split('%'))
  const isIn = (place: string) => patterns.some((pieces) => hasPieces(place, pieces))
  return (places) => places.some((place) => place !== null && isIn(place.toLowerCase()))
}

/** Whether a place begins with a text, in any case. `%` in the text stands for any characters and `_` for one. */
export function beginsWith(place: string, text: string): boolean {
  return beginsLike(place.toLowerCase(), text.toLowerCase())
}

/** Whether a place begins with a text with `%` and `_`, in the same case. */
export function beginsLike(place: string, text: string): boolean {
  const [first = '', ...others] = text.split('%')
  return first.length <= place.length && isAt(0, place, first) && hasPieces(place.slice(first.length), others)
}

/** Whether pieces occur in a text one after the other. `_` in a short piece stands for any character. */
function hasPieces(text: string, pieces: readonly string[]): boolean {
  let start = 0
  for (const piece of pieces) {
    const place =
      piece.length <= LONGEST_SOUGHT && piece.includes('_') ? like(piece, text, start) : placeOf(piece, text, start)
    if (place < 0) return false
    start = place + piece.length
  }
  return true
}

function like(piece: string, text: string, start: number): number {
  for (let place = start; place + piece.length <= text.length; place++) if (isAt(place, text, piece)) return place
  return -1
}

function isAt(place: number, text: string, piece: string): boolean {
  for (let i = 0; i < piece.length; i++) if (piece[i] !== '_' && piece[i] !== text[place + i]) return false
  return true
}

/** Longer texts take V8's search, and a search for `_`, as many steps as the product of both lengths. */
const LONGEST_SOUGHT = 10

/** Whether a text occurs in another, in linear time. */
export function occursIn(place: string, text: string): boolean {
  return placeOf(text, place, 0) >= 0
}

/** The place of a text in another from a start on, or -1: by the algorithm of Knuth, Morris and Pratt if it is long. */
function placeOf(sought: string, text: string, start: number): number {
  if (sought.length <= LONGEST_SOUGHT) return text.indexOf(sought, start)
  if (sought.length > text.length - start) return -1
  // For each prefix of the text, the length of its longest end that is also a beginning of the text.
  const overlaps = [0]
  for (let i = 1, length = 0; i < sought.length; i++) {
    while (length > 0 && sought[i] !== sought[length]) length = overlaps[length - 1] ?? 0
    if (sought[i] === sought[length]) length++
    overlaps.push(length)
  }
  let matched = 0
  for (let i = start; i < text.length; i++) {
    while (matched > 0 && text[i] !== sought[matched]) matched = overlaps[matched - 1] ?? 0
    if (text[i] === sought[matched]) matched++
    if (matched === sought.length) return i + 1 - matched
  }
  return -1
}

const LONGEST = { address: 254, label: 63 } as const

/** Every character beyond ASCII counts as a letter. */
const ATOM = /^[\w!#$%&'*+\-/=?^`{|}~\u{80}-\u{10FFFF}]+$/u
const LABEL = /^[a-z\d\u{80}-\u{10FFFF}](?:[a-z\d\-\u{80}-\u{10FFFF}]*[a-z\d\u{80}-\u{10FFFF}])?$/iu
const TOP_LEVEL = /^[a-z\u{80}-\u{10FFFF}]./iu

/** Whether Unleash accepts a text as an e-mail address: no quotes, no comments, at least two labels in the domain. */
export function isEmailAddress(text: string): boolean {
  const [local = '', domain, ...more] = text.split('@')
  if (domain === undefined || more.length > 0) return false
  if (text.length > LONGEST.address) return false
  const labels = domain.split('.')
  return (
    local.split('.').every((atom) => ATOM.test(atom)) &&
    labels.length > 1 &&
    labels.every((label) => label.length <= LONGEST.label && LABEL.test(label)) &&
    TOP_LEVEL.test(labels.at(-1) ?? '')
  )
}

/** The maximum errors, or known values, in a message. */
export const LISTED = 10

/** The maximum errors in data that are found. */
export const FAULTS_TOLD = 100

/** Errors in one line, each with its place if it has one. */
export function listFaults(faults: readonly { path: string; message: string }[], count = faults.length): string {
  const shown = faults.slice(0, LISTED).map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
  const more = count - shown.length
  return [...shown, ...(more > 0 ? [`and ${count === FAULTS_TOLD ? 'at least ' : ''}${more} more`] : [])].join('; ')
}

/** The segments of a path. Empty segments don't count. */
export function segmentsOf(path: string): string[] {
  return path.match(/[^/]+/g) ?? []
}
