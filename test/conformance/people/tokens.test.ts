import { expect, it } from 'vitest'
import { createMock } from '../../../src/engine/mock/mock.js'
import { ADMIN, CLIENT, EDITOR, FRONTEND, NOW, onEveryAdapter, read, VIEWER } from '../../support/adapters.js'
import { running } from '../../support/unleash-8.js'

const pats = '/api/admin/user/tokens'
const tokens = '/api/admin/api-tokens'
const expiresAt = '2026-12-20T12:00:00.000Z'

onEveryAdapter('personal access tokens', (client) => {
  const create = (description: string) => client.send('POST', pats, { description, expiresAt }, { key: VIEWER })
  const list = async () => (await client.send('GET', pats, undefined, { key: VIEWER })).body.pats

  it('a personal access token authenticates its user until it expires', async () => {
    const { status, body } = await create('mine')
    expect([status, body]).toEqual([201, expect.objectContaining({ description: 'mine', userId: 3, expiresAt })])
    const use = () => client.send('GET', '/api/admin/user', undefined, { key: body.secret })
    expect((await use()).body.user.id).toBe(3)
    client.mock.clock.advance({ days: 30 })
    expect((await use()).status).toBe(401)
  })

  it('personal access tokens are listed only to their user, without secrets', async () => {
    const { body } = await create('mine')
    const own = await list()
    expect(own.map(({ description }: { description: string }) => description)).toEqual(['mock-viewer', 'mine'])
    expect(JSON.stringify(own)).not.toContain(body.secret)
  })

  it("the operations for API tokens don't change or delete a personal access token", async () => {
    const { body } = await create('mine')
    const later = { expiresAt: '2027-06-01T00:00:00.000Z' }
    expect((await client.send('PUT', `${tokens}/${body.secret}`, later, { key: ADMIN })).status).toBe(200)
    expect((await client.send('DELETE', `${tokens}/${body.secret}`, undefined, { key: ADMIN })).status).toBe(200)
    expect(await list()).toContainEqual(expect.objectContaining({ description: 'mine', expiresAt }))
    expect((await client.send('GET', '/api/admin/user', undefined, { key: body.secret })).status).toBe(200)
  })

  it('only its user can delete a personal access token', async () => {
    const { body } = await create('mine')
    const remove = (key: string) => client.send('DELETE', `${pats}/${body.id}`, undefined, { key })
    const before = client.mock.events.list().length
    expect((await remove(EDITOR)).status).toBe(200)
    expect(client.mock.events.list()).toHaveLength(before)
    expect(await list()).toHaveLength(2)
    expect((await remove(VIEWER)).status).toBe(200)
    expect((await client.send('GET', '/api/admin/user', undefined, { key: body.secret })).status).toBe(401)
  })

  it('the description of a personal access token is unique', async () => {
    expect((await create('mock-viewer')).status).toBe(409)
  })

  it('a personal access token can’t be created with an expiry in the past', async () => {
    const sent = { description: 'mine', expiresAt: '2026-11-20T11:59:59.999Z' }
    const { status, body } = await client.send('POST', pats, sent, { key: VIEWER })
    expect([status, body.name]).toEqual([400, 'BadDataError'])
    expect((await client.send('POST', pats, { ...sent, expiresAt: NOW }, { key: VIEWER })).status).toBe(201)
  })

  it('a user has at most ten personal access tokens', async () => {
    for (let n = 2; n <= 10; n += 1) expect((await create(`token ${n}`)).status).toBe(201)
    const { status, body } = await create('one more')
    expect([status, body.name]).toEqual([403, 'OperationDeniedError'])
    expect(await list()).toHaveLength(10)
  })
})

