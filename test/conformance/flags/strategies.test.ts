import { expect, it } from 'vitest'
import { EDITOR, onEveryAdapter, VIEWER } from '../../support/adapters.js'

const strategies = '/api/admin/projects/default/features/checkout-redesign/environments/development/strategies'

onEveryAdapter('strategies of a feature', (client) => {
  const list = async () => (await client.send('GET', strategies)).body
  const last = () => client.mock.events.list().at(-1)

  it('strategies are listed in their order', async () => {
    expect(
      (await list()).map(({ title, sortOrder }: { title: string; sortOrder: number }) => [title, sortOrder]),
    ).toEqual([
      ['Half of everybody', 0],
      ['The cohort', 1],
    ])
  })

  it('a new strategy comes last, with defaults', async () => {
    const { status, body } = await client.send('POST', strategies, { name: 'flexibleRollout' }, { key: EDITOR })
    expect(status).toBe(200)
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9A-Z]{26}$/),
      name: 'flexibleRollout',
      title: null,
      disabled: false,
      sortOrder: 2,
      segments: [],
      constraints: [],
      variants: [],
      parameters: { rollout: '100', stickiness: 'default', groupId: 'checkout-redesign' },
    })
    expect((await client.send('GET', `${strategies}/${body.id}`)).body).toEqual(body)
    expect(last()).toMatchObject({ type: 'feature-strategy-add', environment: 'development', data: body })
  })

  it('constraints of every operator are stored with a list of values', async () => {
    const { status, body } = await client.send('POST', strategies, {
      name: 'default',
      constraints: [
        { contextName: 'userId', operator: 'NOT_IN', values: ['3'], inverted: true },
        { contextName: 'n', operator: 'NUM_GT', value: '5.5' },
        { contextName: 'currentTime', operator: 'DATE_AFTER', value: '2030-01-01T00:00:00.000Z' },
        { contextName: 'v', operator: 'SEMVER_LTE', value: '1.2.3-beta.1' },
        { contextName: 'email', operator: 'REGEX', value: '^a+$' },
      ],
    })
    expect(status).toBe(200)
    expect(body.constraints[0]).toEqual({ contextName: 'userId', operator: 'NOT_IN', values: ['3'], inverted: true })
    expect(body.constraints[1]).toEqual({ contextName: 'n', operator: 'NUM_GT', value: '5.5', values: [] })
  })

  it.each([
    ['an unknown type', { name: 'userWithId' }],
    ['no value', { name: 'default', constraints: [{ contextName: 'userId', operator: 'IN', values: [] }] }],
    ['no context field', { name: 'default', constraints: [{ contextName: '', operator: 'IN', values: ['a'] }] }],
    [
      'a number that is not one',
      { name: 'default', constraints: [{ contextName: 'n', operator: 'NUM_EQ', value: 'abc' }] },
    ],
    [
      'a date that is not one',
      { name: 'default', constraints: [{ contextName: 'n', operator: 'DATE_AFTER', value: 'x' }] },
    ],
    [
      'a day that does not exist',
      { name: 'default', constraints: [{ contextName: 'n', operator: 'DATE_AFTER', value: '2030-02-30T00:00:00Z' }] },
    ],
    [
      'a version that is not one',
      { name: 'default', constraints: [{ contextName: 'n', operator: 'SEMVER_EQ', value: '1' }] },
    ],
    [
      'a pattern that is not one',
      { name: 'default', constraints: [{ contextName: 'n', operator: 'REGEX', value: '(' }] },
    ],
    ['an unknown operator', { name: 'default', constraints: [{ contextName: 'n', operator: 'NOPE' }] }],
    ['an empty value', { name: 'default', constraints: [{ contextName: 'n', operator: 'IN', values: [''] }] }],
    [
      'fixed variants only',
      {
        name: 'default',
        variants: [{ name: 'a', weight: 1000, weightType: 'fix', stickiness: 'default' }],
      },
    ],
  ])('a strategy is rejected with %s', async (_, body) => {
    const before = await list()
    const refused = await client.send('POST', strategies, body)
    expect([refused.status, refused.body.name]).toEqual([400, 'BadDataError'])
    expect(await list()).toEqual(before)
  })

  it('an environment has at most thirty strategies', async () => {
    for (let n = 3; n <= 30; n++) await client.send('POST', strategies, { name: 'default' })
    const { status, body } = await client.send('POST', strategies, { name: 'default' })
    expect([status, body.name]).toEqual([400, 'ExceedsLimitError'])
  })

  it('PUT changes a strategy, keeps its title, and clears omitted parameters, constraints and variants', async () => {
    const [first] = await list()
    const constraints = [{ contextName: 'userId', operator: 'IN', values: ['1'] }]
    const changed = await client.send('PUT', `${strategies}/${first.id}`, { ...first, constraints })
    const { milestoneId: _, ...before } = changed.body
    expect(before).toMatchObject({ parameters: { rollout: '50' }, constraints })
    const cleared = { parameters: {}, constraints: [], variants: [] }
    const { status, body } = await client.send('PUT', `${strategies}/${first.id}`, { title: null, disabled: true })
    expect([status, body]).toEqual([200, { ...before, ...cleared, disabled: true }])
    expect(last()).toMatchObject({ type: 'feature-strategy-update', data: body, preData: before })
  })

  it('a JSON Patch empties the fields that it removes, and adds no others', async () => {
    const [, second] = await list()
    const patch = (...changes: unknown[]) => client.send('PATCH', `${strategies}/${second.id}`, changes)
    expect((await patch({ op: 'remove', path: '/constraints' })).body.constraints).toEqual([])
    expect((await patch({ op: 'remove', path: '/name' })).status).toBe(400)
    expect((await patch({ op: 'add', path: '/more', value: 1 })).status).toBe(400)
    expect((await patch({ op: 'replace', path: '/title', value: null })).body.title).toBe(second.title)
  })

  it('strategies are reordered by the path of any project', async () => {
    const path = strategies.replace('/default/', '/nope/')
    const [first] = await list()
    const order = [{ id: first.id, sortOrder: 9 }]
    expect((await client.send('POST', `${path}/set-sort-order`, order)).status).toBe(200)
    expect((await list()).at(-1)).toMatchObject({ id: first.id, sortOrder: 9 })
  })

  it('a JSON Patch changes a strategy', async () => {
    const [, second] = await list()
    const { body } = await client.send('PATCH', `${strategies}/${second.id}`, [
      { op: 'replace', path: '/parameters/rollout', value: '5' },
      { op: 'add', path: '/constraints/-', value: { contextName: 'appName', operator: 'IN', values: ['shop'] } },
    ])
    expect(body.parameters.rollout).toBe('5')
    expect(body.constraints).toHaveLength(3)
  })

  it('the variants of a strategy share the weight', async () => {
    const [first] = await list()
    const variant = { weight: 1, weightType: 'variable', stickiness: 'default' }
    const { body } = await client.send('PUT', `${strategies}/${first.id}`, {
      variants: [
        { ...variant, name: 'b' },
        { ...variant, name: 'a' },
        { ...variant, name: 'c' },
      ],
    })
    expect(body.variants.map(({ name, weight }: { name: string; weight: number }) => [name, weight])).toEqual([
      ['a', 333],
      ['b', 334],
      ['c', 333],
    ])
  })

  it('strategies can be reordered', async () => {
    const [one, two] = await list()
    const order = [
      { id: one.id, sortOrder: 9 },
      { id: two.id, sortOrder: -1 },
    ]
    expect((await client.send('POST', `${strategies}/set-sort-order`, order)).status).toBe(200)
    expect((await list()).map(({ id }: { id: string }) => id)).toEqual([two.id, one.id])
    expect(last()).toMatchObject({ type: 'strategy-order-changed', data: { strategyIds: [two.id, one.id] } })
    const stray = await client.send('POST', `${strategies}/set-sort-order`, [{ id: 'nope', sortOrder: 1 }])
    expect(stray.status).toBe(400)
  })

  it('strategies can be deleted', async () => {
    const [one, two] = await list()
    const { status, headers, body } = await client.send('DELETE', `${strategies}/${one.id}`)
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
    expect(body ?? '').toBe('')
    expect((await list()).map(({ id }: { id: string }) => id)).toEqual([two.id])
    expect(last()).toMatchObject({ type: 'feature-strategy-remove', data: null, preData: { id: one.id } })
    expect((await client.send('GET', `${strategies}/${one.id}`)).status).toBe(404)
  })

  it('strategies are cloned with their feature', async () => {
    const { body: added } = await client.send('POST', strategies, { name: 'remoteAddress', parameters: { IPs: '::1' } })
    await client.send('POST', '/api/admin/projects/default/features/checkout-redesign/clone', { name: 'copy' })
    const copied = await client.send('GET', strategies.replace('checkout-redesign', 'copy'))
    expect(copied.body[2]).toMatchObject({ name: 'remoteAddress', parameters: added.parameters })
    expect(copied.body[2].id).not.toBe(added.id)
  })

  it("a viewer can't change strategies", async () => {
    const { status, body } = await client.send('POST', strategies, { name: 'default' }, { key: VIEWER })
    expect(status).toBe(403)
    expect(body.message).toContain('"CREATE_FEATURE_STRATEGY"')
  })
})

