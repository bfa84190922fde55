import { beforeEach, expect, it } from 'vitest'
import { EDITOR, onEveryAdapter, VIEWER } from '../../support/adapters.js'
import { onBothProfiles } from '../../support/both.js'

/** A personal token of the admin. */
const OWNER = 'user:mock-admin'

const batch = '/api/admin/features-batch'

onBothProfiles('export and import of features', (client) => {
  const post = (what: string, body: unknown, key = EDITOR) => client.send('POST', `${batch}/${what}`, body, { key })
  const exported = async (query: object) => (await post('export', { environment: 'development', ...query })).body
  const last = (count: number) => client.mock.events.list().slice(-count)
  const minimal = { features: [{ name: 'new' }], featureStrategies: [], tagTypes: [] }
  const into = (data: object) => ({ project: 'default', environment: 'development', data })

  beforeEach(() => {
    client.mock.add({
      tagTypes: [{ name: 'team' }],
      segments: [
        { id: 90, name: 'insiders' },
        { id: 91, name: 'elsewhere', project: 'mobile-app' },
      ],
      contextFields: [
        { name: 'plan', legalValues: [{ value: 'gold' }] },
        { name: 'theirs', project: 'mobile-app' },
      ],
      features: [
        { name: 'parent' },
        {
          name: 'source',
          type: 'experiment',
          description: 'To copy',
          tags: [{ type: 'team', value: 'shop' }],
          links: [{ url: 'https://example.com/a', title: 'A' }],
          dependencies: [{ feature: 'parent' }],
          environments: [
            {
              name: 'development',
              enabled: true,
              strategies: [
                {
                  name: 'flexibleRollout',
                  title: 'Half',
                  segments: [90],
                  constraints: [{ contextName: 'plan', operator: 'IN', values: ['gold'] }],
                },
              ],
            },
          ],
        },
        { name: 'gone', archived: true },
      ],
    })
  })

  it('an export contains features with all their references', async () => {
    const body = await exported({ features: ['source', 'nope'] })
    expect(body).toMatchObject({
      features: [{ name: 'source', type: 'experiment', project: 'default' }],
      featureStrategies: [{ name: 'flexibleRollout', featureName: 'source', title: 'Half', segments: [90] }],
      featureEnvironments: [{ name: 'source', featureName: 'source', environment: 'development', enabled: true }],
      contextFields: [{ name: 'plan', legalValues: [{ value: 'gold' }] }],
      featureTags: [{ featureName: 'source', tagType: 'team', tagValue: 'shop' }],
      segments: [{ id: 90, name: 'insiders' }],
      tagTypes: [{ name: 'team' }],
      dependencies: [{ feature: 'source', dependencies: [{ feature: 'parent', enabled: true, variants: [] }] }],
      links: [{ feature: 'source', links: [{ url: 'https://example.com/a', title: 'A' }] }],
    })
    expect(body.features[0]).not.toHaveProperty('createdAt')
    expect(last(1)[0]).toMatchObject({
      type: 'features-exported',
      data: { data: body, auditUser: { ip: '127.0.0.1' } },
    })
  })

  it('features are selected by name, tag or project', async () => {
    const names = async (query: object) => (await exported(query)).features.map(({ name }: { name: string }) => name)
    expect(await names({ tag: 'shop' })).toEqual(['source'])
    expect(await names({ project: 'mobile-app' })).toEqual(['push-opt-in'])
    expect(await names({ tag: 'none' })).toEqual([])
    expect((await post('export', { environment: 'development' })).status).toBe(400)
    // A tag takes precedence over names, and names over the project; an empty list of names selects none.
    expect(await names({ features: ['parent'], tag: 'shop', project: 'mobile-app' })).toEqual(['source'])
    expect(await names({ features: ['parent'], project: 'mobile-app' })).toEqual(['parent'])
    expect(await names({ features: [], project: 'mobile-app' })).toEqual(['push-opt-in'])
    const active = client.mock.features.list().filter(({ archived }) => !archived)
    expect(await names({ features: [] })).toEqual(active.map(({ name }) => name).toSorted())
  })

  it('an export can be imported into another environment', async () => {
    const data = await exported({ features: ['source'] })
    expect((await post('import', { project: 'default', environment: 'production', data })).status).toBe(200)
    const path = '/api/admin/projects/default/features/source/environments'
    const read = async (environment: string) => (await client.send('GET', `${path}/${environment}`)).body
    const [from, to] = [await read('development'), await read('production')]
    expect(to).toMatchObject({ enabled: true, strategies: [{ title: 'Half', name: 'flexibleRollout' }] })
    expect(to.strategies[0].id).not.toBe(from.strategies[0].id)
    const { body: found } = await client.send('GET', `${path}/production/strategies`)
    expect(found[0].segments).toEqual([90])
  })

  it('an import creates features, and their references, in one group of events', async () => {
    const data = {
      ...minimal,
      features: [{ name: 'new', description: 'Fresh', type: 'release', project: 'elsewhere' }],
      featureStrategies: [{ name: 'default', featureName: 'new' }],
      featureEnvironments: [{ name: 'new', featureName: 'new', environment: 'production', enabled: true }],
      tagTypes: [{ name: 'area', description: 'x' }],
      featureTags: [{ featureName: 'new', tagType: 'area', tagValue: 'cart' }],
      contextFields: [{ name: 'region', description: null }],
      dependencies: [{ feature: 'new', dependencies: [{ feature: 'parent' }] }],
      links: [{ feature: 'new', links: [{ url: 'https://example.com/b', title: 'B' }] }],
    }
    expect((await post('import', into(data))).status).toBe(200)
    expect(client.mock.state().features.find(({ name }) => name === 'new')).toMatchObject({
      project: 'default',
      description: 'Fresh',
      tags: [{ type: 'area', value: 'cart' }],
      links: [{ url: 'https://example.com/b', title: 'B' }],
      dependencies: [{ feature: 'parent' }],
    })
    const events = last(10)
    expect(events.map(({ type }) => type).toSorted()).toEqual([
      'context-field-created',
      'feature-created',
      'feature-dependency-added',
      'feature-environment-enabled',
      'feature-link-added',
      'feature-strategy-add',
      'feature-tagged',
      'features-imported',
      'tag-created',
      'tag-type-created',
    ])
    expect(new Set(events.map(({ groupId }) => groupId)).size).toBe(1)
    expect(events.at(-1)).toMatchObject({ type: 'features-imported', project: 'default', environment: 'development' })
  })

  it('a context field of a project is imported into the project', async () => {
    const contextFields = [{ name: 'tier', project: 'elsewhere', sortOrder: 7 }, { name: 'region' }]
    expect((await post('import', into({ ...minimal, contextFields }))).status).toBe(200)
    const { body } = await client.send('GET', '/api/admin/projects/default/context?include=root')
    const added = body.filter(({ name }: { name: string }) => ['region', 'tier'].includes(name))
    expect(added).toMatchObject([{ name: 'region' }, { name: 'tier', project: 'default', sortOrder: 0 }])
    expect(added[0]).not.toHaveProperty('project')
  })

  it('an import overwrites features and skips archived ones', async () => {
    const features = [
      { name: 'source', description: 'Changed', impressionData: true },
      { name: 'gone', description: 'Changed' },
    ]
    const data = { ...minimal, features, featureStrategies: [{ name: 'default', featureName: 'source' }] }
    const { body } = await post('validate', into(data))
    expect(body.errors).toEqual([])
    expect(body.warnings.map(({ affectedItems }: { affectedItems: string[] }) => affectedItems)).toEqual([
      ['gone'],
      ['source'],
    ])
    expect((await post('import', into(data))).status).toBe(200)
    const source = client.mock.features.get('source')
    expect(source).toMatchObject({ description: 'Changed', impressionData: true, tags: [] })
    expect(source?.environments[0]?.strategies.map(({ name }) => name)).toEqual(['default'])
    expect(client.mock.features.get('gone')?.description).toBeNull()
  })

  it.each([
    ['an unknown strategy type', { featureStrategies: [{ name: 'homemade', featureName: 'new' }] }, 'homemade'],
    ['an unknown segment', { segments: [{ id: 1, name: 'outsiders' }] }, 'outsiders'],
    ['an unknown parent', { dependencies: [{ feature: 'new', dependencies: [{ feature: 'nope' }] }] }, 'nope'],
    ['other legal values', { contextFields: [{ name: 'plan', legalValues: [{ value: 'free' }] }] }, 'plan'],
    ['a feature of another project', { features: [{ name: 'push-opt-in' }] }, 'push-opt-in (in project mobile-app)'],
    ['a segment of another project', { segments: [{ id: 1, name: 'elsewhere' }] }, 'elsewhere'],
    ['a context field of another project', { contextFields: [{ name: 'theirs' }] }, 'theirs'],
  ])('an import is rejected with %s', async (_, part, item) => {
    const sent = into({ ...minimal, ...part })
    const { body } = await post('validate', sent)
    expect(body.errors.map(({ affectedItems }: { affectedItems: string[] }) => affectedItems)).toEqual([[item]])
    const rejected = await post('import', sent)
    expect([rejected.status, rejected.body.name]).toEqual([400, 'BadDataError'])
    expect(rejected.body.message).toContain(item)
    expect(client.mock.features.get('new')).toBeUndefined()
  })

  it.each([
    [
      'a new feature with a tag that does not exist',
      { features: [{ name: 'new', tags: [{ type: 'simple', value: 'unmade' }] }] },
    ],
    ['the 31st strategy', { featureStrategies: Array(31).fill({ name: 'default', featureName: 'new' }) }],
  ])("%s is not imported, because it couldn't be created separately", async (_, data) => {
    const before = client.mock.state()
    expect((await post('import', into({ ...minimal, ...data }))).status).toBe(400)
    expect(client.mock.state()).toEqual(before)
  })

  it.each([
    [
      'in a circle',
      ['new', 'other'],
      [
        ['new', 'other'],
        ['other', 'new'],
      ],
    ],
    ['on a feature that depends on another', ['new'], [['new', 'source']]],
    ['although others depend on it', ['parent'], [['parent', 'new']]],
  ])('a feature that depends %s is not imported', async (_, names, pairs) => {
    const features = [...new Set([...names, 'new'])].map((name) => ({ name, project: 'default' }))
    const dependencies = pairs.map(([feature, parent]) => ({ feature, dependencies: [{ feature: parent }] }))
    const before = client.mock.state()
    expect((await post('import', into({ ...minimal, features, dependencies }))).status).toBe(403)
    expect(client.mock.state()).toEqual(before)
  })

  it('a feature is imported with a later parent', async () => {
    const features = [{ name: 'new', project: 'default' }, { name: 'later' }]
    const dependencies = [{ feature: 'new', dependencies: [{ feature: 'later' }] }]
    expect((await post('import', into({ ...minimal, features, dependencies }))).status).toBe(200)
    expect(client.mock.features.get('new')?.dependencies).toEqual([{ feature: 'later', enabled: true, variants: [] }])
  })

  it('no feature is imported into a project that does not exist; other records are', async () => {
    const before = client.mock.state()
    const intoNowhere = async (data: object, key: string) =>
      (await post('import', { ...into({ ...minimal, ...data }), project: 'nope' }, key)).status
    // One profile first rejects an editor's permissions there.
    expect([403, 404]).toContain(await intoNowhere({}, EDITOR))
    expect(await intoNowhere({}, OWNER)).toBe(404)
    expect(client.mock.state()).toEqual(before)
    expect(await intoNowhere({ features: [], contextFields: [{ name: 'lonely' }] }, OWNER)).toBe(200)
    expect(client.mock.state().contextFields).toContainEqual(expect.objectContaining({ name: 'lonely' }))
  })

  const named = (...names: string[]) => into({ ...minimal, features: names.map((name) => ({ name })) })
  const refuse = async (sent: object) => {
    const before = client.mock.state()
    const { status, body } = await post('import', sent)
    expect(client.mock.state()).toEqual(before)
    return [status, body.name, body.message]
  }

  it('a repeated new name is a conflict, and nothing is imported', async () => {
    const twice = named('first', 'new', 'new')
    expect((await post('validate', twice)).body.errors).toEqual([
      { message: expect.any(String), affectedItems: ['new'] },
    ])
    expect(await refuse(twice)).toEqual([409, 'NameExistsError', expect.stringContaining('"new"')])
    expect((await post('import', named('source', 'source'))).status).toBe(200)
  })

  it('names must match the pattern of the project; otherwise nothing is imported', async () => {
    client.mock.add({
      projects: [{ id: 'default', featureNaming: { pattern: 'shop-.+', example: null, description: null } }],
    })
    const sent = named('shop-b', 'zz', 'aa')
    expect((await post('validate', sent)).body.errors).toEqual([
      { message: expect.stringContaining('"shop-.+"'), affectedItems: ['aa', 'zz'] },
    ])
    expect(await refuse(sent)).toEqual([400, 'PatternError', expect.stringMatching(/"zz".*"shop-\.\+"/)])
    expect((await post('import', named('shop-b', 'source'))).status).toBe(200)
  })

  it('an import can’t take a project beyond its limit', async () => {
    const active = client.mock.features.list({ project: 'default' }).filter(({ archived }) => !archived).length
    client.mock.add({ projects: [{ id: 'default', featureLimit: active + 1 }] })
    const sent = named('one', 'two')
    expect((await post('validate', sent)).body.errors).toEqual([{ message: expect.any(String), affectedItems: [] }])
    expect(await refuse(sent)).toEqual([403, 'InvalidOperationError', expect.any(String)])
    const enough = named('one', 'one', 'source')
    expect((await post('validate', enough)).body.errors).toMatchObject([{ affectedItems: ['one'] }])
    expect((await post('import', named('one', 'source'))).status).toBe(200)
  })

  it('the errors of an import are reported in one order', async () => {
    client.mock.add({
      projects: [
        { id: 'default', featureLimit: 0, featureNaming: { pattern: 'shop-.+', example: null, description: null } },
      ],
    })
    const { body } = await post(
      'validate',
      into({
        features: [{ name: 'shop-a' }, { name: 'shop-a' }, { name: 'push-opt-in' }],
        featureStrategies: [
          { name: 'homemade', featureName: 'shop-a' },
          { name: 'homemade', featureName: 'shop-a' },
        ],
        tagTypes: [],
        contextFields: [{ name: 'plan', legalValues: [{ value: 'free' }] }],
        segments: [{ id: 1, name: 'outsiders' }],
        dependencies: [{ feature: 'shop-a', dependencies: [{ feature: 'nope' }, { feature: 'gone' }] }],
      }),
    )
    expect(body.errors.map(({ affectedItems }: { affectedItems: string[] }) => affectedItems)).toEqual([
      ['homemade', 'homemade'],
      ['plan'],
      ['push-opt-in (in project mobile-app)'],
      ['shop-a'],
      ['push-opt-in'],
      [],
      ['outsiders'],
      ['nope'],
    ])
  })

  it('an import needs a permission for each of its changes', async () => {
    const missing = async (data: object) =>
      (await post('validate', into({ ...minimal, ...data }), VIEWER)).body.permissions[0].affectedItems
    expect(await missing({ features: [{ name: 'parent' }] })).toEqual(['Update feature flags'])
    const everything = {
      features: [{ name: 'source' }, { name: 'new' }],
      featureStrategies: [{ name: 'default', featureName: 'new' }],
      featureEnvironments: [
        {
          name: 'new',
          featureName: 'new',
          enabled: true,
          variants: [{ name: 'a', weight: 1000, weightType: 'variable', stickiness: 'default' }],
        },
      ],
      tagTypes: [{ name: 'area' }],
      contextFields: [{ name: 'region' }],
    }
    expect(await missing(everything)).toEqual([
      'Create context fields',
      'Create activation strategies',
      'Delete activation strategies',
      'Update variants',
      'Create feature flags',
      'Update feature flags',
      'Create tag types',
    ])
    const rejected = await post('import', into({ ...minimal, ...everything }), VIEWER)
    expect([rejected.status, rejected.body.message]).toEqual([
      403,
      expect.stringContaining('"Create activation strategies"'),
    ])
  })

  it('an import disables a feature', async () => {
    const featureEnvironments = [{ name: 'source', featureName: 'source', enabled: false }]
    const data = { ...minimal, features: [{ name: 'source' }], featureEnvironments }
    expect((await post('import', into(data))).status).toBe(200)
    expect(client.mock.features.get('source')?.environments[0]).toMatchObject({ name: 'development', enabled: false })
    const [event] = client.mock.events.list({ type: 'feature-environment-disabled' })
    expect(event).toMatchObject({ featureName: 'source', environment: 'development' })
  })

  it('an export contains disabled strategies and strategies of disabled environments', async () => {
    const strategies = [{ name: 'default', disabled: true }]
    client.mock.add({ features: [{ name: 'off', environments: { development: { enabled: false, strategies } } }] })
    expect((await exported({ features: ['off'] })).featureStrategies).toMatchObject([
      { featureName: 'off', name: 'default', disabled: true },
    ])
  })

  it('an enabled feature without strategies gets one in an import, as when it is switched on', async () => {
    const data = { ...minimal, featureEnvironments: [{ name: 'new', featureName: 'new', enabled: true }] }
    expect((await post('import', into(data))).status).toBe(200)
    expect(client.mock.features.get('new')?.environments[0]).toMatchObject({
      enabled: true,
      strategies: [{ name: 'flexibleRollout', parameters: { groupId: 'new' } }],
    })
  })

  it("imported links replace the feature's links", async () => {
    const links = [{ feature: 'source', links: [{ url: 'https://example.com/b', title: null }] }]
    expect(
      (await post('import', into({ ...minimal, features: [{ name: 'source' }, { name: 'parent' }], links }))).status,
    ).toBe(200)
    const urls = client.mock.state().features.find(({ name }) => name === 'source')?.links
    expect(urls).toMatchObject([{ url: 'https://example.com/b' }])
  })

  it('a feature is not imported with more links than the maximum', async () => {
    const linked = (count: number) => {
      const links = Array.from({ length: count }, (_, i) => ({ url: `https://example.com/${i}` }))
      return into({ ...minimal, links: [{ feature: 'new', links }] })
    }
    expect(await refuse(linked(11))).toEqual([403, expect.any(String), expect.stringContaining('10 links')])
    expect((await post('import', linked(10))).status).toBe(200)
  })

  it('a feature of an unknown type is imported', async () => {
    expect((await post('import', into({ ...minimal, features: [{ name: 'new', type: 'odd' }] }))).status).toBe(200)
    expect(client.mock.features.get('new')?.type).toBe('odd')
  })

  it('an imported tag keeps surrounding spaces, and a tag without a type is left out', async () => {
    const featureTags = [
      { featureName: 'new', tagType: 'simple', tagValue: ' x1 ' },
      { featureName: 'new', tagValue: 'x' },
    ]
    expect((await post('import', into({ ...minimal, featureTags }))).status).toBe(200)
    expect(client.mock.features.get('new')?.tags).toEqual([{ type: 'simple', value: ' x1 ' }])
    client.mock.restore(client.mock.state())
  })

  it('a repeated tag or parent is imported once, in its last form', async () => {
    const data = {
      ...minimal,
      features: [{ name: 'new', project: 'default' }],
      featureTags: Array(2).fill({ featureName: 'new', tagType: 'simple', tagValue: 'x1' }),
      dependencies: [
        { feature: 'new', dependencies: [{ feature: 'parent' }, { feature: 'parent', enabled: false }] },
        { feature: 'new', dependencies: [{ feature: 'legacy-export' }] },
      ],
    }
    expect((await post('import', into(data))).status).toBe(200)
    expect(client.mock.features.get('new')).toMatchObject({
      tags: [{ type: 'simple', value: 'x1' }],
      dependencies: [
        { feature: 'parent', enabled: false, variants: [] },
        { feature: 'legacy-export', enabled: true, variants: [] },
      ],
    })
    // Unleash logs every entry.
    const types = last(9).map(({ type }) => type)
    expect(types.filter((type) => type === 'feature-tagged')).toHaveLength(2)
    expect(types.filter((type) => type === 'feature-dependency-added')).toHaveLength(3)
  })

  it("an import adds no dependency that couldn't be added separately", async () => {
    const dependencies = [{ feature: 'parent', dependencies: [{ feature: 'source' }] }]
    const sent = (project?: string) => into({ ...minimal, features: [{ name: 'parent', project }], dependencies })
    expect(await refuse(sent('default'))).toEqual([403, 'InvalidOperationError', expect.any(String)])
    // Without a project of the feature, its dependencies are left out.
    expect((await post('import', sent())).status).toBe(200)
    expect(client.mock.features.get('parent')?.dependencies).toEqual([])
  })

  it('an archived parent is rejected, unless its feature has no project', async () => {
    const dependencies = [{ feature: 'new', dependencies: [{ feature: 'gone' }, { feature: 'parent' }] }]
    const sent = (more: object) =>
      into({ ...minimal, features: [{ name: 'new', ...more }, { name: 'gone' }], dependencies })
    expect(await refuse(sent({ project: 'default' }))).toEqual([
      403,
      'InvalidOperationError',
      expect.stringContaining('"gone"'),
    ])
    expect((await post('import', sent({}))).status).toBe(200)
    expect(client.mock.features.get('new')?.dependencies).toEqual([])
  })

  it("imported parents replace a feature's own", async () => {
    const dependencies = [{ feature: 'source', dependencies: [{ feature: 'legacy-export' }] }]
    const features = [{ name: 'source', project: 'default' }]
    expect((await post('import', into({ ...minimal, features, dependencies }))).status).toBe(200)
    expect(client.mock.features.get('source')?.dependencies).toMatchObject([{ feature: 'legacy-export' }])
  })

  it('the data of an archived feature is left out', async () => {
    const data = {
      ...minimal,
      features: [{ name: 'gone', project: 'default' }],
      featureStrategies: [{ name: 'default', featureName: 'gone' }],
      featureEnvironments: [{ name: 'gone', featureName: 'gone', enabled: true }],
      featureTags: [{ featureName: 'gone', tagType: 'squad', tagValue: 'x1' }],
      tagTypes: [{ name: 'squad' }],
      dependencies: [{ feature: 'gone', dependencies: [{ feature: 'source' }] }],
    }
    const before = client.mock.state()
    expect((await post('import', into(data))).status).toBe(200)
    expect(client.mock.state()).toEqual({ ...before, events: expect.anything() })
  })

  it('only strategies can be imported into an environment outside of the project', async () => {
    client.mock.add({ projects: [{ id: 'default', environments: ['development'] }] })
    const strategy = { ...minimal, featureStrategies: [{ name: 'default', featureName: 'new' }] }
    expect((await post('import', { ...into(strategy), environment: 'production' })).status).toBe(200)
    const stored = client.mock.state().features.find(({ name }) => name === 'new')
    expect(stored).toMatchObject({ detached: [{ name: 'production', strategies: [{ name: 'default' }] }] })
    const state = { ...minimal, featureEnvironments: [{ name: 'new', featureName: 'new', enabled: false }] }
    expect((await refuse({ ...into(state), environment: 'production' })).slice(0, 2)).toEqual([404, 'NotFoundError'])
  })

  it('custom strategy types are a warning', async () => {
    client.mock.add({ strategyTypes: [{ name: 'homemade' }] })
    const { body } = await post(
      'validate',
      into({ ...minimal, featureStrategies: [{ name: 'homemade', featureName: 'new' }] }),
    )
    expect(body).toMatchObject({ errors: [], warnings: [{ affectedItems: ['homemade'] }] })
  })

  it('an export is sorted by name, and has the context fields of variants', async () => {
    client.mock.add({
      contextFields: [{ name: 'area' }],
      features: [
        {
          name: 'alpha',
          environments: {
            development: {
              variants: [
                { name: 'a', stickiness: 'plan', overrides: [{ contextName: 'theirs', values: ['x'] }] },
                { name: 'b', overrides: [{ contextName: 'area', values: ['x'] }] },
              ],
            },
          },
        },
      ],
    })
    const body = await exported({ features: ['source', 'alpha', 'gone'] })
    expect(body.features.map(({ name }: { name: string }) => name)).toEqual(['alpha', 'gone', 'source'])
    // Punctuation and case only count between equal letters.
    const names = ['AB', 'a-b', 'a_c', 'a_b', 'ab']
    client.mock.add({ features: names.map((name) => ({ name })) })
    const sorted = (await exported({ features: names })).features.map(({ name }: { name: string }) => name)
    expect(sorted).toEqual(['a_b', 'a-b', 'ab', 'AB', 'a_c'])
    expect(body.featureStrategies).toMatchObject([{ featureName: 'source' }])
    const { contextFields } = await exported({ features: ['alpha'] })
    expect(contextFields.map(({ name }: { name: string }) => name)).toEqual(['area', 'plan', 'theirs'])
  })

  it('an export has strategies of an environment that the project has lost', async () => {
    await client.send('DELETE', '/api/admin/projects/default/environments/development')
    const body = await exported({ features: ['source'] })
    expect(body).toMatchObject({ featureStrategies: [{ title: 'Half' }], featureEnvironments: [] })
  })

  it('an export has the types of its tags, and no others with the same prefix', async () => {
    const tags = [{ type: 'team:a', value: 'x1' }]
    client.mock.add({ tagTypes: [{ name: 'team:a' }], features: [{ name: 'alpha', tags }] })
    expect((await exported({ features: ['alpha'] })).tagTypes).toMatchObject([{ name: 'team:a' }])
  })

  it('an import needs a user with the permissions', async () => {
    const { body } = await post('validate', into(minimal), VIEWER)
    expect(body.permissions).toEqual([
      { message: expect.any(String), affectedItems: ['Create feature flags', 'Update feature flags'] },
    ])
    expect((await post('import', into(minimal), VIEWER)).status).toBe(403)
    const byToken = await client.send('POST', `${batch}/import`, into(minimal))
    expect([byToken.status, byToken.body.name]).toEqual([400, 'BadDataError'])
    const illegal = await post('import', into({ ...minimal, features: [{ name: 'not legal' }] }))
    expect(illegal.status).toBe(400)
    expect((await post('import', into({}))).status).toBe(400)
  })
})

