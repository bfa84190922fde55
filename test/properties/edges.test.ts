import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createMock, type PartialState } from '../../src/index.js'
import { HIGHEST_ID } from '../../src/service/store/collection.js'
import { ADMIN, FIXED } from '../support/adapters.js'
import { type AnyRequest, anyWrite, MEETING } from '../support/any-request.js'
import { runCli, scratchFolder } from '../support/cli.js'
import { AMPLE, RUNS } from '../support/runs.js'

const id = fc.constantFrom(0, 1, 7, HIGHEST_ID - 1, HIGHEST_ID, HIGHEST_ID + 1, Number.MAX_SAFE_INTEGER)
const count = fc.constantFrom(0, 1, Number.MAX_SAFE_INTEGER)
const position = fc.constantFrom(Number.MIN_SAFE_INTEGER, -1, 0, Number.MAX_SAFE_INTEGER)

function nested(levels: number): unknown {
  let value: unknown = 'the end'
  for (let level = 0; level < levels; level++) value = level % 2 ? [value] : { below: value }
  return value
}

/** Seed data with numbers and depths near the limits, on both sides of them. */
const anyEdge: fc.Arbitrary<PartialState> = fc.oneof(
  fc.record({ users: id.map((id) => [{ id, email: 'edge@example.com' }]) }),
  fc.record({ segments: id.map((id) => [{ id, name: 'edge' }]) }),
  fc.record({ addons: id.map((id) => [{ id, provider: 'webhook', parameters: { url: 'http://localhost' } }]) }),
  fc.record({ events: id.map((id) => [{ id, type: 'feature-created' }]) }),
  fc.record({ sequences: id.map((last) => [{ name: 'users' as const, last }]) }),
  fc.record({ events: fc.integer({ min: 55, max: 70 }).map((depth) => [{ id: 9, type: 'x', data: nested(depth) }]) }),
  fc.record({
    clientMetrics: count.map((yes) => [{ featureName: 'dark-mode', environment: 'development', appName: 'web', yes }]),
  }),
  fc.record({
    features: position.map((sortOrder) => ({
      'dark-mode': { environments: [{ name: 'development', strategies: [{ name: 'default', sortOrder }] }] },
    })),
  }),
)

const write = (method: string, path: string, body: object): AnyRequest => ({
  id: path,
  method,
  path,
  key: ADMIN,
  body: JSON.stringify(body),
})

/** Requests that number or count something. */
const anyCounting = fc.constantFrom(
  write('POST', '/api/admin/user-admin', { email: 'one@example.com', rootRole: 1 }),
  write('POST', '/api/admin/user-admin', { email: 'two@example.com', rootRole: 1 }),
  write('POST', '/api/admin/segments', { name: 'one', constraints: [] }),
  write('POST', '/api/admin/segments', {
    name: 'two',
    constraints: [{ contextName: 'appName', operator: 'NUM_EQ', value: '1' }],
  }),
  write('POST', '/api/admin/addons', {
    provider: 'webhook',
    enabled: true,
    events: ['feature-created'],
    parameters: { url: 'http://localhost' },
  }),
  write('POST', '/api/admin/projects/default/features/dark-mode/environments/development/strategies', {
    name: 'default',
  }),
  write('POST', '/api/client/metrics', {
    appName: 'web',
    environment: 'development',
    bucket: {
      start: '2026-11-20T12:00:00Z',
      stop: '2026-11-20T12:01:00Z',
      toggles: { 'dark-mode': { yes: 2, no: 1 } },
    },
  }),
)

