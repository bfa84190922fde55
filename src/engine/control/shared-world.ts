import * as z from 'zod'
import { scenarios } from '../../../scenarios/index.js'
import { type DataFault, MockError } from '../../service/contract/mock-errors.js'
import { readInstant } from '../../support/calendar.js'
import { show } from '../../support/json.js'
import { sentence } from '../../support/text.js'
import { version } from '../../version.js'
import { jsonAnswer } from '../http/answer.js'
import { CONTROL_PATH } from '../http/routes.js'
import type { Catalogue } from '../scenarios/catalogue.js'
import { forceRuleSchema } from '../scenarios/force-rule.js'
import { scenarioSchema } from '../scenarios/scenario.js'
import type { Session } from '../sessions/session.js'
import type { World } from '../sessions/world.js'
import { expectGiven } from '../state/state-fault.js'
import { LARGEST_UNPACKED, LONGEST_FRAGMENT, pack } from './fragment.js'
import { type ControlRow, reads, rejectVisitors, row } from './row.js'
import { addedCharacters, portableScenarioOf } from './saved-scenario.js'

const dateSchema = z.string().refine((text) => readInstant(text) !== undefined, { error: 'must be a date' })

/** The most milliseconds that a link may have an answer take. */
const LONGEST_WAIT = 30_000

/** The most rules that a link may bring: all of them are on its page. */
const MOST_RULES = 50

/** Headers that a link may force: those that mean nothing to a browser, nor to a proxy. */
const FREE_HEADER =
  /^(?:retry-after|x-(?!accel|content|dns|download|flagdouble|forwarded|frame|mock|original|permitted|rewrite|robots|sendfile|source|ua|webkit|xss).*)$/i

const wait = z.number().min(0).max(LONGEST_WAIT, `must be at most ${LONGEST_WAIT} milliseconds in a link`)

const sharedRuleSchema = forceRuleSchema.superRefine(({ headers = {}, delay = 0 }, context) => {
  const { error } = wait.safeParse(delay)
  if (error) context.addIssue({ code: 'custom', path: ['delay'], message: error.issues[0]?.message ?? '' })
  for (const name of Object.keys(headers).filter((name) => !FREE_HEADER.test(name))) {
    const message = 'must not be forced by a link, which may set Retry-After and X-… of your own'
    context.addIssue({ code: 'custom', path: ['headers', name], message })
  }
})

/** A scenario as a link may bring it: whoever made the link may be anybody. */
const sharedScenarioSchema = scenarioSchema.omit({ $schema: true, generate: true }).extend({
  name: scenarioSchema.shape.name.max(64, 'must have at most 64 characters'),
  title: scenarioSchema.shape.title.max(100, 'must have at most 100 characters'),
  promise: scenarioSchema.shape.promise.max(300, 'must have at most 300 characters'),
  force: z.array(sharedRuleSchema).max(MOST_RULES, `must be at most ${MOST_RULES} rules`).optional(),
  latency: z.union([wait, z.strictObject({ min: wait, max: wait })]).optional(),
})

/** A world as a link passes it on, to a mock of the same version. */
const sharedSchema = z.strictObject({
  version: z.string(),
  scenario: z.looseObject({ name: z.string() }),
  /** Where the clock stands, unless it shows real time. */
  clock: z.strictObject({ now: dateSchema, frozen: z.boolean() }).optional(),
})

type SharedWorld = z.infer<typeof sharedSchema>

/** What a world is to someone else, who has only the scenarios that are built in. */
function toShared(world: World, catalogue: Catalogue): SharedWorld {
  const { clock, startedAt } = world
  const title = {
    name: 'shared',
    title: `${world.name.slice(0, 60)}, as it was shared`,
    promise: 'What somebody saw, as the link passed it on.',
  }
  const position = clock.position()
  const isReal = 'offset' in position && position.offset === 0
  const scenario = portableScenarioOf(world, title, (name) => isEverywhere(name, catalogue))
  return {
    version,
    // Dates that the scenario below it gives count from when the world started, wherever its clock is now.
    scenario: checked({ ...title, ...scenario, now: new Date(startedAt).toISOString() }, "can't be shared by a link"),
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
 * or from another version. It is one step, with the clock where the world had it.
 */
function openShared(session: Session, { version, scenario, clock }: SharedWorld): string {
  checkVersion(version)
  const { catalogue } = session
  const { name, isNew } = catalogue.openBeside(checked(scenario, 'is not one that a link may bring'))
  try {
    session.switchTo([name])
  } catch (error) {
    if (isNew) catalogue.forget(name)
    throw error
  }
  const opened = session.world().clock
  if (clock === undefined) opened.release()
  else opened.set(clock.now, { frozen: clock.frozen })
  return name
}

/** A scenario, if a link may bring it. Throws `INVALID_SCENARIO`. */
function checked(scenario: object, fault: string) {
  const wrong = (list: string, faults: readonly DataFault[]) =>
    new MockError(
      'INVALID_SCENARIO',
      sentence(`The scenario ${fault}: ${list}`),
      `Pass it on as a file: save it with POST ${CONTROL_PATH}/scenarios, and put it into the folder of --scenarios.`,
      faults,
    )
  return expectGiven(sharedScenarioSchema, scenario, wrong)
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

/** Rows that pass a world on as a link. */
export const shareRows: readonly ControlRow[] = [
  reads(
    '/share',
    'What there is as a link, `{ url, size }`: it opens the same data, rules and clock on any mock of this version',
    (call) => {
      rejectVisitors(call)
      const { control, session, options } = call
      if (addedCharacters(control.world, LARGEST_UNPACKED) > LARGEST_UNPACKED) throw tooLarge('more than a megabyte')
      return linkTo(toShared(control.world, session.catalogue), options.baseUrl)
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
