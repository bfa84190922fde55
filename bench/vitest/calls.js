// The tests' requests, for any implementation.
import { expect, test } from 'vitest'

const base = 'https://flags.example.com/api/admin'
const feature = `${base}/projects/default/features/checkout-redesign`
const token = `${base}/invite-link/tokens/live-invite`
const headers = { authorization: '*:*.mock-admin', 'content-type': 'application/json' }

async function call(url, method = 'GET', body = undefined) {
  const response = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  expect(response.ok).toBe(true)
  return response.json()
}

export function thousandTests() {
  for (let number = 0; number < 1000; number++) {
    test(`test ${number}`, async () => {
      expect(await call(feature)).toMatchObject({ name: 'checkout-redesign' })
      expect(await call(token, 'PUT', { enabled: true })).toMatchObject({ secret: 'live-invite' })
      expect(await call(`${feature}/clone`, 'POST', { name: 'copy' })).toHaveProperty('name')
      expect(await call(feature)).toMatchObject({ project: 'default' })
      expect(await call(token)).toMatchObject({ enabled: true })
    })
  }
}
