import { expect, it, onTestFinished, vi } from 'vitest'
import { startWorker } from '../../src/entries/adapters/browser.js'
import { createHandlers } from '../../src/entries/adapters/msw.js'
import { startServer } from '../../src/entries/adapters/node.js'
import { createMock, defineScenario, MockError } from '../../src/index.js'

const nothing = null as never
const five = 5 as never
const big = 5n as never

it.each<[string, () => unknown]>([
  ['createMock(null)', () => createMock(nothing)],
  ['createMock(5)', () => createMock(five)],
  ['createMock({ scenarios: [null] })', () => createMock({ scenarios: [nothing] })],
  ['createMock({ scenario: null })', () => createMock({ scenario: nothing })],
  ['createMock({ seed: 5n })', () => createMock({ seed: big })],
  ['createMock({ journalSize: 5n })', () => createMock({ journalSize: big })],
  ['createMock({ latency: 5n })', () => createMock({ latency: big })],
  ['createMock({ fixtures: null })', () => createMock({ fixtures: nothing })],
  ['createMock({ fixtures: [5n] })', () => createMock({ fixtures: [big] })],
  ['createMock({ fixtures: a BigInt inside })', () => createMock({ fixtures: { features: [{ name: big }] } })],
  ['defineScenario(undefined)', () => defineScenario(undefined as never)],
  ['defineScenario(5n)', () => defineScenario(big)],
  ['defineScenario({ name: 5n })', () => defineScenario({ name: big, title: 'T', promise: 'P' })],
  ['session(5)', () => createMock().session(five)],
  ['useScenario()', () => createMock().useScenario()],
  ['useScenario([])', () => createMock().useScenario([])],
  ['useScenario(null)', () => createMock().useScenario(nothing)],
  ['useScenario([null])', () => createMock().useScenario([nothing])],
  ['useScenario([[…]])', () => createMock().useScenario([['empty']] as never)],
  ['useScenario(name, […])', () => createMock().useScenario('slow', ['empty'] as never)],
  ['useScenario(5n)', () => createMock().useScenario(big)],
  ['useScenario({})', () => createMock().useScenario({} as never)],
  ['requests.find(null)', () => createMock().requests.find(nothing)],
  ['requests.find({ operation: 5 })', () => createMock().requests.find({ operation: five })],
  ['requests.find({ operation: 5n })', () => createMock().requests.find({ operation: big })],
  ['requests.count(5)', () => createMock().requests.count(five)],
  ['features.get()', () => createMock().features.get(undefined as never)],
  ['features.list(null)', () => createMock().features.list(nothing)],
  ['features.list({ projct })', () => createMock().features.list({ projct: 'default' } as never)],
  ['clock.set(5n)', () => createMock().clock.set(big)],
  ['clock.advance(5n)', () => createMock().clock.advance(big)],
  ['force(null)', () => createMock().force(nothing)],
  ['force(5n)', () => createMock().force(big)],
  ['force({ body() {} })', () => createMock().force({ operation: '*', body() {} })],
  ['enable(5)', () => createMock().enable(five)],
  ['disable(null)', () => createMock().disable(nothing)],
  ['setVariant("a", 5)', () => createMock().setVariant('a', five)],
  ['restore(5n)', () => createMock().restore(big)],
  ['add(null)', () => createMock().add(nothing)],
  ['add({ features: 5n })', () => createMock().add({ features: big })],
  ['reload(null)', () => createMock().reload(nothing)],
  ['onChange(null)', () => createMock().onChange(nothing)],
  ['onRequest(5)', () => createMock().onRequest(five)],
  ['createHandlers(null)', () => createHandlers(nothing)],
  ['createHandlers({})', () => createHandlers({} as never)],
  ['createHandlers(mock, { baseUrl: 5 })', () => createHandlers(createMock(), { baseUrl: five })],
  ['createHandlers(mock, null)', () => createHandlers(createMock(), nothing)],
  ['startServer(null)', () => startServer(nothing)],
  ['startServer(5)', () => startServer(five)],
  ['startServer({ scenario: 5 })', () => startServer({ scenario: five })],
  ['startServer({}, null)', () => startServer({}, nothing)],
  ['startServer({}, { host: 5 })', () => startServer({}, { port: 0, host: five })],
  ['startServer({}, { allowHosts: "x" })', () => startServer({}, { port: 0, allowHosts: 'x' as never })],
  ['startServer({}, { allowHosts: [null] })', () => startServer({}, { port: 0, allowHosts: [nothing] })],
  ['startServer({}, { ui: 5 })', () => startServer({}, { port: 0, ui: five })],
  ['startServer({}, { port: "x" })', () => startServer({}, { port: 'x' as never })],
  ['startServer({}, { port: -1 })', () => startServer({}, { port: -1 })],
  ['startServer({}, { port: 5n })', () => startServer({}, { port: big })],
  ['startServer({}, { prot: 0 })', () => startServer({}, { prot: 0 } as never)],
])('a wrong argument throws a MockError with a hint, at the line of the caller: %s', async (_, act) => {
  const error = await errorOf(act)
  expect(error).toBeInstanceOf(MockError)
  expect((error as MockError).hint).toMatch(/./)
  const [first] = String((error as MockError).stack)
    .split(/\n\s+at /)
    .slice(1)
  expect(first).toContain('arguments.test.ts')
})

