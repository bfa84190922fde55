import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createMock, type Mock, type MockOptions } from '../../src/engine/mock/mock.js'
import { startServer } from '../../src/entries/adapters/node.js'
import type { ServiceFile } from '../../src/index.js'
import { FIXED, onEveryAdapter } from '../support/adapters.js'
import { runCli, scratchFolder, startCli } from '../support/cli.js'

/** An export file of an older Unleash: with null fields, and without later fields. */
const exported = {
  features: [
    {
      name: 'checkout',
      type: 'release',
      description: null,
      project: 'shop',
      stale: false,
      impressionData: true,
      archived: false,
    },
    { name: 'parent', type: 'experiment', project: 'shop', stale: true, impressionData: false, variants: [] },
  ],
  featureStrategies: [
    {
      name: 'flexibleRollout',
      id: '6a7f7a4e-4e2f-4b0e-8d1c-0f4ac7b9a111',
      featureName: 'checkout',
      title: null,
      disabled: null,
      segments: [41],
      parameters: { rollout: '50', stickiness: 'companyId', groupId: 'checkout' },
      constraints: [
        { contextName: 'region', operator: 'IN', values: ['eu'], value: '', inverted: false, caseInsensitive: false },
      ],
      variants: [{ name: 'red', weight: 1000, weightType: 'variable', stickiness: 'default', payload: null }],
    },
    { name: 'byWeekday', featureName: 'parent', parameters: { days: 'Mon,Tue' }, segments: [] },
  ],
  featureEnvironments: [
    {
      name: 'checkout',
      featureName: 'checkout',
      environment: 'staging',
      enabled: true,
      variants: [{ name: 'a', weight: 1000, weightType: 'variable', stickiness: 'default', overrides: [] }],
    },
    { name: 'parent', featureName: 'parent', environment: 'staging', enabled: false, variants: [] },
  ],
  contextFields: [
    { name: 'region', description: null, stickiness: false, sortOrder: 7, legalValues: [{ value: 'eu' }] },
  ],
  featureTags: [{ featureName: 'checkout', tagType: 'team', tagValue: 'payments' }],
  segments: [{ id: 41, name: 'beta testers' }],
  tagTypes: [],
  dependencies: [{ feature: 'checkout', dependencies: [{ feature: 'parent', enabled: true, variants: [] }] }],
  links: [{ feature: 'checkout', links: [{ url: 'https://example.com/plan', title: null }] }],
}

const clientFeatures = {
  version: 2,
  features: [
    {
      name: 'checkout',
      type: 'release',
      enabled: true,
      project: 'default',
      stale: false,
      description: 'One page',
      impressionData: false,
      strategies: [
        { name: 'flexibleRollout', constraints: [], parameters: { rollout: 30 }, variants: [], segments: [1] },
      ],
      variants: [],
      dependencies: [{ feature: 'absent' }],
    },
  ],
  segments: [{ id: 1, name: 'europeans', constraints: [{ contextName: 'region', operator: 'IN', values: ['eu'] }] }],
  query: { environment: 'production', inlineSegmentConstraints: false },
  meta: { revisionId: 12, etag: '"x"', queryHash: 'x' },
}

const environment = (name: string, enabled: boolean, hasStrategies: boolean) => ({
  name,
  enabled,
  type: name,
  sortOrder: 5,
  variantCount: 0,
  lastSeenAt: null,
  hasStrategies,
  hasEnabledStrategies: hasStrategies,
})

const listed = {
  type: 'kill-switch',
  description: null,
  favorite: true,
  name: 'checkout',
  createdAt: '2026-01-02T03:04:05.678Z',
  stale: true,
  impressionData: false,
  environments: [environment('development', true, true), environment('preview', false, false)],
}

const projectFeatures = { version: 2, features: [listed] }

