// Run by `flagdouble exec`: the server is running, and both clients were generated from its document.
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import createClient from 'openapi-fetch'
import type { paths } from './generated/openapi-typescript.js'
import { cloneFeature, updatePublicSignupToken } from './generated/orval.js'

const baseUrl = process.env.FLAGDOUBLE_URL ?? ''
const headers = { authorization: '*:*.mock-admin' }
const expiresAt = '2030-01-31T12:00:00.000Z'

beforeEach(() => fetch(`${baseUrl}/__mock/reset`, { method: 'POST' }))

test('openapi-fetch clones a flag', async () => {
  const client = createClient<paths>({ baseUrl, headers })
  const { data, error } = await client.POST('/api/admin/projects/{projectId}/features/{featureName}/clone', {
    params: { path: { projectId: 'default', featureName: 'checkout-redesign' } },
    body: { name: 'copy' },
  })
  assert.equal(error, undefined)
  assert.equal(data?.name, 'copy')
})

test('openapi-fetch updates a signup token', async () => {
  const client = createClient<paths>({ baseUrl, headers })
  const { data } = await client.PUT('/api/admin/invite-link/tokens/{token}', {
    params: { path: { token: 'live-invite' } },
    body: { expiresAt, enabled: false },
  })
  assert.deepEqual([data?.expiresAt, data?.enabled], [expiresAt, false])
})

test('openapi-fetch gets a typed error', async () => {
  const client = createClient<paths>({ baseUrl })
  const { error } = await client.PUT('/api/admin/invite-link/tokens/{token}', {
    params: { path: { token: 'live-invite' } },
    body: { enabled: false },
  })
  assert.equal(error?.name, 'AuthenticationRequired')
})

test('the client of orval clones a flag', async () => {
  const { data } = await cloneFeature('default', 'checkout-redesign', { name: 'copy' }, { headers })
  assert.ok('project' in data)
  assert.deepEqual([data.name, data.project], ['copy', 'default'])
})

test('the client of orval updates a signup token', async () => {
  const { data } = await updatePublicSignupToken('live-invite', { expiresAt, enabled: false }, { headers })
  assert.ok(data && 'expiresAt' in data)
  assert.deepEqual([data.expiresAt, data.enabled], [expiresAt, false])
})
