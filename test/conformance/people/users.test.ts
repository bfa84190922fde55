import { expect, it } from 'vitest'
import { EDITOR, NOW, onEveryAdapter, VIEWER } from '../../support/adapters.js'
import { signIn } from '../../support/sign-in.js'

const users = '/api/admin/user-admin'
const strong = 'Str0ng!pass-Wrd-7'
const given = { email: 'Ada@Example.com', username: 'ada', name: 'Ada', password: strong, rootRole: 2 }

onEveryAdapter('users', (client) => {
  it('users are listed with the available roles', async () => {
    const { body } = await client.send('GET', users)
    expect(body.users.map(({ username }: { username: string }) => username)).toEqual(['admin', 'editor', 'viewer'])
    expect(body.rootRoles.map(({ name }: { name: string }) => name)).toEqual(['Admin', 'Editor', 'Viewer'])
    expect(JSON.stringify(body)).not.toContain('pbkdf2')
  })

  it('the admins with and without a password are counted', async () => {
    await client.send('POST', users, { ...given, password: undefined, rootRole: 1 })
    const { body } = await client.send('GET', `${users}/admin-count`)
    expect(body).toEqual({ password: 1, noPassword: 1, service: 0 })
  })

  it('a user is created, read, signed in, changed and deleted', async () => {
    const created = await client.send('POST', users, given)
    expect([created.status, created.headers.get('location')]).toEqual([201, '4'])
    expect(created.body).toMatchObject({ id: 4, email: 'ada@example.com', rootRole: 2, emailSent: false })
    const headers = await signIn(client, 'ada', strong)
    expect((await client.send('GET', '/api/admin/user', undefined, { key: null, headers })).body.user.id).toBe(4)
    const changed = await client.send('PUT', `${users}/4`, { name: 'Ada L.', email: 'ada@example.com', rootRole: 3 })
    expect(changed.body).toMatchObject({ name: 'Ada L.', rootRole: 3 })
    expect((await client.send('GET', `${users}/4`)).body).toMatchObject({ name: 'Ada L.', username: 'ada' })
    expect((await client.send('DELETE', `${users}/4`)).status).toBe(200)
    expect((await client.send('GET', `${users}/4`)).status).toBe(404)
    expect((await client.send('GET', '/api/admin/user', undefined, { key: null, headers })).status).toBe(401)
    const types = client.mock.events.list().map(({ type }) => type)
    expect(types).toEqual(['user-created', 'user-updated', 'user-deleted'])
  })

  it('deleting a user removes all references', async () => {
    await client.send('DELETE', `${users}/3`)
    expect((await client.send('GET', '/api/admin/projects', undefined, { key: VIEWER })).status).toBe(401)
    expect(client.mock.signupTokens.get('live-invite')?.users).toEqual([])
    client.mock.restore(client.mock.state())
  })

  it('the list shows the links to set passwords', async () => {
    const { inviteLink } = (await client.send('POST', users, { ...given, password: undefined })).body
    const links = async () =>
      (await client.send('GET', users)).body.users.map((user: { inviteLink: string }) => user.inviteLink)
    expect(inviteLink).toContain('/new-user?token=')
    expect(await links()).toEqual(['', '', '', inviteLink])
    expect(JSON.stringify(client.mock.requests.all())).not.toContain(inviteLink)
    client.mock.clock.advance({ days: 1 })
    expect(await links()).toEqual(['', '', '', ''])
  })

  it('a user’s flags and signup token have the new name of the user', async () => {
    const features = '/api/admin/projects/default/features'
    await client.send('POST', features, { name: 'mine' }, { key: EDITOR })
    client.mock.add({ signupTokens: [{ secret: 'workshop', users: [{ id: 2, name: 'Editor', username: 'editor' }] }] })
    await client.send('PUT', `${users}/2`, { name: 'Grace', email: 'grace@example.com' })
    const { createdBy, collaborators } = (await client.send('GET', `${features}/mine`)).body
    expect(createdBy).toMatchObject({ id: 2, name: 'Grace' })
    expect(collaborators.users).toEqual([createdBy])
    const created = await client.send('POST', features, { name: 'later' }, { key: EDITOR })
    expect(created.status).toBe(201)
    const later = (await client.send('GET', `${features}/later`)).body.createdBy
    expect(createdBy).toEqual(later)
    const token = (await client.send('GET', '/api/admin/invite-link/tokens/workshop')).body
    expect(token.users).toMatchObject([{ id: 2, name: 'Grace', username: 'editor' }])
  })

  it('an empty name or e-mail address leaves a user unchanged', async () => {
    expect((await client.send('PUT', `${users}/3`, { name: '', email: '' })).status).toBe(200)
    expect((await client.send('GET', `${users}/3`)).body).toMatchObject({ name: 'Viewer', email: 'viewer@example.com' })
  })

  it('the response repeats the root role as sent, or omits it', async () => {
    const change = async (body: object) => (await client.send('PUT', `${users}/3`, body)).body
    expect(await change({ name: 'Vi' })).toMatchObject({ id: 3, name: 'Vi', username: 'viewer' })
    expect(await change({ name: 'Vi' })).not.toHaveProperty('rootRole')
    expect((await change({ rootRole: 'Editor' })).rootRole).toBe('Editor')
    expect((await client.send('GET', `${users}/3`)).body.rootRole).toBe(2)
    expect((await change({ rootRole: '3' })).rootRole).toBe(3)
    expect((await client.send('GET', `${users}/3`)).body).toMatchObject({ name: 'Vi', rootRole: 3 })
    expect((await client.send('POST', users, { ...given, rootRole: 'Editor' })).body.rootRole).toBe('Editor')
  })

  it('users who can get access are listed in brief', async () => {
    const { body } = await client.send('GET', `${users}/access`, undefined, { key: VIEWER })
    expect(body.users[2]).toEqual({
      id: 3,
      name: 'Viewer',
      username: 'viewer',
      email: 'viewer@example.com',
      accountType: 'User',
    })
  })

  it('a user can be created with any password, however weak', async () => {
    expect((await client.send('POST', users, { ...given, password: 'weak' })).status).toBe(201)
    expect(await signIn(client, 'ada', 'weak')).toEqual({ cookie: expect.stringContaining('=') })
  })

  it('a user with a taken name or an unknown role is rejected', async () => {
    const refused = async (change: object) => (await client.send('POST', users, { ...given, ...change })).body
    expect((await refused({ email: 'ADMIN@example.com' })).details[0].path).toBe('/body/email')
    expect((await refused({ username: 'viewer' })).details[0].path).toBe('/body/username')
    expect((await refused({ rootRole: 4 })).details[0].path).toBe('/body/rootRole')
    expect((await refused({ email: '', username: '' })).name).toBe('BadDataError')
  })

  it('the e-mail address of a user follows the same rules as at signup', async () => {
    const create = (email: string) => client.send('POST', users, { ...given, email })
    for (const email of ['ada', 'ada@example', 'ada..l@example.com', 'ada@-example.com', 'ada@example.1']) {
      const { status, body } = await create(email)
      expect([status, body.details[0].path]).toEqual([400, '/body/email'])
    }
    expect((await create("o'neil/ada@exämple.com")).status).toBe(201)
  })

  it('only admins manage users', async () => {
    for (const [method, path, body] of [
      ['GET', users],
      ['POST', users, given],
      ['PUT', `${users}/3`, { name: 'x' }],
      ['DELETE', `${users}/3`],
      ['POST', `${users}/reset-password`, { id: 3 }],
    ] as const) {
      const answer = await client.send(method, path, body, { key: EDITOR })
      expect([answer.status, answer.body.message]).toEqual([403, expect.stringContaining('"ADMIN"')])
    }
  })

  it.each([
    ['EDIT', [2]],
    ['edit', [2]],
    ['itor', [2]],
    ['editor@', [2]],
    ['ditor@', []],
    ['example.com', []],
    ['e', []],
    ['long', [4]],
    ['able-user', []],
    ['SEARCH', [4]],
  ])(
    'a search finds users by any part of the name, and by the prefix of the username and the e-mail address: %s',
    async (q, ids) => {
      client.mock.add({ users: [{ id: 4, username: 'searchable-user', name: 'A longname', rootRole: 'Viewer' }] })
      const { body } = await client.send('GET', `${users}/search?q=${q}`, undefined, { key: VIEWER })
      expect(body.map(({ id }: { id: number }) => id)).toEqual(ids)
    },
  )

  it('a found user has no dates and no number of logins', async () => {
    const { body } = await client.send('GET', `${users}/search?q=editor`)
    expect(Object.keys(body[0]).toSorted()).toEqual(
      'accountType companyRole email id imageUrl name productUpdatesEmailConsent scimId seatType seenAt username'.split(
        ' ',
      ),
    )
  })

  it('a search has the wildcards of SQL', async () => {
    const found = async (q: string) =>
      (await client.send('GET', `${users}/search?q=${q}`)).body.map(({ username }: { username: string }) => username)
    expect(await found('_ditor')).toEqual(['editor'])
    expect(await found('ed%25r')).toEqual(['editor'])
    expect(await found('d_tor@')).toEqual([])
    expect(await found('__min')).toEqual(['admin'])
    expect(await found('%20ed')).toEqual([])
  })

  it('a link to set a password is sent to a user by e-mail address', async () => {
    for (const id of ['viewer@example.com', 'Viewer@Example.com']) {
      const { status, body } = await client.send('POST', `${users}/reset-password`, { id })
      expect([status, body.resetPasswordUrl]).toEqual([200, expect.stringContaining('token=')])
    }
    for (const id of ['nobody@example.com', 'viewer', '3', 3]) {
      expect((await client.send('POST', `${users}/reset-password`, { id })).status).toBe(404)
    }
  })

  it('the link to set a password works once, for a day', async () => {
    const { body } = await client.send('POST', `${users}/reset-password`, { id: 'viewer@example.com' })
    const token = new URL(body.resetPasswordUrl).searchParams.get('token')
    const read = () => client.send('GET', `/auth/reset/validate?token=${token}`, undefined, { key: null })
    expect((await read()).body).toMatchObject({ id: 3, email: 'viewer@example.com', role: { name: 'Viewer' } })
    client.mock.clock.advance({ days: 1 })
    expect((await read()).status).toBe(401)
    client.mock.clock.advance({ days: -1 })
    const choose = () => client.send('POST', '/auth/reset/password', { token, password: strong }, { key: null })
    expect((await choose()).status).toBe(200)
    expect((await choose()).status).toBe(401)
    const headers = await signIn(client, 'viewer', strong)
    expect((await client.send('GET', '/api/admin/user', undefined, { key: null, headers })).status).toBe(200)
  })
})

