import { describe, expect, it } from 'vitest'
import { createMock, defineScenario, type MockError, type MockOptions, type PartialState } from '../../src/index.js'
import { ADMIN, FIXED, NOW, onEveryAdapter, read } from '../support/adapters.js'

const start = (fixtures: PartialState = {}, options: MockOptions = {}) => createMock({ ...FIXED, ...options, fixtures })

/** The state of a feature by environment: `{ development: true, production: false }`. */
function enabledIn(mock: ReturnType<typeof start>, name: string): Record<string, boolean> {
  return Object.fromEntries(mock.features.get(name)?.environments.map((one) => [one.name, one.enabled]) ?? [])
}

function faultsOf(act: () => unknown): string[] {
  try {
    act()
  } catch (error) {
    expect((error as MockError).code).toBe('INVALID_STATE')
    return (error as MockError).faults.map(({ path, message }) => `${path}: ${message}`)
  }
  return []
}

describe('unknown fields', () => {
  const sample = { value: 1, lables: { a: 'b' } }
  const bucket = { le: 1, count: 1, cuont: 1 }
  it.each([
    ['an unknown flag', { unknownFlags: [{ name: 'x', reports: [], typo: 1 }] }, '$.unknownFlags[0]: "typo"'],
    [
      'a report of one',
      { unknownFlags: [{ name: 'x', reports: [{ appName: 'a', environments: [], typo: 1 }] }] },
      '$.unknownFlags[0].reports[0]: "typo"',
    ],
    [
      'a metric',
      { impactMetrics: [{ name: 'm', help: '', type: 'gauge', samples: [], typo: 1 }] },
      '$.impactMetrics[0]: "typo"',
    ],
    [
      'a sample of one',
      { impactMetrics: [{ name: 'm', help: '', type: 'counter', samples: [sample] }] },
      '$.impactMetrics[0].samples[0]: "lables"',
    ],
    [
      'a histogram',
      {
        impactMetrics: [{ name: 'm', help: '', type: 'histogram', samples: [{ count: 1, sum: 1, buckets: [bucket] }] }],
      },
      '$.impactMetrics[0].samples[0].buckets[0]: "cuont"',
    ],
  ])('are an error in %s', (_, given, fault) => {
    expect(faultsOf(() => start(given as PartialState))).toEqual([expect.stringContaining(`${fault} is unknown`)])
  })
})

describe('enabled on a feature', () => {
  it('switches a new feature on in all its environments', () => {
    const mock = start({ features: [{ name: 'x', enabled: true }] })
    expect(enabledIn(mock, 'x')).toEqual({ development: true, production: true })
  })

  it('leaves environments with their own `enabled` unchanged', () => {
    const mock = start({
      features: [{ name: 'x', enabled: true, environments: [{ name: 'production', enabled: false }] }],
    })
    expect(enabledIn(mock, 'x')).toEqual({ development: true, production: false })
  })

  it('switches a stored feature off and keeps its strategies, in a list or in an object', () => {
    const strategies = start()
      .features.get('checkout-redesign')
      ?.environments.map((one) => one.strategies)
    for (const features of [
      [{ name: 'checkout-redesign', enabled: false }],
      { 'checkout-redesign': { enabled: false } },
    ]) {
      const mock = start({ features })
      expect(enabledIn(mock, 'checkout-redesign')).toEqual({ development: false, production: false })
      expect(mock.features.get('checkout-redesign')?.environments.map((one) => one.strategies)).toEqual(strategies)
    }
  })

  it('must be true or false', () => {
    const given = { features: [{ name: 'x', enabled: 'yes' }] } as unknown as PartialState
    expect(faultsOf(() => start(given))).toEqual(['$.features[0].enabled: must be true or false, but is "yes"'])
  })
})

onEveryAdapter('PATCH /__mock/state', (client) => {
  const patch = (body: unknown) => client.send('PATCH', '/__mock/state', body, { key: null })

  it('null removes a record, and removing it again changes nothing', async () => {
    await patch({ features: { 'legacy-export': null } })
    const { body } = await patch({ features: { 'legacy-export': null } })
    expect(body.features.map(({ name }: { name: string }) => name)).not.toContain('legacy-export')
    expect((await client.send('GET', '/api/admin/projects/default/features/legacy-export')).status).toBe(404)
  })

  it('a removed environment leaves projects and features', async () => {
    const { status, body } = await patch({ environments: { production: null } })
    expect([status, body.projects[0].environments]).toEqual([200, ['development']])
    expect(body.features[0].environments.map(({ name }: { name: string }) => name)).toEqual(['development'])
  })

  it('a record that others need stays', async () => {
    const { status, body } = await patch({ projects: { 'mobile-app': null } })
    expect([status, body.message]).toEqual([400, expect.stringContaining('it is the project of "push-opt-in"')])
  })
})

