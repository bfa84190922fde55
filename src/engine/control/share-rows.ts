import { MockError } from '../../service/contract/mock-errors.js'
import { jsonAnswer } from '../http/answer.js'
import { CONTROL_PATH } from '../http/routes.js'
import { LARGEST_UNPACKED, LONGEST_FRAGMENT, pack } from './fragment.js'
import { type ControlRow, reads, rejectVisitors, row } from './row.js'
import { addedCharacters } from './saved-scenario.js'
import { openShared, type SharedWorld, sharedSchema, toShared } from './shared-world.js'

/** Rows that pass a world on as a link. */
export const shareRows: readonly ControlRow[] = [
  reads(
    '/share',
    'What there is as a link, `{ url, size }`: it opens the same data, rules and clock on any mock of this version',
    (call) => {
      rejectVisitors(call)
      const { control, session, options } = call
      if (addedCharacters(control.world, LARGEST_UNPACKED) > LARGEST_UNPACKED) throw tooLarge('more than a megabyte')
      return linkTo(toShared(control.world, session.catalogue), options.baseUrl())
    },
  ),
  row('POST', '/share', {
    summary: 'Open what was passed on: save it as a scenario, switch the session to it, set the clock',
    body: sharedSchema,
    run: ({ session }, body) => jsonAnswer(200, { name: openShared(session, body) }),
  }),
]

async function linkTo(shared: SharedWorld, baseUrl: string): Promise<{ url: string; size: number }> {
  const fragment = await pack(shared)
  const size = fragment.length
  const isReadable = new TextEncoder().encode(JSON.stringify(shared)).length <= LARGEST_UNPACKED
  if (size <= LONGEST_FRAGMENT && isReadable) return { url: `${baseUrl}${CONTROL_PATH}/use#${fragment}`, size }
  throw tooLarge(`${size} bytes`)
}

function tooLarge(size: string): MockError {
  return new MockError(
    'TOO_LARGE_TO_SHARE',
    `What there is takes ${size}, and a link has room for ${LONGEST_FRAGMENT}.`,
    `Pass it on as a file: save it with POST ${CONTROL_PATH}/scenarios, and download it with GET ${CONTROL_PATH}/scenarios/:name.`,
  )
}
