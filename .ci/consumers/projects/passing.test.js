// The same tests in Node and in a page.
import { test, useMock } from 'flagdouble/vitest'
import { HttpResponse, http } from 'msw'
import { describe, expect, test as plainTest } from 'vitest'

const authorization = '*:*.mock-admin'

function clone(name) {
  return fetch('http://flags.example.com/api/admin/projects/default/features/checkout-redesign/clone', {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  })
}

async function expectFreshMock(mock) {
  expect(mock.requests.all()).toEqual([])
  expect((await clone('copy')).status).toBe(200)
  expect(mock.features.get('copy')).toBeDefined()
  expect(mock).toHaveReceived('cloneFeature', 1)
}

test('the fixture is fresh', ({ mock }) => expectFreshMock(mock))
test('the fixture is fresh again', ({ mock }) => expectFreshMock(mock))

describe('in a describe', () => {
  const forbidden = test.extend({ mockOptions: { scenario: 'missing-permission' } })
  forbidden('the fixture takes options', async () => {
    expect((await clone('copy')).status).toBe(403)
  })
})

describe('useMock', () => {
  const handlers = [http.get('http://other.example.com/x', () => HttpResponse.text('theirs'))]
  const mock = useMock({ handlers })
  plainTest('the mock is fresh', () => expectFreshMock(mock))
  plainTest('the mock is fresh again', () => expectFreshMock(mock))
  plainTest('other handlers respond', async () => {
    expect(await (await fetch('http://other.example.com/x')).text()).toBe('theirs')
  })
  plainTest('a broken connection', async () => {
    mock.useScenario('offline')
    await expect(clone('copy')).rejects.toThrow(TypeError)
  })
  plainTest('modules load', async () => {
    expect(await import('./later.js')).toMatchObject({ later: true })
  })
  plainTest('nothing leaves', async () => {
    await expect(fetch('http://127.0.0.1:9/elsewhere')).rejects.toThrow(TypeError)
    await expect(fetch('http://127.0.0.1:9/elsewhere', { method: 'POST', body: 'secret' })).rejects.toThrow(TypeError)
  })
})
