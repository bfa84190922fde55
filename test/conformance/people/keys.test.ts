import { expect, it } from 'vitest'
import { ADMIN, CLIENT, EDITOR, NOW, onEveryAdapter, VIEWER } from '../../support/adapters.js'

const clone = '/api/admin/projects/default/features/checkout-redesign/clone'
const update = '/api/admin/invite-link/tokens/live-invite'

onEveryAdapter('API tokens', (client) => {
  const both = async (key: string | null) => [
    await client.send('POST', clone, { name: 'copy' }, { key }),
    await client.send('PUT', update, { enabled: true }, { key }),
  ]

  it.each([
    ['none', null],
    ['an empty one', ''],
    ['only "Bearer"', 'Bearer'],
    ['an unknown one', '*:*.unknown'],
    ['one of another case', ADMIN.toUpperCase()],
    ['another scheme', `Basic ${ADMIN}`],
    ['the wrong kind', CLIENT],
    ['the wrong kind, after Bearer', `Bearer ${CLIENT}`],
    ['an inherited property', '__proto__'],
    ['a very long one', 'x'.repeat(8000)],
  ])('a request with a wrong API token gets a 401: %s', async (_, key) => {
    for (const { status, body, headers } of await both(key)) {
      expect([status, body.name]).toEqual([401, 'AuthenticationRequired'])
      expect(headers.get('x-mock-error')).toBeNull()
      expect(JSON.stringify(body)).not.toContain('*:*')
    }
  })

  it.each([ADMIN, `Bearer ${ADMIN}`, `bearer   ${ADMIN}`, ` ${ADMIN} `])(
    'an API token is accepted as "%s"',
    async (key) => {
      expect((await both(key)).map(({ status }) => status)).toEqual([200, 200])
    },
  )

  it("an API token has the permissions of its user's role", async () => {
    const reading = '/api/admin/projects'
    const table = await Promise.all(
      [ADMIN, EDITOR, VIEWER].map(async (key) => {
        const answers = await both(key)
        const read = await client.send('GET', reading, undefined, { key })
        return [...answers, read].map(({ status }) => status)
      }),
    )
    expect(table.map((row) => row.slice(1))).toEqual([
      [200, 200],
      [403, 200],
      [403, 200],
    ])
    expect(table.map(([cloned]) => cloned)).toEqual([200, 409, 403])
  })

  it('an API token expires by the clock of the mock', async () => {
    client.mock.add({ apiTokens: [{ secret: 'brief', type: 'admin', expiresAt: 'now+1h' }] })
    const status = async () => (await client.send('GET', '/api/admin/projects', undefined, { key: 'brief' })).status
    client.mock.clock.advance({ minutes: 60, ms: -1 })
    expect(await status()).toBe(200)
    client.mock.clock.advance(1)
    expect(await status()).toBe(401)
    client.mock.clock.set(NOW)
    expect(await status()).toBe(200)
  })

  it('a change of a user’s role applies to existing tokens', async () => {
    client.mock.add({ users: [{ id: 3, name: 'Viewer', rootRole: 1 }] })
    expect((await both(VIEWER)).map(({ status }) => status)).toEqual([200, 200])
  })
})
