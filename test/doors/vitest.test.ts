import { HttpResponse, http } from 'msw'
import { afterEach, beforeEach, describe, expect, test as plainTest } from 'vitest'
import { type TestMockOptions, test, useMock } from '../../src/doors/vitest.js'
import { ADMIN } from '../support/doors.js'

const features = 'https://flags.example.com/api/admin/projects/default/features'

async function clone(name: string) {
  return fetch(`${features}/checkout-redesign/clone`, {
    method: 'POST',
    headers: { authorization: ADMIN, 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  })
}

describe('useMock', () => {
  const mock = useMock({ seed: 1 })

  beforeEach(() => {
    if (expect.getState().currentTestName?.includes('prepared')) mock.add({ features: [{ name: 'prepared' }] })
  })
  afterEach(() => {
    expect(mock.requests.all().length).toBeLessThan(2)
  })

  for (const attempt of [1, 2]) {
    plainTest(`answers with a fresh world, attempt ${attempt}`, async () => {
      expect((await clone('copy')).status).toBe(200)
      expect(mock.features.get('copy')).toBeDefined()
      expect(mock.requests.count({ operation: 'cloneFeature' })).toBe(1)
    })
  }

  plainTest('is there in beforeEach: prepared', () => {
    expect(mock.features.get('prepared')).toBeDefined()
  })

  plainTest('stands for a mock in other ways too', async () => {
    mock.useScenario('unauthenticated')
    expect(mock.activeScenarios).toEqual(['unauthenticated'])
    expect('fetch' in mock).toBe(true)
    expect((await clone('copy')).status).toBe(401)
  })

  plainTest('keeps no login, as the fetch of Node does not', async () => {
    mock.requests.clear()
    const origin = new URL(features).origin
    const signIn = { username: 'viewer', password: 'flagdouble' }
    const headers = { 'content-type': 'application/json' }
    await fetch(`${origin}/auth/simple/login`, { method: 'POST', headers, body: JSON.stringify(signIn) })
    expect((await fetch(`${origin}/api/admin/user`, { credentials: 'include' })).status).toBe(401)
    mock.requests.clear()
  })

  plainTest('makes an unknown request an error', async () => {
    await expect(fetch('https://elsewhere.example.com/x')).rejects.toThrow()
  })

  plainTest('refuses options that createMock refuses', () => {
    expect(() => mock.useScenario('no-such')).toThrow('no-such')
  })

  describe('in a describe of its own', () => {
    const inner = useMock({
      scenario: 'empty',
      handlers: [http.get('https://other.example.com/x', () => HttpResponse.text('theirs'))],
    })

    plainTest('takes the place of the outer one', async () => {
      expect(inner.features.list()).toEqual([])
      expect(mock.features.list()).toEqual([])
      expect((await clone('copy')).status).toBe(404)
    })

    plainTest('asks handlers of your own first', async () => {
      expect(await (await fetch('https://other.example.com/x')).text()).toBe('theirs')
    })
  })

  test('gives its mock to the fixture', ({ mock: fixture }) => {
    expect(fixture.features.get('checkout-redesign')).toBeDefined()
    expect(mock.features).toBe(fixture.features)
  })
})

describe('useMock outside of a test', () => {
  const mock = useMock()

  expect(() => mock.features).toThrow('There is no mock outside of a test')
  plainTest('is there inside', () => {
    expect(mock.features.list().length).toBeGreaterThan(0)
  })
})

describe.concurrent('useMock with concurrent tests', () => {
  const mock = useMock()
  const names = Array.from({ length: 5 }, (_, i) => `copy-${i}`)

  plainTest.for(names)('shares nothing: %s', async (name, { expect }) => {
    expect((await clone(name)).status).toBe(200)
    await meet()
    expect(names.filter((other) => mock.features.get(other))).toEqual([name])
    expect((await clone(name)).status).toBe(409)
    expect(mock.requests.all().map(({ status }) => status)).toEqual([200, 409])
  })

  const meet = meeting(names.length)
})

describe('test', () => {
  test('has a mock, without more', async ({ mock }) => {
    expect((await clone('copy')).status).toBe(200)
    expect(mock.features.get('copy')).toBeDefined()
  })

  test('has a fresh one', ({ mock }) => {
    expect(mock.features.get('copy')).toBeUndefined()
    expect(mock.requests.all()).toEqual([])
  })

  const names = Array.from({ length: 5 }, (_, i) => `copy-${i}`)
  const meet = meeting(names.length)
  for (const name of names) {
    test.concurrent(`shares nothing when concurrent: ${name}`, async ({ mock, expect }) => {
      expect((await clone(name)).status).toBe(200)
      await meet()
      expect(names.filter((other) => mock.features.get(other))).toEqual([name])
      expect(mock.requests.count({ operation: 'cloneFeature' })).toBe(1)
    })
  }

  test.for([1, 2])('takes a table of cases: %s', (_, { mock }) => {
    expect(mock.activeScenarios).toEqual(['default'])
  })

  describe('with options', () => {
    const mockOptions: TestMockOptions = { scenario: 'missing-permission' }
    test.override({ mockOptions })

    test('takes them', async ({ mock }) => {
      expect(mock.activeScenarios).toEqual(['missing-permission'])
      expect((await clone('copy')).status).toBe(403)
    })
  })

  const offline = test.extend({ mockOptions: { scenario: 'offline' }, actor: ADMIN })

  offline('can be extended', async ({ mock, actor }) => {
    expect([mock.activeScenarios, actor]).toEqual([['offline'], ADMIN])
    await expect(clone('copy')).rejects.toThrow()
  })
})

/** A place where a number of concurrent tests wait for each other: so they do run at the same time. Vitest runs five at most. */
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
