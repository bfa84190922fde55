import { setupServer } from 'msw/node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServer } from '../../src/entries/adapters/node.js'
import { useMock } from '../../src/entries/adapters/vitest.js'
import type { Mock } from '../../src/index.js'
import { ADMIN } from '../support/adapters.js'

const ask = (origin: string) => fetch(`${origin}/api/admin/projects`, { headers: { authorization: ADMIN } })

async function expectOwnRequests(mock: Mock) {
  const server = await startServer({}, { port: 0 })
  for (const host of ['127.0.0.1', 'localhost']) {
    expect((await ask(`http://${host}:${server.port}`)).status).toBe(200)
  }
  expect([server.mock.requests.count(), mock.requests.count()]).toEqual([2, 0])
  expect((await ask('http://localhost')).status).toBe(200)
  await server.close()
  expect((await ask(server.url)).status).toBe(200)
  expect([server.mock.requests.count(), mock.requests.count()]).toEqual([2, 2])
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
