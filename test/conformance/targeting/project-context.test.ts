import { expect, it } from 'vitest'
import { EDITOR, VIEWER } from '../../support/adapters.js'
import { onBothProfiles } from '../../support/both.js'

const path = '/api/admin/projects/default/context'

onBothProfiles('context fields of a project', (client) => {
  const send = (method: string, below: string, body?: unknown, key = EDITOR) =>
    client.send(method, path + below, body, { key })
  const create = (name: string, key = EDITOR) => send('POST', '', { name, project: 'mobile-app' }, key)

  it('a field is created in the project of the path', async () => {
    const { status, body } = await create('tier')
    expect([status, body]).toEqual([201, expect.objectContaining({ name: 'tier', project: 'default' })])
    expect((await send('GET', '/tier')).body).toEqual(body)
    expect((await send('GET', '')).body.map(({ name }: { name: string }) => name)).toContain('tier')
    expect((await create('tier')).status).toBe(409)
    expect((await create('appName')).status).toBe(409)
    expect((await create('other', VIEWER)).status).toBe(403)
    const unknown = await client.send('POST', '/api/admin/projects/nope/context', { name: 'other' })
    expect(unknown.status).toBe(404)
  })

  it('its name is validated', async () => {
    await create('tier')
    expect((await send('POST', '/validate', { name: 'tier' })).status).toBe(409)
    expect((await send('POST', '/validate', { name: 'free' })).status).toBe(200)
  })

  it('it can be changed and deleted only via its project', async () => {
    await create('tier')
    expect((await send('PUT', '/tier', { description: 'Who pays' })).status).toBe(200)
    expect((await send('POST', '/tier/legal-values', { value: 'gold' })).status).toBe(200)
    expect((await send('POST', '/tier/legal-values', { value: 'free' })).status).toBe(200)
    expect((await send('DELETE', '/tier/legal-values/free')).status).toBe(200)
    expect((await send('GET', '/tier')).body).toMatchObject({
      description: 'Who pays',
      legalValues: [{ value: 'gold' }],
    })
    expect((await send('GET', '/tier/strategies')).body).toEqual({ strategies: [] })
    for (const [method, below, body] of [
      ['PUT', '/appName', { description: 'x' }],
      ['POST', '/appName/legal-values', { value: 'x' }],
      ['DELETE', '/appName/legal-values/x', undefined],
      ['DELETE', '/appName', undefined],
      ['DELETE', '/nope', undefined],
    ] as const) {
      expect((await send(method, below, body)).status).toBe(404)
    }
    expect((await send('DELETE', '/tier')).status).toBe(200)
    expect((await send('GET', '/tier')).status).toBe(404)
  })
})
