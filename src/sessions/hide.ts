import { REDACTED, type Redacted } from './redact.js'

/** Secrets that are looked for one by one. If there are more, all texts of the answer are left out. */
const MOST_SOUGHT = 40

/** A secret that is this short is replaced only where it stands alone, lest it be found in every word. */
const SHORT = 6

/** A response without the secrets that its request sent: errors quote what was sent. */
export function hideSent(response: unknown, { secrets, isPartial }: Pick<Redacted, 'secrets' | 'isPartial'>): unknown {
  const sought = soughtTexts(secrets)
  if (sought.length === 0 && !isPartial) return response
  if (sought.length > MOST_SOUGHT) return mapTexts(response, () => REDACTED)
  return mapTexts(response, (text) => {
    const known = sought.reduce(hideIn, text)
    return isPartial ? withoutQuotes(known) : known
  })
}

/** Each secret as it is and as JSON writes it, longest first. */
function soughtTexts(secrets: readonly string[]): string[] {
  const texts = secrets.flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)])
  return [...new Set(texts)].filter((text) => text !== '').toSorted((one, other) => other.length - one.length)
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapTexts(item, change)]))
}

/** A text without a secret. */
export function hideIn(text: string, secret: string): string {
  if (secret.length >= SHORT) return text.replaceAll(secret, () => REDACTED)
  let hidden = ''
  let from = 0
  for (let at = text.indexOf(secret); at !== -1; at = text.indexOf(secret, at + 1)) {
    if (at < from || isInWord(text, at, secret.length)) continue
    hidden += text.slice(from, at) + REDACTED
    from = at + secret.length
  }
  return hidden + text.slice(from)
}

function isInWord(text: string, at: number, length: number): boolean {
  const isLetter = (character: string | undefined) => character !== undefined && /\w/.test(character)
  return isLetter(text[at - 1]) || isLetter(text[at + length])
}

/** A message about a body that can't be parsed quotes a part of it, which may begin anywhere in a secret. */
function withoutQuotes(message: string): string {
  const first = message.indexOf('"')
  return first === -1 ? message : message.slice(0, first) + REDACTED + message.slice(message.lastIndexOf('"') + 1)
}
