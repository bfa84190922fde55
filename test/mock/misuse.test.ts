import { expect, it, vi } from 'vitest'
import { CORE } from '../../src/engine/mock/session.js'
import { mountPanel, startWorker } from '../../src/entries/adapters/browser.js'
import { createHandlers } from '../../src/entries/adapters/msw.js'
import { startServer } from '../../src/entries/adapters/node.js'
import flagdouble from '../../src/entries/adapters/vite.js'
import { useMock } from '../../src/entries/adapters/vitest.js'
import { createMock, type MockError } from '../../src/index.js'
import { ADMIN, FIXED, NOW } from '../support/adapters.js'

function errorOf(act: () => unknown): MockError | undefined {
  try {
    act()
    return undefined
  } catch (error) {
    return error as MockError
  }
}

function codeOf(act: () => unknown): string | undefined {
  return errorOf(act)?.code
}

it.each([undefined, null, 7, {}, 'http://'])('fetch rejects %j with a list of its arguments', async (given) => {
  const answer = createMock().fetch(given as never)
  await expect(answer).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    message: expect.stringContaining('mock.fetch takes a path, a URL or a Request, not '),
  })
})

it('fetch takes what the global fetch takes, and a path', async () => {
  const mock = createMock(FIXED)
  const init = { method: 'POST', headers: { authorization: ADMIN, 'content-type': 'application/json' } }
  const path = '/api/admin/projects/default/features'
  const urls = [
    path,
    `http://localhost${path}`,
    new URL(path, 'http://localhost'),
    new Request(`http://localhost${path}`),
  ]
  for (const [i, input] of urls.entries()) {
    const { status } = await mock.fetch(input, { ...init, body: JSON.stringify({ name: `made-${i}` }) })
    expect(status).toBe(201)
  }
  expect(mock.requests.count({ operation: 'createFeature' })).toBe(4)
})

it('fetch ignores the bindings that a runtime passes with a Request', async () => {
  const handler: (request: Request, bindings: object) => Promise<Response> = createMock(FIXED).fetch
  expect((await handler(new Request('http://localhost/health'), { KV: {} })).status).toBe(200)
})

it.each(['1d', {}, { day: 1 }, { days: '1' }, Number.NaN, undefined, null])(
  'a clock rejects the duration %j',
  (given) => {
    const { clock } = createMock(FIXED)
    expect(codeOf(() => clock.advance(given as never))).toBe('INVALID_CLOCK')
    expect(clock.now().toISOString()).toBe(NOW)
  },
)

it.each<[options: object, told: string]>([
  [{ scenaro: 'x' }, '"scenaro" is unknown. Did you mean "scenario"?'],
  [{ latency: { min: 5, maxi: 9 } }, 'latency.max: is required; latency: "maxi" is unknown. Did you mean "max"?'],
  [
    { latency: -1 },
    'latency: must be milliseconds up to 3600000: 200, or a range: 100-500, which is { min: 100, max: 500 }, but is -1.',
  ],
  [
    { fixtures: 'flags.json' },
    'fixtures: must be the data itself, and not a file name: parse the JSON first, or pass the file to --fixtures or the Vite plugin, but is "flags.json".',
  ],
  [
    { seed: {}, auth: 'no' },
    'seed: must be a string or a number, but is an object; auth: must be true, false or "any", but is "no".',
  ],
  [
    { profile: 'unleash8' },
    'profile: must be "documented" or "unleash-8", but is "unleash8". Did you mean "unleash-8"?',
  ],
  [
    { baseUrl: 'flags.example.com/x' },
    'baseUrl: must be a URL such as http://localhost:4242, but is "flags.example.com/x".',
  ],
  [
    { now: '2030-02-30' },
    'now: must be a date of the years 0000 to 9999, such as 2026-11-20T12:00:00Z, but is "2030-02-30".',
  ],
  [
    { now: new Date('soon') },
    'now: must be a date of the years 0000 to 9999, such as 2026-11-20T12:00:00Z, but is an invalid Date.',
  ],
  [
    { now: new Date(8.64e15) },
    'now: must be a date of the years 0000 to 9999, such as 2026-11-20T12:00:00Z, but is the Date +275760-09-13T00:00:00.000Z.',
  ],
])('createMock reports all errors of the options %j', (options, told) => {
  const error = errorOf(() => createMock(options))
  expect(error?.code).toBe('INVALID_OPTION')
  expect(error?.problem).toBe(`createMock does not take these options: ${told}`)
  expect(error?.hint).toMatch(/^The options are scenario, scenarios, .*tokenFormat\.$/)
})

