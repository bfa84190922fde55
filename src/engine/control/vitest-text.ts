import { scenarios } from '../../../scenarios/index.js'
import { displayNameOf } from '../../service/resources/people/users.js'
import { fileOf } from '../../support/freeze.js'
import { isObject } from '../../support/json.js'
import { MockError } from '../errors/mock-errors.js'
import type { Call, ServiceOptions } from '../http/call.js'
import { isFlagState, scenarioNames } from '../scenarios/catalogue.js'
import type { JournalEntry } from '../sessions/journal.js'
import { REDACTED } from '../sessions/redact.js'
import type { Session } from '../sessions/session.js'
import type { World } from '../sessions/world.js'

/** The context of a copied request. */
export type CopyContext = Pick<Call, 'session' | 'options' | 'request'>

/** The package that the test imports, unlike any code here. */
const RUNNER = 'vitest'

/** Values that each run generates: IDs, and dates just after the request. */
const GENERATED = /^(?:01[0-9A-HJKMNP-TV-Z]{24}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/
const MOMENT = 60_000

/** Headers that a client or a proxy adds, or that only flagdouble reads. */
const ADDED =
  /^(?:accept-(?:encoding|language)|cache-control|connection|content-length|cookie|dnt|host|keep-alive|origin|pragma|priority|referer|transfer-encoding|upgrade-insecure-requests|user-agent|(?:sec|x-forwarded|x-mock)-.*)$/

/** Steps that set the data to the scenario's start. */
const STARTS = ['start', 'restart', 'reset', 'reload']

const CHANGED = `// The data had been changed before this request came. Save the state as a scenario first ("Save as scenario" in the
// panel), switch to it, send the request again, and copy that.
`

/**
 * The text of a Vitest test that sends a request again and expects the same response. Its mock has the scenario and the
 * clock of the request, but not the earlier changes, as its first comment says. It runs in a project that has only
 * flagdouble and Vitest, from the folder with the fixtures. Throws `INVALID_REQUEST` if the journal lacks part of the
 * request.
 */
export function requestAsTest(entry: JournalEntry, { session, options }: CopyContext): string {
  checkComplete(entry, 'a test')
  const { method, path, status, time, responseBody } = entry
  const world = session.world(scenarioNames(entry.scenario))
  const { startedAt } = world
  const { fixtures } = world.origin.start
  const key = keyOf(entry, world)
  const sent = Object.entries(entry.requestHeaders).filter(([name]) => name !== 'authorization' && !ADDED.test(name))
  const headers = Object.fromEntries([...sent, ...(key === undefined ? [] : [['authorization', key]])])
  const expected = withoutVolatile(responseBody, Date.parse(time))
  const matcher = typeof expected === 'object' ? 'toMatchObject' : 'toEqual'
  const isCut = typeof responseBody === 'string' && responseBody.endsWith('…')
  // The rejection of an API token depends on the token, which the journal doesn't contain.
  const tells = isJson(entry) && !isCut && key !== NO_KEY
  const body = [
    `const mock = createMock(${code(mockOptions(world, session, options))})`,
    ...(Date.parse(time) === startedAt ? [] : [`mock.clock.set(${code(time)})`]),
    ...(isForcedByHand(entry, world) ? [`mock.force(${code(ruleOf(entry))})`] : []),
    `const request = new Request(${withIds(`http://localhost${path}`, world)}, {`,
    `  method: ${code(method)},`,
    `  headers: ${code(headers, INNER)},`,
    ...(entry.requestBody === null ? [] : [`  body: ${bodyOf(entry, world)},`]),
    '})',
    'const response = await mock.fetch(request)',
    `expect(response.status).toBe(${status})`,
    ...(tells ? [`expect(await response.json()).${matcher}(${code(expected)})`] : []),
  ]
  const readsFiles = fixtures.some(({ state }) => fileOf(state) !== undefined)
  return `${wasChanged(entry, session, world) ? CHANGED : ''}${readsFiles ? "import { readFileSync } from 'node:fs'\n" : ''}import { createMock } from 'flagdouble'
import { expect, it } from '${RUNNER}'

it(${code(`${entry.operation ?? `${method} ${path}`} responds with ${status}`)}, async () => {
${body.map((line) => `  ${line}\n`).join('')}})
`
}

/** Throws `INVALID_REQUEST` for a request that can't be repeated, or has no response. */
export function checkComplete({ status, path, requestBody }: JournalEntry, format: string): void {
  const sent = JSON.stringify([path, requestBody])
  const reason =
    status === 0
      ? 'its connection broke'
      : sent.includes(REDACTED) || sent.includes('…"')
        ? 'the journal does not contain its whole body'
        : undefined
  if (reason === undefined) return
  throw new MockError(
    'INVALID_REQUEST',
    `The request can't be copied as ${format}: ${reason}.`,
    'Copy another request.',
  )
}

/** The options of the test's mock. Custom scenarios are written out. */
function mockOptions(world: World, { catalogue }: Session, { profile, basePath }: ServiceOptions): object {
  const own = catalogue
    .layers(world.composition.names)
    .filter((scenario) => !scenarios.includes(scenario) && !isFlagState(scenario.name))
  const fixtures = world.origin.start.fixtures.map(({ state }) => {
    const file = fileOf(state)
    return file === undefined ? state : new Code(`JSON.parse(readFileSync(${code(file)}, 'utf8'))`)
  })
  return {
    scenario: world.name,
    ...(own.length > 0 && { scenarios: own }),
    ...(fixtures.length > 0 && { fixtures }),
    now: new Date(world.startedAt).toISOString(),
    profile: profile.name,
    ...(basePath !== '' && { baseUrl: `http://localhost${basePath}` }),
    ...(world.latency !== undefined && { latency: 0 }),
  }
}

/** Whether a rule responded that isn't in the scenario, or that counts requests. */
function isForcedByHand({ forced, operation }: JournalEntry, { composition }: World): boolean {
  const isOf = (rule: { operation: string }) => rule.operation === '*' || rule.operation === operation
  return forced === true && !composition.force.some((rule) => isOf(rule) && rule.times === undefined && !rule.after)
}

function ruleOf({ operation, status, responseBody }: JournalEntry): object {
  return { operation: operation ?? '*', status, ...(responseBody !== null && { body: responseBody }) }
}

/** Whether the world had changed before a request. */
function wasChanged(entry: JournalEntry, session: Session, world: World): boolean {
  const counts = world.composition.force.some(({ times, after }) => times !== undefined || after !== undefined)
  if (world.origin.contents === undefined || (counts && !entry.forced)) return true
  const moments = session.timeline.list(world)
  const done = moments.slice(0, moments.findIndex(({ current }) => current) + 1)
  const later = new Set(session.journal.find({ since: entry.id }).map(({ commit }) => commit))
  const own = done.findIndex(({ id }) => id === entry.commit)
  const before = own === -1 ? done.filter(({ id, time }) => !later.has(id) && time <= entry.time) : done.slice(0, own)
  const since = before.slice(before.findLastIndex(({ what }) => STARTS.includes(what)) + 1)
  return since.some(({ what }) => what !== 'clock' && what !== 'force')
}

/** An invalid token. */
export const NO_KEY = 'not a key'

/** The API token of a request or, if the journal hides it, a token of the same caller. */
export function keyOf(
  { caller, status, requestHeaders }: JournalEntry,
  { data: { tables } }: World,
): string | undefined {
  const { authorization } = requestHeaders
  if (authorization !== undefined && authorization !== REDACTED) return authorization
  if (caller === null && authorization === undefined) return undefined
  if (caller === null && status === 401) return NO_KEY
  const tokens = tables.apiTokens.list()
  // Without a known caller, such as at an unknown path, any token works.
  if (caller === null) return tokens.find(({ type }) => type === 'admin')?.secret
  const ofUser = tokens.find(({ userId }) => {
    const user = userId === null ? undefined : tables.users.get(userId)
    return user !== undefined && displayNameOf(user) === caller
  })
  return (tokens.find(({ userId, tokenName }) => userId === null && tokenName === caller) ?? ofUser)?.secret
}

function isJson({ responseHeaders, responseBody }: JournalEntry): boolean {
  return responseBody !== null && (responseHeaders['content-type']?.includes('json') ?? false)
}

function bodyOf({ requestBody }: JournalEntry, world: World): string {
  if (typeof requestBody === 'string') return withIds(requestBody, world)
  const text = JSON.stringify(requestBody)
  const isPlain = withIds(text, world) === code(text)
  return isPlain ? `JSON.stringify(${code(requestBody, INNER)})` : withIds(text, world)
}

/** A text as code. A mock generates new IDs at its start, so the test reads them from its own mock. */
function withIds(text: string, world: World): string {
  const parts = text.split(/(01[0-9A-HJKMNP-TV-Z]{24})/)
  if (parts.length === 1) return code(text)
  const state = world.snapshot()
  const terms = parts.map((part, at) => (at % 2 === 1 && placeOf(part, state, 'mock.state()')) || code(part))
  return terms.filter((term) => term !== "''").join(' + ')
}

/** The place of a text inside a value, as code. */
function placeOf(wanted: string, value: unknown, place: string): string | undefined {
  if (value === wanted) return place
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, inner] of Object.entries(value)) {
    const found = placeOf(wanted, inner, `${place}[${Array.isArray(value) ? name : code(name)}]`)
    if (found !== undefined) return found
  }
  return undefined
}

