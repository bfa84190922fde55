import { expect, it } from 'vitest'
import { FIXED, onEveryAdapter } from '../../support/adapters.js'

const admins = ['*:*.unleash-insecure-admin-api-token', '*:*.unleash-insecure-api-token']
const backend = 'default:development.unleash-insecure-api-token'
const frontend = 'default:development.unleash-insecure-frontend-api-token'

const places = (['documented', 'unleash-8'] as const).flatMap((profile) =>
  ['default', 'empty'].map((scenario) => ({ profile, scenario })),
)
for (const { profile, scenario } of places) {
  onEveryAdapter(
    `the keys of everybody's examples, in the profile ${profile} and the scenario ${scenario}`,
    (client) => {
      it.each(admins)('%s has all permissions', async (key) => {
        const { status } = await client.send('GET', '/api/admin/api-tokens', undefined, { key })
        expect(status).toBe(200)
        const body = { name: 'made-by-it' }
        expect((await client.send('POST', '/api/admin/projects/default/features', body, { key })).status).toBe(201)
      })

      it("SDKs' tokens work on SDK paths, and nowhere else", async () => {
        const asked = async (path: string, key: string) => (await client.send('GET', path, undefined, { key })).status
        expect(await asked('/api/client/features', backend)).toBe(200)
        expect(await asked('/api/frontend', frontend)).toBe(200)
        expect(await asked('/api/frontend', backend)).toBe(profile === 'unleash-8' ? 403 : 401)
        expect(await asked('/api/admin/projects', backend)).toBe(profile === 'unleash-8' ? 403 : 401)
      })

      it("the list of API tokens doesn't contain them", async () => {
        const [key = ''] = admins
        const { body } = await client.send('GET', '/api/admin/api-tokens', undefined, { key })
        expect(JSON.stringify(body)).not.toContain('unleash-insecure')
      })
    },
    { ...FIXED, profile, scenario },
  )
}

onEveryAdapter(
  'the password of the first login, in the profile unleash-8',
  (client) => {
    it('admin signs in with unleash4all, until the password changes', async () => {
      const login = (password: string) =>
        client.send('POST', '/auth/simple/login', { username: 'admin', password }, { key: null })
      expect(await login('unleash4all')).toMatchObject({ status: 200, body: { username: 'admin' } })
      expect((await login('unleash4al')).status).toBe(401)
      const [key = ''] = admins
      const changed = await client.send(
        'POST',
        '/api/admin/user-admin/1/change-password',
        { password: 'Another one 2!' },
        { key },
      )
      expect(changed.status).toBe(200)
      expect((await login('unleash4all')).status).toBe(401)
      expect((await login('Another one 2!')).status).toBe(200)
    })
  },
  { ...FIXED, profile: 'unleash-8' },
)

for (const profile of ['documented', 'unleash-8'] as const) {
  onEveryAdapter(
    `the API tokens of examples, in a new instance with the profile ${profile}`,
    (client) => {
      it('are unknown, and the hint says that no other exists', async () => {
        for (const key of [...admins, backend, frontend]) {
          const { status, headers } = await client.send('GET', '/api/admin/projects', undefined, { key })
          expect([status, headers.get('x-mock-hint')]).toEqual([401, expect.stringContaining('has no API token')])
        }
      })
    },
    { ...FIXED, profile, scenario: 'fresh-server' },
  )
}

onEveryAdapter('the first login, in the profile documented', (client) => {
  it('unleash4all is not the password of admin', async () => {
    const body = { username: 'admin', password: 'unleash4all' }
    expect((await client.send('POST', '/auth/simple/login', body, { key: null })).status).toBe(401)
  })
})

for (const profile of ['documented', 'unleash-8'] as const) {
  onEveryAdapter(
    `the hint of a 401, in the profile ${profile}`,
    (client) => {
      it.each([
        ['/api/admin/projects', '*:*.mock-admin'],
        ['/api/client/features', '*:development.mock-client'],
        ['/api/frontend', '*:development.mock-frontend'],
      ])('of %s names %s, with which the path responds', async (path = '', token = '') => {
        for (const key of [null, 'default:development.unknown']) {
          const { status, headers } = await client.send('GET', path, undefined, { key })
          expect([status, headers.get('x-mock-hint')]).toEqual([
            401,
            expect.stringContaining(`Authorization: ${token}`),
          ])
        }
        expect((await client.send('GET', path, undefined, { key: token })).status).not.toBe(401)
      })

      it('says that the environment of the sent token has none, or names its own', async () => {
        const hintOn = async (path: string, key: string) => {
          const { status, headers } = await client.send('GET', path, undefined, { key })
          return [status, decodeURIComponent(headers.get('x-mock-hint') ?? '')]
        }
        expect(await hintOn('/api/frontend', '*:production.unknown')).toEqual([
          401,
          'No frontend token for the environment "production" exists. A fixture can add it: { "apiTokens": [{ "secret": "*:production.mine", "type": "frontend", "environment": "production" }] }. Or send the header Authorization: *:development.mock-frontend. GET /__mock/keys lists all API tokens.',
        ])
        expect(await hintOn('/api/frontend', '*:nowhere.unknown')).toEqual([
          401,
          'Send the header Authorization: *:development.mock-frontend. GET /__mock/keys lists all API tokens.',
        ])
        client.mock.add({ apiTokens: [{ secret: '*:production.mine', type: 'frontend', environment: 'production' }] })
        expect(await hintOn('/api/frontend', '*:production.unknown')).toEqual([
          401,
          'Send the header Authorization: *:production.mine. GET /__mock/keys lists all API tokens.',
        ])
      })

      it('names no expired token, and none that a request created', async () => {
        const made = { type: 'client', tokenName: 'made', environment: 'development', projects: ['*'] }
        const key = '*:*.mock-admin'
        await client.send('POST', '/api/admin/api-tokens', made, { key })
        await client.send(
          'PUT',
          '/api/admin/api-tokens/*%3Adevelopment.mock-client',
          { expiresAt: '2020-01-01T00:00:00Z' },
          { key },
        )
        const { headers } = await client.send('GET', '/api/client/features', undefined, { key: null })
        expect(headers.get('x-mock-hint')).toContain('Authorization: default:development.unleash-insecure-api-token')
      })

      it('is missing if a rule makes the 401: no token would do', async () => {
        client.mock.force({ operation: 'getProjects', status: 401 })
        const { status, headers } = await client.send('GET', '/api/admin/projects', undefined, { key: null })
        expect([status, headers.get('x-mock-hint')]).toEqual([401, null])
      })
    },
    { ...FIXED, profile },
  )
}
