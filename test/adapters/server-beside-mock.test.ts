import { setupServer } from 'msw/node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer } from '../../src/entries/adapters/node.js'
import { useMock } from '../../src/entries/adapters/vitest.js'
import type { Mock } from '../../src/index.js'
import { ADMIN } from '../support/adapters.js'
import { collect } from '../support/collect.js'

const ask = (origin: string) => fetch(`${origin}/api/admin/projects`, { headers: { authorization: ADMIN } })

async function expectOwnRequests(mock: Mock) {
  // Collections between the requests must not take what an earlier server left behind, and the next server with it.
  const earlier = await startServer({}, { port: 0 })
  await earlier.close()
  await collect()
  expect((await ask(earlier.url)).status).toBe(200)
  const server = await startServer({}, { port: 0 })
  for (const host of ['127.0.0.1', 'localhost']) {
    await collect()
    expect((await ask(`http://${host}:${server.port}`)).status).toBe(200)
  }
  expect([server.mock.requests.count(), mock.requests.count()]).toEqual([2, 1])
  expect((await ask('http://localhost')).status).toBe(200)
  await server.close()
  expect((await ask(server.url)).status).toBe(200)
  expect([server.mock.requests.count(), mock.requests.count()]).toEqual([2, 3])
}

describe('useMock', () => {
  const mock = useMock()

  test('a running server of this process gets its requests, until it closes', () => expectOwnRequests(mock))
})

describe('useMock({ server })', () => {
  const server = setupServer()
  beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
  afterAll(() => server.close())
  const mock = useMock({ server })

  test('a running server of this process gets its requests, until it closes', () => expectOwnRequests(mock))
})
