import { expect, it } from 'vitest'
import type { Feature } from '../../../src/index.js'
import { EDITOR, NOW, onEveryAdapter } from '../../support/adapters.js'

const features = '/api/admin/projects/default/features'
const clonePath = (feature: string, project = 'default') => `/api/admin/projects/${project}/features/${feature}/clone`
const path = clonePath('checkout-redesign')

onEveryAdapter('cloneFeature', (client) => {
  const clone = async (source: string, body: unknown): Promise<Feature> =>
    (await client.send('POST', clonePath(source), body)).body

  it('cloneFeature returns 200 with every field of a feature', async () => {
    const { status, body } = await client.send('POST', path, { name: 'copy' })
    expect(status).toBe(200)
    expect(Object.keys(body).toSorted()).toEqual(featureFields)
    expect(body.environments.map((environment: object) => Object.keys(environment).toSorted())).toEqual([
      environmentFields,
      environmentFields,
    ])
    expect(Object.keys(body.environments[0].strategies[0]).toSorted()).toEqual(strategyFields)
  })

  it('fields that the document does not mark as nullable are absent without a value', async () => {
    const environments = [{ name: 'production', strategies: [{ name: 'default' }] }]
    client.mock.add({ features: [{ name: 'untitled', environments }] })
    const { environments: copied } = await clone('untitled', { name: 'copy' })
    expect(JSON.stringify(copied)).not.toContain('null')
    expect(copied.map(({ strategies }) => strategies.length)).toContain(1)
  })

  it('a clone is visible at once', async () => {
    const { body } = await client.send('POST', path, { name: 'copy' })
    const { body: read } = await client.send('GET', `${features}/copy`)
    expect(read).toEqual(body)
    expect(client.mock.features.get('copy')).toEqual(body)
    const { body: list } = await client.send('GET', features)
    expect(list.features.map(({ name }: Feature) => name)).toContain('copy')
  })

  it('a clone has the description, type, tags and settings of its source', async () => {
    client.mock.add({
      strategyTypes: [{ name: 'custom' }],
      segments: [{ id: 7 }, { id: 9 }],
      features: [
        { name: 'parent' },
        {
          name: 'rich',
          type: 'operational',
          description: 'Everything set',
          stale: true,
          impressionData: true,
          dependencies: [{ feature: 'parent', enabled: true, variants: ['blue'] }],
          environments: [
            {
              name: 'development',
              enabled: true,
              variants: [{ name: 'a', weight: 1000, weightType: 'variable', stickiness: 'default', overrides: [] }],
              strategies: [
                {
                  name: 'custom',
                  title: 'Titled',
                  disabled: true,
                  sortOrder: -3,
                  segments: [7, 9],
                  constraints: [{ contextName: 'userId', operator: 'IN', values: ['1'], inverted: true }],
                  parameters: { groupId: 'own', other: 'kept' },
                  variants: [{ name: 'v', weight: 1000, weightType: 'fix', stickiness: 'userId' }],
                },
              ],
            },
          ],
        },
      ],
    })
    const source = client.mock.features.get('rich')
    const copy = await clone('rich', { name: 'copy', replaceGroupId: false })
    for (const field of ['type', 'description', 'stale', 'impressionData', 'dependencies'] as const) {
      expect(copy[field]).toEqual(source?.[field])
    }
    const [original, copied] = [source, copy].map((feature) => feature?.environments[0])
    expect(copied?.variants).toEqual(original?.variants)
    const { id, ...strategy } = copied?.strategies[0] ?? {}
    expect({ ...original?.strategies[0], featureName: 'copy' }).toMatchObject(strategy)
    expect(id).not.toBe(original?.strategies[0]?.id)
  })

  it('a clone starts its own lifecycle', async () => {
    client.mock.add({
      features: [
        { name: 'old', tags: [{ type: 'simple', value: 'tagged' }], createdAt: 'now-90d', lastSeenAt: 'now-1d' },
        { name: 'child', dependencies: [{ feature: 'old' }] },
      ],
    })
    for (const environment of ['development', 'production']) {
      await client.send('POST', `${features}/old/environments/${environment}/on`)
    }
    expect(client.mock.features.get('old')?.enabled).toBe(true)
    const copy = await clone('old', { name: 'copy' })
    expect(copy).toMatchObject({
      name: 'copy',
      project: 'default',
      createdAt: NOW,
      archived: false,
      archivedAt: null,
      lastSeenAt: null,
      enabled: false,
      favorite: false,
      tags: [],
      children: [],
      lifecycle: { stage: 'initial', enteredStageAt: NOW },
    })
    expect(copy.environments.map(({ enabled, lastSeenAt }) => [enabled, lastSeenAt])).toEqual([
      [false, undefined],
      [false, undefined],
    ])
  })

  it('every strategy of a clone has its own ID', async () => {
    const copy = await clone('checkout-redesign', { name: 'copy' })
    const again = await clone('copy', { name: 'copy-of-copy' })
    const ids = [client.mock.features.get('checkout-redesign'), copy, again].flatMap((feature) =>
      feature?.environments.flatMap(({ strategies }) => strategies.map(({ id }) => id)),
    )
    expect(new Set(ids).size).toBe(9)
    for (const id of ids) expect(id).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/)
  })

  it('cloneFeature leaves the source unchanged', async () => {
    const before = client.mock.features.get('checkout-redesign')
    await clone('checkout-redesign', { name: 'copy' })
    expect(client.mock.features.get('checkout-redesign')).toEqual(before)
  })

  it('the new name becomes the group ID of every strategy that has one', async () => {
    expect(groupIds(await clone('checkout-redesign', { name: 'copy' }))).toEqual(['copy', 'copy', 'copy'])
    expect(groupIds(await clone('legacy-export', { name: 'no-group' }))).toEqual([undefined, undefined])
  })

  it('a clone keeps the group IDs with replaceGroupId: false', async () => {
    const kept = ['checkout-redesign', 'checkout-cohort', 'checkout-redesign']
    expect(groupIds(await clone('checkout-redesign', { name: 'copy', replaceGroupId: false }))).toEqual(kept)
  })

  it('a clone belongs to the project of the path, not of its source', async () => {
    const { status, body } = await client.send('POST', clonePath('checkout-redesign', 'mobile-app'), { name: 'copy' })
    expect([status, body.project]).toEqual([200, 'mobile-app'])
    const read = await client.send('GET', '/api/admin/projects/mobile-app/features/copy')
    expect(read.body).toEqual(body)
    expect((await client.send('GET', `${features}/copy`)).status).toBe(404)
  })

  it("a clone has the environments of its project and of its source in order, with the source's contents", async () => {
    client.mock.add({
      environments: [
        { name: 'staging', sortOrder: 10 },
        { name: 'testing', sortOrder: 20 },
        { name: 'development', sortOrder: 30 },
      ],
      projects: [
        { id: 'here', environments: ['development', 'testing'] },
        { id: 'there', environments: ['staging', 'development'] },
      ],
      features: [
        {
          name: 'source',
          project: 'here',
          environments: [
            { name: 'development', strategies: [{ name: 'default' }] },
            { name: 'testing', strategies: [{ name: 'default' }], variants: [{ name: 'a' }] },
          ],
        },
      ],
    })
    const { body } = await client.send('POST', clonePath('source', 'there'), { name: 'copy' })
    const contents = body.environments.map(({ name, strategies, variants }: Feature['environments'][number]) => [
      name,
      strategies.length,
      variants.length,
    ])
    expect(contents).toEqual([
      ['staging', 0, 0],
      ['testing', 1, 1],
      ['development', 1, 0],
    ])
    const stored = client.mock.state().features.find(({ name }) => name === 'copy')
    expect(stored?.environments.map(({ name }) => name)).toEqual(['staging', 'testing', 'development'])
    const added = client.mock.events.list({ type: 'feature-strategy-add' })
    expect(added.map(({ environment }) => environment)).toEqual(['testing', 'development'])
  })

  it.each([
    ['left as they are', [900, 100], [900, 100]],
    ['balanced', [700, 100], [500, 500]],
  ])('weights of variants of a strategy are %s if they are %j', async (_, weights, cloned) => {
    const variants = weights.map((weight, i) => ({ name: 'ba'.charAt(i), weight, weightType: 'variable' as const }))
    const environments = { development: { strategies: [{ name: 'default', variants }] } }
    client.mock.add({ features: [{ name: 'source', environments }] })
    const copy = await clone('source', { name: 'copy' })
    expect(copy.environments[0]?.strategies[0]?.variants?.map(({ weight }) => weight)).toEqual(cloned)
  })

  it('a strategy without a group ID gets none, and other parameters stay', async () => {
    const given = [
      { name: 'default', parameters: { users: 'ada' } },
      { name: 'flexibleRollout', parameters: { rollout: '7' } },
      { name: 'default', parameters: { users: 'ada', groupId: '' } },
      { name: 'default', parameters: { users: 'ada', groupId: 'old' } },
    ]
    const strategies = given.map((strategy, sortOrder) => ({ ...strategy, sortOrder }))
    client.mock.add({ features: [{ name: 'source', environments: { development: { strategies } } }] })
    const parametersOf = (copy: Feature) => copy.environments[0]?.strategies.map(({ parameters }) => parameters)
    expect(parametersOf(await clone('source', { name: 'copy' }))).toEqual([
      { users: 'ada' },
      { rollout: '7' },
      { users: 'ada', groupId: 'copy' },
      { users: 'ada', groupId: 'copy' },
    ])
    expect(parametersOf(await clone('source', { name: 'same', replaceGroupId: false }))).toEqual(
      given.map(({ parameters }) => parameters),
    )
  })

  it('the log lists a clone, its parents and its strategies', async () => {
    client.mock.add({ features: [{ name: 'child', dependencies: [{ feature: 'legacy-export' }] }] })
    const logged = async (source: string) => {
      const before = client.mock.events.list().length
      await clone(source, { name: `copy-of-${source}` })
      return client.mock.events
        .list()
        .slice(before)
        .map(({ type, featureName, environment }) => [type, featureName, environment])
    }
    expect(await logged('child')).toEqual([
      ['feature-created', 'copy-of-child', null],
      ['feature-dependency-added', 'copy-of-child', null],
    ])
    expect(await logged('checkout-redesign')).toEqual([
      ['feature-created', 'copy-of-checkout-redesign', null],
      ['feature-strategy-add', 'copy-of-checkout-redesign', 'development'],
      ['feature-strategy-add', 'copy-of-checkout-redesign', 'development'],
      ['feature-strategy-add', 'copy-of-checkout-redesign', 'production'],
    ])
  })

  it('a clone is listed among the children of its parent', async () => {
    client.mock.add({ features: [{ name: 'child', dependencies: [{ feature: 'legacy-export' }] }] })
    await clone('child', { name: 'second-child' })
    const { body } = await client.send('GET', `${features}/legacy-export`)
    expect(body.children).toEqual(['child', 'second-child'])
  })

  it('cloneFeature ignores other properties of the body', async () => {
    const extras = { project: 'mobile-app', stale: true, archived: true, createdAt: '2000-01-01T00:00:00Z', x: [] }
    expect(await clone('checkout-redesign', { name: 'copy', ...extras })).toMatchObject({
      project: 'default',
      stale: false,
      archived: false,
      createdAt: NOW,
    })
  })

  it('a clone is created by the caller', async () => {
    const { body } = await client.send('POST', path, { name: 'copy' }, { key: EDITOR })
    expect(body.createdBy).toMatchObject({ id: 2, name: 'Editor', imageUrl: expect.stringMatching(/^https:/) })
    expect(body.collaborators.users).toEqual([body.createdBy])
    const { createdBy } = await clone('checkout-redesign', { name: 'by-admin' })
    expect(createdBy).toMatchObject({ name: 'mock-admin', imageUrl: expect.stringMatching(/^https:/) })
  })
})

function groupIds(feature: Feature): (string | undefined)[] {
  return feature.environments.flatMap(({ strategies }) => strategies.map(({ parameters }) => parameters.groupId))
}

const featureFields = [
  ...['archived', 'archivedAt', 'children', 'collaborators', 'createdAt', 'createdBy', 'dependencies', 'description'],
  ...['enabled', 'environments', 'favorite', 'impressionData', 'lastSeenAt', 'lifecycle', 'name', 'project', 'stale'],
  ...['strategies', 'tags', 'type', 'variants'],
]

const environmentFields = [
  ...['enabled', 'environment', 'featureName', 'hasEnabledStrategies', 'hasStrategies', 'name'],
  ...['sortOrder', 'strategies', 'type', 'variantCount', 'variants'],
]

const strategyFields = [
  ...['constraints', 'disabled', 'featureName', 'id', 'name', 'parameters', 'segments', 'sortOrder', 'title'],
  'variants',
]
