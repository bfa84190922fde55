import { beforeEach, expect, it } from 'vitest'
import { ADMIN, CLIENT, FIXED, FRONTEND, NOW, onEveryAdapter, VIEWER } from '../../support/adapters.js'
import { onBothProfiles } from '../../support/both.js'

const project = '/api/admin/projects/default'
const features = `${project}/features`

onBothProfiles('further rules of Unleash', (client) => {
  const send = (method: string, path: string, body?: unknown) => client.send(method, path, body)
  const last = () => client.mock.events.list().at(-1)
  const report = (toggles: object, appName = 'shop') =>
    client.send(
      'POST',
      '/api/client/metrics',
      { appName, instanceId: 'i', bucket: { start: NOW, stop: NOW, toggles } },
      { key: CLIENT },
    )

  beforeEach(() => {
    client.mock.add({
      segments: [{ id: 70, name: 'users of archived' }],
      features: [
        { name: 'parent' },
        { name: 'child', dependencies: [{ feature: 'parent' }] },
        {
          name: 'gone',
          archived: true,
          environments: [
            {
              name: 'development',
              strategies: [
                {
                  name: 'default',
                  segments: [70],
                  constraints: [{ contextName: 'plan', operator: 'IN', values: ['gold'] }],
                },
              ],
            },
          ],
        },
      ],
    })
  })

  it("a strategy's number is read as text, as scripts send it", async () => {
    const strategy = { name: 'flexibleRollout', parameters: { rollout: 25, stickiness: 'default', groupId: 'parent' } }
    const { status, body } = await send('POST', `${features}/parent/environments/development/strategies`, strategy)
    expect([status, body.parameters.rollout]).toEqual([200, '25'])
  })

  it('a parameter of a strategy type has a name', async () => {
    const sent = { name: 'bad name', parameters: [{ name: '', type: 'string' }] }
    const { status, body } = await client.send('POST', '/api/admin/strategies', sent)
    expect([status, body.message]).toEqual([400, expect.stringContaining('"')])
    const named = await client.send('POST', '/api/admin/strategies', { ...sent, name: 'good' })
    expect([named.status, named.body.message]).toEqual([400, expect.stringContaining('"parameters[0].name"')])
    expect((await client.send('PUT', '/api/admin/strategies/unknown', sent)).status).toBe(400)
  })

  it('an empty text is null where a number can be', async () => {
    const path = '/api/admin/feature-types/release/lifetime'
    expect((await client.send('PUT', path, { lifetimeDays: '' })).body.lifetimeDays).toBeNull()
  })

  it('an empty name in an update counts as none', async () => {
    expect((await send('PUT', `${features}/parent`, { name: '', type: 'release' })).status).toBe(200)
    expect((await send('PUT', `${features}/parent`, { name: 'other', type: 'release' })).status).toBe(400)
  })

  it('the search shows how often a feature was evaluated, in all applications', async () => {
    await report({ parent: { yes: 5, no: 2 } })
    await report({ parent: { yes: 5, no: 2 } }, 'warehouse')
    const found = async () =>
      (await send('GET', '/api/admin/search/features?query=parent')).body.features[0].environments.map(
        ({ name, yes, no }: { name: string; yes: number; no: number }) => [name, yes, no],
      )
    expect(await found()).toContainEqual(['development', 10, 4])
    expect(await found()).toContainEqual(['production', 0, 0])
    client.mock.clock.advance({ hours: 2 })
    expect(await found()).toContainEqual(['development', 0, 0])
  })

  it('several features are not deleted if one outside of them depends on them', async () => {
    const remove = (...names: string[]) => send('POST', `${project}/delete`, { features: names })
    const { status, body } = await remove('gone', 'parent')
    expect([status, body.name]).toEqual([403, 'InvalidOperationError'])
    expect(client.mock.features.get('gone')).toBeDefined()
    await send('POST', `${project}/archive`, { features: ['parent', 'child'] })
    expect((await remove('parent', 'child')).status).toBe(200)
    expect(client.mock.features.get('parent')).toBeUndefined()
  })

  it('a segment with an empty project applies to all', async () => {
    const sent = { name: 'everywhere', project: '', constraints: [] }
    const { status, body } = await send('POST', '/api/admin/segments', sent)
    expect(status).toBe(201)
    expect(body).not.toHaveProperty('project')
    expect((await send('PUT', `/api/admin/segments/${body.id}`, sent)).status).toBe(204)
  })

  it('only active features count as using a segment or a context field', async () => {
    expect((await send('GET', '/api/admin/context/plan/strategies')).body).toEqual({ strategies: [] })
    expect((await send('GET', '/api/admin/segments/70/strategies')).body.strategies).toEqual([])
    expect((await send('DELETE', '/api/admin/segments/70')).status).toBe(204)
    expect((await send('GET', '/api/admin/segments/70/strategies')).status).toBe(404)
  })

  it.each([
    ['GET', '/api/admin/segments/abc', undefined],
    ['GET', '/api/admin/segments/1.5', undefined],
    ['GET', '/api/admin/segments/abc/strategies', undefined],
    ['PUT', '/api/admin/segments/abc', { name: 's', constraints: [] }],
    ['DELETE', '/api/admin/segments/abc', undefined],
    ['GET', '/api/admin/user-admin/abc', undefined],
    ['PUT', '/api/admin/user-admin/abc', { name: 'x' }],
    ['DELETE', '/api/admin/user-admin/abc', undefined],
    ['POST', '/api/admin/user-admin/abc/change-password', { password: 'x' }],
    ['DELETE', '/api/admin/user/tokens/abc', undefined],
  ])('%s %s: an id must be an integer', async (method, path, body) => {
    const { status, body: answer } = await send(method, path, body)
    expect([status, answer.name]).toEqual([400, 'BadDataError'])
    expect(answer.details[0]).toMatchObject({ path: '/params/id', message: expect.stringContaining('integer') })
    expect((await client.send(method, path, body, { key: null })).status).toBe(401)
  })

  it('changing or deleting an unknown API token does nothing, and returns no error', async () => {
    const before = client.mock.events.list().length
    const path = '/api/admin/api-tokens/unknown'
    for (const [method, body] of [
      ['PUT', { expiresAt: '2030-01-01T00:00:00Z' }],
      ['DELETE', undefined],
    ] as const) {
      const answer = await send(method, path, body)
      expect([answer.status, answer.body]).toEqual([200, undefined])
    }
    expect(client.mock.events.list()).toHaveLength(before)
  })

  it('the events of personal tokens show the token, without its secret', async () => {
    const pats = '/api/admin/user/tokens'
    const sent = { description: 'mine', expiresAt: '2027-06-01T00:00:00.000Z' }
    const { body } = await client.send('POST', pats, sent, { key: VIEWER })
    const data = { id: body.id, ...sent, secure: false }
    expect(last()).toMatchObject({ type: 'pat-created', data, preData: null })
    expect(last()?.data).toEqual(data)
    await client.send('DELETE', `${pats}/${body.id}`, undefined, { key: VIEWER })
    expect(last()).toMatchObject({ type: 'pat-deleted', data, preData: null })
  })

  it.each(['/variants', '/variants/-', '/variantsOfMine'])('a patch of %s at the feature is denied', async (path) => {
    const patch = [
      { op: 'replace', path: '/description', value: 'new' },
      { op: 'add', path, value: {} },
    ]
    const { status, body } = await send('PATCH', `${features}/parent`, patch)
    expect([status, body.name]).toEqual([403, 'OperationDeniedError'])
    expect(client.mock.features.get('parent')?.description).toBeNull()
    expect((await send('PATCH', `${features}/nope`, patch)).status).toBe(404)
  })

  it('every event of a feature is a new revision for SDKs', async () => {
    const list = (tag: string) =>
      client.send('GET', '/api/client/features', undefined, { key: CLIENT, headers: { 'if-none-match': tag } })
    const first = await list('')
    const tag = first.headers.get('etag') ?? ''
    expect((await list(tag)).status).toBe(304)
    await send('DELETE', '/api/admin/archive/gone')
    const after = await list(tag)
    expect([after.status, after.body.features]).toEqual([200, first.body.features])
    expect(after.headers.get('etag')).not.toBe(tag)
  })

  it('SDKs of frontends get plain text', async () => {
    const sent = { appName: 'page', instanceId: 'i', interval: 15, started: '2026-11-20T12:00:00Z', strategies: [] }
    for (const path of ['register', 'metrics']) {
      const { status, body, headers } = await client.send('POST', `/api/frontend/client/${path}`, sent, {
        key: FRONTEND,
      })
      expect([status, body]).toEqual([200, 'OK'])
      expect(headers.get('content-type')).toContain('text/plain')
    }
  })

  it('an SDK version without a number is the name of an SDK without versions', async () => {
    const sent = { appName: 'shop', instanceId: 'i', sdkVersion: 'homemade', interval: 1, started: NOW, strategies: [] }
    await client.send('POST', '/api/client/register', sent, { key: CLIENT })
    await report({ parent: { yes: 1, no: 0 } })
    const { body } = await send('GET', `${project}/applications?query=shop`)
    expect(body.applications[0].sdks).toContainEqual({ name: 'homemade', versions: [] })
  })
})

