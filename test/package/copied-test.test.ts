import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createMock, type MockOptions } from '../../src/index.js'
import { ADMIN, CLIENT, EDITOR, VIEWER } from '../support/adapters.js'
import { type Consumer, createConsumer } from '../support/consumer.js'
import { root } from '../support/markdown.js'

let consumer: Consumer
beforeAll(() => {
  consumer = createConsumer()
}, 30_000)
afterAll(() => consumer.remove())

const FEATURES = '/api/admin/projects/default/features'
const STRATEGIES = `${FEATURES}/checkout-redesign/environments/development/strategies`

/** Sends requests of many kinds. Returns the text of a test of those from the second one on. */
async function copied(options: MockOptions): Promise<string> {
  const mock = createMock(options)
  await mock.ready
  const send = (method: string, path: string, key: string | null, body?: object | string) =>
    mock.fetch(
      new Request(`http://localhost${path}`, {
        method,
        headers: {
          ...(key === null ? {} : { authorization: key }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    )
  await send('POST', FEATURES, ADMIN, { name: 'before', type: 'release' })
  await send('POST', FEATURES, EDITOR, { name: 'dark-mode', type: 'release' })
  await send('POST', FEATURES, VIEWER, { name: 'refused', type: 'release' })
  await send('GET', FEATURES, null)
  await send('GET', FEATURES, 'nonsense')
  await send('GET', '/api/client/features', CLIENT)
  await send('GET', FEATURES, ADMIN)
  const made = await send('POST', STRATEGIES, ADMIN, { name: 'default' })
  const { id } = (await made.json()) as { id: string }
  await send('PUT', `${STRATEGIES}/${id}`, ADMIN, { name: 'default', title: 'Changed' })
  mock.force({ operation: 'getProjects', status: 503, times: 1 })
  await send('GET', '/api/admin/projects', ADMIN)
  await send('GET', '/api/admin/projects', ADMIN)
  await send('POST', FEATURES, ADMIN, '{ malformed')
  await send('POST', '/auth/simple/login', null, { username: 'admin', password: 'a secret that nobody may see' })
  mock.clock.advance({ days: 40 })
  await send('DELETE', `${FEATURES}/dark-mode`, ADMIN)
  await send('GET', '/api/admin/archive/features', ADMIN)
  await send('GET', '/api/admin/no-such-thing', ADMIN)
  const ids = mock.requests
    .all()
    .slice(1)
    .map((entry) => entry.id)
  const answer = await mock.fetch(new Request(`http://localhost/__mock/requests?format=vitest&ids=${ids.join(',')}`))
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
  const text = await answer.text()
  expect(text).not.toContain('a secret that nobody may see')
  return text
}

it.each<[string, MockOptions]>([
  [
    'with a seed, a frozen clock and fixtures',
    { seed: 7, now: '2026-11-20T12:00:00Z', fixtures: { features: [{ name: 'own' }] } },
  ],
  ['without a seed, while the clock runs', {}],
  ['of a scenario with rules', { scenario: 'slow', latency: 0 }],
  ['of a scenario with data of its own', { scenario: 'disabled-token' }],
])('requests copied as a test pass in an empty project: %s', { timeout: 120_000 }, async (name, options) => {
  const file = `${name.replaceAll(/\W+/g, '-')}.test.ts`
  consumer.put(file, await copied(options))
  const output = await consumer.node(join(root, 'node_modules/vitest/vitest.mjs'), 'run', file)
  expect(output).toMatch(/Tests +1 passed/)
})
