import { describe, expect, it } from 'vitest'
import { LOGINS_ALLOWED } from '../../../src/service/resources/people/login.js'
import { ADMIN, CLIENT, type Client, onEveryAdapter, VIEWER } from '../../support/adapters.js'
import { signIn } from '../../support/sign-in.js'

onEveryAdapter('signing in', (client) => {
  const me = async (options: Parameters<Client['send']>[3]) =>
    (await client.send('GET', '/api/admin/user', undefined, options)).body

  it('signing in returns the user, and a cookie that authenticates later requests', async () => {
    const answer = await client.send('POST', '/auth/simple/login', { username: 'editor', password: 'flagdouble' })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({ id: 2, email: 'editor@example.com' })
    const headers = await signIn(client, 'editor')
    expect((await me({ key: null, headers })).user.id).toBe(2)
  })

  it('the cookie lasts two days for browsers, whatever the clock of the world shows', async () => {
    client.mock.clock.set('2020-01-01T00:00:00Z')
    const { headers } = await client.send('POST', '/auth/simple/login', { username: 'editor', password: 'flagdouble' })
    expect(headers.get('set-cookie')).toContain('; Max-Age=172800;')
    expect(headers.get('set-cookie')).toContain('; Expires=Fri, 03 Jan 2020 00:00:00 GMT')
  })

  it('the first request with a login sends the cookie again', async () => {
    const headers = await signIn(client, 'editor')
    const ask = async (path: string) => {
      const answer = await client.send('GET', path, undefined, { key: null, headers })
      return answer.headers.get('set-cookie')
    }
    expect(await ask('/api/admin/projects')).toContain(headers.cookie)
    expect(await ask('/api/admin/user')).toBeNull()
  })

  it('a login shows when its user was last seen before it', async () => {
    const { user } = await me({ key: VIEWER })
    const headers = await signIn(client, 'viewer')
    expect((await me({ key: null, headers })).user.seenAt).toBe(user.seenAt)
    expect((await me({ key: VIEWER })).user.seenAt).not.toBe(user.seenAt)
  })

  it('a user has five logins, and the sixth ends the first', async () => {
    const first = await signIn(client, 'editor')
    const second = await signIn(client, 'editor')
    for (let count = 2; count < LOGINS_ALLOWED; count++) await signIn(client, 'editor')
    expect((await me({ key: null, headers: first })).user).toMatchObject({ deletedSessions: 0, activeSessions: 5 })
    const sixth = await client.send('POST', '/auth/simple/login', { username: 'editor', password: 'flagdouble' })
    expect(sixth.body).toMatchObject({ deletedSessions: 1, activeSessions: 5 })
    const statusOf = async (headers: { cookie: string }) =>
      (await client.send('GET', '/api/admin/user', undefined, { key: null, headers })).status
    expect([await statusOf(first), await statusOf(second)]).toEqual([401, 200])
  })

  it('signing in accepts the e-mail address, in any case, as the username', async () => {
    const headers = await signIn(client, 'Viewer@Example.com')
    expect((await me({ key: null, headers })).user.id).toBe(3)
  })

  it('signing in rejects a wrong password, an unknown user and a missing password alike', async () => {
    for (const [username, password] of [
      ['admin', 'wrong'],
      ['nobody', 'flagdouble'],
      ['admin', ''],
    ]) {
      const { status, body, headers } = await client.send('POST', '/auth/simple/login', { username, password })
      expect([status, body.name]).toEqual([401, 'PasswordMismatch'])
      expect(headers.get('set-cookie')).toBeNull()
    }
  })

  it('an admin token takes precedence over a login, and a login over a personal or a wrong token', async () => {
    const headers = await signIn(client, 'editor')
    expect((await me({ key: VIEWER, headers })).user.id).toBe(2)
    expect((await me({ key: 'wrong', headers })).user.id).toBe(2)
    expect((await client.send('GET', '/api/admin/events', undefined, { key: ADMIN, headers })).status).toBe(200)
    expect((await client.send('GET', '/api/admin/events', undefined, { key: VIEWER, headers })).status).toBe(403)
    expect((await client.send('GET', '/api/admin/user', undefined, { key: CLIENT, headers })).status).toBe(401)
  })

  it('an unknown login cookie is rejected', async () => {
    const answer = await client.send('GET', '/api/admin/user', undefined, {
      key: null,
      headers: { cookie: 'unleash-session=made-up' },
    })
    expect([answer.status, answer.body.name]).toEqual([401, 'AuthenticationRequired'])
  })

  it.each([{ days: 31 }, { days: -400 }])('a move of the clock by %o signs no user out', async (duration) => {
    const login = await signIn(client, 'admin')
    const ask = () => client.send('GET', '/api/admin/user', undefined, { key: null, headers: login })
    client.mock.clock.advance(duration)
    expect((await ask()).status).toBe(200)
    client.mock.clock.release()
    expect((await ask()).status).toBe(200)
  })

  it('a logout ends all logins of the user and redirects to the logout page', async () => {
    const headers = await signIn(client, 'viewer')
    const elsewhere = await signIn(client, 'viewer')
    const other = await signIn(client, 'admin')
    const me = async (cookie: { cookie: string }) =>
      (await client.send('GET', '/api/admin/user', undefined, { key: null, headers: cookie })).status
    const answer = await client.adapter.fetch('/logout', { method: 'POST', headers, redirect: 'manual' })
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/signed-out'])
    expect(answer.headers.get('clear-site-data')).toBe('"cookies", "storage"')
    expect(await answer.text()).toBe('Found. Redirecting to /signed-out')
    expect([await me(headers), await me(elsewhere), await me(other)]).toEqual([401, 401, 200])
    const again = await client.adapter.fetch('/logout', { method: 'POST', headers, redirect: 'manual' })
    expect(again.status).toBe(401)
  })

  it('the redirect of a logout leads to a page', async () => {
    const page = await client.adapter.fetch('/signed-out')
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(await page.text()).toContain('<h1>Signed out</h1>')
    expect((await client.adapter.fetch('/signed-out/', { method: 'HEAD' })).status).toBe(200)
  })

  it('a link to the logout signs no user out', async () => {
    const headers = await signIn(client, 'viewer')
    expect((await client.adapter.fetch('/logout')).status).toBe(401)
    expect((await client.adapter.fetch('/logout', { headers, redirect: 'manual' })).status).toBe(404)
    const me = await client.send('GET', '/api/admin/user', undefined, { key: null, headers })
    expect(me.status).toBe(200)
  })

  it('a link to set a password needs its token', async () => {
    const { status } = await client.send('GET', '/auth/reset/validate', undefined, { key: null })
    expect(status).toBe(401)
  })
})