describe('added records', () => {
  it('change only the fields that they mention', () => {
    const mock = start()
    const before = mock.state()
    mock.add({ features: [{ name: 'legacy-export', description: 'Mine' }], users: [{ id: 2, name: 'Eddie' }] })
    const [, legacy] = before.features
    expect(mock.state()).toEqual({
      ...before,
      features: before.features.map((one) => (one === legacy ? { ...one, description: 'Mine' } : one)),
      users: before.users.map((one) => (one.id === 2 ? { ...one, name: 'Eddie' } : one)),
    })
  })

  it('merge environments by name, and replace lists of strategies', () => {
    const mock = start({
      features: [
        { name: 'checkout-redesign', environments: [{ name: 'production', strategies: [{ name: 'default' }] }] },
      ],
    })
    const [development, production] = mock.features.get('checkout-redesign')?.environments ?? []
    expect(development).toMatchObject({ enabled: true, strategies: [{}, {}] })
    expect(production?.strategies).toMatchObject([{ name: 'default' }])
  })

  it('lose a field by null, which then has its default, and a list by an empty list', () => {
    const given = { name: 'checkout-redesign', description: null, type: null, tags: [], environments: null }
    const feature = start({ features: [given] }).features.get('checkout-redesign')
    expect(feature).toMatchObject({ description: null, type: 'release', tags: [], enabled: false })
    expect(feature?.environments.flatMap(({ strategies }) => strategies)).toEqual([])
  })

  it('lose nested parts by null', () => {
    const mock = start({
      features: {
        'checkout-redesign': { environments: { production: { strategies: null }, development: null } },
      },
      projects: {
        default: {
          defaultStrategies: { production: { name: 'default' }, development: { name: 'default', disabled: true } },
        },
      },
      users: { 2: { splash: { tour: true, news: true } } },
    })
    mock.add({
      projects: {
        default: { defaultStrategies: { production: null, development: { name: 'default', title: 'All' } } },
      },
      users: { editor: { splash: { tour: null } } },
    })
    const [development, production] = mock.features.get('checkout-redesign')?.environments ?? []
    expect([development, production]).toMatchObject([{ enabled: false, strategies: [] }, { strategies: [] }])
    const { projects, users } = mock.state()
    expect(projects[0]?.defaultStrategies).toEqual({ development: { name: 'default', disabled: true, title: 'All' } })
    expect(users.find(({ id }) => id === 2)?.splash).toEqual({ news: true })
  })

  it('change nothing by an empty list of records', () => {
    const mock = start()
    const before = mock.state()
    mock.add({ features: [{ name: 'checkout-redesign', environments: [] }], users: [] })
    expect(mock.state()).toEqual(before)
  })

  it("keep null where it is a value: in an event's data", () => {
    const mock = start({ events: [{ id: 1000, type: 'x', data: { description: null } }] })
    expect(mock.state().events.at(-1)?.data).toEqual({ description: null })
  })

  it('can have another creator by ID alone', () => {
    const mock = start({ features: { 'legacy-export': { createdBy: { id: 2 } } } })
    const { name, imageUrl } =
      start({ features: [{ name: 'x', createdBy: { id: 2 } }] }).features.get('x')?.createdBy ?? {}
    expect(mock.features.get('legacy-export')?.createdBy).toEqual({ id: 2, name, imageUrl })
  })

  it('merge in a scenario into the data of its base', () => {
    const scenario = defineScenario({
      name: 'off',
      title: 'Off',
      promise: 'The checkout is off.',
      seed: { features: { 'checkout-redesign': { enabled: false } } },
    })
    const mock = createMock({ ...FIXED, scenario })
    expect(enabledIn(mock, 'checkout-redesign')).toEqual({ development: false, production: false })
    expect(mock.features.get('checkout-redesign')?.description).toBe('The new checkout, step by step')
  })

  it('name another record by its ID', () => {
    const mock = start({ signupTokens: [{ secret: 'live-invite', role: { id: 2 } }] })
    expect(mock.signupTokens.get('live-invite')).toMatchObject({ role: { id: 2, name: 'Editor' }, users: [{ id: 3 }] })
  })

  it('are not found by their names if their keys are names themselves', () => {
    const mock = start({ projects: [{ id: 'default', name: 'Main' }], segments: [{ id: 7, name: 'Main' }] })
    expect(faultsOf(() => mock.add({ projects: { Main: { description: 'x' } } }))).toEqual([
      '$.projects.Main: must be a project that exists, or a new record needs its key as a field: "id": "Main"',
    ])
    mock.add({ projects: { Main: { id: 'mine' } }, segments: { Main: { description: 'x' } } })
    expect(mock.projects.list().map(({ id }) => id)).toContain('mine')
    expect(mock.state().segments).toMatchObject([{ id: 7, description: 'x' }])
  })

  it('change passwords', async () => {
    const mock = start({ users: [{ id: 2, password: 'another' }] })
    const body = JSON.stringify({ username: 'editor', password: 'another' })
    const headers = { 'content-type': 'application/json' }
    const request = new Request('http://localhost/auth/simple/login', { method: 'POST', headers, body })
    expect((await mock.fetch(request)).status).toBe(200)
  })

  it('archive and revive features', () => {
    const mock = start({ features: { 'legacy-export': { archived: true }, 'archived-banner': { archivedAt: null } } })
    expect(mock.features.get('legacy-export')).toMatchObject({ archivedAt: NOW, lifecycle: { stage: 'archived' } })
    expect(mock.features.get('archived-banner')).toMatchObject({ archived: false, lifecycle: { stage: 'initial' } })
  })

  it.each<[object, string]>([
    [
      { features: { 'legacy-export': { environments: { production: { strategies: { 0: { title: 'First' } } } } } } },
      '$.features.legacy-export.environments.production.strategies: must be an array, but is an object',
    ],
    [
      { features: { 'legacy-export': { tags: { 'team-a': null } } } },
      '$.features.legacy-export.tags: must be an array, but is an object',
    ],
    [
      { projects: { default: { environments: { production: false } } } },
      '$.projects.default.environments: must be an array, but is an object',
    ],
    [{ features: [{ name: null }] }, '$.features[0].name: must be a string, but is null'],
    [
      { features: { 'legacy-export': { environments: { production: { name: 'x' } } } } },
      '$.features.legacy-export.environments.production.name: must be "production", but is "x"',
    ],
  ])('are records by their keys, and nothing else is: %j', (given, fault) => {
    expect(faultsOf(() => start(given))).toContain(fault)
  })

  it('can be in an object when they are new, with their key', () => {
    const mock = start({ features: { x: { name: 'x', environments: { production: { enabled: true } } } } })
    expect(enabledIn(mock, 'x')).toEqual({ development: false, production: true })
    expect(faultsOf(() => start({ features: { 'legacy-exprot': { stale: false } } }))).toEqual([
      '$.features.legacy-exprot: must be a feature that exists. Did you mean "legacy-export"? A new record needs its key as a field: "name": "legacy-exprot"',
    ])
  })
})

