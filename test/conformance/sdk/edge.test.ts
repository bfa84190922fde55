import { expect, it } from 'vitest'
import { ADMIN, CLIENT, FIXED, FRONTEND, onEveryAdapter, VIEWER } from '../../support/adapters.js'
import { onBothProfiles } from '../../support/both.js'

const asEdge = { key: null }

onBothProfiles('tokens for Edge', (client) => {
  it('the valid ones of some API tokens are returned with their scope', async () => {
    client.mock.add({ apiTokens: [{ secret: 'expired', type: 'client', expiresAt: '2026-01-01T00:00:00.000Z' }] })
    const tokens = [CLIENT, FRONTEND, ADMIN, VIEWER, 'unknown', 'expired', '']
    const { status, body } = await client.send('POST', '/edge/validate', { tokens }, asEdge)
    expect(status).toBe(200)
    const scope = { projects: ['*'], environment: 'development' }
    expect(body.tokens).toEqual([
      { token: CLIENT, type: 'client', ...scope },
      { token: FRONTEND, type: 'frontend', ...scope },
      { token: ADMIN, type: 'admin', projects: ['*'], environment: '*' },
    ])
    expect(JSON.stringify(client.mock.requests.all())).not.toContain('mock-client')
  })

  it('a back-end token has its older type', async () => {
    client.mock.add({ apiTokens: [{ secret: 'default:development.b', type: 'backend', projects: ['default'] }] })
    const { body } = await client.send('POST', '/edge/validate', { tokens: ['default:development.b'] }, asEdge)
    expect(body.tokens).toEqual([expect.objectContaining({ type: 'client', projects: ['default'] })])
  })

  it('a repeated token is returned once', async () => {
    const { body } = await client.send('POST', '/edge/validate', { tokens: [CLIENT, CLIENT] }, asEdge)
    expect(body.tokens).toHaveLength(1)
  })

  it('a list of tokens is required', async () => {
    expect((await client.send('POST', '/edge/validate', {}, asEdge)).status).toBe(400)
    expect((await client.send('POST', '/edge/issue-token', { tokens: [{}] }, asEdge)).status).toBe(400)
  })
})

const wanted = { tokens: [{ environment: 'development', projects: ['default'] }] }

onEveryAdapter('issuing tokens for Edge, as documented', (client) => {
  it('is forbidden', async () => {
    expect((await client.send('POST', '/edge/issue-token', wanted, asEdge)).status).toBe(403)
  })
})

onEveryAdapter(
  'issuing tokens for Edge, as in Unleash',
  (client) => {
    it('needs a signature that an instance without a master key can’t check', async () => {
      const { status, body } = await client.send('POST', '/edge/issue-token', wanted, asEdge)
      expect([status, body]).toEqual([401, { error: expect.any(String) }])
    })
  },
  { ...FIXED, profile: 'unleash-8' },
)
