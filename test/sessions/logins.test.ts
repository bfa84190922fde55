import { describe, expect, it, vi } from 'vitest'
import { createMock, type MockOptions } from '../../src/index.js'
import { type Client, FIXED, onEveryAdapter } from '../support/adapters.js'
import { signIn } from '../support/sign-in.js'

const scenarios: MockOptions['scenarios'] = [
  {
    name: 'only-nora',
    title: 'Only Nora',
    promise: 'Nora is the only user.',
    seed: {
      roles: [{ id: 1, name: 'Admin', permissions: ['ADMIN'] }],
      users: [{ id: 2, name: 'Nora', email: 'nora@example.com', rootRole: 1 }],
      projects: [{ id: 'default' }],
      environments: [{ name: 'development' }],
      apiTokens: [{ secret: '*:*.nora', tokenName: 'nora', type: 'admin' }],
    },
  },
  {
    name: 'renumbered',
    title: 'Renumbered',
    promise: 'The editor has another id.',
    seed: {
      roles: [{ id: 1, name: 'Admin', permissions: ['ADMIN'] }],
      users: [{ id: 7, name: 'Editor', username: 'editor', email: 'editor@example.com', rootRole: 1 }],
      apiTokens: [{ secret: '*:*.other', tokenName: 'other', type: 'admin' }],
    },
  },
]

type Login = Awaited<ReturnType<typeof signIn>>

/** The user of a login in a scenario: the user's ID, or the status of the rejection. */
async function whoIs(client: Client, { cookie }: Login, more: Record<string, string> = {}, query = '') {
  const headers = { cookie: [cookie, more.cookie].filter(Boolean).join('; ') }
  const options = { key: null, headers: { ...more, ...headers } }
  const { status, body } = await client.send('GET', `/api/admin/user${query}`, undefined, options)
  return status === 200 ? body.user.id : status
}