onEveryAdapter('the order in strategies', (client) => {
  const make = async (body: object) => (await client.send('POST', strategies, { name: 'default', ...body })).body

  it('segments are sorted, and each is used once', async () => {
    client.mock.add({ segments: [{ id: 1 }, { id: 2 }] })
    expect((await make({ segments: [2, 1] })).segments).toEqual([1, 2])
    expect((await client.send('POST', strategies, { name: 'default', segments: [1, 1] })).status).toBe(400)
    expect((await client.send('POST', strategies, { name: 'default', segments: [9, 9] })).status).toBe(404)
  })

  it('only set-sort-order changes the sort order of a strategy', async () => {
    const { id, sortOrder } = await make({})
    const count = client.mock.events.list().length
    const patched = await client.send('PATCH', `${strategies}/${id}`, [{ op: 'replace', path: '/sortOrder', value: 7 }])
    const replaced = await client.send('PUT', `${strategies}/${id}`, { name: 'default', sortOrder: 7 })
    expect([patched.body.sortOrder, replaced.body.sortOrder]).toEqual([sortOrder, sortOrder])
    expect(client.mock.events.list()).toHaveLength(count)
  })

  it('setting the segments of a strategy logs nothing', async () => {
    client.mock.add({ segments: [{ id: 1 }] })
    const { id: strategyId } = await make({})
    const count = client.mock.events.list().length
    const body = { projectId: 'default', strategyId, environmentId: 'development', segmentIds: [1] }
    expect((await client.send('POST', '/api/admin/segments/strategies', body)).status).toBe(201)
    expect((await client.send('GET', `${strategies}/${strategyId}`)).body.segments).toEqual([1])
    expect(client.mock.events.list()).toHaveLength(count)
  })
})

onEveryAdapter('the contents of strategies', (client) => {
  const status = async (body: object) => (await client.send('POST', strategies, { name: 'default', ...body })).status

  it.each([
    ['an unknown property', { nope: 'x' }, 400],
    ['a payload that is not JSON', { payload: { type: 'json', value: '{bad' } }, 400],
    ['a payload of JSON', { payload: { type: 'json', value: '{"a":1}' } }, 200],
  ])('a variant with %s is checked', async (_, more, expected) => {
    const variant = { name: 'a', weight: 1000, weightType: 'variable', stickiness: 'default', ...more }
    expect(await status({ variants: [variant] })).toBe(expected)
  })

  it.each([
    ['an inverted expression', { operator: 'REGEX', value: '^a$', inverted: true }, 400],
    ['a hexadecimal number', { operator: 'NUM_GT', value: '0x10' }, 400],
    ['a number that loses digits', { operator: 'NUM_GT', value: '9007199254740993' }, 400],
    ['a number with an exponent', { operator: 'NUM_GT', value: '-1.5e3' }, 200],
  ])('a constraint with %s is checked', async (_, constraint, expected) => {
    expect(await status({ constraints: [{ contextName: 'age', values: [], ...constraint }] })).toBe(expected)
  })
})