it.each([
  [null, 'INVALID_ARGUMENT'],
  [5, 'INVALID_ARGUMENT'],
  [{ handlers: null }, 'INVALID_OPTION'],
  [{ unhandled: 'ignore' }, 'INVALID_OPTION'],
  [{ badge: 'yes' }, 'INVALID_OPTION'],
  [{ quiet: 1 }, 'INVALID_OPTION'],
  [{ serviceWorker: '/worker.js' }, 'INVALID_OPTION'],
])('startWorker rejects %j with %s', async (options, code) => {
  expect(await errorOf(() => startWorker(options as never))).toMatchObject({ code })
})

async function errorOf(act: () => unknown): Promise<unknown> {
  try {
    await act()
  } catch (error) {
    return error
  }
  return 'Nothing was rejected.'
}

it('without crypto, as in React Native, createMock asks for a seed', () => {
  vi.stubGlobal('crypto', undefined)
  onTestFinished(() => {
    vi.unstubAllGlobals()
  })
  expect(() => createMock()).toThrow('This runtime has no crypto, so createMock needs the option seed')
  expect(createMock({ seed: 1 }).state().features.length).toBeGreaterThan(0)
})

it.each<[string, () => unknown, string]>([
  ['a state as a flag', () => createMock().enable('beta:off'), 'mock.useScenario("beta:off") tells SDKs a state'],
  ['text as a number', () => createMock().clock.advance({ days: '31' } as never), 'days must be a number, not "31".'],
  [
    'no duration',
    () => createMock().clock.advance({}),
    'The duration is empty; use ms, seconds, minutes, hours or days.',
  ],
  ['an operation', () => createMock().requests.find('cloneFeature' as never), "a filter such as { operation: '"],
  ['a list', () => createMock({ scenario: ['empty', 'slow'] } as never), 'commas combine names, such as "empty,slow"'],
  [
    'a path',
    () => createMock().force({ operation: 'GET /api/frontend' as never, status: 500 }),
    'must be the ID of an operation, and not its path. Did you mean "getFrontendFeatures"?',
  ],
  [
    'a path with parameters',
    () => createMock().force({ operation: '/api/admin/projects/:id/overview' as never, status: 500 }),
    'Did you mean "getProjectOverview"?',
  ],
  [
    'two scenarios of one name',
    () => createMock({ scenarios: ['One', 'Other'].map((title) => ({ name: 'mine', title, promise: 'A promise.' })) }),
    'Two scenarios have the name "mine".',
  ],
])('the error for %s says what to write', (_, act, message) => {
  expect(act).toThrow(message)
})
