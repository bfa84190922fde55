import type { Duration } from '../../support/calendar.js'
import { counted } from '../../support/text.js'
import type { ForceRule } from '../scenarios/force-rule.js'

// The words for clocks and rules in the titles of steps.

/** `2026-12-20 12:00:01 UTC`; the clock rejects an invalid date. */
export function momentOf(date: Date | string | number): string {
  const moment = new Date(typeof date === 'string' || date instanceof Date ? date : Number(date))
  return Number.isNaN(moment.getTime()) ? String(date) : `${moment.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

/** `1 day and 2 hours`; the clock rejects an invalid duration. */
export function lengthOf(duration: Duration): string {
  if (typeof duration === 'number') return `${duration} ms`
  const { days = 0, hours = 0, minutes = 0, seconds = 0, ms = 0 } = duration ?? {}
  const parts = Object.entries({ day: days, hour: hours, minute: minutes, second: seconds })
  const words = parts.filter(([, count]) => count !== 0).map(([unit, count]) => counted(count, unit))
  return [...words, ...(ms === 0 && words.length > 0 ? [] : [`${ms} ms`])].join(' and ')
}

/** `cloneFeature: 503`, the subject of a rule. */
export function subjectOf({ operation, status }: ForceRule): string {
  const subject = operation === '*' ? 'every operation' : operation
  return status === undefined ? subject : `${subject}: ${status}`
}
