import { expect, it } from 'vitest'
import { VIEWER } from '../../support/adapters.js'
import { onBothProfiles } from '../../support/both.js'

const playground = '/api/admin/playground'
const features = '/api/admin/projects/default/features'
const strategiesOf = (name: string) => `${features}/${name}/environments/development/strategies`
const DISABLED = { name: 'disabled', enabled: false, feature_enabled: false }

onBothProfiles('the playground', (client) => {
  const post = async (path: string, body: unknown) => (await client.send('POST', path, body)).body
  const test = async (name: string, context: object = {}) => {
    const body = { environment: 'development', projects: ['default'], context: { appName: 'test', ...context } }
    const answer = await client.send('POST', playground, body, { key: VIEWER })
    expect([answer.status, answer.body.input]).toEqual([200, body])
    return answer.body.features.find((feature: { name: string }) => feature.name === name)
  }
  const addFeature = async (name: string, ...strategies: object[]) => {
    await post(features, { name })
    for (const strategy of strategies) await post(strategiesOf(name), strategy)
    await client.send('POST', `${features}/${name}/environments/development/on`)
  }

  it('an environment can have the name of an inherited property in JavaScript', async () => {
    const environments = ['__proto__', 'constructor', 'development']
    const sent = `{"environments":${JSON.stringify(environments)},"projects":["default"],"context":{"appName":"a"}}`
    const response = await client.adapter.fetch(`${playground}/advanced`, {
      method: 'POST',
      headers: { authorization: VIEWER, 'content-type': 'application/json' },
      body: sent,
    })
    expect(response.status).toBe(200)
    const { features } = (await response.json()) as { features: { environments: object }[] }
    expect(features.map((one) => Object.keys(one.environments))).toEqual(features.map(() => environments))
    expect(features.length).toBeGreaterThan(0)
  })

  it.each(['', '/advanced'])('a body that is nested too deeply to be repeated is rejected: %s', async (path) => {
    const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`
    const bodyWith = (properties: string) =>
      `{"environment":"development","environments":["development"],"projects":["default"],"context":{"appName":"a","properties":${properties}}}`
    const { status, body } = await client.send('POST', playground + path, bodyWith(deep(600)))
    expect([status, body.name]).toEqual([400, 'BadDataError'])
  })

  it('shows the constraint and the strategy that decide', async () => {
    const constraint = { contextName: 'userId', operator: 'IN', values: ['1'] }
    await addFeature('fresh', { name: 'default', constraints: [constraint], parameters: { a: 'b' }, title: 'first' })
    const [stored] = (await client.send('GET', strategiesOf('fresh'))).body
    const on = await test('fresh', { userId: '1' })
    expect(on).toEqual({
      name: 'fresh',
      projectId: 'default',
      isEnabled: true,
      isEnabledInCurrentEnvironment: true,
      hasUnsatisfiedDependency: false,
      variant: { name: 'disabled', enabled: false, feature_enabled: true, featureEnabled: true },
      variants: [],
      strategies: {
        result: true,
        data: [
          {
            id: stored.id,
            name: 'default',
            title: 'first',
            disabled: false,
            parameters: { a: 'b' },
            result: { enabled: true, evaluationStatus: 'complete' },
            constraints: [{ ...stored.constraints[0], inverted: false, result: true }],
            segments: [],
            links: {
              edit: `/projects/default/features/fresh/strategies/edit?environmentId=development&strategyId=${stored.id}`,
            },
          },
        ],
      },
    })
    const off = await test('fresh', { userId: '2' })
    expect(off).toMatchObject({ isEnabled: false, strategies: { result: false }, variant: DISABLED })
    expect(off.strategies.data[0]).toMatchObject({ result: { enabled: false }, constraints: [{ result: false }] })
  })

  it('shows segments, even if the feature is off in the environment', async () => {
    const constraints = [{ contextName: 'plan', operator: 'STR_CONTAINS', values: ['gold'] }]
    const segment = await post('/api/admin/segments', { name: 'golden', constraints })
    await addFeature('fresh', { name: 'default', segments: [segment.id] })
    await client.send('POST', `${features}/fresh/environments/development/off`)
    const found = await test('fresh', { properties: { plan: 'golden' } })
    expect(found.strategies.data[0].segments[0].constraints[0].inverted).toBe(false)
    expect(found).toMatchObject({ isEnabled: false, isEnabledInCurrentEnvironment: false, variant: DISABLED })
    expect(found.strategies.data[0].segments).toMatchObject([
      { id: segment.id, name: 'golden', result: true, constraints: [{ contextName: 'plan', result: true }] },
    ])
    expect((await test('fresh', { plan: 'silver' })).strategies.data[0].segments).toMatchObject([{ result: false }])
  })

  it('disabled strategies and custom strategies are not evaluated', async () => {
    await post('/api/admin/strategies', { name: 'own', parameters: [] })
    await addFeature('fresh', { name: 'default', disabled: true }, { name: 'own' })
    const { isEnabled, strategies } = await test('fresh')
    expect([isEnabled, strategies.result]).toEqual([false, 'unknown'])
    expect(strategies.data.map(({ result }: { result: object }) => result)).toEqual([
      { enabled: 'unknown', evaluationStatus: 'unevaluated' },
      { enabled: 'unknown', evaluationStatus: 'incomplete' },
    ])
  })

  it('the variant of the matching strategy wins', async () => {
    const variant = {
      name: 'blue',
      weight: 1000,
      weightType: 'variable',
      stickiness: 'default',
      payload: { type: 'string', value: 'b' },
    }
    const parameters = { rollout: '100', stickiness: 'default', groupId: 'fresh' }
    await addFeature('fresh', { name: 'flexibleRollout', parameters, variants: [variant] })
    const { strategies, ...found } = await test('fresh', { userId: '7' })
    const chosen = { name: 'blue', enabled: true, payload: variant.payload }
    expect(found).toMatchObject({ variant: { ...chosen, feature_enabled: true }, variants: [variant] })
    expect(strategies.data[0].result).toEqual({
      enabled: true,
      evaluationStatus: 'complete',
      variant: chosen,
      variants: [variant],
    })
  })

  it('a parent that is off makes a dependency unsatisfied', async () => {
    await addFeature('parent', { name: 'default' })
    await addFeature('fresh', { name: 'default' })
    await post(`${features}/fresh/dependencies`, { feature: 'parent' })
    expect(await test('fresh')).toMatchObject({ isEnabled: true, hasUnsatisfiedDependency: false })
    await client.send('POST', `${features}/parent/environments/development/off`)
    expect(await test('fresh')).toMatchObject({
      isEnabled: false,
      hasUnsatisfiedDependency: true,
      strategies: { result: true },
      variant: DISABLED,
    })
  })

  it('a parent that must be off must be switched off: that its strategies are not satisfied is not enough', async () => {
    const constraint = { contextName: 'userId', operator: 'IN', values: ['1'] }
    await addFeature('parent', { name: 'default', constraints: [constraint] })
    await addFeature('fresh', { name: 'default' })
    await post(`${features}/fresh/dependencies`, { feature: 'parent', enabled: false })
    const asOther = { userId: '2' }
    expect(await test('fresh', asOther)).toMatchObject({ isEnabled: false, hasUnsatisfiedDependency: true })
    await client.send('POST', `${features}/parent/environments/development/off`)
    expect(await test('fresh', asOther)).toMatchObject({ isEnabled: true, hasUnsatisfiedDependency: false })
  })

  it.each([
    ['a list', { operator: 'IN', values: ['Pro'], caseInsensitive: true }, 'pRO', false],
    ['a text', { operator: 'STR_CONTAINS', values: ['Pro'], caseInsensitive: true }, 'pRO', true],
    ['a version', { operator: 'SEMVER_GT', value: '1.0.0' }, 'v1.2.3', false],
  ])('constraints hold as in SDKs: %s', async (_, condition, plan, isEnabled) => {
    await addFeature('fresh', { name: 'default', constraints: [{ contextName: 'plan', ...condition }] })
    const found = await test('fresh', { properties: { plan } })
    expect([found.isEnabled, found.strategies.data[0].constraints[0]]).toMatchObject([
      isEnabled,
      { inverted: false, result: isEnabled },
    ])
  })

  it.each([
    ['no appName', { environment: 'development', context: {} }],
    ['no environment', { context: { appName: 'test' } }],
    ['projects that are no list', { environment: 'development', projects: 'default', context: { appName: 'test' } }],
  ])('rejects a request with %s', async (_, body) => {
    expect((await client.send('POST', playground, body)).status).toBe(400)
  })

  it('takes projects of other types as text', async () => {
    const sent = { environment: 'development', projects: ['default', null, 5], context: { appName: 'test' } }
    const { input, features: found } = await post(playground, sent)
    expect(input.projects).toEqual(['default', '', '5'])
    const projects = found.map(({ projectId }: { projectId: string }) => projectId)
    expect([...new Set(projects)]).toEqual(['default'])
  })

  it('the time of the context is the time of the test', async () => {
    const constraint = { contextName: 'currentTime', operator: 'DATE_AFTER', value: '2030-01-01T00:00:00Z' }
    await addFeature('timed', { name: 'default', constraints: [constraint] })
    expect((await test('timed')).isEnabled).toBe(false)
    expect((await test('timed', { currentTime: '2030-06-15T08:30:00Z' })).isEnabled).toBe(true)
  })

  it('the advanced one tests every combination of values in every environment', async () => {
    const constraint = { contextName: 'userId', operator: 'IN', values: ['1'] }
    await addFeature('fresh', { name: 'default', constraints: [constraint] })
    const input = {
      environments: ['development', 'production'],
      projects: '*',
      context: { userId: '1,2', appName: 'test', properties: { plan: 'gold,silver' }, odd: 7 },
    }
    const { features: found, ...rest } = await post(`${playground}/advanced`, input)
    expect(rest).toEqual({ input, warnings: { invalidContextProperties: ['odd'] } })
    const fresh = found.find(({ name }: { name: string }) => name === 'fresh')
    expect([fresh.projectId, Object.keys(fresh.environments)]).toEqual(['default', ['development', 'production']])
    const tests: Record<string, unknown>[] = fresh.environments.development
    expect(tests.map(({ context, isEnabled }) => [context, isEnabled])).toEqual([
      [{ userId: '1', plan: 'gold', appName: 'test' }, true],
      [{ userId: '1', plan: 'silver', appName: 'test' }, true],
      [{ userId: '2', plan: 'gold', appName: 'test' }, false],
      [{ userId: '2', plan: 'silver', appName: 'test' }, false],
    ])
    expect(fresh.environments.production[0]).toMatchObject({
      environment: 'production',
      isEnabled: false,
      hasUnsatisfiedDependency: false,
    })
  })

  it('the advanced one has a limit', async () => {
    const values = Array.from({ length: 300 }, (_, value) => value).join(',')
    const context = { appName: 'test', userId: values, sessionId: values, plan: values }
    for (const projects of ['*', []]) {
      const sent = { environments: ['development'], projects, context }
      expect((await client.send('POST', `${playground}/advanced`, sent)).status).toBe(400)
    }
  })

  it.each([
    ['an empty list', []],
    ['a name that can’t be', ['a b']],
  ])('the advanced one rejects %s as environments', async (_, environments) => {
    const sent = { environments, context: { appName: 'test' } }
    expect((await client.send('POST', `${playground}/advanced`, sent)).status).toBe(400)
  })
})
