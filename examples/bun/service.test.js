import { afterAll, beforeEach, expect, test } from 'bun:test'
import { createMock } from 'flagdouble'

const mock = createMock({ seed: 1 })
const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: mock.fetch })
beforeEach(() => mock.reset())
afterAll(() => server.stop(true))

const clone = () =>
  fetch(new URL('/api/admin/projects/default/features/checkout-redesign/clone', server.url), {
    method: 'POST',
    headers: { authorization: 'user:mock-editor', 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'copy' }),
  })

test('clones', async () => {
  const response = await clone()
  expect(response.status).toBe(200)
  expect(mock.features.get('copy').project).toBe('default')
})

test('rejects a name that is taken', async () => {
  await clone()
  const response = await clone()
  expect(response.status).toBe(409)
  expect(mock.requests.count({ operation: 'cloneFeature' })).toBe(2)
})

test('rejects an editor without the permission to clone', async () => {
  mock.useScenario('missing-permission')
  const response = await clone()
  expect(response.status).toBe(403)
})
