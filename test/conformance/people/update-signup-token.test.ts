import { expect, it } from 'vitest'
import { EDITOR, onEveryAdapter, VIEWER } from '../../support/adapters.js'

const tokens = '/api/admin/invite-link/tokens'
const live = `${tokens}/live-invite`

onEveryAdapter('updatePublicSignupToken', (client) => {
  it('updatePublicSignupToken returns 200 with the whole token, including its role and users', async () => {
    const { status, body } = await client.send('PUT', live, { enabled: true })
    expect(status).toBe(200)
    expect(body).toEqual({
      secret: 'live-invite',
      url: `${client.mock.baseUrl}/new-user?invite=live-invite`,
      name: 'Live invite',
      enabled: true,
      expiresAt: '2026-12-20T12:00:00.000Z',
      createdAt: '2026-11-17T12:00:00.000Z',
      createdBy: 'admin@example.com',
      users: [
        {
          id: 3,
          isAPI: false,
          name: 'Viewer',
          email: 'viewer@example.com',
          username: 'viewer',
          imageUrl: expect.stringMatching(/^https:\/\/gravatar\.com\/avatar\/[0-9a-f]{64}/),
          inviteLink: '',
          loginAttempts: 0,
          emailSent: false,
          rootRole: 3,
          seenAt: null,
          createdAt: '2026-09-11T12:00:00.000Z',
          accountType: 'User',
          permissions: [],
        },
      ],
      role: { id: 3, type: 'root', name: 'Viewer', description: 'Read-only.', project: null },
    })
  })

  it('updatePublicSignupToken shows the scimId of a user of a directory', async () => {
    client.mock.add({ users: [{ id: 3, name: 'Viewer', scimId: 'scim-3' }] })
    const { body } = await client.send('PUT', live, { enabled: true })
    expect(body.users[0].scimId).toBe('scim-3')
  })

  it('updatePublicSignupToken changes only the fields in the body', async () => {
    const { body: before } = await client.send('GET', live)
    const disabled = await client.send('PUT', live, { enabled: false })
    expect(disabled.body).toEqual({ ...before, enabled: false })
    const later = await client.send('PUT', live, { expiresAt: '2027-02-01T00:00:00Z' })
    expect(later.body).toEqual({ ...before, enabled: false, expiresAt: '2027-02-01T00:00:00.000Z' })
    const both = await client.send('PUT', live, { enabled: true, expiresAt: '2027-03-01T00:00:00Z' })
    expect(both.body).toEqual({ ...before, expiresAt: '2027-03-01T00:00:00.000Z' })
    expect((await client.send('GET', live)).body).toEqual(both.body)
  })

  it('the log contains the body of updatePublicSignupToken, and the caller', async () => {
    const last = () => client.mock.events.list().at(-1)
    const type = 'public-signup-token-updated'
    const told = { type, createdBy: 'mock-admin', preData: null, project: null, featureName: null }
    await client.send('PUT', live, { enabled: false })
    expect(last()).toMatchObject({ ...told, data: { secret: 'live-invite', enabled: false } })
    await client.send('PUT', live, { expiresAt: '2027-02-01T02:00:00+02:00' })
    expect(last()?.data).toEqual({ secret: 'live-invite', expiresAt: '2027-02-01T00:00:00.000Z' })
    await client.send('PUT', live, { enabled: true, expiresAt: '2027-03-01T00:00:00Z' })
    const both = { secret: 'live-invite', enabled: true, expiresAt: '2027-03-01T00:00:00.000Z' }
    expect(last()?.data).toEqual(both)
    expect(client.mock.events.list({ type })).toHaveLength(3)
  })

  it('updatePublicSignupToken accepts the same values again', async () => {
    const first = await client.send('PUT', live, { enabled: false })
    expect((await client.send('PUT', live, { enabled: false })).body).toEqual(first.body)
  })

  it.each([
    ['2027-01-31T12:00:00Z', '2027-01-31T12:00:00.000Z'],
    ['2027-01-31T12:00:00.1Z', '2027-01-31T12:00:00.100Z'],
    ['2027-01-31T12:00:00.123Z', '2027-01-31T12:00:00.123Z'],
    ['2027-01-31T12:00:00.123456789Z', '2027-01-31T12:00:00.123Z'],
    ['2026-12-24T10:00:00+02:00', '2026-12-24T08:00:00.000Z'],
    ['2026-12-24T10:00:00-11:30', '2026-12-24T21:30:00.000Z'],
    ['2026-12-31T23:59:59.999+00:00', '2026-12-31T23:59:59.999Z'],
    ['2028-02-29T00:00:00Z', '2028-02-29T00:00:00.000Z'],
    ['0000-01-01T00:00:00Z', '0000-01-01T00:00:00.000Z'],
    ['1970-01-01T00:00:00Z', '1970-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
  ])('updatePublicSignupToken accepts the date %s and returns it in UTC with milliseconds', async (sent, answered) => {
    const { status, body } = await client.send('PUT', live, { expiresAt: sent })
    expect([status, body.expiresAt]).toEqual([200, answered])
  })

  it.each([
    '2027-01-31T12:00:00',
    '2027-01-31T12:00Z',
    '2027-01-31',
    '2027-01-31T12:00:00+02',
    '2027-01-31T12:00:00 Z',
    ' 2027-01-31T12:00:00Z',
    '2027-02-29T00:00:00Z',
    '2027-02-30T00:00:00Z',
    '2027-04-31T00:00:00Z',
    '2027-13-01T00:00:00Z',
    '2027-00-01T00:00:00Z',
    '2027-01-01T24:00:00Z',
    '2027-01-01T12:60:00Z',
    '2027-01-01T12:00:60Z',
    '0000-01-01T00:00:00+02:00',
    '9999-12-31T23:59:59-02:00',
    '10000-01-01T00:00:00Z',
    '+010000-01-01T00:00:00Z',
    'Sun, 31 Jan 2027 12:00:00 GMT',
    'tomorrow',
    'now+1d',
    '',
    1801396800000,
    true,
    null,
    [],
    {},
  ])('updatePublicSignupToken rejects the date %j', async (expiresAt) => {
    const before = client.mock.state()
    const { status, body } = await client.send('PUT', live, { expiresAt })
    expect([status, body.name, body.details[0].path]).toEqual([400, 'BadDataError', '/body/expiresAt'])
    expect(client.mock.state()).toEqual(before)
  })

  it.each(['true', 'false', '', 0, 1, null, [], {}])(
    'updatePublicSignupToken rejects %j for enabled',
    async (enabled) => {
      const { status, body } = await client.send('PUT', live, { enabled })
      expect([status, body.name, body.details[0].path]).toEqual([400, 'BadDataError', '/body/enabled'])
    },
  )

  it.each([
    ['nothing to change', {}],
    ['a list', []],
    ['null', null],
    ['a text', '"enabled"'],
  ])('updatePublicSignupToken rejects %s', async (_, body) => {
    const answer = await client.send('PUT', live, body)
    expect([answer.status, answer.body.name, answer.body.details[0].path]).toEqual([400, 'BadDataError', '/body'])
  })

  it('updatePublicSignupToken rejects every unknown property, and reports every error', async () => {
    const { status, body } = await client.send('PUT', live, { enabled: 'yes', expiresAt: 'soon', secret: 'x', role: 1 })
    expect(status).toBe(400)
    expect(body.details.map(({ path }: { path: string }) => path).toSorted()).toEqual([
      '/body/enabled',
      '/body/expiresAt',
      '/body/role',
      '/body/secret',
    ])
  })

  it('updatePublicSignupToken rejects __proto__ as an unknown property', async () => {
    const { status } = await client.send('PUT', live, '{"enabled":true,"__proto__":{"enabled":false}}')
    expect(status).toBe(400)
  })

  it.each(['no-such-invite', 'LIVE-INVITE', '__proto__', 'constructor'])(
    'updatePublicSignupToken returns 404 for %s',
    async (secret) => {
      const { status, body } = await client.send('PUT', `${tokens}/${secret}`, { enabled: true })
      expect([status, body.name]).toEqual([404, 'NotFoundError'])
      expect(body.message).toContain(`"${secret}"`)
    },
  )

  it.each([EDITOR, VIEWER])("updatePublicSignupToken rejects %s, who isn't an admin", async (key) => {
    const { status, body } = await client.send('PUT', live, { enabled: true }, { key })
    expect([status, body.name]).toEqual([403, 'NoAccessError'])
    expect(body.message).toContain('"ADMIN"')
  })
})
