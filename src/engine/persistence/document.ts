import * as z from 'zod'
import type { DataFault } from '../../service/resources/shared/table.js'
import { DEEPEST, isObject } from '../../support/json.js'
import { MockError } from '../errors/mock-errors.js'
import type { MockCore } from '../mock/core.js'
import { forceRuleSchema } from '../scenarios/force-rule.js'
import { parseScenario, type Scenario } from '../scenarios/scenario.js'
import { keptLoginSchema } from '../sessions/logins.js'
import type { KeptSession, Session } from '../sessions/session.js'
import { UNNAMED } from '../sessions/sessions.js'
import type { WorldPosition } from '../sessions/steps.js'
import { dataFrom } from '../state/load-state.js'
import { shownState, type WorldData } from '../state/state.js'
import { expectGiven, jsonPath } from '../state/state-fault.js'

/*
 * The saved state of a mock: one JSON document, in a file, in a page or on Workers. It contains the sessions that differ
 * from their start, with their changed worlds.
 */

/** The name of the unnamed session in the document. A session with this name gets an underscore in front. */
const SHARED = 'shared'

/**
 * The maximum characters of a document. Beyond it, the longest idle sessions are left out: no runtime reads a text twice
 * as long.
 */
export const MOST_CHARACTERS = 256 * 1024 * 1024

/** The maximum characters of an indented value: only small values are read by users. */
const INDENTED = 1_000_000

/** The nesting of a document: that of a snapshot, below `sessions`, a session, `worlds` and a world. */
export const DEEPEST_DOCUMENT = DEEPEST + 4

const plainObject = z.custom<object>(isObject, 'must be an object')

const settingsSchema: z.ZodType<WorldPosition> = z.strictObject({
  clock: z.union([z.strictObject({ frozenAt: z.number() }), z.strictObject({ offset: z.number() })]),
  ids: z.array(z.int()).length(4).optional(),
  rules: z.strictObject({
    rules: z.array(z.strictObject({ id: z.string(), rule: forceRuleSchema, seen: z.int() })),
    lastId: z.int(),
  }),
})

const sessionSchema = z.strictObject({
  /** Its current scenarios. Left out: its default scenario. */
  scenario: z.array(z.string()).min(1).optional(),
  /** A snapshot of each world, by name. */
  worlds: z.record(z.string(), plainObject).optional(),
  /** A hash of each world's source files. */
  madeFrom: z.record(z.string(), z.string()).optional(),
  /** The clock, the rules and the IDs of each world, if they are saved. */
  settings: z.record(z.string(), settingsSchema).optional(),
  /** The scenarios that it has saved. */
  scenarios: z.array(plainObject).optional(),
  logins: z.array(keptLoginSchema).optional(),
})

const documentSchema = z.strictObject({
  flagdouble: z.literal(1),
  sessions: z.record(z.string(), sessionSchema),
})

export type SessionText = z.infer<typeof sessionSchema>

/** The contents of a document, ready for use. */
export interface Kept {
  /** By name. */
  sessions: ReadonlyMap<string, KeptSession & { saved: readonly Scenario[] }>
}

/** Whether a value is a document, not just a snapshot. */
export function isDocument(given: unknown): boolean {
  return isObject(given) && 'flagdouble' in given
}

/** Reads a parsed document. Throws a `MockError` that names each error and its place. */
export function readDocument(given: unknown): Kept {
  const { sessions } = expectGiven(documentSchema, given, unreadable, DEEPEST_DOCUMENT)
  return {
    sessions: new Map(Object.entries(sessions).map(([name, session]) => [nameFrom(name), readSession(name, session)])),
  }
}

function readSession(
  key: string,
  { scenario, worlds = {}, madeFrom = {}, settings = {}, scenarios = [], logins = [] }: SessionText,
) {
  return {
    switchedTo: scenario,
    logins,
    saved: scenarios.map((given, at) =>
      below(['sessions', key, 'scenarios', at], () => parseScenario(given, 'A saved scenario')),
    ),
    worlds: new Map(
      [...new Set([...Object.keys(worlds), ...Object.keys(settings)])].map((name) => {
        const snapshot = worlds[name]
        const read = () => snapshot && dataFrom(snapshot, `The world "${name}"`)
        const hash = madeFrom[name]
        const data = below(['sessions', key, 'worlds', name], read)
        return [name, { data, position: settings[name], madeFrom: hash === undefined ? undefined : () => hash }]
      }),
    ),
  }
}

