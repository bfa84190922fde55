import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { StateFile } from '../../src/entries/files/state-file/state-file.js'
import { createMock, type Mock, type PartialState, type State } from '../../src/index.js'
import { anyWrite, MEETING } from '../support/any-request.js'
import { scratchFolder } from '../support/cli.js'
import { AMPLE, RUNS } from '../support/runs.js'

const SCENARIOS = ['default', 'empty'] as const
type Worlds = Record<(typeof SCENARIOS)[number], State>

interface Sent {
  method: string
  path: string
  key?: string | undefined
  body?: string | undefined
}

const control: fc.Arbitrary<Sent> = fc.oneof(
  fc.constantFrom('history/undo', 'history/redo', 'reset').map((path) => ({ method: 'POST', path: `/__mock/${path}` })),
  fc.constantFrom('dark-mode', 'checkout-redesign', '__proto__').map((name) => ({
    method: 'PATCH',
    path: '/__mock/state',
    body: JSON.stringify({ features: [{ name, description: 'mine' }] }),
  })),
)

const anySent = fc.record({
  request: fc.oneof({ weight: 5, arbitrary: anyWrite }, { weight: 1, arbitrary: control }),
  scenario: fc.constantFrom(...SCENARIOS),
})

async function send(mock: Mock, { method, path, key, body }: Sent, scenario: string): Promise<Response> {
  const headers = {
    'content-type': 'application/json',
    'x-mock-scenario': scenario,
    ...(key !== undefined && { authorization: key }),
  }
  return mock.fetch(new Request(`http://localhost${path}`, { method, headers, ...(body !== undefined && { body }) }))
}

async function worldsOf(mock: Mock): Promise<Worlds> {
  const stateIn = async (scenario: string) =>
    (await send(mock, { method: 'GET', path: '/__mock/state' }, scenario)).json() as Promise<State>
  return { default: await stateIn('default'), empty: await stateIn('empty') }
}

/** The fixture with a flag in front, a changed text, and without a flag that others need. */
const { 'dark-mode': _removed, ...others } = MEETING.features as Record<string, object>
const EDITED = {
  ...MEETING,
  features: {
    aaa: { name: 'aaa', environments: [{ name: 'development', strategies: [{ name: 'default' }] }] },
    ...others,
    'legacy-export': { ...others['legacy-export'], description: 'Edited.' },
  },
} as PartialState

it('a saved world equals itself after a stop and a start, also with edits of its files in between', {
  timeout: AMPLE,
}, async () => {
  const folder = scratchFolder().path
  const start = async (file: string, fixtures: PartialState) => {
    const mock = createMock({ fixtures: structuredClone(fixtures) })
    const options = { mock, sync: true, startsInScenario: false, warn: () => undefined }
    return { mock, file: await StateFile.open(file, options) }
  }
  let run = 0
  let saved = 0
  await fc.assert(
    fc.asyncProperty(fc.array(anySent, { minLength: 1, maxLength: 12 }), async (requests) => {
      const path = join(folder, `state-${run++}.json`)
      const first = await start(path, MEETING)
      for (const { request, scenario } of requests) await send(first.mock, request, scenario)
      const all = await worldsOf(first.mock)
      await first.file.close()
      const { sessions = {} } = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
      // A world without changes starts anew, at another time.
      const changed = SCENARIOS.filter((name) => sessions.shared?.worlds?.[name] !== undefined)
      saved += changed.length
      const of = (worlds: Worlds) => changed.map((name) => worlds[name])
      for (const fixtures of [MEETING, EDITED, MEETING]) {
        const { mock, file } = await start(path, fixtures)
        const worlds = await worldsOf(mock)
        await file.close()
        if (fixtures === MEETING) expect(of(worlds)).toEqual(of(all))
        else if (worlds.default.features.length > 0)
          expect(worlds.default.features.map(({ name }) => name)).toContain('aaa')
      }
    }),
    { numRuns: 8 * RUNS },
  )
  expect(saved).toBeGreaterThan(0)
})
