import { expect, it } from 'vitest'
import { type Client, onEveryAdapter } from '../../support/adapters.js'
import { signIn } from '../../support/sign-in.js'
import { running } from '../../support/unleash-8.js'

const ADMIN_KEY = '*:*.some-secret'
const password = 'Str0ng-Passw0rd!x'

/** Unleash's treatment of users; the documented profile's tests cover the common part. */
onEveryAdapter(
  'users in Unleash',
  (client) => {
    const asUser = async (name: string, known = password): Promise<Parameters<Client['send']>[3]> => ({
      key: null,
      headers: await signIn(client, name, known),
    })
    const create = (project: string, options: Parameters<Client['send']>[3]) =>
      client.send('POST', `/api/admin/projects/${project}/features`, { name: `in-${project}` }, options)

    it('the first admin signs in, and sees more with a login than with a personal token', async () => {
      const { body } = await client.send('GET', '/api/admin/user', undefined, await asUser('admin', 'unleash4all'))
      expect(body).toMatchObject({ user: { id: 1, activeSessions: 5 }, permissions: [{ permission: 'ADMIN' }] })
      const key = 'user:33333333333333333333333333333333333333333333333333333333'
      const { user } = (await client.send('GET', '/api/admin/user', undefined, { key })).body
      expect(Object.keys(user)).not.toContain('activeSessions')
    })

    it('a new user has no e-mail address in a reserved top-level domain', async () => {
      const add = (email: string) =>
        client.send('POST', '/api/admin/user-admin', { email, rootRole: 3 }, { key: ADMIN_KEY })
      for (const email of ['a@acme.test', 'a@corp.local', 'a@acme.example', 'x']) {
        const { status, body } = await add(email)
        expect([status, 'id' in body, body.message]).toEqual([400, false, expect.stringContaining(email)])
      }
      for (const email of ['a@acme.COM', 'a@пример.рф', 'a@acme.xn--p1ai']) expect((await add(email)).status).toBe(201)
    })

    it('a missing property with alternatives is told once', async () => {
      const { body } = await client.send('POST', '/api/admin/user-admin', {}, { key: ADMIN_KEY })
      expect(body.details).toEqual([{ path: '/body/rootRole', message: expect.any(String) }])
    })

    it('an unknown user is not found, whatever is sent', async () => {
      const change = (id: string, email: string) =>
        client.send('PUT', `/api/admin/user-admin/${id}`, { email }, { key: ADMIN_KEY })
      expect((await change('9999', 'bad')).status).toBe(404)
      expect((await change('2', 'bad')).status).toBe(400)
      expect((await change('2', 'a@acme.test')).status).toBe(400)
    })

    it('the operation checks names and lengths, after the shape and the user', async () => {
      const send = async (method: string, path: string, body: object) =>
        (await client.send(method, `/api/admin/user-admin${path}`, body, { key: ADMIN_KEY })).body
      const long = 'x'.repeat(300)
      expect(await send('POST', '', { username: 'n', name: null, rootRole: 1 })).toMatchObject({
        name: 'BadDataError',
        details: [{ message: expect.stringContaining('"value"') }],
      })
      expect(await send('POST', '', { username: long, rootRole: 1 })).toMatchObject({ name: 'BadDataError' })
      expect(await send('PUT', '/99', { name: long })).toMatchObject({ name: 'NotFoundError' })
      expect(await send('PUT', '/2', { name: long })).toMatchObject({ name: 'BadDataError' })
      expect(await send('PUT', '/2', { rootRole: null })).toMatchObject({ id: 2, rootRole: 0 })
      expect(await send('POST', '', { username: 'n', rootRole: true })).toMatchObject({ rootRole: 1 })
    })

    it('an unknown role name is told as two alternatives', async () => {
      for (const rootRole of ['viewer', -1, 1.5, '']) {
        const { body } = await client.send(
          'POST',
          '/api/admin/user-admin',
          { username: 'n', rootRole },
          { key: ADMIN_KEY },
        )
        expect([body.id, body.details.map(({ path }: { path: string }) => path)]).toEqual([
          expect.any(String),
          ['/body/rootRole', 'rootRole', '/body/rootRole'],
        ])
      }
    })

    it('an ID is any number', async () => {
      for (const id of ['0x2', '2.0', '2e0', '%202']) {
        const { body } = await client.send('GET', `/api/admin/user-admin/${id}`, undefined, { key: ADMIN_KEY })
        expect(body.id).toBe(2)
      }
    })

    it('an Editor has the permissions that Unleash lists, in the project default', async () => {
      const key = `user:${'2'.repeat(56)}`
      const { permissions } = (await client.send('GET', '/api/admin/user', undefined, { key })).body
      expect(permissions).toHaveLength(42)
      for (const permission of ['DELETE_PROJECT', 'MOVE_FEATURE_TOGGLE', 'UPDATE_FEATURE_VARIANTS']) {
        expect(permissions).toContainEqual({ permission, project: 'default' })
      }
      for (const permission of ['CREATE_PROJECT', 'RELEASE_PLAN_TEMPLATE_CREATE', 'RELEASE_PLAN_TEMPLATE_UPDATE']) {
        expect(permissions).toContainEqual({ permission })
      }
      expect(permissions).not.toContainEqual({ permission: 'CREATE_CLIENT_API_TOKEN' })
    })

    it('a personal token needs a description, and the operation says so', async () => {
      const key = `user:${'2'.repeat(56)}`
      const sent = { description: '', expiresAt: '2027-01-01T00:00:00.000Z' }
      const { status, body } = await client.send('POST', '/api/admin/user/tokens', sent, { key })
      expect([status, 'id' in body]).toEqual([400, false])
    })

    it('an admin API token silently has no roles, and is one user among the creators of flags', async () => {
      const key = ADMIN_KEY
      const roles = await client.send('GET', '/api/admin/user/roles?projectId=default', undefined, { key })
      expect([roles.status, roles.body]).toEqual([400, undefined])
      await create('default', { key })
      const { body } = await client.send('GET', '/api/admin/flag-creators?q=token%20user', undefined, { key })
      expect(body).toEqual({ flagCreators: [{ id: -42, name: 'Unleash Admin Token User' }], total: 1 })
      expect((await client.send('GET', '/api/admin/user', undefined, { key })).body.user).toMatchObject({
        type: 'admin',
        secret: key,
      })
    })

    it.each(['ü@exämple.com', 'a/b@example.com', 'a@b.xn--p1ai', "o'neil+{x}@example.com"])(
      'users sign up as %s',
      async (email) => {
        client.mock.add({ signupTokens: [{ secret: 'invite' }] })
        const asked = { email, name: 'Somebody', password }
        expect((await client.send('POST', '/invite/invite/signup', asked, { key: null })).status).toBe(201)
      },
    )

    it.each([
      'a@example-.com',
      `a@${'b'.repeat(64)}.com`,
      'a@b.c',
      'a..b@example.com',
      'a@b@example.com',
      'a@1.2.3.4',
      'a@example',
    ])('nobody signs up as %s', async (email) => {
      client.mock.add({ signupTokens: [{ secret: 'invite' }] })
      const asked = { email, name: 'Somebody', password }
      const { status, body } = await client.send('POST', '/invite/invite/signup', asked, { key: null })
      expect([status, body.name]).toEqual([400, 'BadDataError'])
    })

    it('a missing password gets a different error from a weak one', async () => {
      const { body } = await client.send('POST', '/auth/reset/validate-password', { password: '' }, { key: null })
      expect(body).toMatchObject({ name: 'PasswordUndefinedError', details: [{ validationErrors: [] }] })
    })

    it('a wrong password is rejected without an ID', async () => {
      const wrong = { username: 'admin', password: 'wrong' }
      const { status, body } = await client.send('POST', '/auth/simple/login', wrong, { key: null })
      expect([status, body]).toEqual([401, expect.objectContaining({ name: 'PasswordMismatch' })])
      expect(body).not.toHaveProperty('id')
    })

    it('the journal also hides a password in a form', async () => {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      await client.send('POST', '/auth/simple/login', 'username=admin&password=hush-1', { key: null, headers })
      expect(JSON.stringify(client.mock.requests.all())).not.toContain('hush')
    })

    it('users change things only in the project default, API tokens everywhere', async () => {
      for (const name of ['admin2', 'editor']) expect((await create('p2', await asUser(name))).status).toBe(403)
      expect((await create('default', await asUser('editor'))).status).toBe(201)
      expect((await create('p2', { key: ADMIN_KEY })).status).toBe(201)
      const { body } = await client.send('GET', '/api/admin/user', undefined, await asUser('editor'))
      expect(body.permissions).toContainEqual({ permission: 'CREATE_FEATURE', project: 'default' })
      expect(body.permissions.filter(({ project }: { project?: string }) => project === '*')).toEqual([])
    })

    it('projects show favourites only to users', async () => {
      const list = async (options: Parameters<Client['send']>[3]) =>
        (await client.send('GET', '/api/admin/projects', undefined, options)).body.projects
      expect(await list({ key: ADMIN_KEY })).toEqual([expect.not.objectContaining({ favorite: false })])
      expect(await list(await asUser('viewer'))).toEqual([expect.objectContaining({ favorite: false })])
    })

    it('maintenance mode returns only a message, after the check of the API token', async () => {
      await client.send('POST', '/api/admin/maintenance', { enabled: true }, { key: ADMIN_KEY })
      const refused = await create('default', await asUser('viewer'))
      expect([refused.status, Object.keys(refused.body)]).toEqual([503, ['message']])
      expect((await create('default', { key: null })).status).toBe(401)
    })
  },
  running,
)
