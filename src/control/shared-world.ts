import * as z from 'zod'
import { scenarios } from '../../scenarios/index.js'
import { MockError } from '../contract/mock-errors.js'
import { CONTROL_PATH } from '../http/routes.js'
import type { Catalogue } from '../scenarios/catalogue.js'
import type { World } from '../sessions/world.js'
import { readInstant } from '../support/calendar.js'
import { show } from '../support/json.js'
import { version } from '../version.js'
import { LARGEST_UNPACKED, LONGEST_FRAGMENT, pack } from './fragment.js'
import { type ControlRow, row, shown } from './row.js'
import { scenarioOf } from './saved-scenario.js'

const dateSchema = z.string().refine((text) => readInstant(text) !== undefined, { error: 'must be a date' })

/** A world as a link passes it on, to a mock of the same version. */
const sharedSchema = z.strictObject({
  version: z.string(),
  scenario: z.looseObject({ name: z.string() }),
  /** Where the clock stands, unless it shows real time. */
  clock: z.strictObject({ now: dateSchema, frozen: z.boolean() }).optional(),
})

export type SharedWorld = z.infer<typeof sharedSchema>

/** Rows that pass a world on as a link. */
export const shareRows: readonly ControlRow[] = [
  row({
    method: 'GET',
    path: '/share',
    summary: 'The world as a link, `{ url, size }`: it opens the same world on any mock of this version',
    run: async ({ control, baseUrl }) => shown(await linkTo(control.sharedWorld(), baseUrl)),
  }),
  row({
    method: 'POST',
    path: '/share',
    summary: 'Open a world that was passed on: save it as a scenario, switch the session to it, set the clock',
    body: sharedSchema,
    run: ({ control, body }) => shown({ name: control.openShared(body) }),
  }),
]

/** What a world is to someone else, who has only the scenarios that are built in. */
export function toShared(world: World, catalogue: Catalogue): SharedWorld {
  const { clock, startedAt } = world
  const title = { name: 'shared', title: `Shared from "${world.name}"`, promise: 'The world as someone passed it on.' }
  const position = clock.position()
  const isReal = 'offset' in position && position.offset === 0
  return {
    version,
    // Dates that the scenario below it gives count from when the world started, wherever its clock is now.
    scenario: {
      ...title,
      ...scenarioOf(world, title, (name) => isEverywhere(name, catalogue)),
      now: new Date(startedAt).toISOString(),
    },
    ...(isReal ? {} : { clock: { now: clock.now().toISOString(), frozen: clock.frozen } }),
  }
}

/** Whether a scenario is the same in every mock: one of your own may have taken the name of one that is built in. */
function isEverywhere(name: string, catalogue: Catalogue): boolean {
  const areOurs = scenarios.every((one) => catalogue.get(one.name) === one)
  return areOurs && scenarios.some((one) => one.name === name)
}

/** Throws `INVALID_REQUEST` if a world was passed on by another version, which may read it otherwise. */
export function checkVersion(given: string): void {
  if (given === version) return
  throw new MockError(
    'INVALID_REQUEST',
    `The world is from version ${show(given)} of flagdouble, and this is ${version}.`,
    'Open it with the same version, or ask for it as a scenario file.',
  )
}

async function linkTo(shared: SharedWorld, baseUrl: string): Promise<{ url: string; size: number }> {
  const fragment = await pack(shared)
  const size = fragment.length
  const isReadable = new TextEncoder().encode(JSON.stringify(shared)).length <= LARGEST_UNPACKED
  if (size <= LONGEST_FRAGMENT && isReadable) return { url: `${baseUrl}${CONTROL_PATH}/use#${fragment}`, size }
  throw new MockError(
    'TOO_LARGE_TO_SHARE',
    `The world takes ${size} bytes, and a link has room for ${LONGEST_FRAGMENT}.`,
    `Pass it on as a file: save it with POST ${CONTROL_PATH}/scenarios, and download it with GET ${CONTROL_PATH}/scenarios/:name.`,
  )
}
