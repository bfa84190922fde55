/** The words of a text that lists them, over any number of lines. */
export function words(text: string): string[] {
  return text.trim().split(/\s+/)
}

/**
 * V8 keeps a text that was put together in its parts, and a part of a text as a view of the whole, until one of its
 * characters is read. A ULID takes 235 bytes in parts, and 58 in one piece.
 */
export function inOnePiece(text: string): string {
  text.charCodeAt(0)
  return text
}

/** Ends the text with a full stop, unless it already ends with punctuation. */
export function sentence(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`
}

/** The text without a character that it ends with any number of times. An expression such as `/=+$/` takes quadratic time. */
export function withoutTrailing(text: string, character: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === character) end--
  return text.slice(0, end)
}

const HALF_PAIR = /\p{Surrogate}/gu

/** The text with percent-encoding, as a part of a URL. Half of a surrogate pair, which has none, becomes `\uFFFD`. */
export function percentEncoded(text: string): string {
  return encodeURIComponent(text.replace(HALF_PAIR, '\ufffd'))
}

/** The text as the value of a header, which holds only visible ASCII characters: the others are percent-encoded, and `%` is. */
export function headerText(text: string): string {
  return text.replace(/[^!-$&-~]/gu, percentEncoded)
}

/** A part of a URL without its percent-encoding. Undefined if that is malformed. */
export function percentDecoded(text: string): string | undefined {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** The same, or the text as it is where its encoding is malformed. */
export function percentDecodedOrRaw(text: string): string {
  return percentDecoded(text) ?? text
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is about
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g

/** The text for a terminal, which control characters could steer: they are shown as `\u001b`. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** `1 request`, `2,000 requests`; a plural that isn't the noun and an `s` is given. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? noun : plural}`
}

/** The comma-separated texts of a query, each once. */
export function textsIn(query: string): string[] {
  return [...new Set(query.split(','))]
}

/** Returns a function that tells whether one of the comma-separated texts of a query occurs in a place, whatever its case. */
export function mentionsOf(query: string): (places: readonly (string | null)[]) => boolean {
  const texts = textsIn(query).map((text) => text.trim().toLowerCase())
  if (texts.includes('')) return (places) => places.some((place) => place !== null)
  return (places) =>
    places.some((place) => {
      const lower = place?.toLowerCase()
      return lower !== undefined && texts.some((text) => lower.includes(text))
    })
}

const LONGEST = { address: 254, label: 63 } as const

/** Every character beyond ASCII counts as a letter. */
const ATOM = /^[\w!#$%&'*+\-/=?^`{|}~\u{80}-\u{10FFFF}]+$/u
const LABEL = /^[a-z\d\u{80}-\u{10FFFF}](?:[a-z\d\-\u{80}-\u{10FFFF}]*[a-z\d\u{80}-\u{10FFFF}])?$/iu
const TOP_LEVEL = /^[a-z\u{80}-\u{10FFFF}]./iu

/** Whether the service accepts a text as an e-mail address: no quotes, no comments, at least two labels in the domain. */
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

/** Faults, or known values, that a message lists. */
export const LISTED = 10

/** Faults in one line, each with its place if it has one. */
export function listFaults(faults: readonly { path: string; message: string }[], count = faults.length): string {
  const shown = faults.slice(0, LISTED).map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
  const more = count - shown.length
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('; ')
}