it.each([
  [() => createMock(4 as never), 'createMock takes an object of options, not 4.', "createMock({ scenario: 'empty' })"],
  [() => createMock().enable(['a'] as never), 'not an array.', "mock.enable('new-checkout', 'beta')"],
  [() => createMock().client('7' as never), 'not "7".', "mock.client({ userId: '7', properties: { plan: 'pro' } })"],
  [() => createMock().client({ plan: 'pro' } as never), 'no field "plan"', 'all others belong in properties'],
  [() => createMock().session(4 as never), 'not 4.', "mock.session('nora')"],
  [() => createMock().features.get({ name: 'a' } as never), 'takes the key of a record', 'docs/create-mock.md'],
  [() => createMock().requests.find({ method: 'get' }), 'a method in capitals, such as "GET", not "get"', 'docs'],
  [() => createMock({ scenario: '' }), 'scenario: must be the name of a scenario', 'The options are'],
  [() => createMock({ fixtures: new Map() as never }), '$: must be a plain object or an array, but is a Map', 'Fix'],
  [() => createMock({ fixtures: Promise.resolve({}) as never }), 'is not plain data', 'await a promise'],
  [() => createMock().add(undefined as never), '$: must be an object, but is nothing', 'Fix'],
  [() => createMock().clock.set({ days: 1 } as never), 'an object is not a date', 'advance it by'],
  [() => createMock().clock.advance(new Date(0) as never), 'is a date, not a duration', 'Set it to a date'],
])('%s: the error names the mistake, and shows a right call', (act, problem, hint) => {
  const error = errorOf(act)
  expect(error?.problem).toContain(problem)
  expect(error?.hint).toContain(hint)
})

it('an option of the first argument of startServer is named as such in the second', async () => {
  await expect(startServer({}, { port: 0, scenario: 'empty' } as never)).rejects.toMatchObject({
    hint: expect.stringContaining('scenario is an option of createMock, and of the first argument of startServer.'),
  })
})

it.each([
  [{ features: ['a'] }, '$.features[0]: must be an object, but is "a": write { "name": "a" }'],
  [{ features: { a: true } }, '$.features.a: must be an object, but is true: write { "name": "a", "enabled": true }'],
  [{ features: [{ name: 'a', on: true }] }, '"on" is unknown. Did you mean "enabled"?'],
  [{ features: [{ name: 'a', dependencies: ['b'] }] }, 'but is "b": write { "feature": "b" }'],
  [{ contextFields: [{ name: 'plan', legalValues: ['pro'] }] }, 'but is "pro": write { "value": "pro" }'],
  [{ apiTokens: [{ token: '*:development.x' }] }, '"token" is unknown. Did you mean "secret"?'],
  [
    {
      features: [
        { name: 'a', environments: [{ name: 'development', strategies: [{ name: 'default', segments: ['b'] }] }] },
      ],
    },
    'segments[0]: must be a number, but is "b".',
  ],
])('createMock shows the form of a record in place of %j', (fixtures, told) => {
  expect(errorOf(() => createMock({ fixtures: fixtures as never }))?.problem).toContain(told)
})

it.each([
  [{ operation: 'getHealth', error: 'Busy' }, '$.error: must be an object such as { "message": "Busy" }'],
  [{ operation: 'getHealth', headers: { 'x y': '1' } }, '$.headers.x y: must be the name of a header'],
  [{ operation: 'getHealth', statusCode: 500 }, '"statusCode" is unknown. Did you mean "status"?'],
  [{ path: '/health', status: 500 }, '"path" is unknown. Did you mean "operation"?'],
  [{ operation: 'getHealth', status: 500, once: true }, '"once" is unknown. Did you mean "times"?'],
])('mock.force says what to write in place of %j', (rule, told) => {
  expect(errorOf(() => createMock().force(rule as never))?.problem).toContain(told)
})

it('startServer suggests a similar option', async () => {
  await expect(startServer({}, { prot: 0, https: 'yes' } as never)).rejects.toMatchObject({
    code: 'INVALID_OPTION',
    problem:
      'startServer does not take these options: https: must be an object, but is "yes"; "prot" is unknown. Did you mean "port"?',
  })
})

it('an option of another function is an error that names its place', async () => {
  const ofServer = 'port is an option of startServer, in its second argument.'
  const hint = (act: () => unknown) => errorOf(act)?.hint.replace(/^The options are .*?tokenFormat(, state)?\. ?/, '')
  expect(hint(() => createMock({ port: 0 } as never))).toMatch(
    `${ofServer} With the Vite plugin, set Vite's own server.port.`,
  )
  expect(hint(() => createMock({ prot: 0 } as never))).toContain(ofServer)
  expect(hint(() => flagdouble({ port: 4242 } as never))).toContain(ofServer)
  expect(hint(() => createMock({ badge: true, https: {} } as never))).toBe(
    'badge is an option of startWorker. https is an option of startServer, in its second argument.',
  )
  expect(hint(() => createMock({ scenari: 'empty' } as never))).toBe('')
  await expect(startServer({}, { prot: 0 } as never)).rejects.toMatchObject({
    hint: expect.stringMatching(/^The options are port, .*proxy\.$/),
  })
})

