import { expect, it } from 'vitest'
import { EDITOR, NOW, onEveryAdapter } from '../../support/adapters.js'

const tokens = '/api/admin/invite-link/tokens'

onEveryAdapter('createPublicSignupToken', (client) => {
  const create = (body: unknown) => client.send('POST', tokens, body)

  it('createPublicSignupToken returns 201 with the token and its location', async () => {
    const { status, headers, body } = await create({ name: 'Team', expiresAt: '2026-12-01T00:00:00Z' })
    expect(status).toBe(201)
    expect(headers.get('location')).toBe(`tokens/${body.secret}`)
    expect(body).toEqual({
      secret: expect.stringMatching(/^[0-9a-f]{32}$/),
      url: `${client.mock.baseUrl}/new-user?invite=${body.secret}`,
      name: 'Team',
      enabled: true,
      expiresAt: '2026-12-01T00:00:00.000Z',
      createdAt: NOW,
      createdBy: 'mock-admin',
      users: [],
      role: { id: 3, type: 'root', name: 'Viewer', description: 'Read-only.', project: null },
    })
    expect((await client.send('GET', `${tokens}/${body.secret}`)).body).toEqual(body)
    const { body: list } = await client.send('GET', tokens)
    expect(list.tokens).toContainEqual(body)
  })

  it('the log contains a new signup token, with all its fields', async () => {
    const { body } = await create({ name: 'Team', expiresAt: '2026-12-01T00:00:00Z' })
    const [event, ...others] = client.mock.events.list()
    expect(others).toEqual([])
    expect(event).toMatchObject({ type: 'public-signup-token-created', createdBy: 'mock-admin', data: body })
  })

  it('the link of a signup token is valid, with any secret', async () => {
    client.mock.add({ signupTokens: [{ secret: 'a/b?c&d#e' }] })
    const { body } = await client.send('GET', `${tokens}/${encodeURIComponent('a/b?c&d#e')}`)
    expect(new URL(body.url).searchParams.get('invite')).toBe('a/b?c&d#e')
  })

  it('every signup token has its own secret, with any name', async () => {
    const secrets = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const { body } = await create({ name: 'Same', expiresAt: NOW })
        return body.secret as string
      }),
    )
    expect(new Set(secrets).size).toBe(20)
  })

  it.each([
    ['2026-11-20T12:00:00.000Z', '2026-12-20T12:00:00.000Z'],
    ['2026-01-31T08:00:00.000Z', '2026-02-28T08:00:00.000Z'],
    ['2028-01-31T08:00:00.000Z', '2028-02-29T08:00:00.000Z'],
    ['2026-03-31T23:59:59.999Z', '2026-04-30T23:59:59.999Z'],
    ['2026-12-31T00:00:00.000Z', '2027-01-31T00:00:00.000Z'],
    ['2026-02-28T12:00:00.000Z', '2026-03-28T12:00:00.000Z'],
  ])('an expiry at %s is shortened to one calendar month, %s', async (now, latest) => {
    client.mock.clock.set(now)
    expect((await create({ name: 'Far', expiresAt: '9999-12-31T00:00:00Z' })).body.expiresAt).toBe(latest)
    expect((await create({ name: 'Just', expiresAt: latest })).body.expiresAt).toBe(latest)
    const before = new Date(Date.parse(latest) - 1).toISOString()
    expect((await create({ name: 'Near', expiresAt: before })).body.expiresAt).toBe(before)
  })

  it('a signup token can expire in the past', async () => {
    const { status, body } = await create({ name: 'Late', expiresAt: '2020-01-01T00:00:00Z' })
    expect([status, body.enabled]).toEqual([201, false])
  })

  it.each(['', 'x'.repeat(10_000), 'a/b?c#d', '🚀 __proto__', 'constructor'])(
    'a signup token can have any name',
    async (name) => {
      const { status, body } = await create({ name, expiresAt: NOW })
      expect([status, body.name]).toEqual([201, name])
    },
  )

  it.each([
    ['nothing', {}, ['/body/name', '/body/expiresAt']],
    ['no name', { expiresAt: NOW }, ['/body/name']],
    ['no expiry', { name: 'x' }, ['/body/expiresAt']],
    ['a number for a name', { name: 1, expiresAt: NOW }, ['/body/name']],
    ['a date without a zone', { name: 'x', expiresAt: '2026-12-01T00:00:00' }, ['/body/expiresAt']],
    ['an unknown property', { name: 'x', expiresAt: NOW, enabled: false }, ['/body/enabled']],
  ])('createPublicSignupToken rejects %s, and reports every error', async (_, body, paths) => {
    const answer = await create(body)
    expect([answer.status, answer.body.name]).toEqual([400, 'BadDataError'])
    expect(answer.body.details.map(({ path }: { path: string }) => path)).toEqual(paths)
  })

  it.each(['GET', 'POST'])('createPublicSignupToken and the list are for admins: %s', async (method) => {
    const body = method === 'GET' ? undefined : { name: 'x', expiresAt: NOW }
    const answer = await client.send(method, tokens, body, { key: EDITOR })
    expect([answer.status, answer.body.name]).toEqual([403, 'NoAccessError'])
    const one = await client.send('GET', `${tokens}/live-invite`, undefined, { key: EDITOR })
    expect([one.status, one.body.name]).toEqual([403, 'NoAccessError'])
  })

  it.each([
    ['an unknown role', { role: 9 }, 'role'],
    ['an unknown user', { users: [{ id: 1 }, { id: 99 }] }, 'users[1].id'],
  ])('a signup token with %s can’t be seed data', (_, fields, at) => {
    expect(() => client.mock.add({ signupTokens: [{ secret: 'x', ...fields }] })).toThrow(`[0].${at}`)
  })

  it('seed data needs only the secret of a signup token, and a snapshot names its users', async () => {
    client.mock.add({ signupTokens: [{ secret: 'plain', users: [{ id: 2 }] }] })
    expect(client.mock.state().signupTokens.find(({ secret }) => secret === 'plain')).toMatchObject({
      name: 'plain',
      enabled: true,
      users: [{ id: 2, name: 'Editor', username: 'editor' }],
      role: { id: 3, name: 'Viewer' },
    })
  })

  it('a role of a signup token can’t be removed', async () => {
    client.mock.add({ roles: [{ id: 10, name: 'Guest' }], signupTokens: [{ secret: 'x', role: 'Guest' }] })
    expect(() => client.mock.add({ roles: { 10: null } })).toThrow('role.id')
  })
})
