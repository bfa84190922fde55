import { expect, it } from 'vitest'
import { EDITOR } from '../../support/adapters.js'
import { onBothProfiles } from '../../support/both.js'

const path = '/api/admin/ui-config'

onBothProfiles('the origins for the frontend API', (client) => {
  const set = (body: unknown) => client.send('POST', `${path}/cors`, body)
  const shown = async () => (await client.send('GET', path)).body.frontendApiOrigins

  it('are kept and shown', async () => {
    expect(await shown()).toEqual(['*'])
    const frontendApiOrigins = ['https://app.example.com', 'http://localhost:3000']
    expect((await set({ frontendApiOrigins })).status).toBe(204)
    expect(await shown()).toEqual(frontendApiOrigins)
    expect((await set({ frontendApiOrigins: [] })).status).toBe(204)
    expect(await shown()).toEqual([])
    client.mock.restore(client.mock.state())
    expect(client.mock.events.list().map(({ type, data, preData }) => ({ type, data, preData }))).toEqual([
      { type: 'setting-created', data: { id: 'unleash.frontend', frontendApiOrigins }, preData: null },
      {
        type: 'setting-updated',
        data: { id: 'unleash.frontend', frontendApiOrigins: [] },
        preData: { frontendApiOrigins },
      },
    ])
  })

  it.each([
    ['a path', ['https://app.example.com/'], 400],
    ['a pattern', ['https://*.example.com'], 400],
    ['no URL', ['example'], 400],
    ['nothing', undefined, 404],
  ])('%s is rejected', async (_, frontendApiOrigins, status) => {
    expect((await set({ frontendApiOrigins })).status).toBe(status)
    expect(await shown()).toEqual(['*'])
  })

  it('need a permission', async () => {
    expect((await client.send('POST', `${path}/cors`, { frontendApiOrigins: [] }, { key: EDITOR })).status).toBe(403)
    const { roles } = client.mock.state()
    const editor = roles.find(({ name }) => name === 'Editor')
    client.mock.add({ roles: [{ id: 2, permissions: [...(editor?.permissions ?? []), { name: 'UPDATE_CORS' }] }] })
    expect((await client.send('POST', `${path}/cors`, { frontendApiOrigins: [] }, { key: EDITOR })).status).toBe(204)
  })
})