describe('computed fields', () => {
  const inProduction = (field: string, value: unknown) => ({
    features: [{ name: 'x', environments: [{ name: 'production', [field]: value }] }],
  })
  const inviteOf = (user: object, role: object) => ({ signupTokens: [{ secret: 's', users: [user], role }] })
  const admin = { id: 1, name: 'Admin', username: 'admin', email: 'admin@example.com' }

  const wrong: [field: string, given: object, without: object][] = [
    [
      'a token’s url',
      { signupTokens: [{ secret: 'live-invite', url: 'https://x.example/' }] },
      { signupTokens: [{ secret: 'live-invite' }] },
    ],
    [
      'the names of a token’s user and role',
      inviteOf({ ...admin, username: 'x' }, { id: 3, name: 'x' }),
      inviteOf({ id: 1 }, { id: 3 }),
    ],
    ['children', { features: [{ name: 'x', children: ['y'] }] }, { features: [{ name: 'x' }] }],
    ['favorite', { features: { 'legacy-export': { favorite: true } } }, {}],
    ['a project’s favorite', { projects: [{ id: 'default', favorite: true }] }, {}],
    [
      'permissions and imageUrl',
      { users: [{ id: 2, permissions: ['x'], imageUrl: 'https://x.example/' }] },
      { users: [{ id: 2 }] },
    ],
    ['featureCount', { projects: [{ id: 'default', featureCount: 40 }] }, {}],
    ['projectCount', { environments: { production: { projectCount: 4 } } }, {}],
    ['usedInFeatures', { segments: [{ id: 1, usedInFeatures: 4 }] }, { segments: [{ id: 1 }] }],
    ['an environment’s type', inProduction('type', 'test'), inProduction('name', 'production')],
    ['an environment’s sortOrder', inProduction('sortOrder', 7), inProduction('name', 'production')],
    ['an environment’s variantCount', inProduction('variantCount', 1), inProduction('name', 'production')],
    [
      'a strategy’s featureName',
      inProduction('strategies', [{ name: 'default', featureName: 'y' }]),
      inProduction('strategies', [{ name: 'default' }]),
    ],
    [
      'an API token’s project',
      { apiTokens: [{ secret: 'p:development.a', project: 'x', projects: ['default'], username: 'x', secure: true }] },
      { apiTokens: [{ secret: 'p:development.a', projects: ['default'] }] },
    ],
  ]

  it.each(wrong)('are left out, whatever they say: %s', (_, given, without) => {
    expect(start(given).state()).toEqual(start(without).state())
  })

  it('of the wrong type are rejected', () => {
    const given = { projects: [{ id: 'default', featureCount: 'many' }] } as unknown as PartialState
    expect(faultsOf(() => start(given))).toEqual([expect.stringMatching(/^\$\.projects\[0\]\.featureCount: must be /)])
  })

  it('archived must agree with archivedAt', () => {
    expect(faultsOf(() => start({ features: [{ name: 'x', archived: false, archivedAt: 'now' }] }))).toEqual([
      '$.features[0].archived: is false, but archivedAt is "now": give only one of them',
    ])
  })

  it('can be null, empty or in another order with the same meaning', () => {
    const mock = start({
      features: [
        { name: 'x', children: ['z', 'y'], favorite: false },
        ...['y', 'z'].map((name) => ({ name, dependencies: [{ feature: 'x' }] })),
      ],
      favorites: [{ userId: 1, kind: 'feature', name: 'x' }],
      signupTokens: [{ secret: 's', url: 'https://elsewhere.example/new-user?invite=s', users: [admin] }],
    })
    mock.add({ features: [{ name: 'x', favorite: true }], signupTokens: [{ secret: 's', url: null }] })
    expect(mock.features.get('x')?.children.toSorted()).toEqual(['y', 'z'])
  })

  it('a strategy outside of environments is rejected with its place', () => {
    const given = { features: [{ name: 'x', strategies: [{ name: 'default' }] }] } as unknown as PartialState
    expect(faultsOf(() => start(given))).toEqual([
      '$.features[0].strategies[0]: belongs to an environment. Give it in environments[].strategies.',
    ])
  })

  const responses: [string, string, (body: never) => unknown][] = [
    ['features', '/api/admin/projects/default/features/checkout-redesign', (body) => [body]],
    ['features', '/api/admin/projects/default/features', ({ features }: { features: unknown }) => features],
    ['apiTokens', '/api/admin/api-tokens', ({ tokens }: { tokens: unknown }) => tokens],
    ['signupTokens', '/api/admin/invite-link/tokens', ({ tokens }: { tokens: unknown }) => tokens],
    ['users', '/api/admin/user-admin', ({ users }: { users: unknown }) => users],
    ['projects', '/api/admin/projects', ({ projects }: { projects: unknown }) => projects],
    ['environments', '/api/admin/environments', ({ environments }: { environments: unknown }) => environments],
    ['contextFields', '/api/admin/context', (body) => body],
  ]

  describe.each(['documented', 'unleash-8'] as const)('of responses are accepted (%s)', (profile) => {
    it.each(responses)('%s from %s', async (kind, path, pick) => {
      const mock = start({}, { profile })
      const { body } = await read(
        await mock.fetch(new Request(`http://localhost${path}`, { headers: { authorization: ADMIN } })),
      )
      const before = mock.state()
      mock.add({ [kind]: pick(body as never) })
      // An expired token reads as disabled, and so it is, once its response is a fixture.
      if (kind !== 'signupTokens') expect(mock.state()).toEqual(before)
    })
  })
})

