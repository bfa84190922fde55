import { beforeEach, expect, it } from 'vitest'
import { EDITOR, FIXED, onEveryAdapter } from '../../support/adapters.js'
import { onBothProfiles } from '../../support/both.js'

const features = '/api/admin/projects/default/features'
const development = `${features}/flag/environments/development`
const staging = `${features}/flag/environments/staging`

onBothProfiles('where strategies are', (client) => {
  const send = (method: string, path: string, body?: unknown) => client.send(method, path, body)
  const lastEvents = (count: number) => client.mock.events.list().slice(-count)

  beforeEach(() => {
    client.mock.add({
      environments: [{ name: 'staging' }],
      features: [
        {
          name: 'flag',
          environments: [{ name: 'development', enabled: true, strategies: [{ id: 'only', name: 'default' }] }],
        },
        { name: 'other' },
      ],
    })
  })

  it('a strategy can be added in an environment that the feature is disconnected from', async () => {
    const { status, body } = await send('POST', `${staging}/strategies`, { name: 'default' })
    expect([status, body.name]).toEqual([200, 'default'])
    expect((await send('GET', `${staging}/strategies/${body.id}`)).body).toEqual(body)
    expect((await send('PUT', `${staging}/strategies/${body.id}`, { title: 'later' })).body.title).toBe('later')
    const { environments } = (await send('GET', `${features}/flag`)).body
    expect(environments.map(({ name }: { name: string }) => name)).not.toContain('staging')
    expect((await send('GET', `${staging}/strategies`)).status).toBe(404)
    expect((await send('POST', `${staging}/on`)).status).toBe(404)
    expect((await send('DELETE', `${staging}/strategies/${body.id}`)).status).toBe(404)
  })

  it('a strategy is rejected in an unknown environment, after its constraints', async () => {
    const add = (body: object) => send('POST', `${features}/flag/environments/nope/strategies`, body)
    const unknown = await add({ name: 'default' })
    expect([unknown.status, unknown.body.name]).toEqual([400, 'BadDataError'])
    expect(unknown.body.message).toContain('nope')
    const constraints = [{ contextName: 'userId', operator: 'IN', values: [] }]
    expect((await add({ name: 'default', constraints })).body.message).not.toContain('nope')
  })

  it('a feature is switched off in an environment when its last enabled strategy is deleted', async () => {
    expect((await send('DELETE', `${development}/strategies/only`)).status).toBe(200)
    expect((await send('GET', development)).body.enabled).toBe(false)
    const [first, second] = lastEvents(2)
    expect([first?.type, second?.type]).toEqual(['feature-environment-disabled', 'feature-strategy-remove'])
    expect(first?.groupId).toBe(second?.groupId)
  })

  it.each([
    ['PUT', { disabled: true }],
    ['PATCH', [{ op: 'replace', path: '/disabled', value: true }]],
  ])('a feature is switched off in an environment when a %s disables its last strategy', async (method, body) => {
    expect((await send(method, `${development}/strategies/only`, body)).status).toBe(200)
    expect((await send('GET', development)).body.enabled).toBe(false)
    const [first, second] = lastEvents(2)
    expect([first?.type, second?.type]).toEqual(['feature-strategy-update', 'feature-environment-disabled'])
    expect(first?.groupId).toBe(second?.groupId)
  })

  it('a feature stays on while it has an enabled strategy', async () => {
    const { body } = await send('POST', `${development}/strategies`, { name: 'default' })
    await send('DELETE', `${development}/strategies/only`)
    expect((await send('GET', development)).body.enabled).toBe(true)
    await send('DELETE', `${development}/strategies/${body.id}`)
    expect((await send('GET', development)).body.enabled).toBe(false)
  })

  it.each(['/api/admin/projects/nope/features/flag', `${features}/other`])(
    'a strategy is not found via %s',
    async (wrong) => {
      const path = `${wrong}/environments/development/strategies/only`
      for (const [method, body] of [
        ['PUT', { title: 'x' }],
        ['PATCH', [{ op: 'replace', path: '/title', value: 'x' }]],
        ['DELETE', undefined],
      ] as const) {
        const { status, body: answer } = await send(method, path, body)
        expect(status).toBe(403)
        // Unleash says nothing about a patch.
        if (method !== 'PATCH') expect(answer.name).toBe('InvalidOperationError')
      }
      expect((await send('GET', path)).status).toBe(403)
      expect((await send('GET', `${development}/strategies/nope`)).status).toBe(404)
      expect((await send('DELETE', `${development}/strategies/nope`)).status).toBe(404)
    },
  )

  it('enabling a feature without a strategy needs the permission to create one', async () => {
    const permissions = ['UPDATE_FEATURE_ENVIRONMENT', { name: 'CREATE_FEATURE_STRATEGY', environment: 'production' }]
    client.mock.add({ roles: [{ id: 2, name: 'Editor', permissions }] })
    const on = (name: string) =>
      client.send('POST', `${features}/${name}/environments/development/on`, undefined, { key: EDITOR })
    const { status, body } = await on('other')
    expect(status).toBe(403)
    expect(body.message).toContain('CREATE_FEATURE_STRATEGY')
    expect((await send('GET', `${features}/other/environments/development`)).body).toMatchObject({
      enabled: false,
      strategies: [],
    })
    const both = { features: ['flag', 'other'] }
    const bulk = '/api/admin/projects/default/bulk_features/environments/development/on'
    expect((await client.send('POST', bulk, both, { key: EDITOR })).status).toBe(403)
    expect((await on('flag')).status).toBe(200)
  })
})

onEveryAdapter(
  'a PUT of a strategy to Unleash',
  (client) => {
    it('clears omitted fields, and completes parameters only if it names the type', async () => {
      const strategies = '/api/admin/projects/default/features/legacy-export/environments/development/strategies'
      const sent = { title: 'First', parameters: { rollout: '20' }, segments: [], constraints: [] }
      const { body: added } = await client.send('POST', strategies, { name: 'flexibleRollout', ...sent })
      const put = async (body: object) => (await client.send('PUT', `${strategies}/${added.id}`, body)).body
      expect(await put({ title: 'Second' })).toEqual({ ...added, title: 'Second', parameters: {} })
      expect((await put({ parameters: { rollout: '30' } })).parameters).toEqual({ rollout: '30' })
      expect((await put({ name: 'flexibleRollout', parameters: {} })).parameters).toEqual(
        added.parameters && {
          ...added.parameters,
          rollout: '100',
        },
      )
    })
  },
  { ...FIXED, profile: 'unleash-8' },
)