onEveryAdapter(
  'rules of Unleash',
  (client) => {
    it('a feature shows how often it was evaluated', async () => {
      const toggles = { 'legacy-export': { yes: 123, no: 321 } }
      const bucket = { start: NOW, stop: NOW, toggles }
      await client.send('POST', '/api/client/metrics', { appName: 'shop', bucket }, { key: CLIENT })
      const { body } = await client.send('GET', `${features}/legacy-export`)
      expect(body.environments[0]).toMatchObject({ name: 'development', yes: 123, no: 321 })
    })

    it('operations on several features skip unknown names, and reject features of another project', async () => {
      for (const [path, status] of [
        ['archive', 202],
        ['revive', 200],
        ['stale', 202],
        ['delete', 200],
      ] as const) {
        const act = (...names: string[]) => client.send('POST', `${project}/${path}`, { features: names, stale: true })
        expect((await act('nope')).status).toBe(status)
        const foreign = await act('push-opt-in')
        expect([foreign.status, foreign.body.name]).toEqual([403, 'InvalidOperationError'])
      }
    })

    it.each(['client/features', 'health', 'internal-backstage/prometheus'])(
      'the frontend API does not offer %s',
      async (path) => {
        const { status, body } = await client.send('GET', `/api/frontend/${path}`, undefined, { key: FRONTEND })
        expect([status, body.name]).toEqual([405, 'NotImplementedError'])
        expect(body).toMatchObject({ id: expect.any(String), details: [{ message: body.message }] })
      },
    )

    it.each(['/api/client/features', '/api/frontend'])('%s rejects API tokens of another kind', async (path) => {
      for (const key of [ADMIN, VIEWER, path.includes('client') ? FRONTEND : CLIENT]) {
        const { status, body } = await client.send('GET', path, undefined, { key })
        expect([status, Object.keys(body)]).toEqual([403, ['message']])
      }
      for (const key of [null, 'unknown']) expect((await client.send('GET', path, undefined, { key })).status).toBe(401)
    })

    it('a preflight of the frontend API needs no token', async () => {
      const { status, body, headers } = await client.send('OPTIONS', '/api/frontend', undefined, { key: null })
      expect([status, body]).toEqual([204, undefined])
      expect(headers.get('access-control-allow-origin')).toBe('*')
      expect(headers.get('access-control-allow-credentials')).toBe('true')
      expect(headers.get('access-control-allow-methods')).toBe('GET,HEAD,PUT,PATCH,POST,DELETE')
      expect(headers.get('access-control-max-age')).toBe('86400')
      expect(headers.get('access-control-expose-headers')).toBe('ETag')
      expect(headers.get('vary')).toBe('Origin, Access-Control-Request-Headers')
    })
  },
  { ...FIXED, profile: 'unleash-8' },
)
