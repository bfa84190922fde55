import * as z from 'zod'
import type { DataFault } from '../../service/resources/shared/table.js'
import { DEEPEST, isObject } from '../../support/json.js'
import { counted, listFaults, sentence } from '../../support/text.js'
import { MockError } from '../errors/mock-errors.js'
import type { MockCore } from '../mock/core.js'
import { forceRuleSchema } from '../scenarios/force-rule.js'
import { parseScenario, type Scenario } from '../scenarios/scenario.js'
import { namesOf, selectionIn } from '../scenarios/selection.js'
import { savedLoginSchema } from '../sessions/logins.js'
import type { SavedSession } from '../sessions/persistence.js'
import type { Session } from '../sessions/session.js'
import { described, expectSessionName, UNNAMED } from '../sessions/sessions.js'
import type { TakenData } from '../sessions/start.js'
import type { SavedWorld, WorldPosition } from '../sessions/steps.js'
import { changesFrom, changesShape, savedChanges } from '../state/changes.js'
import { dataFrom } from '../state/load-state.js'
import { expectGiven, jsonPath } from '../state/state-fault.js'

/*
 * The saved state of a mock: one JSON document, in a file, in a page or on Workers. It contains the sessions that differ
 * from their start, with their changed worlds, and the data that was taken as the start of all.
 */

/** The name of the shared session in the document. A session with this name gets an underscore in front. */
const SHARED = 'shared'

/** The maximum characters of a document: no runtime reads a text twice as long. A longer one isn't written. */
export const MOST_CHARACTERS = 256 * 1024 * 1024

/** The maximum characters of an indented value: only small values are read by users. */
const INDENTED = 1_000_000

/** The nesting of a session: that of seed data, below `worlds`, a world and its list. */
const DEEPEST_SESSION = DEEPEST + 3

const plainObject = z.custom<object>(isObject, 'must be an object')

const positionSchema: z.ZodType<WorldPosition> = z.strictObject({
  clock: z.union([z.strictObject({ frozenAt: z.number() }), z.strictObject({ offset: z.number() })]),
  ids: z.array(z.int()).length(4).optional(),
  rules: z.strictObject({
    rules: z.array(z.strictObject({ id: z.string(), rule: forceRuleSchema, seen: z.int() })),
    lastId: z.int(),
  }),
})

const worldSchema = changesShape.extend({
  /** The real time of its start, in milliseconds since 1970. */
  startedAt: z.number().optional(),
  /** Its clock, its rules and its IDs, if they are saved. */
  position: positionSchema.optional(),
})

const sessionSchema = z.strictObject({
  /** Its chosen scenarios. Left out: its default scenario. */
  scenario: z.array(z.string()).min(1).optional(),
  /** The changed worlds, by name. */
  worlds: z.record(z.string(), worldSchema).optional(),
  /** The scenarios that it has saved. */
  scenarios: z.array(plainObject).optional(),
  logins: z.array(savedLoginSchema).optional(),
})

/** Data that was taken as the start of all sessions. */
const startSchema = changesShape.extend({
  /** The scenarios below it. */
  on: z.array(z.string()).min(1),
})

const documentSchema = z.strictObject({
  flagdouble: z.custom<2>((format) => format === 2, 'must be 2, the format that this version of flagdouble reads'),
  start: startSchema.optional(),
  sessions: plainObject,
  /** Sessions that an earlier start could not read, unchanged. */
  unreadable: z.array(z.unknown()).optional(),
})

export type SessionText = z.infer<typeof sessionSchema>

/** The contents of a document, ready for use. */
export interface SavedState {
  /** The data that all sessions start with, on top of the files. */
  start?: TakenData | undefined
  /** By name. */
  sessions: ReadonlyMap<string, SavedSession & { saved: readonly Scenario[] }>
  /** The JSON of sessions that can't be read. They stay in the document. */
  unreadable: readonly string[]
  /** Notices for users about them. */
  notices: readonly string[]
}

/** Whether a value is a document, not just a snapshot. */
export function isDocument(given: unknown): given is object {
  return isObject(given) && 'flagdouble' in given
}

