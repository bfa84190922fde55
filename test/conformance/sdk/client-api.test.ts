import { expect, it } from 'vitest'
import { ADMIN, CLIENT, type Client, EDITOR, FRONTEND, NOW, onEveryAdapter, VIEWER } from '../../support/adapters.js'

const features = '/api/client/features'
const client = { key: CLIENT }
const frontend = { key: FRONTEND }

onEveryAdapter('the API for SDKs that evaluate', (adapter) => {
  it('an SDK gets the features of the environment of its token', async () => {
    const { status, body } = await adapter.send('GET', features, undefined, client)
    expect(status).toBe(200)
    expect(body.query).toEqual({ environment: 'development', inlineSegmentConstraints: true })
    expect(body.features.map(({ name, enabled }: Named) => [name, enabled])).toEqual([
      ['checkout-redesign', true],
      ['legacy-export', true],
      ['push-opt-in', true],
    ])
  })

  it('an SDK gets the enabled strategies in their order, without ids and titles', async () => {
    const environment = { name: 'development', enabled: true }
    const strategies = [
      { name: 'second', sortOrder: 2, title: 'Second' },
      { name: 'disabled', sortOrder: 1, disabled: true },
      { name: 'first', sortOrder: 0 },
    ]
    const strategyTypes = strategies.map(({ name }) => ({ name }))
    adapter.mock.add({ strategyTypes, features: [{ name: 'sorted', environments: [{ ...environment, strategies }] }] })
    const { body } = await adapter.send('GET', `${features}/sorted`, undefined, client)
    expect(body.strategies).toEqual([
      { name: 'first', constraints: [], parameters: {}, variants: [] },
      { name: 'second', constraints: [], parameters: {}, variants: [] },
    ])
  })

  it('a child with several strategies has each parent once', async () => {
    const strategies = [{ name: 'default' }, { name: 'default' }]
    const environments = [{ name: 'development', strategies }]
    adapter.mock.add({ features: [{ name: 'twice', environments, dependencies: [{ feature: 'push-opt-in' }] }] })
    const { body } = await adapter.send('GET', `${features}/twice`, undefined, client)
    const parent = { feature: 'push-opt-in', enabled: true, variants: [] }
    expect(body.dependencies).toEqual([parent])
  })

  it('an SDK gets parents, with their required variants', async () => {
    adapter.mock.add({
      features: [{ name: 'child', dependencies: [{ feature: 'push-opt-in', variants: ['at-start'] }] }],
    })
    const { body } = await adapter.send('GET', `${features}/child`, undefined, client)
    expect(body.dependencies).toEqual([{ feature: 'push-opt-in', enabled: true, variants: ['at-start'] }])
  })

  it('a token is confined to its projects', async () => {
    adapter.mock.add({
      apiTokens: [
        { secret: 'mobile:development.sdk', type: 'client', environment: 'development', projects: ['mobile-app'] },
      ],
    })
    const { body } = await adapter.send('GET', `${features}?project=default`, undefined, {
      key: 'mobile:development.sdk',
    })
    expect(body.features.map(({ name }: Named) => name)).toEqual(['push-opt-in'])
  })

  it('an SDK can request several projects or tags', async () => {
    const names = async (query: string) => {
      const { body } = await adapter.send('GET', `${features}?${query}`, undefined, client)
      return body.features.map(({ name }: Named) => name)
    }
    adapter.mock.add({
      projects: [{ id: 'third' }],
      features: ['one', 'two', 'three'].map((name) => ({
        name,
        project: 'third',
        tags: [{ type: 'simple', value: name }],
      })),
    })
    expect(await names('project=mobile-app&project=third')).toEqual(['push-opt-in', 'one', 'two', 'three'])
    expect(await names('project=*')).toEqual(await names(''))
    expect(await names('tag=simple:one&tag=simple:two&project=third')).toEqual(['one', 'two'])
    expect(await names('tag=simple:three')).toEqual(['three'])
  })

  it('a wrong version of the client specification, and a tag without a value, are rejected', async () => {
    const withVersion = (version: string) =>
      adapter.send('GET', features, undefined, { ...client, headers: { 'unleash-client-spec': version } })
    for (const version of ['x', '5', '4.2', 'v4.2.0']) expect((await withVersion(version)).status).toBe(400)
    for (const version of ['', '4.2.0', '4.2.0-beta']) expect((await withVersion(version)).status).toBe(200)
    for (const tag of ['', 'simple', ':x', 'simple:a&tag=simple']) {
      expect((await adapter.send('GET', `${features}?tag=${tag}`, undefined, client)).status).toBe(400)
    }
  })

  it('the errors of a query name its values by their places, after one of the header', async () => {
    const query = `${features}?tag=simple:a&tag=:x&project=a%20b&namePrefix=`
    const { body } = await adapter.send('GET', query, undefined, client)
    const messages: string[] = body.details.map(({ message }: { message: string }) => message)
    const places = messages.map((message) => /"([^"]+)"/.exec(message)?.[1])
    expect(places).toEqual(['tag[1]', 'project[0]', 'namePrefix'])
    const withHeader = { ...client, headers: { 'unleash-client-spec': 'x' } }
    expect((await adapter.send('GET', query, undefined, withHeader)).body.message).not.toContain('tag')
  })

  it('in a prefix, % stands for any characters and _ for one', async () => {
    const names = async (prefix: string) => {
      const path = `${features}?namePrefix=${encodeURIComponent(prefix)}`
      const { body } = await adapter.send('GET', path, undefined, client)
      return body.features.map(({ name }: Named) => name)
    }
    expect(await names('pu_h')).toEqual(['push-opt-in'])
    expect(await names('%opt%n')).toEqual(['push-opt-in'])
    expect(await names('Push')).toEqual([])
    expect(await names('push-opt-in_')).toEqual([])
  })

  it('a single feature also has to match the query', async () => {
    const status = async (query: string) =>
      (await adapter.send('GET', `${features}/push-opt-in?${query}`, undefined, client)).status
    expect([await status('project=mobile-app'), await status('project=default')]).toEqual([200, 404])
    expect([await status('namePrefix=other'), await status('tag=simple:none')]).toEqual([200, 404])
  })

  it('an SDK gets a 304 while nothing has changed', async () => {
    const first = await adapter.send('GET', features, undefined, client)
    const headers = { 'if-none-match': first.headers.get('etag') ?? '' }
    const second = await adapter.send('GET', features, undefined, { ...client, headers })
    expect([second.status, second.body]).toEqual([304, undefined])
    await adapter.send('POST', '/api/admin/projects/default/features', { name: 'another' })
    const third = await adapter.send('GET', features, undefined, { ...client, headers })
    expect(third.status).toBe(200)
    expect(third.headers.get('etag')).not.toBe(first.headers.get('etag'))
  })

  it('the revision is the newest event that concerns the environment of the token', async () => {
    const at = '/api/admin/projects/default/features/checkout-redesign'
    const read = async () => {
      const { headers, body } = await adapter.send('GET', features, undefined, client)
      expect(headers.get('etag')).toBe(body.meta.etag)
      expect(body.meta.etag).toBe(`"${body.meta.queryHash}:${body.meta.revisionId}:v1"`)
      return body.meta
    }
    const newest = () => adapter.mock.events.list().at(-1)?.id ?? 0
    const quiet = async (expected: number, method: string, path: string, body?: unknown, key?: string) => {
      const before = [await read(), newest()] as const
      const { status } = await adapter.send(method, path, body, key === undefined ? {} : { key })
      expect(status, `${method} ${path}`).toBe(expected)
      expect(newest(), `${method} ${path}`).toBeGreaterThan(before[1])
      expect(await read(), `${method} ${path}`).toEqual(before[0])
    }
    const segment = { name: 'unused', constraints: [] }
    await adapter.send('POST', `${at}/environments/development/off`)
    expect((await read()).revisionId).toBe(newest())
    await quiet(200, 'POST', `${at}/environments/production/on`)
    await quiet(200, 'POST', `${at}/favorites`, undefined, EDITOR)
    await quiet(200, 'DELETE', `${at}/favorites`, undefined, EDITOR)
    await quiet(204, 'POST', `${at}/link`, { url: 'https://example.com' })
    await quiet(201, 'POST', '/api/admin/segments', segment)
    await quiet(201, 'POST', '/api/admin/tag-types', { name: 'area', description: '' })
    const [unused] = (await adapter.send('GET', '/api/admin/segments')).body.segments.filter(
      ({ name }: { name: string }) => name === 'unused',
    )
    await adapter.send('PUT', `/api/admin/segments/${unused.id}`, { ...segment, description: 'Changed' })
    expect((await read()).revisionId).toBe(newest())
    await quiet(204, 'DELETE', `/api/admin/segments/${unused.id}`)
    const data = { features: [{ name: 'imported' }], featureStrategies: [], tagTypes: [] }
    const sent = { project: 'default', environment: 'production', data }
    await adapter.send('POST', '/api/admin/features-batch/import', sent, { key: EDITOR })
    expect((await read()).revisionId).toBe(newest())
  })

  it('the entity tag changes with seed data, which leaves no events', async () => {
    const first = await adapter.send('GET', features, undefined, client)
    adapter.mock.add({ features: [{ name: 'checkout-redesign', stale: true }] })
    const second = await adapter.send('GET', features, undefined, client)
    expect(second.headers.get('etag')).not.toBe(first.headers.get('etag'))
  })

  it.each([
    ['no key', null, 401],
    ['an unknown key', 'nobody', 401],
    ['an admin key', ADMIN, 401],
    ["a user's key", VIEWER, 401],
    ['a frontend token', FRONTEND, 401],
  ])('the API for SDKs rejects %s', async (_, key, status) => {
    const refused = await adapter.send('GET', features, undefined, { key })
    expect([refused.status, refused.body.name]).toEqual([status, 'AuthenticationRequired'])
  })

  it('a feature outside the projects of the token gets a 404', async () => {
    const { status, body } = await adapter.send('GET', `${features}/archived-banner`, undefined, client)
    expect([status, body.name]).toEqual([404, 'NotFoundError'])
  })
})