onEveryAdapter('passwords', (client) => {
  const secret = 'Str0ng!pass-Wrd-7'
  const invited = { email: 'new@example.com', name: 'New', password: secret }

  it('a user who signed up can sign in with the password, even after a restore', async () => {
    await client.send('POST', '/invite/live-invite/signup', invited, { key: null })
    client.mock.restore(JSON.parse(JSON.stringify(client.mock.state())))
    const answer = await client.send('POST', '/auth/simple/login', { username: invited.email, password: secret })
    expect([answer.status, answer.body.name]).toEqual([200, 'New'])
  })

  it('passwords are never stored in plain text', async () => {
    await client.send('POST', '/invite/live-invite/signup', invited, { key: null })
    await client.send('POST', '/auth/simple/login', { username: invited.email, password: secret })
    expect(JSON.stringify([client.mock.state(), client.mock.requests.all()])).not.toContain(secret)
  })

  describe('the strength of passwords', () => {
    const judge = (password: string) =>
      client.send('POST', '/auth/reset/validate-password', { password }, { key: null })

    it('a strong password is accepted', async () => {
      expect((await judge(secret)).status).toBe(200)
    })

    it('a weak password is rejected with every reason', async () => {
      const { status, body } = await judge('weak')
      expect([status, body.name]).toEqual([400, 'OwaspValidationError'])
      expect(body.details).toHaveLength(4)
    })
  })
})