/**
 * Reads a parsed document. A session that can't be read is left out, unless no session can be read: then it throws a
 * `MockError` that names each error and its place.
 */
export function readDocument(given: object): SavedState {
  const { sessions = undefined, unreadable = [], ...rest } = given as Partial<z.infer<typeof documentSchema>>
  // Each session is checked by itself.
  const outline = {
    ...rest,
    sessions: isObject(sessions) ? {} : sessions,
    unreadable: Array.isArray(unreadable) ? [] : unreadable,
  }
  const { start } = expectGiven(documentSchema, outline, cantBeRead)
  const read: [string, ReturnType<typeof readSession>][] = []
  const errors: { name: string; error: MockError; text: string }[] = []
  for (const [key, session] of Object.entries(sessions ?? {})) {
    try {
      read.push([expectSessionName(nameFrom(key)), readSession(key, session)])
    } catch (error) {
      if (!(error instanceof MockError)) throw error
      errors.push({ name: key, error, text: JSON.stringify({ [key]: session }) })
    }
  }
  const [first] = errors
  if (first !== undefined && read.length === 0) throw first.error
  return {
    start: start && takenFrom(start),
    sessions: new Map(read),
    unreadable: [...unreadable.map((one) => JSON.stringify(one)), ...errors.map(({ text }) => text)],
    notices: [
      ...(unreadable.length > 0
        ? [`An earlier start could not read ${counted(unreadable.length, 'session')}. ${KEPT_ASIDE}`]
        : []),
      ...errors.map(({ name, error: { faults, problem } }) => {
        const reason = faults.length === 0 ? problem : listFaults(faults)
        return `The session "${name}" is left out, because it can't be read: ${sentence(reason)} ${KEPT_ASIDE}`
      }),
    ],
  }
}

function takenFrom({ on, ...lists }: z.infer<typeof startSchema>): TakenData | undefined {
  const changes = changesFrom(lists)
  return changes && { sources: on, changes }
}

const KEPT_ASIDE = 'The data stays where it is stored, under "unreadable".'

function readSession(key: string, given: unknown) {
  const read = below(['sessions', key], () => expectGiven(sessionSchema, given, cantBeRead, DEEPEST_SESSION))
  const { scenario, worlds = {}, scenarios = [], logins = [] } = read
  return {
    selection: scenario && selectionIn(...scenario),
    logins,
    saved: scenarios.map((given, at) =>
      below(['sessions', key, 'scenarios', at], () => parseScenario(given, 'A saved scenario')),
    ),
    worlds: new Map(
      Object.entries(worlds).map(([name, { startedAt, position, ...lists }]): [string, SavedWorld] => [
        name,
        { startedAt, position, changes: changesFrom(lists) },
      ]),
    ),
  }
}

/** Reads a snapshot as the world of the shared session. Throws as `readDocument` does. */
export function readSnapshot(given: unknown, world: string): SavedState {
  const worlds = new Map([[world, { data: dataFrom(given, 'The snapshot') }]])
  return { sessions: new Map([[UNNAMED, { worlds, logins: [], saved: [] }]]), unreadable: [], notices: [] }
}

/** Resumes a document's sessions in a mock. */
export function adopt({ start, sessions, unreadable }: SavedState, core: MockCore): void {
  const { catalogue } = core
  if (start !== undefined) core.resumeStart(start)
  for (const [session, { saved }] of sessions) {
    for (const scenario of saved) catalogue.saved.add({ scenario, session })
  }
  // The newest session is opened last.
  for (const [name, session] of [...sessions].toReversed()) core.sessions.open(name).adopt(session)
  core.unreadable = unreadable
  // The others start on their first use.
  core.sessions.unnamed.world()
}

interface WriteOptions {
  /** Whether it includes clocks, rules and IDs. */
  withSettings: boolean
  /** The maximum characters. */
  most?: number | undefined
}

/**
 * The current document, in pieces: a piece is a session, so no request waits for all of them. Throws at the end, with the
 * largest sessions, if it is longer than allowed: nothing is left out.
 */