// useMock can't be called inside a test.
const ofUseMock = errorOf(() => useMock({ handler: [] } as never))

it('each adapter suggests a similar option, and lists all that it takes', async () => {
  await expect(startWorker({ bagde: true } as never)).rejects.toMatchObject({
    code: 'INVALID_OPTION',
    problem: 'startWorker does not take these options: "bagde" is unknown. Did you mean "badge"?',
    hint: expect.stringMatching(/^The options are badge, keep, .*quiet, scenario, .*tokenFormat\.$/),
  })
  await expect(startServer({ prot: 0 } as never)).rejects.toMatchObject({
    problem: 'startServer does not take these options: "prot" is unknown. Did you mean "port"?',
    hint: expect.stringMatching(/^The options are port, .*proxy, scenario, .*tokenFormat\.$/),
  })
  expect(ofUseMock).toMatchObject({
    problem: 'useMock does not take these options: "handler" is unknown. Did you mean "handlers"?',
    hint: expect.stringMatching(/^The options are handlers, unhandled, server, scenario, .*tokenFormat\.$/),
  })
  expect(errorOf(() => createHandlers(createMock(), { bsaeUrl: '' } as never))).toMatchObject({
    problem: 'createHandlers does not take these options: "bsaeUrl" is unknown. Did you mean "baseUrl"?',
  })
  expect(errorOf(() => flagdouble({ sate: '' } as never))).toMatchObject({
    problem: 'The plugin flagdouble does not take these options: "sate" is unknown. Did you mean "state"?',
    hint: expect.stringMatching(/^The options are scenario, .*tokenFormat, state\.$/),
  })
})

it('cyclic options are read only up to the known ones', () => {
  const fixture: Record<string, unknown> = { features: [] }
  fixture.own = fixture
  expect(codeOf(() => createMock({ fixtures: fixture as never }))).toBe('INVALID_STATE')
})

it('createHandlers rejects an invalid base URL', () => {
  expect(codeOf(() => createHandlers(createMock(), { baseUrl: 'flags.example.com/proxy' }))).toBe('INVALID_OPTION')
  const ofSdk = { baseUrl: 'https://flags.example.com/api/frontend' }
  expect(errorOf(() => createHandlers(createMock(), ofSdk))).toMatchObject({
    problem: expect.stringContaining('ends with a path of Unleash'),
    hint: 'Pass the part before it: https://flags.example.com',
  })
  expect(errorOf(() => createMock(ofSdk))?.problem).toContain(
    'baseUrl: must be the URL before the path /api of Unleash',
  )
})

it('a mock of another copy of the package works, and a mock of another version reports both copies', async () => {
  vi.resetModules()
  const other = await import('../../src/index.js')
  const mock = other.createMock()
  expect(mock).not.toBeInstanceOf(createMock().constructor)
  expect(createHandlers(mock)).not.toEqual([])
  await using server = await startServer(mock, { port: 0 })
  expect((await fetch(`${server.url}/health`)).status).toBe(200)
  expect(mock.requests.count({ operation: 'getHealth' })).toBe(1)

  Object.assign(mock[CORE], { version: '0.0.9' })
  const told = {
    code: 'INVALID_ARGUMENT',
    problem: expect.stringMatching(
      /comes from flagdouble \d\S+, but the mock comes from 0\.0\.9: two copies of the package are installed\.$/,
    ),
    hint: expect.stringContaining('`npm ls flagdouble`'),
  }
  expect(errorOf(() => createHandlers(mock))).toMatchObject(told)
  await expect(startServer(mock, { port: 0 })).rejects.toMatchObject(told)
})

it('functions that need a page say so in Node', async () => {
  const told = { code: 'NOT_READY', problem: expect.stringContaining('works only in the page of a browser') }
  await expect(startWorker()).rejects.toMatchObject(told)
  await expect(mountPanel({} as Element, createMock())).rejects.toMatchObject(told)
})

it('the options of a server in the first argument are rejected with their right place', async () => {
  await expect(startServer({ port: 0 } as never)).rejects.toMatchObject({
    code: 'INVALID_OPTION',
    message: expect.stringContaining('startServer({}, { port })'),
  })
})

it('a clock that advances by a few milliseconds asks whether days are meant', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  const { clock } = createMock(FIXED)
  clock.advance(1000)
  clock.advance({ days: 31 })
  expect(warn).not.toHaveBeenCalled()
  clock.advance(31)
  expect(warn).toHaveBeenCalledWith(expect.stringContaining('advance({ days: 31 })'))
  warn.mockRestore()
})

it('a filter with an invalid status is rejected, and a read record is frozen', () => {
  const mock = createMock()
  expect(() => mock.requests.find({ status: 'ok' } as never)).toThrow('The filter "status" takes a number, not "ok".')
  const feature = mock.features.get('legacy-export')
  expect(() => Object.assign(feature ?? {}, { stale: false })).toThrow(TypeError)
})
