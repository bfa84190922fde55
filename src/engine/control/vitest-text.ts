import type { ProfileName } from '../../service/contract/profile.js'
import { displayNameOf } from '../../service/resources/people/users.js'
import { fileOf } from '../../support/freeze.js'
import { isObject } from '../../support/json.js'
import { scenarioNames } from '../scenarios/catalogue.js'
import type { JournalEntry } from '../sessions/journal-entry.js'
import { REDACTED } from '../sessions/redact.js'
import type { Session } from '../sessions/session.js'
import type { World } from '../sessions/world.js'
import type { WorldData } from '../state/state.js'
import { CopiedData, idsSentWith, SEED } from './copied-data.js'
import { textOf } from './har.js'

/** The package that the test imports, which nothing here does. */
const RUNNER = 'vitest'

/** How long a line may be. */
const WIDTH = 120

/** What is made anew in each run: ids, and dates a moment after the request came. */
const GENERATED = /^(?:01[0-9A-HJKMNP-TV-Z]{24}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/
const MOMENT = 60_000

/** Headers that an answer depends on, besides who asks. */
const SENT = ['accept', 'content-type', 'if-none-match']

/** Requests that follow one another, with nothing else done to the data between them. */
interface Run {
  /** The data before the first of them. Undefined if that is forgotten. */
  before: WorldData | undefined
  entries: JournalEntry[]
}

/**
 * The text of a Vitest test that sends requests again and expects the same answers, as far as they were sent to one world:
 * by default to this one. It runs in a project that has only flagdouble and Vitest, and begins with the data before the
 * first request; where something else changed the data in between, it begins again with that. Fixtures from files are read
 * again. What the journal doesn't hold (secrets, broken connections) is left out, with a comment.
 */
export function requestsAsTest(
  entries: readonly JournalEntry[],
  session: Session,
  current: World,
  profile: ProfileName,
): string {
  const [first] = entries
  const world = first === undefined ? current : session.world(scenarioNames(first.scenario))
  world.assertReady()
  const canBeSent = (entry: JournalEntry) => whyNot(entry, world) === undefined
  const copied = new CopiedData(world, entries.filter(canBeSent))
  const now = new Date(world.startedAt).toISOString()
  const options = layOut({ scenario: copied.scenario, seed: SEED, now, profile })
  const fixtures = copied.fixtures.map(({ state }) => fixtureText(state))
  const readsFiles = copied.fixtures.some(({ state }) => fileOf(state) !== undefined)
  const runs = runsOf(entries, session, world)
  const steps = runs.map(({ before, entries: inRun }, at) => {
    const ids = new Ids(inRun.filter(canBeSent))
    const texts = inRun.map((entry) =>
      canBeSent(entry)
        ? requestText(entry, world, ids)
        : `  // ${entry.method} ${entry.path} is left out: ${whyNot(entry, world)}.`,
    )
    return (at === 0 ? '' : '  mock.reset()\n') + stateText(copied, before ?? world.data) + texts.join('\n\n')
  })
  return `${readsFiles ? "import { readFileSync } from 'node:fs'\n" : ''}import { createMock } from 'flagdouble'
import { expect, it } from '${RUNNER}'

it(${code(first === undefined ? 'nothing was selected' : `${first.method} ${first.path} and what follows`)}, async () => {
${fixtures.length === 0 ? '' : `  const fixtures = [\n    ${fixtures.join(',\n    ')},\n  ]\n`}  const mock = createMock(${fixtures.length === 0 ? options : options.replace(/ }$/, ', fixtures }')})
  const send = (method: string, path: string, headers: Record<string, string>, body?: string) =>
    mock.fetch(new Request(\`http://localhost\${path}\`, { method, headers, ...(body === undefined ? {} : { body }) }))

${steps.join('\n\n')}
})
`
}

/** Requests, parted where something else was done to the data of their world. */
function runsOf(entries: readonly JournalEntry[], session: Session, { name }: World): Run[] {
  const runs: Run[] = []
  let after: number | undefined
  for (const entry of entries) {
    const moment = entry.scenario === name ? session.journal.momentOf(entry.id) : undefined
    const before = entry.commit === undefined ? moment : session.momentBefore(entry.commit)
    const last = runs.at(-1)
    if (last !== undefined && (moment === undefined || before === after)) last.entries.push(entry)
    else runs.push({ before: before === undefined ? undefined : session.dataAt(before), entries: [entry] })
    after = moment ?? after
  }
  return runs
}

/** A fixture as the test gets it: by its file, relative to where the mock was started, if it has one. */
function fixtureText(state: object): string {
  const file = fileOf(state)
  return file === undefined ? layOut(state, '    ') : `JSON.parse(readFileSync(${code(file)}, 'utf8'))`
}

/** What has the test's mock hold some data, which it does not hold at its start. */
function stateText(copied: CopiedData, before: WorldData): string {
  const { call, state } = copied.given(before)
  return Object.keys(state).length === 0 ? '' : `  mock.${call}(${layOut(state, '  ')})\n`
}

/** Why a request can't be sent again. Undefined if it can. */
function whyNot(entry: JournalEntry, world: World): string | undefined {
  if (entry.status === 0) return 'its connection broke'
  if (entry.scenario !== world.name) return `it was sent to the scenario "${entry.scenario}"`
  const sent = JSON.stringify([entry.path, entry.requestBody])
  return sent.includes(REDACTED) ? 'the journal does not hold the secrets that it sent' : undefined
}

function requestText(entry: JournalEntry, world: World, ids: Ids): string {
  const { id, time, method, path, operation, forced, status, requestHeaders, requestBody, responseBody } = entry
  const headers = Object.fromEntries(
    SENT.flatMap((name) => (requestHeaders[name] ? [[name, requestHeaders[name]]] : [])),
  )
  const key = keyOf(entry, world)
  if (key !== undefined) headers.authorization = key
  const body = requestBody === null ? [] : [ids.textOf(textOf(requestBody))]
  const isJson = entry.responseHeaders['content-type']?.includes('json') ?? false
  const lines = [
    `  mock.clock.set(${code(time)})`,
    ...(forced ? [`  mock.force(${code({ operation, status, body: responseBody ?? undefined, times: 1 })})`] : []),
    `  const response${id} = await send(${[code(method), ids.textOf(path), code(headers), ...body].join(', ')})`,
    `  expect(response${id}.status).toBe(${status})`,
  ]
  // How a key is refused depends on the key, which the journal does not hold.
  const isSame = headers.authorization !== 'not a key'
  if (isJson && isSame && responseBody !== null && !isCut(responseBody)) {
    lines.push(`  const body${id} = await response${id}.json()`)
    lines.push(`  expect(body${id}).toEqual(${layOut(responseBody, '  ', (text) => expectedText(text, ids.times))})`)
    lines.push(...ids.takenFrom(entry))
  }
  return lines.join('\n')
}

/** JSON that the journal has cut is text. */
function isCut(body: unknown): boolean {
  return typeof body === 'string' && body.endsWith('…')
}

/** The key that a request was sent with or, where the journal hides it, one of whoever sent it. */
function keyOf({ caller, status, requestHeaders }: JournalEntry, { data: { tables } }: World): string | undefined {
  const { authorization } = requestHeaders
  if (authorization !== undefined && authorization !== REDACTED) return authorization
  if (caller === null && authorization === undefined) return undefined
  if (caller === null && status === 401) return 'not a key'
  const tokens = tables.apiTokens.list()
  const ofUser = tokens.find(({ userId }) => {
    const user = userId === null ? undefined : tables.users.get(userId)
    return user !== undefined && displayNameOf(user) === caller
  })
  const named = tokens.find(({ tokenName, userId }) => userId === null && tokenName === caller)
  // Where nobody is identified, such as at an unknown path, any key does.
  if (caller === null) return tokens.find(({ type }) => type === 'admin')?.secret
  return (named ?? ofUser)?.secret
}

/** A text in an answer as the test expects it: what is made anew may be any text. */
function expectedText(text: string, times: readonly number[]): string {
  if (text === REDACTED) return 'expect.anything()'
  return isAny(text, times) ? 'expect.any(String)' : code(text)
}

function isAny(text: string, times: readonly number[]): boolean {
  if (GENERATED.test(text) || text.includes(REDACTED)) return true
  const date = /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : Number.NaN
  return times.some((time) => date > time && date - time < MOMENT)
}

/** Ids that one answer gives and a later request names: the test takes them from the answer. */
class Ids {
  readonly #sources = new Map<string, { from: number; path: string }>()

  /** When the requests came. */
  readonly times: readonly number[]

  constructor(entries: readonly JournalEntry[]) {
    this.times = entries.map(({ time }) => Date.parse(time))
    const wanted = new Set(entries.flatMap(idsSentWith))
    for (const entry of entries) {
      // What a request names itself was there before its answer.
      for (const id of idsSentWith(entry)) wanted.delete(id)
      if (entry.commit !== undefined) this.#find(entry.responseBody, '', entry.id, wanted)
    }
  }

  /** A text as code, in which such ids are variables. */
  textOf(text: string): string {
    const parts = text.split(/(01[0-9A-HJKMNP-TV-Z]{24})/)
    if (!parts.some((part) => this.#sources.has(part))) return code(text)
    return parts.map((part) => (this.#sources.has(part) ? nameOf(part) : code(part))).join(' + ')
  }

  /** What takes the ids from an answer. */
  takenFrom({ id }: JournalEntry): string[] {
    const taken = [...this.#sources].filter(([, { from }]) => from === id)
    return taken.map(([value, { path }]) => `  const ${nameOf(value)} = body${id}${path}`)
  }

  #find(value: unknown, path: string, from: number, wanted: ReadonlySet<string>): void {
    if (typeof value === 'string' && wanted.has(value) && !this.#sources.has(value))
      this.#sources.set(value, { from, path })
    if (typeof value !== 'object' || value === null) return
    const isList = Array.isArray(value)
    for (const [name, inner] of Object.entries(value))
      this.#find(inner, `${path}[${isList ? name : code(name)}]`, from, wanted)
  }
}

function nameOf(id: string): string {
  return `id${id}`
}

/** The name of a property: in code, `__proto__` would be none. */
function nameInCode(name: string): string {
  return name === '__proto__' ? '["__proto__"]' : code(name)
}

/** JSON is JavaScript, but for a name. */
function code(value: unknown): string {
  return JSON.stringify(value).replaceAll(/(?<!\\)"__proto__":/g, '["__proto__"]:')
}

/** A value as code, on one line if that fits, else with each part on a line of its own. */
function layOut(value: unknown, indent = '', ofText: (text: string) => string = code): string {
  if (typeof value === 'string') return ofText(value)
  const inner = `${indent}  `
  if (Array.isArray(value))
    return lines(
      '[]',
      value.map((item) => layOut(item, inner, ofText)),
      indent,
    )
  if (!isObject(value)) return code(value)
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  const parts = fields.map(([name, field]) => `${nameInCode(name)}: ${layOut(field, inner, ofText)}`)
  return lines('{}', parts, indent)
}

function lines([open, close]: string, parts: readonly string[], indent: string): string {
  const inside = parts.join(', ')
  if (parts.length === 0) return `${open}${close}`
  if (indent.length + inside.length < WIDTH && !inside.includes('\n'))
    return open === '[' ? `[${inside}]` : `{ ${inside} }`
  return `${open}\n${parts.map((part) => `${indent}  ${part},\n`).join('')}${indent}${close}`
}