/** A value without fields that differ in each run. List items stay, like any text. */
function withoutVolatile(value: unknown, time: number): unknown {
  if (Array.isArray(value)) {
    return value.map((item) => (isVolatile(item, time) ? new Code('expect.anything()') : withoutVolatile(item, time)))
  }
  if (!isObject(value)) return value
  const lasting = Object.entries(value).filter(([, field]) => !isVolatile(field, time))
  return Object.fromEntries(lasting.map(([name, field]) => [name, withoutVolatile(field, time)]))
}

function isVolatile(value: unknown, time: number): boolean {
  if (typeof value !== 'string') return false
  const date = /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) : Number.NaN
  return GENERATED.test(value) || value.includes(REDACTED) || (date >= time && date - time < MOMENT)
}

/** Text that is code. */
class Code {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** The indentation of the values in the options of the request. */
const INNER = '      '

/** The maximum width of a list or an object on one line. */
const WIDTH = 100

/** A value as code, with a line for each part if it is wide. */
function code(value: unknown, indent = '    '): string {
  if (value instanceof Code) return value.text
  if (typeof value === 'string') return quoted(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const part = (inner: unknown) => code(inner, `${indent}  `)
  const [open, parts, close] = Array.isArray(value)
    ? ['[', value.map(part), ']']
    : ['{ ', Object.entries(value).map(([name, field]) => `${nameInCode(name)}: ${part(field)}`), ' }']
  if (parts.length === 0) return `${open}${close}`.replaceAll(' ', '')
  const line = `${open}${parts.join(', ')}${close}`
  if (line.length <= WIDTH && !line.includes('\n')) return line
  return `${open.trim()}\n${parts.map((one) => `${indent}${one},\n`).join('')}${indent.slice(2)}${close.trim()}`
}

function quoted(text: string): string {
  const json = JSON.stringify(text)
  return /['\\]/.test(json) ? json : `'${json.slice(1, -1)}'`
}

/** The name of a property, quoted where needed. In code, `__proto__` wouldn't be a property. */
function nameInCode(name: string): string {
  if (name === '__proto__') return '["__proto__"]'
  return /^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name)
}