describe('values that the API rejects', () => {
  const inProduction = (rest: object) => ({
    features: [{ name: 'x', environments: [{ name: 'production', ...rest }] }],
  })
  const strategies = (strategy: object) => inProduction({ strategies: [{ name: 'default', ...strategy }] })
  const inFirst = '$.features[0].environments[0].strategies[0]'

  const rejected: [string, object, string][] = [
    ['the name of a feature', { features: [{ name: 'x y' }] }, '$.features[0].name: can contain only URL-friendly'],
    ['a feature type', { features: [{ name: 'x', type: 'relese' }] }, '$.features[0].type: must be a type of features'],
    ['a type of strategies', strategies({ name: 'defualt' }), `${inFirst}.name: must be a type of strategies`],
    ['a segment', strategies({ segments: [4] }), `${inFirst}.segments[0]: must be the id of a segment`],
    [
      'a type of tags',
      { features: [{ name: 'x', tags: [{ type: 'smple', value: 'v' }] }] },
      '$.features[0].tags[0].type',
    ],
    ['the id of a project', { projects: [{ id: 'x y' }] }, '$.projects[0].id: can contain only'],
    ['an e-mail', { users: [{ id: 9, email: 'nobody' }] }, '$.users[0].email: must be an e-mail address'],
    ['an e-mail twice', { users: [{ id: 9, email: 'ADMIN@example.com' }] }, '$.users[0].email: "admin@example.com" is'],
    [
      'a username twice',
      {
        users: [
          { id: 8, username: 'x' },
          { id: 9, username: 'x' },
        ],
      },
      '$.users[1].username: "x" is',
    ],
    [
      'a circle of parents',
      { features: ['xy', 'yx'].map(([name, feature]) => ({ name, dependencies: [{ feature }] })) },
      '$.features[0].dependencies: lead in a circle: x → y → x',
    ],
  ]

  it.each(rejected)('are also rejected in fixtures: %s', (_, given, fault) => {
    expect(faultsOf(() => start(given))[0]).toContain(fault)
  })

  it('are accepted in stored records: a removed type of strategies breaks no snapshot', async () => {
    const mock = start({
      strategyTypes: [{ name: 'own', editable: true }],
      features: [{ name: 'x', environments: [{ name: 'production', strategies: [{ name: 'own' }] }] }],
    })
    const headers = { authorization: ADMIN }
    await mock.fetch(new Request('http://localhost/api/admin/strategies/own', { method: 'DELETE', headers }))
    const snapshot = mock.state()
    expect(snapshot.strategyTypes.map(({ name }) => name)).not.toContain('own')
    mock.restore(snapshot)
    mock.add({ features: [{ name: 'x', stale: true }] })
    expect(mock.features.get('x')?.stale).toBe(true)
  })
})