onEveryAdapter('the signed-in user', (client) => {
  const me = async (key: string) => (await client.send('GET', '/api/admin/user', undefined, { key })).body

  it('the signed-in user sees their permissions', async () => {
    expect((await me(VIEWER)).permissions).toEqual([])
    const { permissions } = await me(EDITOR)
    expect(permissions).toContainEqual({ permission: 'CREATE_FEATURE', project: '*' })
    expect(permissions).toContainEqual({
      permission: 'CREATE_FEATURE_STRATEGY',
      project: '*',
      environment: 'production',
    })
    expect(permissions).not.toContainEqual({ permission: 'ADMIN' })
  })

  it('the signed-in user has a profile and roles', async () => {
    const { body } = await client.send('GET', '/api/admin/user/profile', undefined, { key: VIEWER })
    expect(body).toMatchObject({ rootRole: { name: 'Viewer' }, projects: ['default'] })
    const roles = await client.send('GET', '/api/admin/user/roles?projectId=default', undefined, { key: VIEWER })
    expect(roles.body.roles).toMatchObject([{ name: 'Viewer', type: 'root', project: 'default' }])
  })

  it('the signed-in user changes the password with the old one', async () => {
    const path = '/api/admin/user/change-password'
    const change = (oldPassword: string, password = strong) =>
      client.send('POST', path, { oldPassword, password, confirmPassword: password }, { key: VIEWER })
    expect(await change('wrong')).toMatchObject({ status: 401, body: { name: 'PasswordMismatch' } })
    expect((await change('flagdouble', 'weak')).body.name).toBe('OwaspValidationError')
    const weak = { oldPassword: 'x', password: 'weak', confirmPassword: 'weak' }
    expect((await client.send('POST', path, weak)).body.name).toBe('OwaspValidationError')
    expect((await change('flagdouble')).status).toBe(200)
    expect((await signIn(client, 'viewer', strong)).cookie).toContain('unleash-session=')
  })

  it('feedback is requested once, and a splash screen shown once', async () => {
    await client.send('POST', '/api/admin/feedback', { feedbackId: 'new-form' }, { key: VIEWER })
    await client.send('PUT', '/api/admin/feedback/new-form', { neverShow: true }, { key: VIEWER })
    await client.send('POST', '/api/admin/splash/operators', undefined, { key: VIEWER })
    const { feedback, splash } = await me(VIEWER)
    expect(feedback).toEqual([{ userId: 3, feedbackId: 'new-form', neverShow: true, given: NOW }])
    expect(splash).toEqual({ operators: true })
    expect((await client.send('POST', '/api/admin/feedback', { feedbackId: '' }, { key: VIEWER })).status).toBe(400)
    const given = { given: '2026-01-01T02:00:00+02:00' }
    const changed = await client.send('PUT', '/api/admin/feedback/new-form', given, { key: VIEWER })
    expect(changed.body.given).toBe('2026-01-01T00:00:00.000Z')
  })

  it('an admin API token is shown in place of a user', async () => {
    client.mock.add({ apiTokens: [{ secret: '*:*.s3cr3t', type: 'admin', tokenName: 'robot' }] })
    expect(await me('*:*.s3cr3t')).toEqual({
      user: {
        username: 'robot',
        permissions: ['ADMIN'],
        environment: '*',
        type: 'admin',
        secret: '*:*.s3cr3t',
        projects: ['*'],
        internalAdminTokenUserId: -42,
      },
      permissions: [{ permission: 'ADMIN' }],
      feedback: [],
      splash: {},
    })
  })

  it('a splash screen of an API token is seen, but not remembered', async () => {
    const { status, body } = await client.send('POST', '/api/admin/splash/new')
    expect([status, body]).toEqual([200, { splashId: 'new', seen: true }])
  })

  it('no cache stores the signed-in user', async () => {
    const { headers } = await client.send('GET', '/api/admin/user', undefined, { key: VIEWER })
    expect(headers.get('cache-control')).toBe('no-store')
  })

  it.each([
    ['GET', '/api/admin/user/profile', 400, 'BadDataError'],
    ['GET', '/api/admin/user/roles', 400, 'BadDataError'],
    ['GET', '/api/admin/user/roles?projectId=default', 400, 'BadDataError'],
    ['GET', '/api/admin/user/tokens', 403, 'ForbiddenError'],
    ['POST', '/api/admin/user/tokens', 403, 'ForbiddenError'],
    ['POST', '/api/admin/user/change-password', 404, 'NotFoundError'],
    ['GET', '/api/admin/personal-dashboard', 404, 'NotFoundError'],
  ])('an API token has no profile, roles, tokens …: %s %s', async (method, path, status, name) => {
    const ofToken = { description: 'x', expiresAt: '2027-01-01T00:00:00.000Z' }
    const ofPassword = { password: strong, confirmPassword: strong, oldPassword: 'x' }
    const body = method === 'GET' ? undefined : path.endsWith('tokens') ? ofToken : ofPassword
    const answer = await client.send(method, path, body)
    expect([answer.status, answer.body.name]).toEqual([status, name])
    expect(answer.body.message).toContain('sign in, or send a personal access token')
  })
})