describe('at the edges of valid state', () => {
  const edges = fc.array(anyEdge, { minLength: 1, maxLength: 3 })
  const requests = fc.array(fc.oneof(anyCounting, anyWrite), { minLength: 2, maxLength: 8 })

  it('accepted state is there, and restore accepts it', { timeout: AMPLE }, async () => {
    let refused = 0
    await fc.assert(
      fc.asyncProperty(edges, requests, async (given, sent) => {
        const mock = createMock({ ...FIXED, fixtures: MEETING })
        for (const state of given) {
          try {
            mock.add(state)
          } catch (error) {
            refused++
            expect(error).toMatchObject({ code: 'INVALID_STATE' })
          }
        }
        for (const { method, path, key, body } of sent) {
          const users = mock.users.list().length
          const headers = { 'content-type': 'application/json', ...(key === undefined ? {} : { authorization: key }) }
          const init = { method, headers, ...(body === undefined ? {} : { body }) }
          const { status } = await mock.fetch(new Request(`http://localhost${path}`, init))
          expect(status, `${method} ${path} ${body}`).not.toBe(500)
          if (path === '/api/admin/user-admin' && status === 201) expect(mock.users.list()).toHaveLength(users + 1)
        }
        const snapshot = JSON.stringify(mock.state())
        mock.restore(JSON.parse(snapshot))
        expect(JSON.stringify(mock.state())).toBe(snapshot)
      }),
      { numRuns: 60 * RUNS },
    )
    expect(refused).toBeGreaterThan(0)
  })
})

it.each([
  ['in a record', { events: [{ id: 1, type: 'x', data: nested(100_000) }] }, '$.events[0].data[0]'],
  ['in a list', { features: nested(100_000) }, '$.features'],
])('a value that is nested 100,000 deep is an error with its place: %s', (_, state, place) => {
  const mock = createMock(FIXED)
  const before = mock.state()
  expect(() => mock.add(state as PartialState)).toThrow(
    expect.objectContaining({
      code: 'INVALID_STATE',
      faults: [{ path: expect.stringContaining(place), message: 'is nested deeper than 64 levels' }],
    }),
  )
  expect(mock.state()).toEqual(before)
  const deep = {
    code: 'INVALID_STATE',
    faults: [{ path: expect.stringContaining(place), message: expect.any(String) }],
  }
  expect(() => createMock({ fixtures: state as PartialState })).toThrow(expect.objectContaining(deep))
})

it('a file that is nested 100,000 deep is rejected with the place', async () => {
  const brackets = (bracket: string) => bracket.repeat(100_000)
  const text = `{"features":[{"name":"x","description":${brackets('[')}${brackets(']')}}]}`
  const { done, stdout } = runCli(['validate', scratchFolder().put('deep.json', text)])
  expect(await done).toBe(2)
  expect(stdout()).toMatch(/\$\.features\[0\]\.description.*: is nested deeper than 64 levels/)
})

it('the ID after the highest can’t be created, and nothing is lost', async () => {
  const mock = createMock(FIXED)
  mock.add({ users: [{ id: HIGHEST_ID, email: 'high@example.com' }] })
  const body = JSON.stringify({ email: 'next@example.com', rootRole: 1 })
  const headers = { authorization: ADMIN, 'content-type': 'application/json' }
  const init = { method: 'POST', headers, body }
  const response = await mock.fetch(new Request('http://localhost/api/admin/user-admin', init))
  expect([response.status, response.headers.get('x-mock-error')]).toEqual([507, 'TOO_MUCH_DATA'])
  expect(mock.users.list().at(-1)).toMatchObject({ id: HIGHEST_ID, email: 'high@example.com' })
})

it('names of scenarios and sessions have at most 64 characters, because headers contain them', async () => {
  const mock = createMock(FIXED)
  const name = 'a'.repeat(64)
  const described = { title: 'T', promise: 'P.' }
  mock.useScenario({ name, ...described })
  expect(mock.session(name).name).toBe(name)
  expect(() => mock.useScenario({ name: `${name}a`, ...described })).toThrow('$.name: must have at most 64 characters')
  expect(() => mock.session(`${name}a`)).toThrow('at most 64 characters')
  const request = new Request('http://localhost/health', { headers: { 'x-mock-session': `${name}a` } })
  const response = await mock.fetch(request)
  expect([response.status, response.headers.get('x-mock-error')]).toEqual([400, 'INVALID_REQUEST'])
})
