import { scenarios } from '../../scenarios/index.js'
import type { ProfileName } from '../contract/profile.js'
import { displayNameOf } from '../resources/people/users.js'
import { Catalogue, type Composition, DEFAULT_SCENARIO, scenarioNames } from '../scenarios/catalogue.js'
import type { JournalEntry } from '../sessions/journal-entry.js'
import { REDACTED } from '../sessions/redact.js'
import type { Session } from '../sessions/session.js'
import { World } from '../sessions/world.js'
import type { WorldData } from '../state/state.js'
import { isObject } from '../support/json.js'
import { textOf } from './har.js'
import { changesBetween, lasting } from './saved-scenario.js'

/** The package that the test imports, which nothing here does. */
const RUNNER = 'vitest'

/** The seed of the test's mock. */
const SEED = 1

/** What is made anew in each run: ids, and dates a moment after the request came. */
const GENERATED = /^(?:01[0-9A-HJKMNP-TV-Z]{24}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/
const ANY_GENERATED = /01[0-9A-HJKMNP-TV-Z]{24}/g
const MOMENT = 60_000

/** Headers that an answer depends on, besides who asks. */
const SENT = ['accept', 'content-type', 'if-none-match']

/** What a test starts with: the scenarios of a world if everybody has them and they only give data, else the default one. */
function baseOf({ composition: { names } }: World): Composition {
  const builtIn = new Catalogue(scenarios)
  const usual = builtIn.compose([DEFAULT_SCENARIO])
  if (!names.every((name) => builtIn.has(name))) return usual
  const base = builtIn.compose(names)
  return base.force.length + base.generate.length === 0 && base.latency === undefined ? base : usual
}

/**
 * The text of a Vitest test that sends requests again and expects the same answers, as far as they were sent to one world:
 * by default to this one. It runs in a project that has only flagdouble and Vitest, and starts with the data before the
 * first request. What the journal doesn't hold (secrets, broken connections) is left out, with a comment.
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
  const before = session.dataBefore(world, first?.id ?? 0)
  const base = baseOf(world)
  const at = first?.time ?? new Date(world.startedAt).toISOString()
  const asked = entries.map((entry) => ({ entry, fault: whyNot(entry, world) }))
  const ids = new Ids(asked.flatMap(({ entry, fault }) => (fault === undefined ? [entry] : [])))
  const steps = asked.map(({ entry, fault }) =>
    fault === undefined ? requestText(entry, world, ids) : `  // ${entry.method} ${entry.path} is left out: ${fault}.`,
  )
  const options = { scenario: base.names.join(','), seed: SEED, now: new Date(world.startedAt).toISOString(), profile }
  return `import { createMock } from 'flagdouble'
import { expect, it } from '${RUNNER}'

it(${code(first === undefined ? 'nothing was selected' : `${first.method} ${first.path} and what follows`)}, async () => {
  const mock = createMock(${code(options)})
${stateText(world, before, base)}  mock.clock.set(${code(at)})
  const send = (method: string, path: string, headers: Record<string, string>, body?: string) =>
    mock.fetch(new Request(\`http://localhost\${path}\`, { method, headers, ...(body === undefined ? {} : { body }) }))

${steps.join('\n\n')}
})
`
}

/** What has the test's mock hold the data before the first request. */
function stateText(world: World, before: WorldData, base: Composition): string {
  const now = new Date(world.startedAt)
  const generate = () => Promise.resolve([])
  const { data } = new World(base, { seed: SEED, now, fixtures: [], generate })
  const changes = changesBetween(data, before, now)
  if (changes === undefined) return `  mock.restore(${code(lasting(before))})\n`
  return Object.keys(changes).length === 0 ? '' : `  mock.add(${code(changes)})\n`
}

/** Why a request can't be sent again. Undefined if it can. */
function whyNot(entry: JournalEntry, world: World): string | undefined {
  if (entry.status === 0) return 'its connection broke'
  if (entry.scenario !== world.name) return `it was sent to the scenario "${entry.scenario}"`
  if (entry.proxied) return 'another backend answered it'
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
    lines.push(`  expect(body${id}).toEqual(${expected(responseBody, ids.times)})`)
    lines.push(...ids.takenFrom(entry))
  }
  return lines.join('\n')
}

/** JSON that the journal has cut is text. */
function isCut(body: unknown): boolean {
  return typeof body === 'string' && body.endsWith('…')
}

/**
 * A key of whoever sent a request. The journal redacts keys, but it names who sent it, so it is that of the token or the
 * user with this name.
 */
function keyOf(entry: JournalEntry, { data: { tables } }: World): string | undefined {
  const { caller, status, requestHeaders } = entry
  if (caller === null && requestHeaders.authorization === undefined) return undefined
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

/** An answer as the test expects it: what is made anew may be any text. */
function expected(value: unknown, times: readonly number[]): string {
  if (typeof value === 'string') return isAny(value, times) ? 'expect.any(String)' : code(value)
  if (Array.isArray(value)) return `[${value.map((item) => expected(item, times)).join(', ')}]`
  if (!isObject(value)) return code(value)
  return `{ ${Object.entries(value)
    .map(([name, inner]) => `${code(name)}: ${inner === REDACTED ? 'expect.anything()' : expected(inner, times)}`)
    .join(', ')} }`
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
    const wanted = new Set(
      entries.flatMap(({ path, requestBody }) => JSON.stringify([path, requestBody]).match(ANY_GENERATED) ?? []),
    )
    for (const { id, commit, responseBody } of entries)
      if (commit !== undefined) this.#find(responseBody, '', id, wanted)
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

/** JSON is JavaScript. */
function code(value: unknown): string {
  return JSON.stringify(value)
}
