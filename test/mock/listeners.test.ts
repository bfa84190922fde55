import { afterEach, expect, it, vi } from 'vitest'
import { createMock } from '../../src/index.js'
import { ADMIN } from '../support/adapters.js'

afterEach(() => {
  vi.restoreAllMocks()
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

it('listeners receive requests and changes of every session, with its name, until they are removed', async () => {
  const mock = createMock()
  const heard: string[] = []
  const stops = [
    mock.onRequest((_, session) => heard.push(`request ${session}`)),
    mock.onChange((session) => heard.push(`change ${session}`)),
  ]
  const use = async (name: string) => {
    mock.session(name).add({ features: [{ name: 'one' }] })
    await mock.session(name).fetch(new Request('http://localhost/health'))
  }
  await use('')
  await use('nora')
  for (const stop of stops) stop()
  await use('nora')
  await use('ada')
  expect(heard).toEqual(['change ', 'request ', 'change nora', 'request nora'])
})
