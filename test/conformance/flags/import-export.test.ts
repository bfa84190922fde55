import { beforeEach, expect, it } from 'vitest'
import { onBothProfiles } from '../../support/both.js'
import { EDITOR, VIEWER } from '../../support/doors.js'

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
      segments: [{ id: 90, name: 'insiders' }],
      contextFields: [{ name: 'plan', legalValues: [{ value: 'gold' }] }],
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

  it('an export contains features with everything that they refer to', async () => {
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
    expect(last(1)[0]).toMatchObject({ type: 'features-exported', data: { data: body } })
  })

  it('features are chosen by name, tag or project', async () => {
    const names = async (query: object) => (await exported(query)).features.map(({ name }: { name: string }) => name)
    expect(await names({ tag: 'shop' })).toEqual(['source'])
    expect(await names({ project: 'mobile-app' })).toEqual(['push-opt-in'])
    expect(await names({ tag: 'none' })).toEqual([])
    expect((await post('export', { environment: 'development' })).status).toBe(400)
    // A tag takes precedence over names, and these over the project; an empty list of names is none.
    expect(await names({ features: ['parent'], tag: 'shop', project: 'mobile-app' })).toEqual(['source'])
    expect(await names({ features: ['parent'], project: 'mobile-app' })).toEqual(['parent'])
    expect(await names({ features: [], project: 'mobile-app' })).toEqual(['push-opt-in'])
    const active = client.mock.features.list().filter(({ archived }) => !archived)
    expect(await names({ features: [] })).toEqual(active.map(({ name }) => name))
  })

  it('what was exported can be imported in another environment', async () => {
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

  it('an import creates features, and what they need, in one group of events', async () => {
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
      { name: 'source', description: 'Changed' },
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
    expect(source).toMatchObject({ description: 'Changed', tags: [] })
    expect(source?.environments[0]?.strategies.map(({ name }) => name)).toEqual(['default'])
    expect(client.mock.features.get('gone')?.description).toBeNull()
  })

  it.each([
    ['an unknown strategy type', { featureStrategies: [{ name: 'homemade', featureName: 'new' }] }, 'homemade'],
    ['an unknown segment', { segments: [{ id: 1, name: 'outsiders' }] }, 'outsiders'],
    ['an unknown parent', { dependencies: [{ feature: 'new', dependencies: [{ feature: 'nope' }] }] }, 'nope'],
    ['other legal values', { contextFields: [{ name: 'plan', legalValues: [{ value: 'free' }] }] }, 'plan'],
    ['a feature of another project', { features: [{ name: 'push-opt-in' }] }, 'push-opt-in'],
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
    ['a tag of an unknown type', { featureTags: [{ featureName: 'new', tagType: 'nope', tagValue: 'x1' }] }],
    ['a tag type with a color that is none', { tagTypes: [{ name: 'squad', color: 'red' }] }],
    ['a tag type with a name that is too short', { tagTypes: [{ name: 's' }] }],
    ['a context field with a name that is not URL-friendly', { contextFields: [{ name: 'a b' }] }],
    ['a context field without a name', { contextFields: [{ name: '' }] }],
  ])('%s is not imported, as it could not be created by itself', async (_, data) => {
    const before = client.mock.state()
    expect((await post('import', into({ ...minimal, ...data }))).status).toBe(400)
    expect(client.mock.state()).toEqual(before)
  })

  it.each([
    ['on itself', ['new'], [['new', 'new']]],
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
    const features = [...names, 'new'].map((name) => ({ name }))
    const dependencies = pairs.map(([feature, parent]) => ({ feature, dependencies: [{ feature: parent }] }))
    const before = client.mock.state()
    expect((await post('import', into({ ...minimal, features, dependencies }))).status).toBe(403)
    expect(client.mock.state()).toEqual(before)
  })

  it('a feature is imported with a parent that comes after it', async () => {
    const features = [{ name: 'new' }, { name: 'later' }]
    const dependencies = [{ feature: 'new', dependencies: [{ feature: 'later' }] }]
    expect((await post('import', into({ ...minimal, features, dependencies }))).status).toBe(200)
    expect(client.mock.features.get('new')?.dependencies).toEqual([{ feature: 'later' }])
  })

  it('nothing is imported into a project that does not exist', async () => {
    const before = client.mock.state()
    const intoNowhere = async (data: object) => (await post('import', { ...into(data), project: 'nope' })).status
    expect(await intoNowhere({ ...minimal, features: [] })).toBe(404)
    // One profile first tells an editor that nothing is allowed there.
    expect([403, 404]).toContain(await intoNowhere(minimal))
    expect(client.mock.state()).toEqual(before)
  })

  it('an import needs a user with the permissions', async () => {
    const { body } = await post('validate', into(minimal), VIEWER)
    expect(body.permissions).toEqual([{ message: expect.any(String), affectedItems: ['CREATE_FEATURE'] }])
    expect((await post('import', into(minimal), VIEWER)).status).toBe(403)
    const byToken = await client.send('POST', `${batch}/import`, into(minimal))
    expect([byToken.status, byToken.body.name]).toEqual([400, 'BadDataError'])
    const illegal = await post('import', into({ ...minimal, features: [{ name: 'not legal' }] }))
    expect(illegal.status).toBe(400)
    expect((await post('import', into({}))).status).toBe(400)
  })
})