/** Reads a snapshot as the world of the unnamed session. Throws as `readDocument` does. */
export function readSnapshot(given: unknown, world: string): Kept {
  const worlds = new Map([[world, { data: dataFrom(given, 'The snapshot') }]])
  return { sessions: new Map([[UNNAMED, { worlds, logins: [], saved: [] }]]) }
}

/** Resumes a document's sessions in a mock. Returns notices for users. */
export function adopt({ sessions }: Kept, core: MockCore): string[] {
  const { catalogue } = core
  for (const [session, { saved }] of sessions) {
    for (const scenario of saved) catalogue.saved.add({ scenario, session })
  }
  // The newest session is opened last.
  for (const [name, kept] of [...sessions].toReversed()) core.sessions.open(name).adopt(kept)
  return core.sessions.notices()
}

interface WriteOptions {
  /** Whether it includes clocks, rules and IDs. */
  withSettings: boolean
}

/** The current document, in pieces: a piece is a session, so no request waits for all of them. */
export function* documentText(core: MockCore, options: WriteOptions): Generator<string> {
  yield '{\n"flagdouble": 1,\n"sessions": {'
  let room = MOST_CHARACTERS
  let separator = '\n'
  for (const session of newestFirst(core)) {
    const entries = Object.entries(aboutSession(core, session, options)).map(([name, value]) => entry(name, value))
    const worlds = changedData(session).map(([name, data]) => entry(name, shownState(data)))
    if (worlds.length > 0) entries.push(`"worlds": {\n${worlds.join(',\n')}\n}`)
    room -= entries.reduce((sum, { length }) => sum + length, 0)
    if (entries.length === 0 || room < 0) continue
    yield `${separator}${JSON.stringify(keyOf(session.name))}: {\n${entries.join(',\n')}\n}`
    separator = ',\n'
  }
  yield '\n}\n}\n'
}

/** The changed data of worlds, by their names. */
export function changedData(session: Session): [name: string, data: WorldData][] {
  return [...session.changedWorlds()].flatMap(([name, { data }]) => (data === undefined ? [] : [[name, data]]))
}

function newestFirst({ sessions }: MockCore): Session[] {
  const [unnamed, ...named] = sessions.all()
  return [...(unnamed === undefined ? [] : [unnamed]), ...named.toReversed()]
}

/** The saved state of a session without its worlds. Empty if it is unchanged since its start. */
export function aboutSession(core: MockCore, session: Session, { withSettings }: WriteOptions): SessionText {
  const { name, switchedTo, isInDefault, logins } = session
  const changed = [...session.changedWorlds()]
  const positions = changed.flatMap(([world, { position }]) =>
    position === undefined ? [] : [[world, position] as const],
  )
  const hashes = changed.flatMap(([world, { madeFrom }]) =>
    madeFrom === undefined ? [] : [[world, madeFrom()] as const],
  )
  const scenarios = core.catalogue.saved.of(
    (saver) => saver === name || (name === UNNAMED && !core.sessions.has(saver)),
  )
  const signedIn = logins.toJSON()
  return {
    ...(!isInDefault && { scenario: [...switchedTo] }),
    ...(signedIn.length > 0 && { logins: signedIn }),
    ...(scenarios.length > 0 && { scenarios }),
    ...(hashes.length > 0 && { madeFrom: Object.fromEntries(hashes) }),
    ...(withSettings && positions.length > 0 && { settings: Object.fromEntries(positions) }),
  }
}

function entry(name: string, value: unknown): string {
  const text = JSON.stringify(value)
  return `${JSON.stringify(name)}: ${text.length > INDENTED ? text : JSON.stringify(value, undefined, 2)}`
}

export function keyOf(name: string): string {
  return name === UNNAMED ? SHARED : name.replace(/^(?=_*shared$)/, '_')
}

function nameFrom(key: string): string {
  return key === SHARED ? UNNAMED : key.replace(/^_(?=_*shared$)/, '')
}

/** Adds the place in the document to the errors of one of its parts. */
function below<Value>(path: readonly PropertyKey[], run: () => Value): Value {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof MockError)) throw error
    const place = jsonPath(path)
    const faults = error.faults.map((fault) => ({ ...fault, path: fault.path.replace('$', () => place) }))
    throw unreadable(error.problem, faults.length === 0 ? [{ path: place, message: error.problem }] : faults)
  }
}

function unreadable(list: string, faults: readonly DataFault[]): MockError {
  return new MockError('STATE_UNREADABLE', `The stored data can't be read: ${list}`, 'Start over without it.', faults)
}
