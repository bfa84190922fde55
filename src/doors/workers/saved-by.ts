import { MockError } from '../../contract/mock-errors.js'
import { version } from '../../version.js'
import type { Row } from './rows.js'

/** The version of what is stored. */
const FORMAT = 1

export interface Saved {
  format: number
  version: string
}

/** What this code writes about itself. */
export const ABOUT_ROW: Row = {
  world: '',
  list: 'session',
  key: 'about',
  rank: 0,
  text: JSON.stringify({ format: FORMAT, version }),
}

/** What is known of the code that stored a session. Undefined if nothing is stored. Throws for an unknown format. */
export function savedBy(own: readonly Row[]): Saved | undefined {
  const text = own.find(({ key }) => key === ABOUT_ROW.key)?.text
  if (text === undefined || text === null) return undefined
  const saved = JSON.parse(text) as Saved
  if (saved.format === FORMAT) return saved
  throw new Error(`flagdouble ${saved.version} stored it in the format ${saved.format}, which is not known here`)
}

/** The error for a session that this version can't go on with. */
export function unreadable(name: string, saved: string | undefined, error: unknown): MockError {
  const reason = error instanceof MockError ? error.fault : error instanceof Error ? error.message : String(error)
  const by = saved === undefined ? 'another version' : `flagdouble ${saved}`
  return new MockError(
    'STATE_UNREADABLE',
    `The session "${name}" was saved by ${by}, and flagdouble ${version} can't read it: ${reason}`,
    'Deploy that version again, or discard the session with POST /__mock/reset.',
  )
}
