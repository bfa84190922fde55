import { expect, it } from 'vitest'
import { EDITOR, FIXED, NOW, onEveryAdapter, VIEWER } from '../../support/adapters.js'
import { onBothProfiles } from '../../support/both.js'

const segments = '/api/admin/segments'
const strategies = '/api/admin/projects/default/features/checkout-redesign/environments/development/strategies'
const beta = { name: 'beta', constraints: [{ contextName: 'userId', operator: 'IN', values: ['1', '2'] }] }

onEveryAdapter('segments', (client) => {
  const create = async (body: unknown = beta) => (await client.send('POST', segments, body, { key: EDITOR })).body

  it('a segment is created and read', async () => {
    const body = await create()
    expect(body).toEqual({ id: 1, description: null, ...beta, createdBy: 'editor@example.com', createdAt: NOW })
    const { body: list } = await client.send('GET', segments)
    expect(list.segments).toEqual([{ ...body, usedInProjects: 0, usedInFeatures: 0 }])
  })

  it.each([
    ['no constraints', { name: 'gamma' }, 400],
    [
      'a constraint that can’t be',
      { name: 'g', constraints: [{ contextName: 'n', operator: 'NUM_EQ', value: 'x' }] },
      400,
    ],
    ['a project that does not exist', { ...beta, name: 'gamma', project: 'nope' }, 404],
  ])('a segment is rejected with %s', async (_, body, expected) => {
    await create()
    expect((await client.send('POST', segments, body)).status).toBe(expected)
  })

  it('segments are listed by name', async () => {
    client.mock.add({ segments: ['zebras', 'Apes', 'bears'].map((name, i) => ({ id: 70 + i, name })) })
    const { body } = await client.send('GET', '/api/admin/segments')
    const names = body.segments.map(({ name }: { name: string }) => name)
    expect(names).toEqual(names.toSorted((one: string, other: string) => one.localeCompare(other)))
    expect(names).toEqual(expect.arrayContaining(['Apes', 'bears', 'zebras']))
  })

  it('a segment that strategies use can’t be deleted', async () => {
    await create()
    const { body: strategy } = await client.send('POST', strategies, { name: 'default', segments: [1] })
    expect((await client.send('GET', `${segments}/1/strategies`)).body.strategies).toEqual([
      {
        id: strategy.id,
        featureName: 'checkout-redesign',
        projectId: 'default',
        environment: 'development',
        strategyName: 'default',
      },
    ])
    const [listed] = (await client.send('GET', segments)).body.segments
    expect(listed).toMatchObject({ usedInProjects: 1, usedInFeatures: 1 })
    expect((await client.send('GET', `${segments}/strategies/${strategy.id}`)).body.segments).toMatchObject([{ id: 1 }])
    const refused = await client.send('DELETE', `${segments}/1`)
    expect([refused.status, refused.body.name]).toEqual([409, 'ConflictError'])
    await client.send('DELETE', `${strategies}/${strategy.id}`)
    expect((await client.send('DELETE', `${segments}/1`)).status).toBe(204)
  })

  it('segments are set on an existing strategy', async () => {
    await create()
    const [{ id: strategyId }] = (await client.send('GET', strategies)).body
    const body = { projectId: 'default', environmentId: 'development', strategyId, segmentIds: [1] }
    expect((await client.send('POST', `${segments}/strategies`, body)).status).toBe(201)
    expect((await client.send('GET', `${strategies}/${strategyId}`)).body.segments).toEqual([1])
    const unknown = { ...body, strategyId: 'nope', segmentIds: [] }
    expect((await client.send('POST', `${segments}/strategies`, unknown)).status).toBe(404)
    const elsewhere = { ...body, projectId: 'mobile-app', segmentIds: [] }
    expect((await client.send('POST', `${segments}/strategies`, elsewhere)).status).toBe(201)
    expect((await client.send('GET', `${strategies}/${strategyId}`)).body.segments).toEqual([])
    expect((await client.send('POST', `${segments}/strategies`, body, { key: VIEWER })).status).toBe(403)
  })

  it('a segment of a project can’t be used in another project', async () => {
    await create({ ...beta, project: 'mobile-app' })
    const { status, body } = await client.send('POST', strategies, { name: 'default', segments: [1] })
    expect(status).toBe(400)
    expect(body.message).toContain('"default"')
  })

  it('a strategy has at most five segments', async () => {
    for (const n of [1, 2, 3, 4, 5, 6]) await create({ ...beta, name: `s${n}` })
    const { status, body } = await client.send('POST', strategies, { name: 'default', segments: [1, 2, 3, 4, 5, 6] })
    expect([status, body.name]).toEqual([400, 'BadDataError'])
  })

  it("a viewer can't create segments", async () => {
    const { status, body } = await client.send('POST', segments, beta, { key: VIEWER })
    expect(status).toBe(403)
    expect(body.message).toContain('"CREATE_SEGMENT"')
    expect(body.message).toContain('"UPDATE_PROJECT_SEGMENT"')
  })
})

onEveryAdapter('constraints', (client) => {
  it.each([
    ['good', { contextName: 'userId', operator: 'IN', values: ['1'] }, 204],
    ['no number', { contextName: 'n', operator: 'NUM_EQ', value: 'x' }, 400],
    ['no operator', { contextName: 'n', operator: 'NOPE' }, 400],
  ])('validating a constraint: %s', async (_, constraint, expected) => {
    expect((await client.send('POST', '/api/admin/constraints/validate', constraint)).status).toBe(expected)
  })
})

