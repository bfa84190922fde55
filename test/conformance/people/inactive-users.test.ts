import { expect, it } from 'vitest'
import { EDITOR, NOW, onEveryAdapter } from '../../support/adapters.js'
import { onBothProfiles } from '../../support/both.js'
import { signIn } from '../../support/sign-in.js'

const users = '/api/admin/user-admin'
const LONG_AGO = '2026-01-01T00:00:00.000Z'

onBothProfiles('unneeded users', (client) => {
  const idsOf = (found: readonly { id: number }[]) => found.map(({ id }) => id)
  const inactive = async () => (await client.send('GET', `${users}/inactive`)).body.inactiveUsers

  it('users count as inactive if they joined and signed in long ago', async () => {
    client.mock.add({
      users: [
        { id: 11, email: 'never@example.com', createdAt: LONG_AGO },
        { id: 12, username: 'back', createdAt: LONG_AGO, seenAt: NOW },
        { id: 13, username: 'robot', createdAt: LONG_AGO, accountType: 'Service Account' },
      ],
    })
    expect(await inactive()).toEqual([
      {
        id: 11,
        name: null,
        email: 'never@example.com',
        username: null,
        seenAt: null,
        createdAt: LONG_AGO,
        patSeenAt: null,
      },
    ])
    client.mock.clock.advance({ days: 180, seconds: 1 })
    expect(idsOf(await inactive())).toContain(12)
  })

  it('users are deleted by their IDs, except for the caller', async () => {
    const headers = await signIn(client, 'admin')
    const as = { key: null, headers }
    expect((await client.send('POST', `${users}/inactive/delete`, { ids: [1, 2] }, as)).status).toBe(200)
    expect(idsOf((await client.send('GET', users)).body.users)).toEqual([1, 3])
    expect(client.mock.events.list()).toMatchObject([{ type: 'user-deleted', preData: { id: 2 } }])
    expect((await client.send('POST', `${users}/inactive/delete`, { ids: [3, 99] })).status).toBe(404)
    expect(idsOf((await client.send('GET', users)).body.users)).toEqual([1, 3])
  })

  it('all users from a directory are deleted at once', async () => {
    const deleteAll = () => client.send('DELETE', `${users}/scim-users`)
    expect((await deleteAll()).status).toBe(200)
    expect(client.mock.events.list()).toEqual([])
    client.mock.add({ users: [{ id: 11, username: 'managed', scimId: 'abc' }] })
    expect((await deleteAll()).status).toBe(200)
    expect(idsOf((await client.send('GET', users)).body.users)).toEqual([1, 2, 3])
    expect(client.mock.events.list().map(({ type }) => type)).toEqual(['user-deleted', 'scim-users-deleted'])
  })

  it.each([
    ['GET', 'inactive', undefined],
    ['POST', 'inactive/delete', { ids: [] }],
    ['DELETE', 'scim-users', undefined],
  ])('%s %s is for admins', async (method, path, body) => {
    expect((await client.send(method, `${users}/${path}`, body, { key: EDITOR })).status).toBe(403)
  })
})

onBothProfiles('a link to set a password', (client) => {
  const ask = (email: string) => client.send('POST', '/auth/reset/password-email', { email }, { key: null })
  const links = () => client.mock.state().resetTokens

  it('a user who forgot a password gets a link', async () => {
    const { status, body } = await ask('viewer@example.com')
    expect([status, body]).toEqual([200, undefined])
    const token = links()[0]?.secret
    const [entry] = client.mock.requests.find({ operation: 'sendResetPasswordEmail' })
    expect(entry?.sent).toEqual([
      {
        provider: 'email',
        body: { to: 'viewer@example.com', subject: 'Choose a new password', resetPasswordUrl: '[redacted]' },
      },
    ])
    expect(JSON.stringify(client.mock.requests.all())).not.toContain(token)
    const password = 'Str0ng!pass-Wrd-7'
    const choose = { token, password }
    expect((await client.send('POST', '/auth/reset/password', choose, { key: null })).status).toBe(200)
    expect(await signIn(client, 'viewer', password)).toEqual({ cookie: expect.stringContaining('=') })
  })

  it('nobody gets a link for an unknown address', async () => {
    expect((await ask('nobody@example.com')).status).toBe(404)
    expect(links()).toEqual([])
  })

  it('opening a link signs the user out', async () => {
    await ask('viewer@example.com')
    const headers = await signIn(client, 'admin')
    const as = { key: null, headers }
    const me = async () => (await client.send('GET', '/api/admin/user', undefined, as)).status
    const open = (token = '') => client.send('GET', `/auth/reset/validate?token=${token}`, undefined, as)
    await open('unknown')
    expect(await me()).toBe(200)
    expect((await open(links()[0]?.secret)).status).toBe(200)
    expect(await me()).toBe(401)
  })
})

onEveryAdapter('links to set a password', (client) => {
  it('a user can request any number of links; the last one works', async () => {
    const ask = () => client.send('POST', '/auth/reset/password-email', { email: 'viewer@example.com' }, { key: null })
    await ask()
    expect((await ask()).status).toBe(200)
    expect(client.mock.state().resetTokens).toHaveLength(1)
  })
})
