import { expect, it } from 'vitest'
import { EDITOR, FIXED, FRONTEND, onEveryAdapter } from '../../support/adapters.js'
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

const MACHINE = 'http://localhost:3000'
const APP = 'https://app.example'

onEveryAdapter(
  'the origins whose pages read the frontend API, as in Unleash',
  (client) => {
    const ask = async (origin: string | undefined, method = 'GET', key: string | null = FRONTEND) => {
      const headers = origin === undefined ? {} : { origin }
      const answer = await client.send(method, '/api/frontend', method === 'POST' ? {} : undefined, { key, headers })
      return {
        status: answer.status,
        origin: answer.headers.get('access-control-allow-origin'),
        headers: answer.headers,
      }
    }
    const only = (...frontendApiOrigins: string[]) =>
      client.mock.add({ settings: [{ name: 'frontend', frontendApiOrigins }] })

    it.each(['GET', 'POST', 'OPTIONS'])('without a setting, all origins are allowed: %s', async (method) => {
      const { status, origin, headers } = await ask(APP, method)
      expect([status, origin]).toEqual([method === 'OPTIONS' ? 204 : 200, '*'])
      expect(headers.get('access-control-allow-credentials')).toBe('true')
      expect(headers.get('access-control-expose-headers')).toContain('ETag')
      expect(headers.get('vary')).toMatch(/^Origin, /)
      expect((await ask(undefined, method)).origin).toBe('*')
    })

    it('local pages can send cookies', async () => {
      const { origin, headers } = await ask(MACHINE)
      expect(origin).toBe(MACHINE)
      expect(headers.get('access-control-expose-headers')).toContain('x-mock-scenario')
    })

    it.each(['GET', 'POST', 'OPTIONS'])('only those in the setting are allowed: %s', async (method) => {
      only('https://other.example', APP)
      expect((await ask(APP, method)).origin).toBe(APP)
      for (const other of ['https://app.example.com', MACHINE, undefined]) {
        expect((await ask(other, method)).origin).toBeNull()
      }
      only()
      expect((await ask(APP, method)).origin).toBeNull()
    })

    it('a page can read the reason for its rejection', async () => {
      expect(await ask(APP, 'GET', null)).toMatchObject({ status: 401, origin: '*' })
      expect(await ask(APP, 'GET', EDITOR)).toMatchObject({ status: 403, origin: '*' })
    })

    it('other paths reject other origins', async () => {
      const { status } = await client.send('GET', '/api/admin/projects', undefined, { headers: { origin: APP } })
      expect(status).toBe(403)
    })

    it('a preflight is not in the request journal', async () => {
      const asked = { origin: APP, 'access-control-request-method': 'GET' }
      const { status } = await client.send('OPTIONS', '/api/frontend', undefined, { key: null, headers: asked })
      expect([status, client.mock.requests.count()]).toEqual([204, 0])
    })
  },
  { ...FIXED, profile: 'unleash-8' },
)