onEveryAdapter('the API for frontends', (adapter) => {
  const evaluated = async (context: Record<string, string>) => {
    const { body } = await adapter.send('GET', `/api/frontend?${new URLSearchParams(context)}`, undefined, frontend)
    return body.toggles as Toggle[]
  }

  it('a frontend gets the enabled features of its context, with their variants', async () => {
    const toggles = await evaluated({ userId: '42', appVersion: '2.1.0' })
    expect(toggles.find(({ name }) => name === 'push-opt-in')).toEqual({
      name: 'push-opt-in',
      enabled: true,
      impressionData: true,
      variant: {
        name: 'at-start',
        enabled: true,
        payload: { type: 'string', value: 'start' },
        feature_enabled: true,
        featureEnabled: true,
      },
    })
  })

  it('a context in the query counts like one in the body', async () => {
    const constraints = [{ contextName: 'plan', operator: 'IN' as const, values: ['gold'] }]
    const strategies = [{ name: 'default', constraints }]
    adapter.mock.add({
      features: [{ name: 'for-gold', environments: [{ name: 'development', enabled: true, strategies }] }],
    })
    const isOn = (toggles: Toggle[]) => toggles.some(({ name }) => name === 'for-gold')
    expect(isOn(await evaluated({ 'properties[plan]': 'gold' }))).toBe(true)
    expect(isOn(await evaluated({ plan: 'gold' }))).toBe(true)
    expect(isOn(await evaluated({ plan: 'silver' }))).toBe(false)
    const posted = await adapter.send('POST', '/api/frontend', { context: { properties: { plan: 'gold' } } }, frontend)
    expect(isOn(posted.body.toggles)).toBe(true)
  })

  it('the API for frontends rejects a client token', async () => {
    const { status } = await adapter.send('GET', '/api/frontend', undefined, client)
    expect(status).toBe(401)
  })
})