onEveryAdapter('an import', (client) => {
  const features = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ name: `feature-${i}`, description: 'x'.repeat(1000) }))
  const sent = (project: string, count: number) => {
    const data = { features: features(count), featureStrategies: [], tagTypes: [] }
    return { project, environment: 'development', data }
  }
  const post = (what: string, body: object) => client.send('POST', `${batch}/${what}`, body, { key: EDITOR })

  it('imports, and other large requests, can have 512,000 bytes', async () => {
    expect((await post('import', sent('default', 300))).status).toBe(200)
    expect((await post('validate', sent('default', 300))).status).toBe(200)
    for (const what of ['import', 'validate', 'export']) {
      const { status, body } = await post(what, sent('default', 500))
      expect([what, status, body.message]).toEqual([what, 413, expect.stringContaining('512000')])
    }
  })
})

onBothProfiles('imports as Unleash takes them', (client) => {
  const send = (data: object, place: object = {}) => {
    const whole = { features: [{ name: 'new' }], featureStrategies: [], tagTypes: [], ...data }
    const body = { project: 'default', environment: 'development', data: whole, ...place }
    return client.send('POST', `${batch}/import`, body, { key: OWNER })
  }
  const strategiesOf = (titles: readonly (readonly [title: string, sortOrder?: number])[]) =>
    titles.map(([title, sortOrder]) => ({ name: 'default', featureName: 'new', title, sortOrder }))
  const stored = () =>
    client.mock.features.get('new')?.environments[0]?.strategies.map(({ title, sortOrder }) => [title, sortOrder])

  const stateOf = (featureName: string) => ({ name: featureName, featureName, enabled: true })
  const tagOf = (featureName: string) => ({ featureName, tagType: 'simple', tagValue: 'x1' })
  const linkOf = (feature: string) => ({ feature, links: [{ url: 'https://example.com/a' }] })

  beforeEach(() => client.mock.add({ features: [{ name: 'gone', archived: true }, { name: 'other' }] }))

  it('strategies are sorted, and those without a sort order come last', async () => {
    expect((await send({ featureStrategies: strategiesOf([['one', 5], ['two'], ['three', 2]]) })).status).toBe(200)
    expect(stored()).toEqual([
      ['three', 2],
      ['one', 5],
      ['two', 6],
    ])
  })

  it('without any sort order, all are at 0', async () => {
    await send({ featureStrategies: strategiesOf([['one'], ['two']]) })
    expect(stored()).toEqual([
      ['one', 0],
      ['two', 0],
    ])
  })

  it('variants without a type of weight are left out', async () => {
    const variants = [
      { name: 'a', weight: 1, weightType: 'variable' },
      { name: 'b', weight: 1 },
    ]
    const featureEnvironments = [{ name: 'new', featureName: 'new', enabled: false, variants }]
    expect((await send({ featureEnvironments })).status).toBe(200)
    expect(client.mock.features.get('new')?.environments[0]?.variants).toMatchObject([{ name: 'a', weight: 1000 }])
  })

  it.each([
    ['a property that features do not have', { features: [{ name: 'new', variants: [] }] }, {}, 400],
    ['a strategy of an unknown feature', { featureStrategies: [{ name: 'default', featureName: 'nope' }] }, {}, 404],
    [
      'a broken strategy, and one of an unknown feature',
      {
        featureStrategies: [
          {
            name: 'default',
            featureName: 'new',
            constraints: [{ contextName: 'userId', operator: 'NUM_EQ', value: 'x' }],
          },
          { name: 'default', featureName: 'nope' },
        ],
      },
      {},
      404,
    ],
    ['an unknown project', {}, { project: 'nope' }, 404],
    [
      'a tag of an unknown type, for an unknown project',
      { featureTags: [{ featureName: 'new', tagType: 'nope', tagValue: 'x1' }] },
      { project: 'nope' },
      404,
    ],
    [
      'broken variants in an unknown environment',
      { featureEnvironments: [{ ...stateOf('new'), variants: [{ name: 'a', weight: 1, weightType: 'fix' }] }] },
      { environment: 'nope' },
      400,
    ],
    [
      'strategies for an unknown environment',
      { featureStrategies: strategiesOf([['one']]) },
      { environment: 'nope' },
      400,
    ],
    ['an unknown environment, without strategies', {}, { environment: 'nope' }, 200],
    ['the state of an archived feature that is not in it', { featureEnvironments: [stateOf('gone')] }, {}, 400],
    [
      'the state of an archived feature that is in it',
      { features: [{ name: 'new' }, { name: 'gone' }], featureEnvironments: [stateOf('gone')] },
      {},
      200,
    ],
    ['links of an archived feature', { links: [linkOf('gone')] }, {}, 404],
    ['the state of an unknown feature', { featureEnvironments: [stateOf('nope')] }, {}, 404],
    ['a tag of an unknown feature', { featureTags: [tagOf('nope')] }, {}, 404],
    ['links of an unknown feature', { links: [linkOf('nope')] }, {}, 404],
    ['a feature of another project', { features: [{ name: 'push-opt-in' }] }, { project: 'nope' }, 400],
  ])('an import with %s is checked', async (_, data, place, expected) => {
    expect((await send(data, place)).status).toBe(expected)
    expect(client.mock.features.get('new') !== undefined).toBe(expected === 200)
  })

  it('each unsupported strategy or context field is a separate error', async () => {
    const featureStrategies = ['odd', 'odder'].map((name) => ({ name, featureName: 'new' }))
    const { body } = await send({ featureStrategies })
    const described = 'id' in body ? {} : { description: expect.stringContaining('odder') }
    expect(body.details).toMatchObject([{}, { message: expect.stringContaining('odder'), ...described }])
  })

  it('the settings of an environment need the name of a feature; its state follows the other name', async () => {
    const featureEnvironments = [
      { name: 'other', enabled: true },
      {
        name: 'other',
        featureName: 'new',
        enabled: true,
        variants: [{ name: 'a', weight: 1, weightType: 'variable' }],
      },
    ]
    expect((await send({ featureEnvironments })).status).toBe(200)
    expect(client.mock.features.get('new')?.environments[0]).toMatchObject({
      enabled: false,
      variants: [{ name: 'a' }],
    })
    expect(client.mock.features.get('other')?.environments[0]).toMatchObject({ enabled: true, variants: [] })
    expect((await send({ featureEnvironments: featureEnvironments.slice(0, 1) })).status).toBe(200)
  })

  it('an imported feature can be archived, and its own tags are only checked', async () => {
    await client.send('POST', '/api/admin/tags', { type: 'simple', value: 'known' })
    const features = [{ name: 'new', archived: true, tags: [{ type: 'simple', value: 'known' }] }]
    expect((await send({ features })).status).toBe(200)
    expect(client.mock.features.get('new')).toMatchObject({ archived: true, tags: [] })
  })

  it('tags and strategies apply to archived features that are not listed', async () => {
    const featureStrategies = [{ name: 'default', featureName: 'gone' }]
    expect((await send({ featureTags: [tagOf('gone')], featureStrategies })).status).toBe(200)
    expect(client.mock.features.get('gone')).toMatchObject({
      tags: [{ value: 'x1' }],
      environments: [{ strategies: [{ name: 'default' }] }, {}],
    })
  })

  it('links can have an id, and a title only if it is not empty', async () => {
    const links = [{ feature: 'new', links: [{ id: 'a', url: 'https://example.com/a', title: '' }] }]
    expect((await send({ links, features: [{ name: 'new', links: links[0]?.links }] })).status).toBe(200)
    expect(client.mock.state().features.find(({ name }) => name === 'new')?.links).toMatchObject([{ title: null }])
    expect(client.mock.events.list().at(-2)?.data).toEqual({ url: 'https://example.com/a' })
  })

  it('events are logged step by step, each flag by flag', async () => {
    const names = ['new', 'other']
    const data = {
      features: names.map((name) => ({ name })),
      featureTags: ['other', 'new', 'other'].map((name, i) => ({ ...tagOf(name), tagValue: `x${i}` })),
      featureStrategies: [{ name: 'default', featureName: 'new' }],
      featureEnvironments: ['other', 'new'].map(stateOf),
    }
    expect((await send(data)).status).toBe(200)
    expect(client.mock.events.list().map(({ type, featureName }) => `${type} ${featureName ?? ''}`)).toEqual([
      'feature-created new',
      ...['other', 'new', 'other'].flatMap((name) => ['tag-created ', `feature-tagged ${name}`]),
      'feature-strategy-add new',
      'feature-strategy-add other',
      'feature-environment-enabled other',
      'feature-environment-enabled new',
      'features-imported ',
    ])
  })

  it('parts of features that are not in the import apply to them', async () => {
    await client.send('POST', '/api/admin/features/other/tags', { type: 'simple', value: 'own' })
    const data = { featureTags: [tagOf('other')], featureEnvironments: [stateOf('other')], links: [linkOf('other')] }
    expect((await send({ features: [], ...data })).status).toBe(200)
    expect(client.mock.state().features.find(({ name }) => name === 'other')).toMatchObject({
      links: [{ url: 'https://example.com/a' }],
      tags: [{ value: 'own' }, { value: 'x1' }],
      environments: [{ name: 'development', enabled: true }, { name: 'production' }],
    })
  })

  it('an editor needs no permission in an unknown environment for changes outside of environments', async () => {
    const data = { features: [{ name: 'other' }], featureStrategies: [], tagTypes: [] }
    const nowhere = { project: 'default', environment: 'nope', data }
    expect((await client.send('POST', `${batch}/import`, nowhere, { key: EDITOR })).status).toBe(200)
  })

  it('an admin lacks no permission for an import', async () => {
    const data = { features: [{ name: 'new' }], featureStrategies: [], tagTypes: [] }
    const body = { project: 'nope', environment: 'nope', data }
    expect((await client.send('POST', `${batch}/validate`, body, { key: OWNER })).body.permissions).toEqual([])
  })
})
