import * as z from 'zod'
import { scenarios } from '../../scenarios/index.js'
import { MockError } from '../contract/mock-errors.js'
import type { Catalogue } from '../scenarios/catalogue.js'
import type { Session } from '../sessions/session.js'
import type { World } from '../sessions/world.js'
import { readInstant } from '../support/calendar.js'
import { show } from '../support/json.js'
import { version } from '../version.js'
import { Control } from './control.js'
import { portableScenarioOf } from './saved-scenario.js'

const dateSchema = z.string().refine((text) => readInstant(text) !== undefined, { error: 'must be a date' })

/** A world as a link passes it on, to a mock of the same version. */
export const sharedSchema = z.strictObject({
  version: z.string(),
  scenario: z.looseObject({ name: z.string() }),
  /** Where the clock stands, unless it shows real time. */
  clock: z.strictObject({ now: dateSchema, frozen: z.boolean() }).optional(),
})

export type SharedWorld = z.infer<typeof sharedSchema>

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
      ...portableScenarioOf(world, title, (name) => isEverywhere(name, catalogue)),
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

/**
 * Opens a world that was passed on, as a scenario whose name it returns. Throws, and changes nothing, if it is invalid
 * or from another version.
 */
export function openShared(session: Session, { version, scenario, clock }: SharedWorld): string {
  checkVersion(version)
  const control = new Control(session)
  const { catalogue } = session
  const { name, isNew } = catalogue.saveBeside(scenario)
  try {
    control.switchTo([name])
  } catch (error) {
    if (isNew) catalogue.forget(name)
    throw error
  }
  if (clock === undefined) control.releaseClock()
  else control.setClock(clock.now, { frozen: clock.frozen })
  return name
}

/** Throws `INVALID_REQUEST` if a world was passed on by another version, which may read it otherwise. */
function checkVersion(given: string): void {
  if (given === version) return
  throw new MockError(
    'INVALID_REQUEST',
    `The world is from version ${show(given)} of flagdouble, and this is ${version}.`,
    'Open it with the same version, or ask for it as a scenario file.',
  )
}
