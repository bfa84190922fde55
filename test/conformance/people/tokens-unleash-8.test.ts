import { expect, it } from 'vitest'
import { onEveryAdapter } from '../../support/adapters.js'
import { by, running, tokens } from '../../support/unleash-8.js'

const at = '/api/admin/invite-link/tokens'

onEveryAdapter(
  'signup tokens of Unleash',
  (client) => {
    const send = (method: string, path: string, body?: unknown, key: string | null = tokens.admin) =>
      client.send(method, path, body, by(key))
    const token = (fields = {}) => client.mock.add({ signupTokens: [{ secret: 'abc', ...fields }] })
    const update = (body: unknown) => send('PUT', `${at}/abc`, body)

    it('the response to an update lacks the role and the users of the signup token', async () => {
      token({ users: [{ id: 2 }] })
      expect((await update({ enabled: true })).body).toMatchObject({ role: {}, users: [] })
      const { body } = await send('GET', `${at}/abc`)
      expect(body.role).toEqual({ id: 3, name: 'Viewer', type: 'root' })
      expect(body.users).toEqual([{ id: 2, name: 'viewer user', username: 'viewer' }])
    })

    it.each([{}, undefined])('the update %j is rejected with an empty response', async (sent) => {
      token()
      const { status, body, headers } = await client.send('PUT', `${at}/abc`, sent, {
        key: tokens.admin,
        headers: { 'content-type': 'application/json' },
      })
      expect([status, body, headers.get('content-type')]).toEqual([400, undefined, null])
    })

    it.each([
      ['2026-12-24 10:00:00Z', '2026-12-24T10:00:00.000Z'],
      ['2026-12-24t10:00:00z', '2026-12-24T10:00:00.000Z'],
      ['2026-12-24T10:00:00', '2026-12-24T10:00:00.000Z'],
      ['2026-12-24T10:00:00+0200', '2026-12-24T08:00:00.000Z'],
      ['2026-12-24T10:00:00.5-05:30', '2026-12-24T15:30:00.500Z'],
    ])('a signup token accepts the date %s', async (expiresAt, stored) => {
      token()
      expect((await update({ expiresAt })).body.expiresAt).toBe(stored)
    })

    it.each(['2026-12-24', '2026-12-24T10:00Z', '2027-02-29T00:00:00Z', 'tomorrow', '', null, 1_796_083_200_000])(
      'a signup token rejects the date %j',
      async (expiresAt) => {
        token()
        const { status, body } = await update({ expiresAt })
        expect([status, body.details[0].path]).toEqual([400, '/body/expiresAt'])
      },
    )

    it('all empty fields of an API token are told, without a place', async () => {
      const add = async (path: string, body: object) =>
        (await client.send('POST', path, { tokenName: '', type: 'client', environment: '', ...body }, by(tokens.admin)))
          .body
      const told = (...names: string[]) => names.map((name) => ({ message: expect.stringContaining(`"${name}"`) }))
      const { id, details } = await add('/api/admin/api-tokens', { projects: [] })
      expect([id, details]).toEqual([undefined, told('tokenName', 'projects', 'environment')])
      expect((await add('/api/admin/projects/default/api-tokens', { projects: [] })).details).toEqual(
        told('tokenName', 'environment'),
      )
    })

    it('an API token names each project once', async () => {
      const add = async (projects: string[]) => {
        const body = { tokenName: 'a', type: 'client', projects }
        return (await client.send('POST', '/api/admin/api-tokens', body, by(tokens.admin))).status
      }
      expect(await add(['default', 'default'])).toBe(400)
      expect(await add(['default', '*', '*'])).toBe(201)
    })

    it('of several wrong fields of an API token, the first is told, in the order of Unleash', async () => {
      const wrong = { tokenName: 'a', type: 'bad', expiresAt: 'never' }
      const first = async (path: string, body: object) =>
        (await client.send('POST', path, body, by(tokens.admin))).body.details[0].path
      expect(await first('/api/admin/api-tokens', wrong)).toBe('/body/expiresAt')
      expect(await first('/api/admin/api-tokens', {})).toBe('/body/type')
      expect(await first('/api/admin/projects/default/api-tokens', wrong)).toBe('/body/type')
      expect(await first('/api/admin/projects/default/api-tokens', {})).toBe('/body/tokenName')
    })

    it('a signup token accepts null as false', async () => {
      token()
      expect((await update({ enabled: null })).body.enabled).toBe(false)
    })

    it('an expired signup token reads as stored, and is unusable from the start of the day of its expiry', async () => {
      token({ expiresAt: '2026-11-20T23:00:00Z' })
      expect((await send('GET', '/invite/abc/validate', undefined, null)).status).toBe(400)
      token({ expiresAt: '2026-11-21T00:00:00Z' })
      expect((await send('GET', '/invite/abc/validate', undefined, null)).status).toBe(200)
      token({ expiresAt: '2026-11-19T00:00:00Z' })
      expect((await send('GET', `${at}/abc`)).body.enabled).toBe(true)
    })

    it('the rules for signing up are checked after the token', async () => {
      const person = { email: 'a@b.test', name: 'A', password: '' }
      const refused = await send('POST', '/invite/nothing/signup', person, null)
      expect([refused.status, refused.body]).toEqual([400, undefined])
      const long = await send('POST', '/invite/nothing/signup', { ...person, name: 'x'.repeat(300) }, null)
      expect([long.status, long.body]).toEqual([400, undefined])
      token()
      const reserved = await send('POST', '/invite/abc/signup', person, null)
      expect([reserved.status, 'id' in reserved.body]).toEqual([400, false])
      const unnamed = await send('POST', '/invite/abc/signup', { ...person, email: 'a@example.com', name: '' }, null)
      expect([unnamed.status, unnamed.body.message]).toEqual([400, expect.stringContaining('"value"')])
      const { status, body } = await send('POST', '/invite/abc/signup', { ...person, email: 'A@Example.com' }, null)
      expect(status).toBe(201)
      expect(body).toMatchObject({ email: 'a@example.com', rootRole: 3, seatType: null })
      expect(client.mock.events.list({ type: 'user-created' })[0]).toMatchObject({ createdBy: 'unleash_system_user' })
    })
  },
  running,
)