onEveryAdapter(
  'a login outlives a scenario',
  (client) => {
    const who = (login: Login, more?: Record<string, string>, query?: string) => whoIs(client, login, more, query)

    it('named by the query, a header or a cookie of the request', async () => {
      const login = await signIn(client, 'editor')
      expect(await who(login, {}, '?scenario=missing-permission')).toBe(2)
      expect(await who(login, { 'x-mock-scenario': 'empty' })).toBe(2)
      expect(await who(login, { cookie: 'mock-scenario=empty%2Cname-taken' })).toBe(2)
      expect(await who(login)).toBe(2)
    })

    it('when the session is switched, to another scenario, to the same one, and back', async () => {
      const login = await signIn(client, 'editor')
      for (const name of ['empty', 'default', 'default', 'large-project', 'empty,missing-permission']) {
        await client.send('PUT', '/__mock/scenario', { name })
        expect([name, await who(login)]).toEqual([name, 2])
      }
      await client.send('DELETE', '/__mock/scenario')
      expect(await who(login)).toBe(2)
      client.mock.useScenario('missing-permission')
      expect(await who(login)).toBe(2)
    })

    it('so that users see the error of the scenario, and not that of a missing login', async () => {
      const { cookie } = await signIn(client, 'admin')
      const clone = '/api/admin/projects/default/features/checkout-redesign/clone?scenario=missing-permission'
      const answer = await client.send('POST', clone, { name: 'copy' }, { key: null, headers: { cookie } })
      expect([answer.status, answer.headers.has('x-mock-hint')]).toEqual([403, false])
    })

    it('as the same user, whatever the ID there', async () => {
      const editor = await signIn(client, 'editor')
      expect(await who(editor, {}, '?scenario=renumbered')).toBe(7)
      expect(await who(editor)).toBe(2)
    })

    it("but not where that user does not exist: no login becomes another user's, and a header gives the reason", async () => {
      const { cookie } = await signIn(client, 'editor')
      const options = { key: null, headers: { cookie } }
      const answer = await client.send('GET', '/api/admin/user?scenario=only-nora', undefined, options)
      expect(answer.status).toBe(401)
      expect(answer.headers.get('x-mock-hint')).toBe(
        'The cookie unleash-session is a login as "editor@example.com" under the scenario "default". The scenario "only-nora" has no such user. Sign in as one of its users.',
      )
    })

    it('a 401 for a login that has ended gives the reason, and any other 401 names an API token', async () => {
      const { cookie } = await signIn(client, 'editor')
      client.mock.reset()
      const ask = (headers: Record<string, string>) =>
        client.send('GET', '/api/admin/user', undefined, { key: null, headers })
      const ended = await ask({ cookie })
      const why = 'The login in the cookie unleash-session has ended: everything was reset. Sign in again.'
      expect([ended.status, ended.headers.get('x-mock-hint'), ended.body.message]).toEqual([401, why, why])
      for (const headers of [{}, { cookie: 'other=x' }] as Record<string, string>[])
        expect((await ask(headers)).headers.get('x-mock-hint')).toContain(
          'Authorization: *:*.mock-admin, or user:mock-admin',
        )
    })

    it('and an error says why it has ended', async () => {
      const why = async ({ cookie }: Login) => {
        const { body } = await client.send('GET', '/api/admin/user', undefined, { key: null, headers: { cookie } })
        return body.message
      }
      const ended = (reason: string) => `The login in the cookie unleash-session has ended: ${reason}. Sign in again.`
      const [out, removed] = [await signIn(client, 'editor'), await signIn(client, 'viewer')]
      await client.adapter.fetch('/logout', { method: 'POST', headers: out, redirect: 'manual' })
      expect(await why(out)).toBe(ended('its user signed out or changed the password'))
      await client.send('DELETE', '/api/admin/user-admin/3')
      expect(await why(removed)).toBe(ended('its user was removed'))
      expect(await why({ cookie: 'unleash-session=other' })).toMatch(
        'belongs to another session, or the mock has restarted',
      )
    })

    it('when the user is removed in one world, only there', async () => {
      const login = await signIn(client, 'viewer')
      expect(await who(login, {}, '?scenario=empty')).toBe(3)
      await client.send('DELETE', '/api/admin/user-admin/3')
      expect([await who(login), await who(login, {}, '?scenario=empty')]).toEqual([401, 3])
    })

    it('within its session only', async () => {
      const login = await signIn(client, 'editor')
      expect(await who(login, { 'x-mock-session': 'another' })).toBe(401)
    })

    it('and no snapshot: a login is not a record, so users in the snapshot stay signed in', async () => {
      const before = client.mock.state()
      expect(before).not.toHaveProperty('logins')
      const login = await signIn(client, 'editor')
      client.mock.restore(before)
      expect([await who(login), await who(login, {}, '?scenario=empty')]).toEqual([2, 2])
      client.mock.restore({
        ...before,
        users: [],
        signupTokens: [],
        apiTokens: [],
        projects: [],
        features: [],
        favorites: [],
      })
      expect(await who(login, {}, '?scenario=empty')).toBe(2)
      expect(() => client.mock.add({ logins: [] } as object)).toThrow(/logins/)
    })

    it('and a new name and e-mail address, but not another user with the same ID', async () => {
      const { id } = (await client.send('POST', '/api/admin/user-admin', { email: 'old@example.com', rootRole: 1 }))
        .body
      const sent = await client.send('POST', '/__mock/login', { user: id }, { key: null })
      const login = { cookie: String(sent.headers.get('set-cookie')).split(';')[0] ?? '' }
      await client.send('PUT', `/api/admin/user-admin/${id}`, { email: 'new@example.com', name: 'New' })
      expect(await who(login)).toBe(id)
      client.mock.add({ users: [{ id, name: 'Somebody', email: 'somebody@example.com' }] })
      expect(await who(login)).toBe(401)
    })

    it('and users who sign in under different scenarios stay separate, even with a seed', async () => {
      const editor = await signIn(client, 'editor')
      const headers = { 'x-mock-scenario': 'empty' }
      const sent = await client.send(
        'POST',
        '/auth/simple/login',
        { username: 'viewer', password: 'flagdouble' },
        { key: null, headers },
      )
      const viewer = { cookie: String(sent.headers.get('set-cookie')).split(';')[0] ?? '' }
      await client.send('PUT', '/__mock/scenario', { name: 'default' })
      const again = await signIn(client, 'admin')
      for (const more of [{}, headers]) {
        expect([await who(editor, more), await who(viewer, more), await who(again, more)]).toEqual([2, 3, 1])
      }
    })
  },
  { ...FIXED, scenarios },
)

