import { test } from 'flagdouble/vitest'
import { expect } from 'vitest'

const url = 'http://flags.example.com/api/admin/projects'

test('an assertion', async () => {
  expect((await fetch(url)).status).toBe(200)
})
test('an unhandled request', async () => {
  await fetch('http://flags.example.com/api/admin/projcts').catch(() => 'the code under test goes on')
})
test('an unmatched rule', ({ mock }) => {
  mock.force({ operation: 'deleteApiToken', status: 503 })
})
test('an unknown flag', async ({ mock }) => {
  const headers = { authorization: '*:development.mock-client', 'content-type': 'application/json' }
  const bucket = {
    start: '2026-11-20T12:00:00Z',
    stop: '2026-11-20T12:01:00Z',
    toggles: { chekout: { yes: 1, no: 0 } },
  }
  const body = JSON.stringify({ appName: 'shop', instanceId: '1', bucket })
  await fetch('http://flags.example.com/api/client/metrics', { method: 'POST', headers, body })
  expect(mock).not.toHaveReceived('registerClientMetrics')
})