export function* documentText(
  core: MockCore,
  { withSettings, most = MOST_CHARACTERS }: WriteOptions,
): Generator<string> {
  const { taken } = core
  const start = taken && `${entry('start', { on: taken.sources, ...savedChanges(taken.changes) })},\n`
  const lengths: [name: string, length: number][] = []
  let total = [...core.unreadable, start ?? ''].reduce((sum, { length }) => sum + length, 0)
  yield `{\n"flagdouble": 2,\n${start ?? ''}"sessions": {`
  for (const session of newestFirst(core)) {
    const text = textOf(core, session, withSettings)
    if (text === '') continue
    const separator = lengths.length === 0 ? '\n' : ',\n'
    lengths.push([described(session), text?.length ?? Number.POSITIVE_INFINITY])
    total += text?.length ?? Number.POSITIVE_INFINITY
    if (total <= most) yield `${separator}${JSON.stringify(sessionKey(session.name))}: {\n${text}\n}`
  }
  if (total > most) throw tooLong(total, most, lengths)
  yield core.unreadable.length === 0 ? '\n}\n}\n' : `\n},\n"unreadable": [\n${core.unreadable.join(',\n')}\n]\n}\n`
}

/** The parts of a session that are saved. Empty if it is unchanged, undefined if it is longer than a string can be. */
function textOf(core: MockCore, session: Session, withSettings: boolean): string | undefined {
  try {
    const entries = Object.entries(aboutSession(core, session)).map(([name, value]) => entry(name, value))
    const worlds = savedWorlds(session, withSettings).map(([name, world]) => entry(name, world))
    if (worlds.length > 0) entries.push(`"worlds": {\n${worlds.join(',\n')}\n}`)
    return entries.join(',\n')
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

/** The number of sessions that an error about the length of a document names. */
const HEAVIEST = 3

function tooLong(total: number, most: number, lengths: readonly (readonly [string, number])[]): Error {
  const written = (length: number) => (Number.isFinite(length) ? length.toLocaleString('en') : 'too many for a string')
  const heaviest = lengths.toSorted(([, one], [, other]) => other - one).slice(0, HEAVIEST)
  const named = heaviest.map(([name, length]) => `${name} (${written(length)})`).join(', ')
  return new Error(
    `the sessions have ${written(total)} characters, and at most ${written(most)} can be saved; reset the largest: ${named}`,
  )
}

/** The saved form of a session's changed worlds, by their names. */
export function savedWorlds(session: Session, withSettings: boolean): [name: string, world: object][] {
  return [...session.changedWorlds()].flatMap(([name, { startedAt, changes, position }]) => {
    if (changes === undefined && !withSettings) return []
    return [[name, { startedAt, ...(changes && savedChanges(changes)), ...(withSettings && position && { position }) }]]
  })
}

function newestFirst({ sessions }: MockCore): Session[] {
  const [unnamed, ...named] = sessions.all()
  return [...(unnamed === undefined ? [] : [unnamed]), ...named.toReversed()]
}

/** The saved state of a session without its worlds. Empty if it is unchanged since its start. */
export function aboutSession(core: MockCore, session: Session): Omit<SessionText, 'worlds'> {
  const { name, chosen, logins } = session
  const scenarios = core.catalogue.saved.savedBy(
    (saver) => saver === name || (name === UNNAMED && !core.sessions.has(saver)),
  )
  const signedIn = logins.toJSON()
  return {
    ...(chosen !== undefined && { scenario: namesOf(chosen) }),
    ...(signedIn.length > 0 && { logins: signedIn }),
    ...(scenarios.length > 0 && { scenarios }),
  }
}

function entry(name: string, value: unknown): string {
  const text = JSON.stringify(value)
  return `${JSON.stringify(name)}: ${text.length > INDENTED ? text : JSON.stringify(value, undefined, 2)}`
}

export function sessionKey(name: string): string {
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
    throw cantBeRead(error.problem, faults.length === 0 ? [{ path: place, message: error.problem }] : faults)
  }
}

function cantBeRead(list: string, faults: readonly DataFault[]): MockError {
  return new MockError('STATE_UNREADABLE', `The stored data can't be read: ${list}`, 'Start over without it.', faults)
}
