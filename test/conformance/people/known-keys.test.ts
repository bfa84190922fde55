import { expect, it } from 'vitest'
import { FIXED, onEveryAdapter } from '../../support/adapters.js'

const admins = ['*:*.unleash-insecure-admin-api-token', '*:*.unleash-insecure-api-token']
const backend = 'default:development.unleash-insecure-api-token'
const frontend = 'default:development.unleash-insecure-frontend-api-token'

for (const scenario of ['default', 'empty']) {
  onEveryAdapter(
    `the keys of everybody's examples, in the profile unleash-8 and the scenario ${scenario}`,
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
        expect(await asked('/api/frontend', backend)).toBe(403)
        expect(await asked('/api/admin/projects', backend)).toBe(403)
      })

      it("the list of API tokens doesn't contain them", async () => {
        const [key = ''] = admins
        const { body } = await client.send('GET', '/api/admin/api-tokens', undefined, { key })
        expect(JSON.stringify(body)).not.toContain('unleash-insecure')
      })

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
    { ...FIXED, profile: 'unleash-8', scenario },
  )
}

onEveryAdapter(
  'the API tokens of examples, in a new instance',
  (client) => {
    it('there are no tokens, and admin signs in', async () => {
      for (const key of [...admins, backend, frontend]) {
        expect((await client.send('GET', '/api/admin/projects', undefined, { key })).status).toBe(401)
      }
      const body = { username: 'admin', password: 'unleash4all' }
      expect((await client.send('POST', '/auth/simple/login', body, { key: null })).status).toBe(200)
    })
  },
  { ...FIXED, profile: 'unleash-8', scenario: 'fresh-server' },
)

onEveryAdapter('the API tokens of examples, in the profile documented', (client) => {
  it.each([...admins, backend, frontend])('%s is unknown', async (key) => {
    const { status } = await client.send('GET', '/api/admin/projects', undefined, { key })
    expect(status).toBe(401)
  })

  it('unleash4all is not the password of admin', async () => {
    const body = { username: 'admin', password: 'unleash4all' }
    expect((await client.send('POST', '/auth/simple/login', body, { key: null })).status).toBe(401)
  })
})
