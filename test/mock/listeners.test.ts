import { afterEach, expect, it, vi } from 'vitest'
import { createMock } from '../../src/index.js'
import { ADMIN } from '../support/adapters.js'

afterEach(() => {
  vi.restoreAllMocks()
})

it('a session is heard by itself, and every session by the mock, until one unsubscribes', async () => {
  const mock = createMock()
  const heard: string[] = []
  const ada = mock.session('ada')
  const stops = [
    mock.onRequest((_, session) => heard.push(`mock: request in "${session}"`)),
    mock.onChange((session) => heard.push(`mock: change in "${session}"`)),
    ada.onRequest((_, session) => heard.push(`ada: request in "${session}"`)),
    ada.onChange((session) => heard.push(`ada: change in "${session}"`)),
  ]
  const health = new Request('http://localhost/health')
  const hear = async (act: () => unknown) => {
    heard.length = 0
    await act()
    return [...heard]
  }
  expect(await hear(() => ada.fetch(health))).toEqual(['mock: request in "ada"', 'ada: request in "ada"'])
  expect(await hear(() => mock.fetch(health))).toEqual(['mock: request in ""'])
  expect(await hear(() => ada.useScenario('empty'))).toEqual(['mock: change in "ada"', 'ada: change in "ada"'])
  expect(await hear(() => mock.session('bob').add({ features: [{ name: 'x' }] }))).toEqual(['mock: change in "bob"'])
  for (const stop of stops) stop()
  expect(
    await hear(async () => {
      await ada.fetch(health)
      ada.reset()
      await mock.session('carl').fetch(health)
    }),
  ).toEqual([])
})

it('all methods work as functions that are passed on', async () => {
  const mock = createMock()
  const { session, useScenario, add, state, restore, reset, fetch, force, assertNoUnmatched, onChange } = mock
  useScenario('empty')
  add({ features: [{ name: 'one' }] })
  restore(state())
  expect(mock.features.get('one')).toBeDefined()
  force({ operation: 'getHealth', status: 503 })
  expect((await fetch(new Request('http://localhost/health'))).status).toBe(503)
  onChange(() => undefined)()
  reset()
  assertNoUnmatched()
  expect([session(), session('ada').session().name, mock.activeScenarios]).toEqual([mock, 'ada', ['default']])
  const { onRequest, data } = session('ada')
  onRequest(() => undefined)()
  expect((await data()).features.all().length).toBeGreaterThan(0)
})

it('a listener that throws breaks neither the request nor the other listeners', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  const mock = createMock()
  const heard: string[] = []
  const fail = () => {
    throw new Error('The listener is broken.')
  }
  mock.onRequest(fail)
  mock.onChange(fail)
  mock.onRequest(({ path }) => heard.push(path))
  mock.onChange(() => heard.push('change'))
  const url = 'http://localhost/api/admin/projects/default/features/checkout-redesign/clone'
  const headers = { authorization: ADMIN, 'content-type': 'application/json' }
  const answer = await mock.fetch(new Request(url, { method: 'POST', headers, body: '{"name":"copy"}' }))
  expect(answer.status).toBe(200)
  expect(heard).toEqual(['change', new URL(url).pathname])
  expect(log.mock.calls.map(([, error]) => String(error))).toEqual(Array(2).fill('Error: The listener is broken.'))
})
