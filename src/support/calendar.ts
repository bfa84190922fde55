/** The service writes years with four digits. */
const EARLIEST = Date.parse('0000-01-01T00:00:00.000Z')
const LATEST = Date.parse('9999-12-31T23:59:59.999Z')

/** Whether the service can write this date (milliseconds since 1970). */
export function isInCalendar(epoch: number): boolean {
  return epoch >= EARLIEST && epoch <= LATEST
}

/** The nearest date that the service can write. */
export function intoCalendar(epoch: number): number {
  return Math.min(Math.max(epoch, EARLIEST), LATEST)
}