const constraints = '/api/admin/constraints/validate'

onBothProfiles('the checks of constraints', (client) => {
  const one = { contextName: 'userId', operator: 'IN', values: ['1'] }
  const number = { contextName: 'n', operator: 'NUM_EQ', value: 'x' }
  const version = { contextName: 'v', operator: 'SEMVER_EQ', value: '1.2' }
  const text = { contextName: 'userId', operator: 'IN', values: ['1', ''] }
  const told = async (path: string, body: object) => (await client.send('POST', path, body)).body.details[0].message
  const ofSegment = (...given: object[]) => told(segments, { name: 'new', constraints: given })
  const ofStrategy = (...given: object[]) => told(strategies, { name: 'default', constraints: given })

  it('a segment tells an empty value by its place in the list, before other errors', async () => {
    expect(await ofSegment(version, text)).toContain('"constraints[1].values[1]"')
    expect(await ofSegment(one, { ...one, contextName: '' })).toContain('"constraints[1].contextName"')
    expect(await ofStrategy(one, text)).toContain('"values[1]"')
    expect(await ofStrategy(number, version)).toContain('"x"')
    expect(await told(segments, { name: '', constraints: [text] })).toContain('"name"')
  })

  it.each([
    ['an empty text in the list, though a number is compared', { ...number, value: '1', values: [''] }, 400],
    ['milliseconds as a date', { contextName: 'currentTime', operator: 'DATE_AFTER', value: '1700000000000' }, 204],
    ['milliseconds out of range', { contextName: 'x', operator: 'DATE_AFTER', value: '99999999999999999' }, 400],
    ['a leading zero in a version', { ...version, value: '01.2.3' }, 400],
    ['a version with its build', { ...version, value: '1.2.3-a.1+b' }, 204],
  ])('%s', async (_, constraint, expected) => {
    expect((await client.send('POST', constraints, constraint)).status).toBe(expected)
  })

  it('an expression is compiled before it is found to be inverted', async () => {
    const expression = { contextName: 'x', operator: 'REGEX', value: '[', inverted: true }
    expect(await told(constraints, expression)).toContain('"["')
  })

  it('only the values that the operator compares have to be legal', async () => {
    await client.send('POST', '/api/admin/context', { name: 'plan', legalValues: [{ value: '1' }] })
    const plan = { contextName: 'plan', operator: 'NUM_EQ', value: '1', values: ['free'] }
    expect((await client.send('POST', constraints, plan)).status).toBe(204)
    expect((await client.send('POST', constraints, { ...plan, operator: 'IN' })).status).toBe(400)
    expect(
      (await client.send('POST', constraints, { ...plan, operator: 'IN', values: ['1'], value: 'x' })).status,
    ).toBe(204)
  })

  it('a segment has any number of constraints, and a strategy thirty', async () => {
    const many = Array.from({ length: 31 }, () => one)
    expect((await client.send('POST', segments, { name: 'many', constraints: many })).status).toBe(201)
    const strategy = { name: 'default', constraints: many }
    expect((await client.send('POST', strategies, strategy)).status).toBe(400)
  })
})

onEveryAdapter(
  'segments of projects in Unleash 8',
  (client) => {
    it('the project in the body decides the permission', async () => {
      const sent = { name: 'new', project: 'ghost', constraints: [{ contextName: '', operator: 'IN', values: [] }] }
      expect((await client.send('POST', segments, sent, { key: EDITOR })).status).toBe(403)
      expect((await client.send('POST', segments, sent)).status).toBe(400)
    })

    it('the segments of a strategy are sent back with unknown fields', async () => {
      const { body: strategy } = await client.send('POST', strategies, { name: 'default' })
      const place = { projectId: 'default', environmentId: 'development', strategyId: strategy.id }
      const sent = { ...place, segmentIds: [], more: 1 }
      expect((await client.send('POST', `${segments}/strategies`, sent)).body).toEqual(sent)
    })
  },
  { ...FIXED, profile: 'unleash-8' },
)

onEveryAdapter('changes of segments', (client) => {
  it('a PUT without a description keeps it', async () => {
    await client.send('POST', segments, { ...beta, description: 'd' })
    await client.send('PUT', `${segments}/1`, beta)
    expect((await client.send('GET', `${segments}/1`)).body.description).toBe('d')
  })

  it('the content is checked before the segment is sought', async () => {
    const put = (content: object) => client.send('PUT', `${segments}/9999`, { ...beta, name: 'new', ...content })
    expect((await put({ constraints: [{ contextName: 'x', operator: 'IN', values: [] }] })).status).toBe(400)
    await client.send('POST', segments, beta)
    expect((await put({})).status).toBe(404)
  })

  it('constraints are checked before the name', async () => {
    await client.send('POST', segments, beta)
    const wrong = [{ contextName: 'age', operator: 'NUM_GT', values: [], value: 'old' }]
    expect((await client.send('POST', segments, { ...beta, constraints: wrong })).status).toBe(400)
    expect((await client.send('POST', segments, beta)).status).toBe(409)
  })
})
