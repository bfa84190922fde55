import { expect, it } from 'vitest'
import { CLIENT, NOW, onEveryAdapter } from '../../support/adapters.js'

const ada = { name: 'Ada', email: 'Ada@Example.com', password: 'secret', username: 'ada' }
const anonymously = { key: null }

onEveryAdapter('signing up', (client) => {
  const signUp = (body: unknown, secret = 'live-invite') =>
    client.send('POST', `/invite/${secret}/signup`, body, anonymously)

  it('signing up needs no API token, and returns 201 with the user', async () => {
    const { status, body } = await signUp(ada)
    expect(status).toBe(201)
    expect(body).toEqual({
      id: 4,
      isAPI: false,
      name: 'Ada',
      email: 'ada@example.com',
      username: 'ada',
      imageUrl: expect.stringMatching(/^https:/),
      inviteLink: '',
      loginAttempts: 0,
      emailSent: false,
      rootRole: 3,
      seenAt: null,
      createdAt: NOW,
      accountType: 'User',
      permissions: [],
    })
    expect(client.mock.users.get(4)).toEqual(body)
  })

  it('a user who signed up is listed in the token', async () => {
    const { body: user } = await signUp(ada)
    const { body: token } = await client.send('GET', '/api/admin/invite-link/tokens/live-invite')
    expect(token.users.map(({ id }: { id: number }) => id)).toEqual([3, 4])
    expect(token.users[1]).toEqual(user)
    const updated = await client.send('PUT', '/api/admin/invite-link/tokens/live-invite', { enabled: false })
    expect(updated.body.users).toEqual(token.users)
  })

  it('a user who signs up gets the role of the token', async () => {
    client.mock.add({ signupTokens: [{ secret: 'editors', role: 'Editor' }] })
    expect((await signUp(ada, 'editors')).body.rootRole).toBe(2)
    const { body } = await client.send('GET', '/api/admin/invite-link/tokens/editors')
    expect(body).toMatchObject({ role: { id: 2, name: 'Editor' }, users: [{ id: 4, rootRole: 2 }] })
  })

  it('the log contains the new user, and the token', async () => {
    await signUp(ada)
    expect(client.mock.events.list()).toMatchObject([
      { type: 'user-created', createdBy: 'system', data: { id: 4, email: 'ada@example.com', rootRole: 3 } },
      { type: 'public-signup-token-user-added', createdBy: 'system', data: { secret: 'live-invite', userId: 4 } },
    ])
  })

  it('signing up needs no e-mail address with a username', async () => {
    const { status, body } = await signUp({ ...ada, email: '' })
    expect([status, 'email' in body, body.username]).toEqual([201, false, 'ada'])
  })

  it('signing up needs no username', async () => {
    const { name, email, password } = ada
    const { status, body } = await signUp({ name, email, password })
    expect([status, body.username]).toEqual([201, null])
  })

  it.each([
    ['no body at all', {}, ['/body/email', '/body/name', '/body/password']],
    ['no e-mail and no username', { ...ada, email: '', username: '' }, ['/body/email']],
    ['what is no e-mail', { ...ada, email: 'ada' }, ['/body/email']],
    ['an empty name', { ...ada, name: '' }, ['/body/name']],
    ['a name that is too long', { ...ada, name: 'x'.repeat(256) }, ['/body/name']],
    ['a username that is too long', { ...ada, username: 'x'.repeat(256) }, ['/body/username']],
    ['a number for a password', { ...ada, password: 1 }, ['/body/password']],
    ['a role of their own choice', { ...ada, rootRole: 1 }, ['/body/rootRole']],
    ['an e-mail that is taken, in another case', { ...ada, email: 'VIEWER@example.com' }, ['/body/email']],
    ['a username that is taken', { ...ada, username: 'viewer' }, ['/body/username']],
  ])('signing up rejects %s', async (_, body, paths) => {
    const answer = await signUp(body)
    expect([answer.status, answer.body.name]).toEqual([400, 'BadDataError'])
    expect(answer.body.details.map(({ path }: { path: string }) => path)).toEqual(paths)
    expect(client.mock.users.list()).toHaveLength(3)
  })

  it.each(['no-such-invite', 'disabled-invite', 'expired-invite', '__proto__'])(
    'signing up rejects the token %s',
    async (secret) => {
      const answer = await signUp(ada, secret)
      expect([answer.status, answer.body.name]).toEqual([400, 'BadDataError'])
      expect(client.mock.users.list()).toHaveLength(3)
      const validated = await client.send('GET', `/invite/${secret}/validate`, undefined, anonymously)
      expect(validated.status).toBe(400)
    },
  )

  it('validating a signup token returns an empty body', async () => {
    const { status, body } = await client.send('GET', '/invite/live-invite/validate', undefined, anonymously)
    expect([status, body]).toEqual([200, undefined])
  })

  it('signing up checks the body before the token', async () => {
    const { body } = await signUp({ ...ada, email: 'ada' }, 'no-such-invite')
    expect(body.details.map(({ path }: { path: string }) => path)).toEqual(['/body/email'])
  })

  it("a reserved domain, which can't be real, is accepted", async () => {
    expect((await signUp({ ...ada, email: 'ada@shop.test' })).status).toBe(201)
  })

  it('the OpenAPI document has the maximum lengths', async () => {
    const { body } = await client.send('GET', '/docs/openapi.json')
    const { email, name, username } = body.components.schemas.createInvitedUserSchema.properties
    expect([email.maxLength, name.maxLength, username.maxLength]).toEqual([254, 255, 255])
  })

  it('names and usernames can have 255 characters', async () => {
    const { status, body } = await signUp({ ...ada, name: 'x'.repeat(255), username: 'y'.repeat(255) })
    expect([status, body.name.length, body.username.length]).toEqual([201, 255, 255])
  })

  it('signing up rejects an API token of the wrong kind, and ignores others', async () => {
    const path = '/invite/live-invite/validate'
    expect((await client.send('GET', path, undefined, { key: CLIENT })).status).toBe(401)
    expect((await client.send('GET', path, undefined, { key: 'unknown' })).status).toBe(200)
  })

  it('of two simultaneous signups with one e-mail address, one succeeds', async () => {
    const answers = await Promise.all([signUp(ada), signUp({ ...ada, username: 'ada2' })])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400])
    expect(client.mock.users.list()).toHaveLength(4)
  })
})