const found = {
  features: [
    {
      ...listed,
      project: 'shop',
      archivedAt: null,
      dependencyType: null,
      segments: ['beta testers'],
      tags: [{ type: 'simple', value: 'blue', color: '#FFFFFF' }],
      createdBy: { id: 77, name: 'Ada', imageUrl: 'https://example.com/ada.png' },
      lifecycle: { stage: 'live', enteredStageAt: '2026-01-02T03:04:05.678Z' },
    },
  ],
  total: 1,
}

const empty: MockOptions = { ...FIXED, scenario: 'empty' }

describe('a file of Unleash is a fixture', () => {
  it('an export file adds its features, and all their references', () => {
    const state = createMock({ ...empty, fixtures: exported }).state()
    const segment = state.segments.find(({ name }) => name === 'beta testers')
    expect(state.features.map(({ name }) => name)).toEqual(['checkout', 'parent'])
    const [checkout, parent] = state.features
    expect(checkout).toMatchObject({
      project: 'shop',
      impressionData: true,
      tags: [{ type: 'team', value: 'payments' }],
      dependencies: [{ feature: 'parent', enabled: true }],
      links: [{ url: 'https://example.com/plan', title: null }],
    })
    expect(checkout?.environments.find(({ name }) => name === 'staging')).toMatchObject({
      enabled: true,
      variants: [{ name: 'a' }],
      strategies: [
        {
          segments: [segment?.id],
          parameters: { rollout: '50', stickiness: 'companyId', groupId: 'checkout' },
          constraints: [{ contextName: 'region', operator: 'IN', values: ['eu'] }],
          variants: [{ name: 'red', weight: 1000 }],
        },
      ],
    })
    expect(checkout?.environments.find(({ name }) => name === 'production')).toMatchObject({
      enabled: false,
      strategies: [],
    })
    expect(parent?.environments.find(({ name }) => name === 'staging')?.strategies).toMatchObject([
      { name: 'byWeekday' },
    ])
    expect(state.projects.map(({ id }) => id)).toContain('shop')
    expect(state.environments.map(({ name }) => name)).toContain('staging')
    expect(state.tagTypes.map(({ name }) => name)).toContain('team')
    expect(state.strategyTypes.map(({ name }) => name)).toContain('byWeekday')
    expect(state.contextFields).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'companyId', stickiness: true }),
        expect.objectContaining({ name: 'region', sortOrder: 7, legalValues: [{ value: 'eu' }] }),
      ]),
    )
  })

  it('segments are matched by name, because the same ID means another segment elsewhere', () => {
    const segments = [
      { id: 7, name: 'beta testers' },
      { id: 41, name: 'another' },
    ]
    const { features } = createMock({ ...empty, fixtures: [{ segments }, exported] }).state()
    expect(features[0]?.environments.find(({ name }) => name === 'staging')?.strategies[0]?.segments).toEqual([7])
  })

  it("an SDK's stored file adds the features of its environment, with their segments", () => {
    const { features, segments } = createMock({ ...empty, fixtures: clientFeatures }).state()
    expect(features.map(({ name }) => name)).toEqual(['absent', 'checkout'])
    expect(segments).toMatchObject([{ name: 'europeans', constraints: [{ contextName: 'region', values: ['eu'] }] }])
    expect(features[1]?.environments).toMatchObject([
      {
        name: 'production',
        enabled: true,
        strategies: [{ parameters: { rollout: '30' }, segments: [segments[0]?.id] }],
      },
      { name: 'development', enabled: false, strategies: [] },
    ])
  })

  it.each([
    ['without a version and a query', { features: [{ name: 'x', enabled: true, strategies: [{ name: 'default' }] }] }],
    [
      'with a version only',
      { version: 2, features: [{ name: 'x', enabled: true, strategies: [{ name: 'default' }] }] },
    ],
  ])('a bootstrap file %s belongs to the development environment', (_, fixtures) => {
    const [feature] = createMock({ ...empty, fixtures }).state().features
    expect(feature?.environments.map(({ enabled, strategies }) => [enabled, strategies.length])).toEqual([
      [true, 1],
      [false, 0],
    ])
  })

  it('a list of a project contains only the existence of strategies, so a strategy for everyone replaces them', () => {
    const [feature] = createMock({ ...empty, fixtures: projectFeatures }).state().features
    expect(feature).toMatchObject({ project: 'default', type: 'kill-switch', stale: true, createdAt: listed.createdAt })
    expect(feature?.environments).toMatchObject([
      { name: 'development', enabled: true, strategies: [{ name: 'flexibleRollout', parameters: { rollout: '100' } }] },
      { name: 'preview', enabled: false, strategies: [] },
      { name: 'production', enabled: false, strategies: [] },
    ])
  })

  it('a search result adds projects, tags and creators, and its segments by name', () => {
    const { features, segments, projects } = createMock({ ...empty, fixtures: found }).state()
    expect(features).toMatchObject([
      {
        name: 'checkout',
        project: 'shop',
        tags: [{ type: 'simple', value: 'blue' }],
        createdBy: { id: 77, name: 'Ada' },
      },
    ])
    expect(segments.map(({ name }) => name)).toEqual(['beta testers'])
    expect(projects.map(({ id }) => id)).toContain('shop')
  })

  it('a list does not replace existing strategies', () => {
    const mock = createMock({ ...FIXED, fixtures: { total: 1, features: [{ ...listed, name: 'checkout-redesign' }] } })
    const development = mock.features.get('checkout-redesign')?.environments[0]
    expect(development?.strategies).toHaveLength(2)
  })

  it('seed data with a misplaced strategy is recognized as seed data, and rejected', () => {
    const fixtures = JSON.parse('{"features":[{"name":"x","strategies":[{"name":"default"}]}]}')
    expect(() => createMock({ fixtures })).toThrow(/strategies\[0\]: belongs to an environment/)
  })

  it('errors have the path in the file, in any format', () => {
    const faultsOf = (fixtures: object) => {
      try {
        createMock({ ...FIXED, fixtures: JSON.parse(JSON.stringify(fixtures)) })
        return 'none'
      } catch (error) {
        return JSON.parse(JSON.stringify(error)).faults ?? (error as { faults: unknown }).faults
      }
    }
    const [strategy] = exported.featureStrategies
    expect(faultsOf({ ...exported, segments: [{ id: 41, name: '' }] })).toMatchObject([{ path: '$.segments[0]' }])
    expect(faultsOf({ ...exported, featureStrategies: [{ ...strategy, featureName: 'chekout' }] })).toEqual([
      {
        path: '$.featureStrategies[0].featureName',
        message: 'must be a feature of this file that exists, but is "chekout". Did you mean "checkout"?',
      },
    ])
    expect(faultsOf({ ...exported, tagTypes: [{ name: 'team', color: 'red' }] })).toMatchObject([
      { path: '$.tagTypes[0].color' },
    ])
    const badProject = { ...clientFeatures, features: [{ ...clientFeatures.features[0], project: 'no name' }] }
    expect(faultsOf(badProject)).toMatchObject([{ path: '$.features[0].project' }])
  })
})

