import type { Frozen } from '../../support/freeze.js'
import { MockError } from '../contract/mock-errors.js'

/** Records of one kind that requests can create in a world. */
export const RECORDS_KEPT = 250_000

/** Items of a list in a record, such as the links of a feature. */
export const ITEMS_KEPT = 10_000

/** Throws `TOO_MUCH_DATA` where a record has a list that is too long. */
export function assertShortLists(record: Frozen<object>): void {
  for (const field in record) {
    const value: unknown = record[field as keyof typeof record]
    if (Array.isArray(value) && value.length > ITEMS_KEPT) throw tooMany(`items in "${field}"`, ITEMS_KEPT)
  }
}

/** Throws `TOO_MUCH_DATA` where there are too many records of one kind. */
export function assertRoom(size: number, most: number): void {
  if (size > most) throw tooMany('records of one kind', most)
}

function tooMany(what: string, most: number): MockError {
  return new MockError(
    'TOO_MUCH_DATA',
    `A world holds at most ${most.toLocaleString('en')} ${what}.`,
    'Reset the mock, or switch its scenario, to start over.',
  )
}
