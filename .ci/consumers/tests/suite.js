// The tests of every file in every pool: with the fixture, with useMock, nested and concurrently. A server stands for the
// network; no request must reach it.
import http, { createServer } from 'node:http'
import { test, useMock } from 'flagdouble/vitest'
import { afterAll, beforeAll, describe, expect, test as plainTest } from 'vitest'

const authorization = '*:*.mock-admin'

function clone(name) {
  return fetch('https://flags.example.com/api/admin/projects/default/features/checkout-redesign/clone', {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  })
}

export function suite() {
  const reached = []
  const server = createServer(({ method, url }, response) => {
    reached.push(`${method} ${url}`)
    response.end()
  })
  beforeAll(() => new Promise((resolve) => server.listen(0, '127.0.0.1', resolve)))
  afterAll(() => {
    server.close()
  })

  async function expectNothingLeaves() {
    const elsewhere = `http://127.0.0.1:${server.address().port}/elsewhere`
    await expect(fetch(elsewhere, { headers: { authorization } })).rejects.toThrow()
    await expect(fetch(elsewhere, { method: 'POST', body: 'secret' })).rejects.toThrow()
    await expect(
      new Promise((resolve, reject) => {
        http.get(elsewhere, { headers: { authorization } }, resolve).on('error', reject)
      }),
    ).rejects.toThrow()
    expect(reached).toEqual([])
  }

  async function expectFreshMock(mock, name) {
    expect(mock.requests.all()).toEqual([])
    expect((await clone(name)).status).toBe(200)
    expect(mock.features.get(name)).toBeDefined()
    expect(mock).toHaveReceived('cloneFeature', 1)
  }

  test('the fixture is fresh', ({ mock }) => expectFreshMock(mock, 'copy'))
  test('the fixture is fresh again', ({ mock }) => expectFreshMock(mock, 'copy'))
  test('nothing leaves by the fixture', expectNothingLeaves)
  for (const name of ['one', 'two']) {
    test.concurrent(`the fixture is fresh for ${name} at the same time`, ({ mock }) => expectFreshMock(mock, name))
  }

  describe('in a describe', () => {
    const forbidden = test.extend({ mockOptions: { scenario: 'missing-permission' } })
    forbidden('the fixture takes options', async ({ mock }) => {
      expect(mock.activeScenarios).toEqual(['missing-permission'])
      expect((await clone('copy')).status).toBe(403)
    })
  })

  describe('useMock', () => {
    const mock = useMock()
    plainTest('the mock is fresh', () => expectFreshMock(mock, 'copy'))
    plainTest('the mock is fresh again', () => expectFreshMock(mock, 'copy'))
    plainTest('nothing leaves by useMock', expectNothingLeaves)
  })
}