onEveryAdapter('PATCH /__mock/state', (client) => {
  it.each([
    ['an export file', exported],
    ['client features', clientFeatures],
    ['features of a project', projectFeatures],
    ['a search result', found],
  ])('accepts %s, and the mock returns it', async (_, file) => {
    const { status, body } = await client.send('PATCH', '/__mock/state', file)
    expect(status).toBe(200)
    const { project } = body.features.find(({ name }: { name: string }) => name === 'checkout')
    const read = await client.send('GET', `/api/admin/projects/${project}/features/checkout`)
    expect(read.status).toBe(200)
  })

  it('rejects an invalid file as a whole, with the path in it', async () => {
    const before = client.mock.state()
    const { status, body } = await client.send('PATCH', '/__mock/state', {
      ...exported,
      featureTags: [{ tagValue: 3 }],
    })
    expect(status).toBe(400)
    expect(body.message).toContain('$.featureTags[0].featureName')
    expect(client.mock.state()).toEqual(before)
  })
})

describe('flagdouble validate', () => {
  const validate = async (content: object) => {
    const file = scratchFolder().put('given.json', content)
    const { done, stdout } = runCli(['validate', file])
    return { code: await done, lines: stdout().replace(file, 'FILE').trimEnd().split(/\n\s*/) }
  }

  it('names the format of an Unleash file, and the created records', async () => {
    const created = (what: string) => `created, because the file refers to it: ${what}`
    expect(await validate(exported)).toEqual({
      code: 0,
      lines: [
        'ok   FILE (Unleash export file)',
        '2 features',
        created('segment "beta testers"'),
        created('project "shop"'),
        created('tag type "team"'),
        created('environment "staging"'),
        created('context field "companyId"'),
        created('strategy type "byWeekday"'),
        'With the profile unleash-8, lists of projects leave out shop, as Unleash does.',
        'With the profile unleash-8, lists of environments leave out staging, as Unleash does.',
      ],
    })
    expect((await validate(clientFeatures)).lines).toEqual([
      "ok   FILE (client features, an SDK's backup or bootstrap file)",
      '1 feature',
      created('context field "region"'),
      created('feature "absent"'),
    ])
    expect((await validate(projectFeatures)).lines).toEqual([
      'ok   FILE (features of a project, a saved response)',
      '1 feature',
      created('environment "preview"'),
      expect.stringMatching(/^1 strategy created: the file mentions strategies/),
      'With the profile unleash-8, lists of environments leave out preview, as Unleash does.',
    ])
    expect((await validate(found)).lines[0]).toBe('ok   FILE (search result, a saved response)')
  })

  it('lists the errors of an invalid file', async () => {
    expect(await validate({ ...clientFeatures, features: [{ name: 1, enabled: true }] })).toEqual({
      code: 2,
      lines: [
        "bad  FILE (client features, an SDK's backup or bootstrap file)",
        '$.features[0].name (line 1): must be a string, but is 1',
      ],
    })
  })
})