it('a login ends after 48 hours of real time in all worlds, however the clock was moved', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    const mock = createMock(FIXED)
    const send = (path: string, init?: RequestInit) => mock.fetch(new Request(`http://localhost${path}`, init))
    const body = JSON.stringify({ username: 'admin', password: 'flagdouble' })
    const headers = { 'content-type': 'application/json' }
    const login = await send('/auth/simple/login', { method: 'POST', headers, body })
    const cookie = String(login.headers.get('set-cookie')).split(';')[0] ?? ''
    const ask = async (query = '') => {
      const answer = await send(`/api/admin/user${query}`, { headers: { cookie } })
      return [answer.status, answer.headers.get('x-mock-hint')]
    }
    expect(await ask('?scenario=empty')).toEqual([200, null])
    mock.clock.advance({ days: -31 })
    vi.setSystemTime(Date.now() + 48 * 3_600_000 - 1)
    expect([await ask(), await ask('?scenario=empty')]).toEqual([
      [200, null],
      [200, null],
    ])
    vi.setSystemTime(Date.now() + 1)
    const why = 'The login in the cookie unleash-session has ended: it lasted two days. Sign in again.'
    expect([await ask('?scenario=empty'), await ask()]).toEqual([
      [401, why],
      [401, why],
    ])
  } finally {
    vi.useRealTimers()
  }
})

describe('a login survives a reload of files', () => {
  const ask = async (mock: ReturnType<typeof createMock>, cookie: string) =>
    (await mock.fetch(new Request('http://localhost/api/admin/user', { headers: { cookie } }))).status
  const login = async (mock: ReturnType<typeof createMock>, username: string) => {
    const body = JSON.stringify({ username, password: 'flagdouble' })
    const headers = { 'content-type': 'application/json' }
    const request = new Request('http://localhost/auth/simple/login', { method: 'POST', headers, body })
    return String((await mock.fetch(request)).headers.get('set-cookie')).split(';')[0] ?? ''
  }
  const given = { id: 9, username: 'given', email: 'given@example.com', password: 'flagdouble' }

  it.each(['default', 'large-project'])('in the scenario %s, with built-in and seeded users', async (scenario) => {
    const mock = createMock({ scenario, fixtures: { users: [given] } })
    await mock.ready
    const cookies = [await login(mock, 'admin'), await login(mock, 'given')]
    mock.reload({ fixtures: { users: [given], features: [{ name: 'new' }] } })
    for (const cookie of cookies) expect(await ask(mock, cookie)).toBe(200)
    mock.reload({ fixtures: [] })
    expect([await ask(mock, cookies[0] ?? ''), await ask(mock, cookies[1] ?? '')]).toEqual([200, 401])
  })

  it('but not a reset, after which everything is reset', async () => {
    const options = { seed: 1, now: '2026-11-20T12:00:00Z' }
    const mock = createMock(options)
    const first = await login(mock, 'admin')
    expect(await ask(mock, first)).toBe(200)
    mock.useScenario('empty')
    expect(await ask(mock, first)).toBe(200)
    mock.reset()
    expect(await ask(mock, first)).toBe(401)
    expect(mock.state()).toEqual(createMock(options).state())
    mock.reset()
    expect(await login(mock, 'admin')).toBe(first)
  })
})
