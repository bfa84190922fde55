import { HttpResponse, http } from 'msw'
import { afterEach, beforeEach, describe, expect, test as plainTest } from 'vitest'
import { expectNodeForMsw, expectPeer } from '../../src/entries/adapters/peer.js'
import { type TestMockOptions, test, useMock } from '../../src/entries/adapters/vitest.js'
import { createMock } from '../../src/index.js'
import { ADMIN } from '../support/adapters.js'

const features = 'https://flags.example.com/api/admin/projects/default/features'

async function clone(name: string) {
  return fetch(`${features}/checkout-redesign/clone`, {
    method: 'POST',
    headers: { authorization: ADMIN, 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  })
}

/** Whether SDKs of the development environment get a flag as enabled. */
async function isEnabled(flag: string): Promise<boolean | undefined> {
  const headers = { authorization: '*:development.mock-client' }
  const { features } = await (await fetch('https://flags.example.com/api/client/features', { headers })).json()
  return features.find(({ name }: { name: string }) => name === flag)?.enabled
}

describe('useMock with the state of a flag', () => {
  const mock = useMock({ scenario: 'legacy-export:on' })

  plainTest('serves the flag in this state', async () => {
    expect([mock.activeScenarios, mock.toldFlags]).toEqual([['default'], { 'legacy-export': 'on' }])
    expect(await isEnabled('legacy-export')).toBe(true)
  })
})

describe('useMock', () => {
  const mock = useMock({ seed: 1 })

  beforeEach(() => {
    if (expect.getState().currentTestName?.includes('prepared')) mock.add({ features: [{ name: 'prepared' }] })
  })
  afterEach(() => {
    expect(mock.requests.all().length).toBeLessThan(2)
  })

  for (const attempt of [1, 2]) {
    plainTest(`useMock gives each test a fresh world, attempt ${attempt}`, async () => {
      expect((await clone('copy')).status).toBe(200)
      expect(mock.features.get('copy')).toBeDefined()
      expect(mock.requests.count({ operation: 'cloneFeature' })).toBe(1)
    })
  }

  plainTest('the mock of useMock is available in beforeEach: prepared', () => {
    expect(mock.features.get('prepared')).toBeDefined()
  })

  plainTest('the object of useMock behaves like a mock in other ways too', async () => {
    mock.useScenario('unauthenticated')
    expect(mock.activeScenarios).toEqual(['unauthenticated'])
    expect('fetch' in mock).toBe(true)
    expect((await clone('copy')).status).toBe(401)
  })

  plainTest('useMock keeps no login, like the fetch of Node', async () => {
    mock.requests.clear()
    const origin = new URL(features).origin
    const signIn = { username: 'viewer', password: 'flagdouble' }
    const headers = { 'content-type': 'application/json' }
    await fetch(`${origin}/auth/simple/login`, { method: 'POST', headers, body: JSON.stringify(signIn) })
    expect((await fetch(`${origin}/api/admin/user`, { credentials: 'include' })).status).toBe(401)
    mock.requests.clear()
  })

  plainTest('useMock rejects what createMock rejects', () => {
    expect(() => mock.useScenario('no-such')).toThrow('no-such')
  })

  describe('useMock in a nested describe', () => {
    const inner = useMock({
      scenario: 'empty',
      handlers: [http.get('https://other.example.com/x', () => HttpResponse.text('theirs'))],
    })

    plainTest('an inner useMock replaces the outer one', async () => {
      expect(inner.features.list()).toEqual([])
      expect(mock.features.list()).toEqual([])
      expect((await clone('copy')).status).toBe(404)
    })

    plainTest('useMock asks the user’s own handlers first', async () => {
      expect(await (await fetch('https://other.example.com/x')).text()).toBe('theirs')
    })
  })

  test('useMock and the fixture share a mock', ({ mock: fixture }) => {
    expect(fixture.features.get('checkout-redesign')).toBeDefined()
    expect(mock.features).toBe(fixture.features)
  })
})

describe('useMock outside of a test', () => {
  const mock = useMock()

  expect(() => mock.features).toThrow('The mock exists only while a test runs')
  plainTest('the mock of useMock is available inside a test', () => {
    expect(mock.features.list().length).toBeGreaterThan(0)
  })
})

describe.concurrent('useMock with concurrent tests', () => {
  const mock = useMock()
  const names = Array.from({ length: 5 }, (_, i) => `copy-${i}`)

  plainTest.for(names)('concurrent tests with useMock share nothing: %s', async (name, { expect }) => {
    expect((await clone(name)).status).toBe(200)
    await meet()
    expect(names.filter((other) => mock.features.get(other))).toEqual([name])
    expect((await clone(name)).status).toBe(409)
    expect(mock.requests.all().map(({ status }) => status)).toEqual([200, 409])
  })

  const meet = meeting(names.length)
})

describe('test', () => {
  test('test has a mock, without any setup', async ({ mock }) => {
    expect((await clone('copy')).status).toBe(200)
    expect(mock.features.get('copy')).toBeDefined()
  })

  test('test has a fresh mock each time', ({ mock }) => {
    expect(mock.features.get('copy')).toBeUndefined()
    expect(mock.requests.all()).toEqual([])
  })

  const names = Array.from({ length: 5 }, (_, i) => `copy-${i}`)
  const meet = meeting(names.length)
  for (const name of names) {
    test.concurrent(`concurrent tests with the fixture share nothing: ${name}`, async ({ mock, expect }) => {
      expect((await clone(name)).status).toBe(200)
      await meet()
      expect(names.filter((other) => mock.features.get(other))).toEqual([name])
      expect(mock.requests.count({ operation: 'cloneFeature' })).toBe(1)
    })
  }

  test.for([1, 2])('test.for has a mock for each case: %s', (_, { mock }) => {
    expect(mock.activeScenarios).toEqual(['default'])
  })

  describe('with options', () => {
    const mockOptions: TestMockOptions = { scenario: 'missing-permission' }
    test.override({ mockOptions })

    test('test has a mock with the given options', async ({ mock }) => {
      expect(mock.activeScenarios).toEqual(['missing-permission'])
      expect((await clone('copy')).status).toBe(403)
    })
  })

  test.extend({ mockOptions: { scenario: 'legacy-export:gone' } })(
    'a scenario can be the state of a flag',
    async () => {
      expect(await isEnabled('legacy-export')).toBeUndefined()
    },
  )

  const offline = test.extend({ mockOptions: { scenario: 'offline' }, actor: ADMIN })

  offline('test can be extended', async ({ mock, actor }) => {
    expect([mock.activeScenarios, actor]).toEqual([['offline'], ADMIN])
    await expect(clone('copy')).rejects.toThrow()
  })
})

plainTest('an entry says which installed package is too old', () => {
  const sentence = /^flagdouble\/vitest needs Vitest 99\.1 or later; \d+\.\d+\.\d+ is installed\.$/
  expect(() => expectPeer('vitest', 'vitest', '99.1')).toThrow(sentence)
  expect(() => expectPeer('vitest', 'vitest', '2.1')).not.toThrow()
})

plainTest('msw 3 is rejected on a Node that it does not run on', () => {
  const isOldNode = !('withResolvers' in Promise)
  const outcome = (version: string) => {
    try {
      return expectNodeForMsw(version)
    } catch (error) {
      return (error as Error).message
    }
  }
  const sentence = 'msw 3.0.5 needs Node 22.12 or later. Install msw@2, or use a newer Node.'
  expect(outcome('3.0.5')).toBe(isOldNode ? sentence : undefined)
  expect(outcome('2.15.0')).toBeUndefined()
})

/**
 * A place where a number of concurrent tests wait for each other, so that they do run at the same time. Vitest runs five
 * at most.
 */
function meeting(expected: number): () => Promise<void> {
  let open = () => {}
  let arrived = 0
  const everybody = new Promise<void>((resolve) => {
    open = resolve
  })
  return () => {
    arrived += 1
    if (arrived === expected) open()
    return everybody
  }
}

describe('fixtures in the wrong place', () => {
  const faultOf = (fixtures: object) => {
    try {
      test.override(fixtures)
      return undefined
    } catch (error) {
      return String(error)
    }
  }
  const faults = [
    faultOf({ mockOption: { scenario: 'empty' } }),
    faultOf({ scenario: 'empty' }),
    faultOf({ theirs: 1 }),
  ]
  const own = test.extend<{ scenario: string }>({ scenario: 'mine' })
  own.override({ scenario: 'theirs' })

  plainTest('an option of the mock, and a misspelt fixture', () => {
    expect(faults[0]).toContain('test.override has no fixture "mockOption". Did you mean "mockOptions"?')
    expect(faults[1]).toContain(
      'test.override has no fixture "scenario".\nhint: Options of the mock belong in mockOptions',
    )
    expect(faults[2] ?? '').not.toContain('INVALID')
  })
  own("a test's own fixture", ({ mock, scenario }) => {
    expect([mock.activeScenarios, scenario]).toEqual([['default'], 'theirs'])
  })
  const given = createMock()
  let fault: unknown
  try {
    useMock(given)
  } catch (error) {
    fault = error
  }
  plainTest('a mock in place of options', () => {
    expect(String(fault)).toContain('useMock takes options, not a mock')
  })
})
