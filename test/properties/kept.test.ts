import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { StateFile } from '../../src/entries/files/state-file/state-file.js'
import { createMock, type Mock } from '../../src/index.js'
import { FIXED } from '../support/adapters.js'
import { anyWrite, MEETING } from '../support/any-request.js'
import { scratchFolder } from '../support/cli.js'
import { AMPLE, IS_CI, RUNS } from '../support/runs.js'

interface Sent {
  method: string
  path: string
  key?: string | undefined
  body?: string | undefined
  session: string
  scenario: string
}

const odd = [
  '',
  'nora',
  '__proto__',
  'constructor',
  'shared',
  '_shared',
  '7',
  'a b',
  '日本語',
  'unreadable',
  'x'.repeat(64),
]
const anySession = fc.constantFrom(...odd)
const anyScenario = fc.constantFrom('', 'default', 'empty', 'saved')

/** Texts whose JSON is longer than they are, and texts that JSON escapes. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 9 }),
  fc.constantFrom('\u0001'.repeat(3000), '\u{d800}', '\u2028', '"\\'.repeat(9)),
)
const anyFixture = fc.record({
  features: fc.uniqueArray(
    fc
      .constantFrom('one', 'two', '__proto__')
      .chain((name) => fc.record({ name: fc.constant(name), description: anyText })),
    {
      selector: ({ name }) => name,
      maxLength: 2,
    },
  ),
})

const anySent: fc.Arbitrary<Sent> = fc
  .oneof(
    { weight: 3, arbitrary: anyWrite.map(({ method, path, key, body }) => ({ method, path, key, body })) },
    {
      weight: 3,
      arbitrary: anyFixture.map((state) => ({ method: 'PATCH', path: '/__mock/state', body: JSON.stringify(state) })),
    },
    fc.constantFrom('saved', 'again').map((name) => ({
      method: 'POST',
      path: '/__mock/scenarios',
      body: JSON.stringify({ name, title: 'Saved', promise: 'It is there tomorrow.' }),
    })),
    anyScenario.map((name) => ({ method: 'PUT', path: '/__mock/scenario', body: JSON.stringify({ name }) })),
    fc.constant({ method: 'POST', path: '/__mock/reset' }),
  )
  .chain((request) =>
    fc.record({ session: anySession, scenario: anyScenario }).map((where) => ({ ...request, ...where })),
  )

function send(mock: Mock, { method, path, key, body, session, scenario }: Sent): Promise<Response> {
  const headers = {
    'content-type': 'application/json',
    ...(key !== undefined && { authorization: key }),
    ...(session !== '' && { 'x-mock-session': encodeURIComponent(session) }),
    ...(scenario !== '' && { 'x-mock-scenario': scenario }),
  }
  return mock.fetch(new Request(`http://localhost${path}`, { method, headers, ...(body !== undefined && { body }) }))
}

const textOf = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : undefined)

/** Everything that users see of their sessions: the scenarios, and the records of each. */
async function seenIn(mock: Mock, requests: readonly Sent[]): Promise<unknown> {
  const seen = new Map<string, unknown>()
  const look = async (path: string, session: string, scenario: string) => {
    const response = await send(mock, { method: 'GET', path, session, scenario })
    const body = (await response.json()) as object
    seen.set(`${session} ${scenario} ${path}`, 'code' in body ? response.status : body)
  }
  for (const session of new Set(requests.map((request) => request.session))) {
    await look('/__mock/scenario', session, '')
    for (const scenario of ['default', 'empty', 'saved', 'again']) await look('/__mock/state', session, scenario)
  }
  return Object.fromEntries(seen)
}

it.runIf(IS_CI).each([
  ['of any length', undefined],
  ['of a limited length', 600],
])('each acknowledged change is read back from a state file %s', { timeout: AMPLE }, async (_, most) => {
  const folder = scratchFolder().path
  const start = async (file: string) => {
    const mock = createMock({ ...FIXED, fixtures: MEETING })
    const options = { mock, sync: true, startsInScenario: false, warn: () => undefined, ...(most && { most }) }
    return { mock, file: await StateFile.open(file, options) }
  }
  let run = 0
  let refused = 0
  await fc.assert(
    fc.asyncProperty(fc.array(anySent, { minLength: 1, maxLength: 6 }), async (requests) => {
      const path = join(folder, `state-${run++}.json`)
      const first = await start(path)
      let acknowledged = await seenIn(first.mock, requests)
      let isSaved = true
      for (const request of requests) {
        const before = textOf(path)
        const { headers } = await send(first.mock, request)
        const isRefused = headers.get('x-mock-error') === 'STATE_NOT_SAVED'
        // A request that changes nothing doesn't save an earlier change.
        isSaved = !isRefused && (isSaved || textOf(path) !== before)
        if (isSaved) acknowledged = await seenIn(first.mock, requests)
        if (isRefused) refused++
      }
      const text = textOf(path)
      const closed = await first.file.close().then(
        () => undefined,
        (error: Error) => error.message,
      )
      if (isSaved) expect(closed).toBeUndefined()
      // A reset can undo all that wasn't saved.
      else if (closed === undefined) acknowledged = await seenIn(first.mock, requests)
      else {
        expect(closed).toMatch(/characters, and at most 600 can be saved/)
        expect(textOf(path)).toBe(text)
      }
      const second = await start(path)
      expect(await seenIn(second.mock, requests)).toEqual(acknowledged)
      await second.file.close()
    }),
    { numRuns: 5 * RUNS },
  )
  expect(refused > 0).toBe(most !== undefined)
})