it('flagdouble --fixtures accepts an Unleash file', async () => {
  const file = scratchFolder().put('export.json', exported)
  const cli = runCli(['--port', '0', '--json', '--fixtures', file])
  const response = await fetch(`${await cli.url()}/api/admin/projects/shop/features/checkout`, {
    headers: { authorization: 'user:mock-viewer' },
  })
  expect(response.status).toBe(200)
})

describe('older and other forms of files', () => {
  const worldOf = (fixtures: object) => createMock({ scenario: 'empty', fixtures: fixtures as ServiceFile })
  const rollout = { rollout: '0', stickiness: 'userId', groupId: 'x' }
  const strategies = (name: string, parameters: object) => [{ name, parameters, constraints: [] }]
  const flags = [
    { name: 'beta', enabled: true, strategies: strategies('userWithId', { userIds: 'u1' }) },
    { name: 'dark', enabled: true, strategies: strategies('flexibleRollout', rollout) },
    { name: 'plain', enabled: true },
  ]
  const strategiesIn = (mock: Mock, name: string) =>
    mock.features.get(name)?.environments.flatMap(({ strategies: own }) => own)

  it.each([
    ['a list of client features, as in bootstrap.data of the Node SDK', flags],
    ['a file of version 1', { version: 1, features: flags }],
    ['an object without a version', { features: flags }],
  ])('%s: a feature keeps its strategies, also next to one without any', (_, file) => {
    const mock = worldOf(file)
    expect(strategiesIn(mock, 'beta')).toMatchObject([{ name: 'userWithId', parameters: { userIds: 'u1' } }])
    expect(strategiesIn(mock, 'dark')).toMatchObject([{ name: 'flexibleRollout', parameters: { rollout: '0' } }])
    expect(strategiesIn(mock, 'plain')).toEqual([])
  })

  it('errors in a list have the path in the list', () => {
    const file = [{ name: 'beta', enabled: true, strategies: [{ name: 7 }] }]
    expect(() => worldOf(file)).toThrow('$[0].strategies[0].name: must be a string, but is 7')
  })

  const exported5 = {
    version: 4,
    features: [{ name: 'old', type: 'release', project: 'default', variants: [{ name: 'red', weight: 1000 }] }],
    strategies: [{ name: 'byWeekday', parameters: [] }],
    featureStrategies: [
      { id: 'a', featureName: 'old', strategyName: 'flexibleRollout', environment: 'default', parameters: rollout },
    ],
    featureEnvironments: [{ featureName: 'old', environment: 'default', enabled: true }],
    segments: [{ id: 3, name: 'staff', constraints: [] }],
    featureStrategySegments: [{ featureStrategyId: 'a', segmentId: 3 }],
    featureTags: [{ featureName: 'old', tagType: 'simple', tagValue: 'blue' }],
  }

  it('a state export of Unleash 4 or 5 keeps strategies, segments, variants and tags', () => {
    const mock = worldOf(exported5)
    const segments = mock.state().segments.map(({ id }) => id)
    expect(strategiesIn(mock, 'old')).toMatchObject([{ name: 'flexibleRollout', segments, parameters: rollout }])
    expect(mock.features.get('old')?.tags).toEqual([{ type: 'simple', value: 'blue' }])
    expect(mock.features.get('old')?.environments.find(({ name }) => name === 'default')).toMatchObject({
      enabled: true,
      variants: [{ name: 'red' }],
    })
  })

  it('a state export keeps the constraints of its segments', () => {
    const constraints = [{ contextName: 'userId', operator: 'IN', values: ['7'] }]
    const [segment] = worldOf({ ...exported5, segments: [{ id: 3, name: 'staff', constraints }] }).state().segments
    expect(segment).toMatchObject({ name: 'staff', constraints })
  })

  it('backup files of the Go and Android SDKs, and Edge’s short form, have flags by their names', async () => {
    const [beta, dark] = flags
    const mock = worldOf({ beta, dark })
    expect(strategiesIn(mock, 'dark')).toMatchObject([{ name: 'flexibleRollout', parameters: { rollout: '0' } }])
    const variant = { name: 'blue', enabled: true }
    const evaluated = worldOf({ 'a.b': { enabled: true, impressionData: false, variant }, off: { enabled: false } })
    expect(evaluated.client().getVariant('a.b').name).toBe('blue')
    expect(evaluated.client().isEnabled('off')).toBe(false)
    const stored = worldOf({
      contextId: '1',
      toggles: { on: { enabled: true, variant: { name: 'red', enabled: true } } },
    })
    expect(stored.client().getVariant('on').name).toBe('red')
    const short = worldOf({ on: { enabled: true, variant: 'green' }, off: { enabled: false, variant: 'green' } })
    expect([short.client().getVariant('on').name, short.client().isEnabled('off')]).toEqual(['green', false])
    const broken = { beta: { ...beta, strategies: [{ name: 7 }] } }
    const checked = runCli(['validate', scratchFolder().put('backup.json', broken)])
    expect(await checked.done).toBe(2)
    expect(checked.stdout()).toContain('$["beta"].strategies[0].name (line 1): must be a string, but is 7')
    expect(strategiesIn(worldOf({ ...broken, dark }), 'dark')).toHaveLength(1)
  })

  it('the body of an import is the file that it contains, with its target', () => {
    const file = { project: 'shop', environment: 'staging', data: exported }
    const [feature] = worldOf(file).features.list()
    expect(feature).toMatchObject({ project: 'shop' })
    expect(feature?.environments).toContainEqual(expect.objectContaining({ name: 'staging', enabled: true }))
    const broken = { ...file, data: { ...exported, features: [{ name: 7 }] } }
    expect(() => worldOf(broken)).toThrow('$.data.features[0].name: must be a string, but is 7')
  })

  it('a file of version 1 keeps its tags', () => {
    const file = {
      version: 1,
      features: flags,
      featureTags: exported5.featureTags.map((tag) => ({ ...tag, featureName: 'beta' })),
    }
    expect(worldOf(file).features.get('beta')?.tags).toEqual([{ type: 'simple', value: 'blue' }])
  })

  const whole = (environment: object, more: object = {}) => ({ name: 'dark', environments: [environment], ...more })
  const rolledOut = { strategies: strategies('flexibleRollout', rollout) }
  const tag = { featureName: 'beta', type: 'simple', value: 'blue' }

  it.each<[string, object]>([
    [
      'a list of version 2, strategies in environments',
      { version: 2, features: [whole({ name: 'development', enabled: true, ...rolledOut })] },
    ],
    [
      'a list of version 2, strategies beside environments',
      { version: 2, features: [whole({ name: 'development', enabled: true }, rolledOut)] },
    ],
    [
      'a state of Unleash 4.2, with strategies and definitions of environments',
      {
        version: 1,
        features: [whole({ name: 'development', enabled: true, protected: true, sortOrder: 0 }, rolledOut)],
      },
    ],
    ['one feature', whole({ name: 'development', enabled: true, ...rolledOut }, { stale: false })],
    ['a list of features', [whole({ name: 'development', enabled: true, ...rolledOut })]],
    ['one client feature', { name: 'dark', enabled: true, ...rolledOut }],
    [
      'GitLab’s list',
      [
        {
          name: 'dark',
          description: null,
          active: true,
          version: 'new_version_flag',
          created_at: '2026-01-02T03:04:05.678Z',
          scopes: [],
          strategies: [
            { id: 1, ...rolledOut.strategies[0], scopes: [{ id: 1, environment_scope: '*' }], user_list: null },
          ],
        },
      ],
    ],
  ])('%s: a feature keeps its strategies', (_, file) => {
    const mock = worldOf(file)
    const development = mock.features.get('dark')?.environments.find(({ name }) => name === 'development')
    expect(development).toMatchObject({ enabled: true, strategies: [{ name: 'flexibleRollout', parameters: rollout }] })
  })

  it.each([
    ['2026-01-02', '2026-01-02T00:00:00.000Z'],
    ['2026-01-02T03:04:05', '2026-01-02T03:04:05.000Z'],
    ['2026-01-02 03:04:05.678', '2026-01-02T03:04:05.678Z'],
  ])('a date without its zone counts as UTC: %s', (createdAt, read) => {
    expect(worldOf([{ ...flags[0], createdAt }]).features.get('beta')?.createdAt).toBe(read)
  })

  it('GitLab’s flags of before version 13.5 and its environments below a folder are read', () => {
    const all = { active: true, environment_scope: '*', strategies: strategies('userWithId', { userIds: 'u1' }) }
    const off = { active: false, environment_scope: 'production', strategies: strategies('default', {}) }
    const mock = worldOf([
      { name: 'older', active: true, version: 'legacy_flag', scopes: [all, off] },
      {
        name: 'newer',
        active: true,
        strategies: [{ name: 'default', parameters: {}, scopes: [{ environment_scope: 'review/*' }] }],
      },
    ])
    const enabled = (name: string) =>
      mock.features.get(name)?.environments.flatMap((one) => (one.enabled ? [[one.name, one.strategies[0]?.name]] : []))
    expect(enabled('older')).toEqual([
      ['development', 'userWithId'],
      ['review-*', 'userWithId'],
    ])
    expect(enabled('newer')).toEqual([['review-*', 'default']])
  })

  it('GitLab’s lists of users and environments are read', () => {
    const scoped = (name: string, environment: string, more: object) => ({
      name,
      scopes: [{ environment_scope: environment }],
      ...more,
    })
    const mock = worldOf([
      {
        name: 'dark',
        active: true,
        strategies: [
          scoped('gitlabUserList', 'production', { user_list: { user_xids: 'u1,u2' } }),
          scoped('default', 'staging', { parameters: {} }),
        ],
      },
      { name: 'idle', active: false, strategies: [scoped('default', '*', { parameters: {} })] },
      {
        name: 'everywhere',
        active: true,
        strategies: [
          scoped('default', '*', { parameters: {} }),
          scoped('userWithId', 'development', { parameters: {} }),
        ],
      },
    ])
    const shown = mock.features.get('dark')?.environments.map(({ name, enabled, strategies: own }) => {
      return [name, enabled, own.map((one) => [one.name, one.parameters.userIds])]
    })
    expect(shown).toEqual(
      expect.arrayContaining([
        ['development', false, []],
        ['production', true, [['userWithId', 'u1,u2']]],
        ['staging', true, [['default', undefined]]],
      ]),
    )
    expect(
      mock.features.get('everywhere')?.environments.map(({ name, strategies: own }) => [name, own.length]),
    ).toEqual([
      ['development', 2],
      ['production', 1],
      ['staging', 1],
    ])
    expect(mock.features.get('idle')?.environments.map(({ enabled }) => enabled)).not.toContain(true)
  })

  it('a file of version 1 can name the parts of tags otherwise, have a tag twice, and leave out `enabled`', () => {
    const [beta] = flags
    const mock = worldOf({
      version: 1,
      features: [beta, { name: 'idle', strategies: strategies('default', {}) }],
      featureTags: [tag, tag],
    })
    expect(mock.features.get('beta')?.tags).toEqual([{ type: 'simple', value: 'blue' }])
    expect(mock.features.get('idle')?.environments.map(({ enabled }) => enabled)).not.toContain(true)
  })

  it('of a tag type that an export has twice, the first counts', () => {
    const twice = ['red', 'blue'].map((description) => ({ name: 'special', description }))
    const types = worldOf({ ...exported, tagTypes: twice }).state().tagTypes
    expect(types.filter(({ name }) => name === 'special')).toMatchObject([{ description: 'red' }])
  })

  it('lists that are left out are named, by validate and at the start', async () => {
    const file = scratchFolder().put('old.json', exported5)
    const checked = runCli(['validate', file])
    expect(await checked.done).toBe(0)
    expect(checked.stdout()).toContain('left out: strategies (1)\n')
    const { stderr } = await startCli(['--fixtures', file])
    expect(stderr()).toBe(`flagdouble: ${file}: left out: strategies (1)\n`)
    const exporting = runCli(['export', '--fixtures', file])
    expect([await exporting.done, exporting.stderr()]).toEqual([0, stderr()])
    const started = await startCli([], { env: { AUTH_TYPE: 'none', IMPORT_FILE: file } })
    expect(started.stderr()).toContain(`IMPORT_FILE ${file}: left out: strategies (1)\n`)
  })

  it('lists that are left out are named for fixtures in code, and when a file is added', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    onTestFinished(() => warn.mockRestore())
    const fixtures = [exported5 satisfies ServiceFile, { features: [{ name: 'own' }] }]
    await using server = await startServer({ fixtures }, { port: 0 })
    expect(warn.mock.calls).toEqual([['[flagdouble] The fixture: left out: strategies (1)']])
    const response = await fetch(`${server.url}/__mock/state`, { method: 'PATCH', body: JSON.stringify(exported5) })
    expect([response.status, response.headers.get('x-mock-hint')]).toEqual([200, 'left out: strategies (1)'])
    expect(server.mock.history.list().at(-1)?.title).toBe('Records were added; left out: strategies (1)')
  })

  it.each([['utf16le', '\ufeff{}']] as const)('a file in UTF-16 is named as such: %s', async (encoding, text) => {
    const { done, stderr } = runCli(['--fixtures', scratchFolder().put('own.json', Buffer.from(text, encoding))])
    expect([await done, stderr()]).toEqual([2, expect.stringContaining('own.json: is UTF-16 text, but must be UTF-8')])
  })
})