onEveryAdapter('API tokens', (client) => {
  const given = { tokenName: 'shop', type: 'client', environment: 'production', projects: ['default'] }

  it('an API token is created, listed, extended and deleted', async () => {
    const { status, body } = await client.send('POST', tokens, given)
    expect([status, body]).toEqual([201, expect.objectContaining({ ...given, project: 'default', createdAt: NOW })])
    expect(body.secret).toMatch(/^default:production\.[0-9a-f]{56}$/)
    const path = `${tokens}/${encodeURIComponent(body.secret)}`
    expect((await client.send('PUT', path, { expiresAt })).status).toBe(200)
    expect((await client.send('GET', `${tokens}/shop`)).body.tokens).toEqual([{ ...body, expiresAt, seenAt: null }])
    expect((await client.send('DELETE', path)).status).toBe(200)
    expect((await client.send('GET', `${tokens}/shop`)).body.tokens).toEqual([])
  })

  it('a backend token is listed as a client token', async () => {
    const { body } = await client.send('POST', tokens, { ...given, tokenName: 'till', type: 'Backend' })
    expect(body.type).toBe('backend')
    client.mock.add({ apiTokens: [{ secret: '*:development.old', tokenName: 'old', type: 'backend' }] })
    const typesAt = async (path: string) =>
      (await client.send('GET', path)).body.tokens
        .filter(({ tokenName }: { tokenName: string }) => ['till', 'old'].includes(tokenName))
        .map(({ type }: { type: string }) => type)
    expect(await typesAt(tokens)).toEqual(['client', 'client'])
    expect(await typesAt(`${tokens}/till`)).toEqual(['client'])
    expect(await typesAt('/api/admin/projects/default/api-tokens')).toEqual(['client', 'client'])
    const features = () => client.send('GET', '/api/client/features', undefined, { key: body.secret })
    expect((await features()).status).toBe(200)
    await client.send('DELETE', `${tokens}/${encodeURIComponent(body.secret)}`)
    const types = client.mock.events.list().map(({ type, data, preData }) => [type, (data ?? preData) as object])
    expect(types).toMatchObject([
      ['api-token-created', { type: 'backend' }],
      ['api-token-deleted', { type: 'client' }],
    ])
  })

  it("an API token for SDKs doesn't work on admin paths", async () => {
    const { status, body } = await client.send('POST', tokens, { ...given, type: 'admin' })
    expect([status, body.details[0].path]).toEqual([400, '/body/type'])
  })

  it('Unleash reports an error of an API token both in place and for the body as one of several shapes', async () => {
    const mock = createMock(running)
    const ask = async (body: object) => {
      const headers = { authorization: '*:*.some-secret', 'content-type': 'application/json' }
      const init = { method: 'POST', headers, body: JSON.stringify(body) }
      const answer = await read(await mock.fetch(new Request(`http://localhost${tokens}`, init)))
      return [answer.status, answer.body.details.map(({ path }: { path: string }) => path)]
    }
    expect(await ask({ ...given, type: 'admin' })).toEqual([400, ['/body/type', '/body']])
    expect(await ask({})).toEqual([400, ['/body/type', '/body']])
    expect(await ask([])).toEqual([400, ['/body']])
  })

  it('an API token needs an existing environment and existing projects', async () => {
    const refused = async (change: object) => (await client.send('POST', tokens, { ...given, ...change })).body
    expect((await refused({ environment: 'staging' })).details[0].path).toBe('/body/environment')
    expect((await refused({ projects: ['nope'] })).details[0].path).toBe('/body/projects')
  })

  it('only admins see admin tokens, and viewers see none', async () => {
    const secrets = async (key: string) =>
      (await client.send('GET', tokens, undefined, { key })).body.tokens?.map((t: { secret: string }) => t.secret)
    expect(await secrets(ADMIN)).toEqual([ADMIN, CLIENT, FRONTEND])
    expect(await secrets(EDITOR)).toEqual([CLIENT, FRONTEND])
    expect((await client.send('GET', tokens, undefined, { key: VIEWER })).status).toBe(403)
    expect((await client.send('DELETE', `${tokens}/${CLIENT}`, undefined, { key: EDITOR })).status).toBe(403)
  })
})

