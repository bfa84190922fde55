import { expect, it } from 'vitest'
import { FIXED, onEveryAdapter } from '../../support/adapters.js'
import { ADMIN_USER } from '../../support/any-request.js'

const SECRET = /^default:development\.v2_([\w-]{22})_[\w-]{43}$/
const tokens = '/api/admin/api-tokens'
const sent = { tokenName: 'shop', type: 'backend', environment: 'development', projects: ['default'] }
const expiresAt = '2027-01-31T12:00:00.000Z'

for (const profile of ['documented', 'unleash-8'] as const) {
  onEveryAdapter(
    `tokens of the form v2 (${profile})`,
    (client) => {
      const create = async () => {
        const { body } = await client.send('POST', tokens, sent)
        return { secret: String(body.secret), selector: SECRET.exec(body.secret)?.[1] ?? '', body }
      }
      const named = async () => (await client.send('GET', `${tokens}/shop`)).body.tokens
      const newest = async () => (await client.send('GET', '/api/admin/events')).body.events[0]

      it('only the response to its creation has the secret of a token, which works as any other', async () => {
        const { secret, selector, body } = await create()
        expect(body).toMatchObject({ secure: true, type: 'backend' })
        expect(body).not.toHaveProperty('alias')
        const listed = { ...sent, secret: selector, project: 'default', secure: true, createdAt: body.createdAt }
        expect(await named()).toEqual([listed])
        expect((await client.send('GET', '/api/client/features', undefined, { key: secret })).status).toBe(200)
        expect((await client.send('GET', '/api/client/features', undefined, { key: selector })).status).toBe(401)
        const validated = await client.send('POST', '/edge/validate', { tokens: [secret, selector] }, { key: null })
        expect(validated.body.tokens).toMatchObject([{ token: secret, type: 'backend' }])
        client.mock.restore(client.mock.state())
        expect(await named()).toEqual([listed])
      })

      it('the secret and the selector change and delete it, and events name the selector', async () => {
        const { secret, selector, body } = await create()
        const { secret: _, ...summary } = { ...body, selector, tokenVersion: 2 }
        const common = { groupType: 'transaction', groupId: expect.any(String) }
        expect(await newest()).toMatchObject({ type: 'api-token-created', data: summary, ...common })
        await client.send('PUT', `${tokens}/${encodeURIComponent(secret)}`, { expiresAt })
        expect(await named()).toMatchObject([{ secret: selector, expiresAt }])
        expect((await newest()).data).toEqual({ ...summary, expiresAt })
        await client.send('DELETE', `${tokens}/${selector}`)
        expect(await named()).toEqual([])
        const deleted = await newest()
        expect(deleted).toMatchObject({ type: 'api-token-deleted', preData: { selector, tokenVersion: 2 }, ...common })
        expect(JSON.stringify(deleted)).not.toContain(secret)
      })

      it('a personal access token has the form too', async () => {
        client.mock.add({ apiTokens: [{ secret: ADMIN_USER, type: 'user', userId: 1 }] })
        const path = '/api/admin/user/tokens'
        const { body } = await client.send('POST', path, { description: 'mine', expiresAt }, { key: ADMIN_USER })
        const [, selector] = /^user:v2_([\w-]{22})_[\w-]{43}$/.exec(body.secret) ?? []
        expect((await newest()).data).toMatchObject({ description: 'mine', secure: true, selector })
        expect((await client.send('GET', '/api/admin/user', undefined, { key: body.secret })).status).toBe(200)
      })

      it('tokens of the form v1 still work, and show their secrets', async () => {
        client.mock.add({ apiTokens: [{ secret: 'default:development.old', type: 'client', tokenName: 'shop' }] })
        const [token] = await named()
        expect(token).toMatchObject({ secret: 'default:development.old', secure: false, alias: null })
      })
    },
    { ...FIXED, profile, tokenFormat: 'v2' },
  )

  onEveryAdapter(
    `tokens where the form v2 is off (${profile})`,
    (client) => {
      it('new tokens have the form v1, and a given one of the form v2 works', async () => {
        const { body } = await client.send('POST', tokens, sent)
        expect(body.secret).toMatch(/^default:development\.[0-9a-f]{56}$/)
        const selector = 'a'.repeat(22)
        const secret = `*:development.v2_${selector}_${'b'.repeat(43)}`
        client.mock.add({ apiTokens: [{ secret, type: 'client', tokenName: 'given' }] })
        expect((await client.send('GET', '/api/client/features', undefined, { key: secret })).status).toBe(200)
        const listed = await client.send('GET', `${tokens}/given`)
        expect(listed.body.tokens).toMatchObject([{ secret: selector, secure: true, environment: 'development' }])
      })
    },
    { ...FIXED, profile },
  )
}
