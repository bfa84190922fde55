import { expect, it } from 'vitest'
import { FIXED, onEveryAdapter, VIEWER } from '../../support/adapters.js'
import { onBothProfiles } from '../../support/both.js'

const project = '/api/admin/projects/default'
const flag = `${project}/features/flag`

onBothProfiles('repeated actions, and actions on nothing', (client) => {
  const send = (method: string, path: string, body?: unknown) => client.send(method, path, body)
  const status = async (method: string, path: string, body?: unknown) => (await send(method, path, body)).status
  const types = () => client.mock.events.list().map(({ type }) => type)

  it('a request that changes nothing logs no event', async () => {
    const constraints = [{ contextName: 'plan', operator: 'IN' as const, values: ['gold'] }]
    client.mock.add({
      features: [{ name: 'flag', description: 'Same', links: [{ url: 'https://example.com', title: 'Same' }] }],
      segments: [{ id: 70, name: 'same', constraints }],
    })
    const strategies = `${flag}/environments/development/strategies`
    const { body: strategy } = await send('POST', strategies, {
      name: 'flexibleRollout',
      parameters: { rollout: '50' },
    })
    const [link] = client.mock.state().features.find(({ name }) => name === 'flag')?.links ?? []
    const before = types()
    const again = [
      ['PUT', flag, { name: 'flag', description: 'Same', type: 'release' }, 200],
      ['PATCH', flag, [{ op: 'replace', path: '/description', value: 'Same' }], 200],
      ['PUT', `${strategies}/${strategy.id}`, strategy, 200],
      ['PUT', `${flag}/link/${link?.id}`, { url: 'https://example.com', title: 'Same' }, 204],
      ['PUT', '/api/admin/segments/70', { name: 'same', constraints }, 204],
    ] as const
    for (const [method, path, body, expected] of again) expect(await status(method, path, body), path).toBe(expected)
    expect(types()).toEqual(before)
    await send('PUT', flag, { name: 'flag', description: 'Other', type: 'release' })
    expect(types()).toHaveLength(before.length + 1)
  })

  it.each([
    ['DELETE', '/api/admin/archive/nope', 200],
    ['DELETE', '/api/admin/user/tokens/999', 200],
  ])('%s %s: deleting nothing does nothing', async (method, path, expected) => {
    client.mock.add({ features: [{ name: 'flag' }], apiTokens: [{ secret: 'user:own', userId: 1 }] })
    const before = client.mock.state()
    expect((await client.send(method, path, undefined, { key: 'user:own' })).status).toBe(expected)
    expect(client.mock.state()).toEqual(before)
  })

  it('deleting a missing tag is logged', async () => {
    const { events: _, ...before } = client.mock.state()
    expect(await status('DELETE', '/api/admin/tags/simple/nope')).toBe(200)
    expect(types()).toEqual(['tag-deleted'])
    expect(client.mock.state()).toMatchObject(before)
  })

  it('an active feature is not deleted, and the error names the features that depend on it', async () => {
    client.mock.add({ features: [{ name: 'flag' }, { name: 'child', dependencies: [{ feature: 'flag' }] }] })
    expect(await status('DELETE', '/api/admin/archive/child')).toBe(200)
    expect(client.mock.features.get('child')).toBeDefined()
    const { status: refused, body } = await send('DELETE', '/api/admin/archive/flag')
    expect([refused, body.name]).toEqual([403, 'InvalidOperationError'])
  })

  it('a feature has at most ten links', async () => {
    client.mock.add({ features: [{ name: 'flag' }] })
    const add = (n: number) => send('POST', `${flag}/link`, { url: `https://example.com/${n}` })
    for (let n = 1; n <= 10; n += 1) expect((await add(n)).status).toBe(204)
    const { status: refused, body } = await add(11)
    expect([refused, body.name]).toEqual([403, 'OperationDeniedError'])
  })

  it('unknown strategies of a feature can’t be reordered', async () => {
    client.mock.add({ features: [{ name: 'flag' }] })
    const path = `${flag}/environments/development/strategies/set-sort-order`
    const { status: refused, body } = await send('POST', path, [{ id: 'nope', sortOrder: 1 }])
    expect([refused, body.name]).toEqual([400, 'BadDataError'])
  })

  it('the tags of features of another project can’t be changed', async () => {
    client.mock.add({ projects: [{ id: 'other' }], features: [{ name: 'flag' }, { name: 'theirs', project: 'other' }] })
    const tags = { addedTags: [{ type: 'simple', value: 'new' }], removedTags: [] }
    const { status: refused, body } = await send('PUT', `${project}/tags`, { features: ['flag', 'theirs'], tags })
    expect([refused, body.name]).toEqual([400, 'BadDataError'])
    expect((await send('GET', '/api/admin/features/flag/tags')).body.tags).toEqual([])
  })

  it('a tag is stored without surrounding spaces', async () => {
    const { body, headers } = await send('POST', '/api/admin/tags', { type: 'simple', value: '  cart ' })
    expect([body.tag, headers.get('location')]).toEqual([{ type: 'simple', value: 'cart' }, 'tags/simple/cart'])
  })

  it('the lifecycle of an archived feature is still known', async () => {
    client.mock.add({ features: [{ name: 'flag' }] })
    await send('DELETE', flag)
    const { body } = await send('GET', `${flag}/lifecycle`)
    expect(body.map(({ stage }: { stage: string }) => stage)).toEqual(['initial', 'archived'])
  })

  it('the segments of a strategy are returned with its place', async () => {
    const strategies = [{ id: 'one', name: 'default' }]
    client.mock.add({
      segments: [{ id: 70, name: 'all', constraints: [] }],
      features: [{ name: 'flag', environments: { development: { strategies } } }],
    })
    const sent = { projectId: 'default', environmentId: 'development', strategyId: 'one', segmentIds: [70] }
    const { status: set, headers } = await send('POST', '/api/admin/segments/strategies', sent)
    expect([set, headers.get('location')]).toEqual([201, 'strategies/one'])
  })

  it('strategy types are listed in Unleash’s order, then custom ones by name', async () => {
    const before = (await send('GET', '/api/admin/strategies')).body.strategies
    for (const name of ['zebra', 'ape']) await send('POST', '/api/admin/strategies', { name, parameters: [] })
    const names = (await send('GET', '/api/admin/strategies')).body.strategies.map(({ name }: { name: string }) => name)
    expect(names).toEqual([...before.map(({ name }: { name: string }) => name), 'ape', 'zebra'])
  })

  it('a search sorts by its key, then by age, and puts missing values last', async () => {
    client.mock.add({
      features: [
        { name: 'x-b', type: 'release', createdAt: 'now-3d', environments: { development: { lastSeenAt: 'now-1d' } } },
        { name: 'x-a', type: 'release', createdAt: 'now-2d' },
        {
          name: 'x-c',
          type: 'experiment',
          createdAt: 'now-1d',
          environments: { development: { lastSeenAt: 'now-2d' } },
        },
      ],
    })
    const order = async (query: string) =>
      (await send('GET', `/api/admin/search/features?query=x-&${query}`)).body.features.map(
        ({ name }: { name: string }) => name,
      )
    expect(await order('sortBy=type')).toEqual(['x-c', 'x-b', 'x-a'])
    expect(await order('sortBy=type&sortOrder=desc')).toEqual(['x-b', 'x-a', 'x-c'])
    expect(await order('sortBy=lastSeenAt')).toEqual(['x-c', 'x-b', 'x-a'])
    expect(await order('sortBy=lastSeenAt&sortOrder=desc')).toEqual(['x-b', 'x-c', 'x-a'])
    expect(await order('sortBy=anything&sortOrder=desc')).toEqual(['x-c', 'x-a', 'x-b'])
  })

  it('the lifetime of a feature type without days is unlimited, and its ID is case-insensitive', async () => {
    const path = '/api/admin/feature-types/RELEASE/lifetime'
    for (const [lifetimeDays, stored] of [
      [9, 9],
      [0, null],
    ]) {
      const { body } = await send('PUT', path, { lifetimeDays })
      expect(body).toMatchObject({ id: 'release', lifetimeDays: stored })
    }
  })

  it('a token for SDKs needs a project', async () => {
    const sent = { tokenName: 'none', type: 'client', environment: 'development', projects: [] }
    const { status: refused, body } = await send('POST', '/api/admin/api-tokens', sent)
    expect([refused, body.name]).toEqual([400, 'BadDataError'])
  })
})

