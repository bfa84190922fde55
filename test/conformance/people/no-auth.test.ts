import { expect, it } from 'vitest'
import { CLIENT, EDITOR, FIXED, onEveryAdapter, VIEWER } from '../../support/adapters.js'

const features = '/api/admin/projects/default/features'

for (const profile of ['documented', 'unleash-8'] as const) {
  onEveryAdapter(
    `a service that needs no API token (${profile})`,
    (client) => {
      it.each([null, 'unknown', 'user:unknown'])('a caller with %j is an admin', async (key) => {
        expect((await client.send('POST', features, { name: 'mine' }, { key })).status).toBe(201)
        const { body } = await client.send('GET', '/api/admin/events', undefined, { key })
        expect(body.events[0]).toMatchObject({ createdBy: 'unknown', createdByUserId: -1, featureName: 'mine' })
        const me = await client.send('GET', '/api/admin/user', undefined, { key })
        expect(me.body).toEqual({
          user: { username: 'unknown', name: 'unknown', id: -1, permissions: ['ADMIN'] },
          permissions: [{ permission: 'ADMIN' }],
          feedback: [],
          splash: {},
        })
      })

      it("they import features, which an API token can't", async () => {
        const data = { features: [{ name: 'imported' }], featureStrategies: [], tagTypes: [] }
        const sent = { project: 'default', environment: 'development', data }
        const path = '/api/admin/features-batch/import'
        expect((await client.send('POST', path, sent)).status).toBe(400)
        expect((await client.send('POST', path, sent, { key: null })).status).toBe(200)
      })

      it('known tokens keep their permissions', async () => {
        expect((await client.send('POST', features, { name: 'mine' }, { key: VIEWER })).status).toBe(403)
        expect((await client.send('POST', features, { name: 'mine' }, { key: EDITOR })).status).toBe(201)
        const status = profile === 'documented' ? 401 : 403
        expect((await client.send('GET', features, undefined, { key: CLIENT })).status).toBe(status)
      })

      it('an SDK without a token sees all projects in the environment development', async () => {
        client.mock.add({ features: [{ name: 'elsewhere', project: 'mobile-app', enabled: true }] })
        const { body } = await client.send('GET', '/api/client/features', undefined, { key: null })
        expect(body.features.map(({ name }: { name: string }) => name)).toContain('elsewhere')
        expect(body.query.environment).toBe('development')
        const page = await client.send('GET', '/api/frontend', undefined, { key: null })
        expect(page.body.toggles.map(({ name }: { name: string }) => name)).toContain('elsewhere')
      })

      it.each(['unknown', 'shop:production.x', '*:*.mock-admin'])('an SDK gets in with the token %s', async (key) => {
        const { body } = await client.send('GET', '/api/client/features', undefined, { key })
        expect(body.query.environment).toBe(key.includes('production') ? 'production' : 'development')
        expect((await client.send('GET', '/api/frontend', undefined, { key })).status).toBe(200)
      })
    },
    { ...FIXED, profile, auth: false },
  )

  onEveryAdapter(
    `a service that takes any API token (${profile})`,
    (client) => {
      it.each(['unknown', CLIENT, '123'])('%s counts as the kind of each path', async (key) => {
        expect((await client.send('POST', features, { name: 'mine' }, { key })).status).toBe(201)
        expect((await client.send('GET', '/api/client/features', undefined, { key })).status).toBe(200)
        expect((await client.send('GET', '/api/frontend', undefined, { key })).status).toBe(200)
      })

      it('a token is needed, and one that names an environment is for it', async () => {
        for (const path of [features, '/api/client/features', '/api/frontend']) {
          expect((await client.send('GET', path, undefined, { key: null })).status).toBe(401)
        }
        const environmentOf = async (key: string) => {
          const { body } = await client.send('GET', '/api/client/features', undefined, { key })
          return body.query.environment
        }
        expect(await environmentOf('shop:production.x')).toBe('production')
        expect(await environmentOf('shop:nowhere.x')).toBe('development')
      })

      it('known tokens of users keep their permissions', async () => {
        expect((await client.send('POST', features, { name: 'mine' }, { key: VIEWER })).status).toBe(403)
        expect((await client.send('POST', features, { name: 'mine' }, { key: EDITOR })).status).toBe(201)
      })
    },
    { ...FIXED, profile, auth: 'any' },
  )
}
