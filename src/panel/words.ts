import { STATUS_TEXT } from '../service/contract/errors.js'
import { DAY, HOUR, MINUTE } from '../support/calendar.js'
import { counted } from '../support/text.js'

const units = [
  ['day', DAY],
  ['hour', HOUR],
  ['minute', MINUTE],
  ['second', 1000],
] as const

const relative = new Intl.RelativeTimeFormat('en')
const relativeShort = new Intl.RelativeTimeFormat('en', { style: 'short' })

function relativeParts(ms: number) {
  const [unit, length] = units.find(([, length]) => Math.abs(ms) >= length) ?? (['second', 1000] as const)
  return [Math.trunc(ms / length), unit] as const
}

/** `in 30 days`, `2 hours ago`; negative milliseconds are in the past. */
export function relativeWords(ms: number): string {
  return relative.format(...relativeParts(ms))
}

/** `2 min ago`; `just now` for less than a minute. */
export function agoWords(ms: number): string {
  return ms < MINUTE ? 'just now' : relativeShort.format(...relativeParts(-ms))
}

const instantFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' })

const WEEK = 7 * DAY

/** The offset of a clock, to the minute: `1 week ahead`, `3 hours behind`. */
export function offsetWords(ms: number): string {
  const distance = Math.round(Math.abs(ms) / MINUTE) * MINUTE
  const fitting = units.find(([, length]) => distance >= length) ?? (['minute', MINUTE] as const)
  const [unit, length] = distance % WEEK === 0 ? (['week', WEEK] as const) : fitting
  return `${counted(Math.round(distance / length), unit)} ${ms < 0 ? 'behind' : 'ahead'}`
}

/** The offset in brief: `+7 d`, `−3 h`. */
export function offsetSign(ms: number): string {
  const [number, unit] = relativeParts(ms)
  return `${ms < 0 ? '−' : '+'}${Math.abs(number)} ${unit[0]}`
}

/** `20 Nov 2026, 12:00:00 UTC` */
export function instantWords(instant: Date | string): string {
  return `${instantFormat.format(new Date(instant))} UTC`
}

/** `12:00:00` */
export function timeOfDay(instant: string): string {
  return instant.slice(11, 19)
}

/** `3 ms`, `1.2 s` */
export function durationWords(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`
}

/** Whether a text contains a search term, in any case. */
export function mentions(text: string, wanted: string): boolean {
  return text.toLowerCase().includes(wanted.trim().toLowerCase())
}

/**
 * The items that contain a search term in one of their texts. Items with the term in an earlier text come first; an item
 * whose first text is the term comes before all others.
 */
export function ranked<One>(items: readonly One[], wanted: string, textsOf: (item: One) => string[]): One[] {
  const rank = (item: One) => {
    const texts = textsOf(item)
    return texts[0] === wanted.trim() ? -1 : texts.findIndex((text) => mentions(text, wanted))
  }
  const found = items.filter((item) => textsOf(item).some((text) => mentions(text, wanted)))
  return found.toSorted((one, other) => rank(one) - rank(other))
}

/** `409 · The name is taken` */
export function statusWords(status: number): string {
  return `${status} · ${STATUS_TEXT[status] ?? 'an error'}`
}

/** `3 requests`; `2 of 3 requests` if some are hidden. */
export function countedOf(found: number, all: number, what: string): string {
  return `${found === all ? '' : `${found.toLocaleString('en')} of `}${counted(all, what)}`
}

/** `the session nora` */
export function sessionWords(name: string): string {
  return name === '' ? 'the shared session' : `the session ${name}`
}

/** The scenario name for a title: `A slow Monday` becomes `a-slow-monday`. */
export function nameOf(title: string): string {
  return title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}