describe('errors', () => {
  it('list schema errors and dangling references together', () => {
    const given = {
      feature: [],
      features: [
        { nam: 'x' },
        { name: 'y', project: 'defalt' },
        { name: 'z', dependencies: [{ feature: 'w' }] },
        { name: 'w', stale: 1 },
      ],
      users: [{ id: 9, rootRole: 9 }],
    } as unknown as PartialState
    expect(faultsOf(() => start(given)).toSorted()).toEqual(
      [
        '$: "feature" is unknown. Did you mean "features"?',
        '$.features[0].name: is required',
        '$.features[0]: "nam" is unknown. Did you mean "name"?',
        '$.features[1].project: must be a project that exists, but is "defalt". Did you mean "default"?',
        '$.features[3].stale: must be true or false, but is 1',
        '$.users[0].rootRole: must be the id or the name of a role that exists, but is 9; there are "Admin" (1), "Editor" (2), "Viewer" (3), "Owner" (4), "Member" (5)',
      ].toSorted(),
    )
  })

  it('say that records belong in lists', () => {
    const hint = (given: unknown) => {
      try {
        start(given as PartialState)
      } catch (error) {
        return (error as MockError).hint
      }
      return undefined
    }
    const fix = 'Nothing was loaded. Fix the fields above and load it again.'
    const lists = `${fix} Records belong in lists, such as { "features": [{ "name": "new-checkout" }] }.`
    expect(hint({ name: 'x' })).toBe(lists)
    expect(hint({ feature: [] })).toBe(fix)
    expect(hint({ features: [{ nam: 'x' }] })).toBe(fix)
  })

  it('give the form of a date', () => {
    const form = (path: string) =>
      `${path}: must be an ISO 8601 date-time with a zone or an offset, such as "2027-01-31T12:00:00Z", or relative to the start, such as "now+30d" or "now-2h", but is "tomorrow"`
    const given = {
      features: [{ name: 'a', createdAt: 'tomorrow' }],
      signupTokens: [{ name: 'a', secret: 'b', expiresAt: 'tomorrow' }],
      apiTokens: [{ secret: '*:development.a', type: 'client', environment: 'development', expiresAt: 'tomorrow' }],
    } as PartialState
    expect(faultsOf(() => start(given)).toSorted()).toEqual(
      ['$.apiTokens[0].expiresAt', '$.features[0].createdAt', '$.signupTokens[0].expiresAt'].map(form),
    )
  })

  it('name the original place', () => {
    const environments = { production: { strategies: [{ name: 'default', segments: [7] }] } }
    expect(faultsOf(() => start({ features: { 'checkout-redesign': { environments } } }))).toEqual([
      '$.features.checkout-redesign.environments.production.strategies[0].segments[0]: must be the id of a segment that exists, but is 7',
    ])
  })
})
