import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { startServer } from 'flagdouble/node'

const { url, mock, close } = await startServer({ seed: 1 }, { port: 0 })
beforeEach(() => mock.reset())
after(close)

const clone = (init) =>
  fetch(`${url}/api/admin/projects/default/features/checkout-redesign/clone`, {
    method: 'POST',
    headers: { authorization: 'user:mock-editor', 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'copy' }),
    ...init,
  })

test('clones', async () => {
  const response = await clone()
  assert.equal(response.status, 200)
  assert.equal(mock.features.get('copy').project, 'default')
})

test('rejects another content type', async () => {
  const response = await clone({ headers: { authorization: 'user:mock-editor', 'content-type': 'text/plain' } })
  assert.equal(response.status, 415)
  assert.equal((await response.json()).name, 'ContentTypeerror')
})

test('gives up when the connection breaks', async () => {
  mock.useScenario('offline')
  await assert.rejects(clone())
  assert.equal(mock.requests.count({ operation: 'cloneFeature' }), 1)
})