onEveryAdapter('metrics', (adapter) => {
  const report = (toggles: object, start = NOW) => ({ appName: 'shop', bucket: { start, stop: start, toggles } })

  it('reports of SDKs are added up by hour, environment and application', async () => {
    const counts = { 'push-opt-in': { yes: 2, no: 1, variants: { 'at-start': 2 } } }
    expect((await adapter.send('POST', '/api/client/metrics', report(counts), client)).status).toBe(202)
    expect((await adapter.send('POST', '/api/frontend/client/metrics', report(counts), frontend)).status).toBe(200)
    const { body } = await adapter.send('GET', '/api/admin/client-metrics/features/push-opt-in')
    expect(body).toEqual({
      version: 1,
      maturity: 'stable',
      featureName: 'push-opt-in',
      lastHourUsage: [{ environment: 'development', timestamp: NOW, yes: 4, no: 2 }],
      seenApplications: ['shop'],
    })
  })

  it('usage is shown hour by hour, with zeros for hours without reports', async () => {
    await adapter.send('POST', '/api/client/metrics', report({ 'push-opt-in': { yes: 3 } }), client)
    const { body } = await adapter.send('GET', '/api/admin/client-metrics/features/push-opt-in/raw?hoursBack=2')
    const place = { featureName: 'push-opt-in', appName: 'shop', environment: 'development' }
    expect(body.data).toEqual([
      { ...place, timestamp: '2026-11-20T11:00:00.000Z', yes: 0, no: 0 },
      { ...place, timestamp: NOW, yes: 3, no: 0, variants: {} },
    ])
  })

  it('a report marks the feature as seen, and advances its lifecycle', async () => {
    await adapter.send('POST', '/api/admin/projects/default/features', { name: 'fresh' })
    await adapter.send('POST', '/api/client/metrics', report({ fresh: { no: 1 }, unknown: { yes: 1 } }), client)
    const feature = await readFeature(adapter, 'fresh')
    expect([feature.lastSeenAt, feature.lifecycle.stage]).toEqual([NOW, 'pre-live'])
    expect(feature.environments.map(({ lastSeenAt }: { lastSeenAt?: string }) => lastSeenAt)).toEqual([NOW, undefined])
  })

  it('reports in bulk count for the environment of the token', async () => {
    const entry = { featureName: 'push-opt-in', appName: 'edge', yes: 1, no: 0 }
    const metrics = [
      { ...entry, environment: 'development' },
      { ...entry, environment: 'production' },
    ]
    const applications = [{ appName: 'edge', instanceId: 'one', environment: 'development', started: NOW, interval: 1 }]
    await adapter.send('POST', '/api/client/metrics/bulk', { applications, metrics }, client)
    const { body } = await adapter.send('GET', '/api/admin/client-metrics/features/push-opt-in')
    expect(body.lastHourUsage.map(({ environment }: { environment: string }) => environment)).toEqual(['development'])
  })

  it('reports in bulk without a start or an interval of an application are rejected', async () => {
    const application = { appName: 'edge', instanceId: 'one', environment: 'development' }
    for (const more of [{}, { started: NOW }, { interval: 1 }]) {
      const sent = { applications: [{ ...application, ...more }], metrics: [] }
      expect((await adapter.send('POST', '/api/client/metrics/bulk', sent, client)).status).toBe(400)
    }
    expect(adapter.mock.state().clientInstances).toEqual([])
  })

  it.each([
    '2026-11-20T10:00:00',
    '2026-11-20 10:00:00',
    '2026-11-20T10:00:00+0100',
    '2026-11-20T10:00:00.5',
    '1764151200000',
    1764151200000,
  ])('SDKs of many languages report with their own dates: %s', async (at) => {
    const registration = { appName: 'shop', instanceId: null, strategies: [], started: at, interval: '15' }
    expect((await adapter.send('POST', '/api/client/register', registration, client)).status).toBe(202)
    const toggles = { 'push-opt-in': { yes: 1.5, no: '1', variants: null } }
    const report = { appName: 'shop', environment: null, bucket: { start: at, stop: at, toggles } }
    expect((await adapter.send('POST', '/api/client/metrics', report, client)).status).toBe(202)
    expect(adapter.mock.state().clientMetrics).toMatchObject([{ yes: 2, no: 1 }])
  })

  it.each([
    ['a day', { started: '2026-11-20' }],
    ['no version', { sdkVersion: null }],
  ])('a registration with %s is rejected', async (_, wrong) => {
    const registration = { appName: 'shop', strategies: [], started: NOW, interval: 15, ...wrong }
    expect((await adapter.send('POST', '/api/client/register', registration, client)).status).toBe(400)
  })

  it('registered instances are stored', async () => {
    const sdk = {
      appName: 'shop',
      instanceId: 'a',
      sdkVersion: 'sdk:1',
      strategies: ['default'],
      started: NOW,
      interval: 15,
    }
    expect((await adapter.send('POST', '/api/client/register', sdk, client)).status).toBe(202)
    expect(adapter.mock.state().clientInstances).toEqual([
      {
        appName: 'shop',
        instanceId: 'a',
        environment: 'development',
        projects: ['*'],
        sdkVersion: 'sdk:1',
        strategies: ['default'],
        isFrontend: false,
        createdAt: NOW,
        lastSeenAt: NOW,
      },
    ])
  })

  it('a variant can have the name of an inherited property in JavaScript', async () => {
    const counts = { 'push-opt-in': { yes: 1, variants: { constructor: 1, toString: 1 } } }
    for (let i = 0; i < 2; i++) await adapter.send('POST', '/api/client/metrics', report(counts), client)
    expect(adapter.mock.state().clientMetrics).toMatchObject([{ variants: { constructor: 2, toString: 2 } }])
  })

  it.each([
    ['/api/client/metrics', { ...report({}), environment: ['a'] }, client],
    ['/api/client/register', { appName: 'a', interval: 1, started: NOW, strategies: [], environment: ['a'] }, client],
    [
      '/api/frontend/client/register',
      { appName: 'a', interval: 1, started: NOW, strategies: [], environment: ['a'] },
      frontend,
    ],
    ['/api/frontend/client/register', { appName: 'a' }, frontend],
    ['/api/frontend/client/metrics', { ...report({}), instanceId: {} }, frontend],
    ['/api/frontend/client/metrics', { ...report({}), sdkVersion: {} }, frontend],
  ])(
    "a report to %s whose environment, instance or version isn't text, or that is incomplete, is rejected",
    async (path, body, key) => {
      expect((await adapter.send('POST', path, body, key)).status).toBe(400)
      expect(adapter.mock.state().clientInstances).toEqual([])
    },
  )

  it('a report in bulk leaves out an application and metrics without the name of an application', async () => {
    const own = { instanceId: 'one', environment: 'development' }
    const metrics = [{ appName: '', featureName: 'push-opt-in', environment: 'development', yes: 1 }]
    const sent = { applications: [{ appName: '', ...own }], metrics }
    expect((await adapter.send('POST', '/api/client/metrics/bulk', sent, client)).status).toBe(202)
    expect([adapter.mock.state().clientInstances, adapter.mock.state().clientMetrics]).toEqual([[], []])
  })

  it('a report in bulk with an incomplete application is rejected, and nothing is recorded', async () => {
    const own = { instanceId: 'one', environment: 'development', started: NOW }
    const applications = [
      { appName: 'incomplete', ...own },
      { appName: 'unversioned', ...own, interval: 1, sdkVersion: '' },
      { appName: 'complete', ...own, interval: 1, sdkVersion: true },
    ]
    const answer = await adapter.send('POST', '/api/client/metrics/bulk', { applications, metrics: [] }, client)
    expect(answer.status).toBe(400)
    expect(adapter.mock.state().clientInstances).toEqual([])
    const complete = { applications: applications.slice(2), metrics: [] }
    expect((await adapter.send('POST', '/api/client/metrics/bulk', complete, client)).status).toBe(202)
    expect(adapter.mock.state().clientInstances).toMatchObject([{ appName: 'complete', sdkVersion: 'true' }])
  })

  it('a registration with an invalid time is told the expected form', async () => {
    const sdk = { appName: 'a', interval: 1, started: 'soon', strategies: [] }
    const { status, body } = await adapter.send('POST', '/api/client/register', sdk, client)
    expect(status).toBe(400)
    expect(body.message).toContain('date-time')
  })

  it("a report without an environment counts for the token's", async () => {
    const sdk = { appName: 'shop', instanceId: 'a', environment: '', started: NOW, interval: 15, strategies: [] }
    expect((await adapter.send('POST', '/api/client/register', sdk, client)).status).toBe(202)
    expect(adapter.mock.state().clientInstances).toMatchObject([{ environment: 'development' }])
  })

  it('every error of a report is listed', async () => {
    const { status, body } = await adapter.send('POST', '/api/client/metrics', { bucket: { toggles: {} } }, client)
    expect([status, body.name]).toEqual([400, 'BadDataError'])
    expect(body.details.map(({ path }: { path: string }) => path)).toEqual([
      '/body/appName',
      '/body/bucket/start',
      '/body/bucket/stop',
    ])
  })
})

interface Named {
  name: string
  enabled: boolean
}

interface Toggle extends Named {
  variant: object
}

async function readFeature(adapter: Client, name: string) {
  const { body } = await adapter.send('GET', `/api/admin/projects/default/features/${name}`)
  return body
}