onBothProfiles('passwords', (client) => {
  const first = 'First-password-1'
  const users = () => client.mock.state().users
  const change = (body: object, key = 'user:own') =>
    client.send('POST', '/api/admin/user/change-password', body, { key })
  const to = (password: string, oldPassword: string) => change({ password, confirmPassword: password, oldPassword })
  const own = () =>
    client.mock.add({
      users: [{ id: 50, username: 'own', email: 'own@example.com', password: first, rootRole: 1 }],
      apiTokens: [{ secret: 'user:own', userId: 50 }],
    })

  it("users change their password with the old one, and can't reuse any of the last five", async () => {
    own()
    const names = ['First', 'Second', 'Third', 'Fourth', 'Fifth', 'Sixth']
    const passwords = names.map((name, i) => `${name}-password-${i + 1}`)
    expect((await to(passwords[1] ?? '', 'wrong')).body).toMatchObject({ name: 'PasswordMismatch' })
    for (const [i, password] of passwords.slice(1, 5).entries()) {
      expect((await to(password, passwords[i] ?? '')).status).toBe(200)
    }
    for (const used of passwords.slice(0, 5)) {
      const { status, body } = await to(used, passwords[4] ?? '')
      expect([used, status, body.name]).toEqual([used, 400, 'PasswordPreviouslyUsedError'])
    }
    client.mock.restore(client.mock.state())
    expect((await to(first, passwords[4] ?? '')).status).toBe(400)
    expect((await to(passwords[5] ?? '', passwords[4] ?? '')).status).toBe(200)
    expect((await to(first, passwords[5] ?? '')).status).toBe(200)
  })

  it('changing your own password needs the old one, and the new one twice', async () => {
    own()
    const password = 'Second-password-2'
    const before = users()
    for (const sent of [{ password }, { password, confirmPassword: password }, { password, oldPassword: first }]) {
      expect((await change(sent)).status).toBe(400)
    }
    expect(users()).toEqual(before)
  })

  it('changing your own password ends all other logins', async () => {
    own()
    const login = async () => {
      const { headers } = await client.send(
        'POST',
        '/auth/simple/login',
        { username: 'own', password: first },
        { key: null },
      )
      return { key: null, headers: { cookie: (headers.get('set-cookie') ?? '').split(';')[0] ?? '' } }
    }
    const [here, there] = [await login(), await login()]
    const password = 'Second-password-2'
    const sent = { password, confirmPassword: password, oldPassword: first }
    expect((await client.send('POST', '/api/admin/user/change-password', sent, here)).status).toBe(200)
    const me = async (options: typeof here) => (await client.send('GET', '/api/admin/user', undefined, options)).status
    expect([await me(here), await me(there)]).toEqual([200, 401])
  })

  it('a used password can’t be chosen by a link, but an admin can set it', async () => {
    own()
    const { body } = await client.send('POST', '/api/admin/user-admin/reset-password', { id: 'own@example.com' })
    const token = new URL(body.resetPasswordUrl).searchParams.get('token')
    const choose = (password: string) => client.send('POST', '/auth/reset/password', { token, password }, { key: null })
    expect((await choose(first)).body).toMatchObject({ name: 'PasswordPreviouslyUsedError' })
    expect((await choose('Second-password-2')).status).toBe(200)
    const path = '/api/admin/user-admin/50/change-password'
    expect((await client.send('POST', path, { password: first })).status).toBe(200)
  })

  it('a profile shows the user’s own projects, and whether the user has a password', async () => {
    own()
    client.mock.add({ projects: [{ id: 'mine', members: [{ id: 50, role: 5 }] }, { id: 'theirs' }] })
    const profile = async (key: string) =>
      (await client.send('GET', '/api/admin/user/profile', undefined, { key })).body
    expect(await profile('user:own')).toMatchObject({ projects: ['default', 'mine'], canChangePassword: true })
    client.mock.add({ users: [{ id: 51, username: 'sso' }], apiTokens: [{ secret: 'user:sso', userId: 51 }] })
    expect(await profile('user:sso')).toMatchObject({ projects: ['default'], canChangePassword: false })
  })

  it('roles are those in a project, which must be named', async () => {
    const roles = async (query: string) =>
      await client.send('GET', `/api/admin/user/roles${query}`, undefined, { key: VIEWER })
    expect((await roles('')).status).toBe(400)
    expect((await roles('?projectId=nope')).body.roles.map(({ name }: { name: string }) => name)).toEqual(['Viewer'])
  })
})

onEveryAdapter(
  'links to set a new password, of Unleash',
  (client) => {
    it('a user gets at most one password reset mail a minute', async () => {
      client.mock.add({ users: [{ id: 50, username: 'own', email: 'own@example.com' }] })
      const mail = () => client.send('POST', '/auth/reset/password-email', { email: 'own@example.com' }, { key: null })
      const ask = () => client.send('POST', '/api/admin/user-admin/reset-password', { id: 'own@example.com' })
      expect((await mail()).status).toBe(200)
      const { status, body } = await mail()
      expect([status, body.name]).toEqual([429, 'RateLimitError'])
      expect((await ask()).status).toBe(429)
      client.mock.clock.advance({ seconds: 59 })
      expect((await ask()).status).toBe(429)
      client.mock.clock.advance({ seconds: 1 })
      expect((await ask()).status).toBe(200)
    })
  },
  { ...FIXED, profile: 'unleash-8' },
)