onEveryAdapter('API tokens of a project', (client) => {
  const path = '/api/admin/projects/mobile-app/api-tokens'
  const given = { tokenName: 'phone', type: 'FRONTEND', environment: 'production' }
  const secrets = async (key = EDITOR) =>
    (await client.send('GET', path, undefined, { key })).body.tokens.map((it: { secret: string }) => it.secret)
  const remove = (secret: string) => client.send('DELETE', `${path}/${encodeURIComponent(secret)}`)

  it('an API token of a project is created for it alone, listed among all others, and deleted', async () => {
    const { status, body } = await client.send('POST', path, given, { key: EDITOR })
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({ ...given, type: 'frontend', projects: ['mobile-app'], createdAt: NOW }),
    ])
    expect(await secrets()).toEqual([body.secret])
    const known = (await client.send('GET', tokens)).body.tokens.map((it: { secret: string }) => it.secret)
    expect(known).toContain(body.secret)
    const sdk = await client.send('GET', '/api/frontend', undefined, { key: body.secret })
    expect(sdk.status).toBe(200)
    expect((await remove(body.secret)).status).toBe(200)
    expect((await remove(body.secret)).status).toBe(404)
    expect(await secrets()).toEqual([])
  })

  it("a project can't delete an API token that it shares with other projects", async () => {
    const shared = { ...given, projects: ['mobile-app', 'default'] }
    const { body } = await client.send('POST', tokens, shared)
    expect(await secrets()).toEqual([body.secret])
    expect((await remove(body.secret)).status).toBe(400)
    expect((await remove(CLIENT)).status).toBe(400)
  })

  it('an admin API token sees the API tokens of all projects', async () => {
    expect(await secrets()).toEqual([])
    expect(await secrets(ADMIN)).toEqual(expect.arrayContaining([ADMIN, CLIENT]))
  })

  it('an API token is for all projects if it names "*", or only one project in the field "project"', async () => {
    for (const sent of [{ projects: ['*', 'default'] }, { projects: ['default', '*'] }, { project: 'default' }]) {
      const { body } = await client.send('POST', tokens, { ...given, ...sent })
      expect(body).toMatchObject({ projects: ['*'], project: '*', secret: expect.stringMatching(/^\*:production\./) })
    }
  })

  it('an Editor reads API tokens, but creates them only for a project', async () => {
    expect((await client.send('GET', tokens, undefined, { key: EDITOR })).status).toBe(200)
    for (const type of ['backend', 'frontend']) {
      expect((await client.send('POST', tokens, { ...given, type }, { key: EDITOR })).status).toBe(403)
    }
  })

  it('an API token of a project needs an existing project and environment, and permission', async () => {
    expect((await client.send('GET', '/api/admin/projects/nope/api-tokens')).status).toBe(404)
    const { body } = await client.send('POST', path, { ...given, environment: 'staging' })
    expect(body.details[0].path).toBe('/body/environment')
    for (const [method, sent] of [['GET'], ['POST', given]] as const) {
      const refused = await client.send(method, path, sent, { key: VIEWER })
      expect([refused.status, refused.body.message]).toEqual([403, expect.stringContaining('_PROJECT_API_TOKEN')])
    }
  })
})

onEveryAdapter('maintenance mode', (client) => {
  const path = '/api/admin/maintenance'
  const create = (key: string | null) =>
    client.send('POST', '/api/admin/projects/default/features', { name: 'new' }, { key })

  it('maintenance mode rejects changes of known callers before all other checks, and allows reading', async () => {
    expect((await client.send('POST', path, { enabled: true })).status).toBe(204)
    const { status, body } = await create(VIEWER)
    expect([status, body.name]).toEqual([503, 'ServiceUnavailableError'])
    expect((await create(null)).status).toBe(401)
    expect((await client.send('GET', path)).body).toEqual({ enabled: true })
    const invited = { email: 'new@example.com', name: 'New', password: 'x' }
    expect((await client.send('POST', '/invite/live-invite/signup', invited, { key: null })).status).toBe(201)
  })

  it('maintenance mode can be switched off again', async () => {
    await client.send('POST', path, { enabled: true })
    await client.send('POST', path, { enabled: false })
    expect((await create(ADMIN)).status).toBe(201)
    const [first, second] = client.mock.events.list()
    expect(first).toMatchObject({ type: 'setting-created', data: { id: 'maintenance.mode', enabled: true } })
    expect(second).toMatchObject({ type: 'setting-updated', data: { enabled: false }, preData: { enabled: true } })
  })

  it('only admins can switch maintenance mode', async () => {
    expect((await client.send('POST', path, { enabled: true }, { key: EDITOR })).status).toBe(403)
    expect((await client.send('GET', path, undefined, { key: VIEWER })).status).toBe(403)
  })
})
