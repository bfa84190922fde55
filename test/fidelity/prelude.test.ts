import { beforeEach, describe, expect, it } from 'vitest'
import { createMock, type Mock } from '../../src/engine/mock/mock.js'
import { read } from '../support/adapters.js'
import { running, tokens } from '../support/unleash-8.js'
import prelude from './prelude.json' with { type: 'json' }

type StateName = keyof typeof prelude.states
type Params = Record<string, unknown>

const features = '/api/admin/projects/default/features'

/** The states for recordings that no request can create, as described in prelude.json. */
describe('the prelude of the recordings', () => {
  let mock: Mock
  beforeEach(() => {
    mock = createMock(running)
  })

  async function send(method: string, path: string, body?: unknown, key: string = tokens.admin) {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const headers = { authorization: key, 'content-type': 'application/json' }
    const init = { method, headers, ...(body === undefined ? {} : { body: text }) }
    return read(await mock.fetch(new Request(`http://localhost${path}`, init)))
  }

  /** Like a replay of recordings: parameters replace their names, all of `params` at once. */
  async function set(state: StateName, params: Params): Promise<void> {
    for (const { method, path, body } of prelude.states[state]) {
      const filled = body.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
        const value = name === 'params' ? params : params[name]
        return typeof value === 'object' ? JSON.stringify(value) : String(value ?? '')
      })
      expect((await send(method, path, filled)).body).toMatchObject({ version: 1 })
    }
  }

  const create = (name: string) => send('POST', features, { name })
  const addStrategy = (feature: string, strategy: object) =>
    send('POST', `${features}/${feature}/environments/production/strategies`, strategy)
  const clone = (name = 'copy', key?: string) => send('POST', `${features}/src/clone`, { name }, key)
  const environmentsOf = async (name: string) =>
    (await send('GET', `${features}/${name}`)).body.environments.map((one: { name: string | null }) => one.name)

  it('every state of the prelude is known', () => {
    expect(Object.keys(prelude.states)).toHaveLength(16)
  })

  it('the prelude adds and removes variants of an environment', async () => {
    await create('src')
    const at = { project: 'default', feature: 'src', environment: 'production' }
    const variants = [{ name: 'v', weight: 1000, weightType: 'variable', stickiness: 'default', overrides: [] }]
    const path = `${features}/src/environments/production/variants`
    await set('environment-variants', { ...at, variants })
    expect((await send('GET', path)).body.variants).toEqual(variants)
    await set('environment-variants', { ...at, variants: [] })
    expect((await send('GET', path)).body.variants).toEqual([])
  })

  it('the prelude archives a feature that another depends on', async () => {
    await create('src')
    await create('parent')
    await send('POST', `${features}/src/dependencies`, { feature: 'parent' })
    await set('feature-archived', { project: 'default', feature: 'parent' })
    expect((await send('GET', `${features}/parent`)).status).toBe(404)
    expect((await clone()).status).toBe(403)
  })

  it('the prelude moves a segment into a project', async () => {
    await create('src')
    const { body } = await send('POST', '/api/admin/segments', { name: 'some', constraints: [] })
    await addStrategy('src', { name: 'default', segments: [body.id] })
    await set('segment-project', { segment: body.id, project: 'p3' })
    expect((await clone()).status).toBe(400)
    await set('segment-project', { segment: body.id, project: 'default' })
    expect((await clone()).status).toBe(201)
  })

  it('the prelude creates and connects an environment, and undoes both', async () => {
    const qa = { name: 'qa', type: 'test', sortOrder: 9 }
    const connection = { project: 'default', environment: 'qa' }
    await create('src')
    await set('environment', { ...qa, exists: true })
    await set('project-environment', { ...connection, connected: true })
    await clone()
    expect(await environmentsOf('copy')).toEqual(['development', 'production', 'qa'])
    await set('project-environment', { project: 'default', environment: 'development', connected: false })
    await clone('third')
    await set('project-environment', { project: 'default', environment: 'development', connected: true })
    await set('project-environment', { ...connection, connected: false })
    await clone('second')
    expect(await environmentsOf('second')).toEqual(['development', 'production'])
    expect(await environmentsOf('third')).toEqual(['development', 'production'])
    await set('environment', { ...qa, exists: false })
    expect(await environmentsOf('copy')).toEqual(['development', 'production'])
    expect((await send('GET', '/api/admin/environments/qa')).status).toBe(404)
  })

  it('the prelude removes a feature from all environments, even when a snapshot is restored', async () => {
    await create('src')
    await set('feature-without-environments', { project: 'default', feature: 'src' })
    expect(await environmentsOf('src')).toEqual([])
    mock.restore(mock.state())
    expect(await environmentsOf('src')).toEqual([])
    expect((await send('POST', `${features}/src/environments/development/on`)).status).toBe(404)
  })

  it('the prelude moves a feature into an archived project', async () => {
    const environments = ['production']
    await set('feature-in-archived-project', { project: 'parch', feature: 'src', type: 'experiment', environments })
    const { body } = await send('GET', '/api/admin/projects/parch/features/src')
    expect([body.type, body.environments.length]).toEqual(['experiment', 1])
    expect((await send('POST', '/api/admin/projects/parch/features/src/clone', { name: 'copy' })).status).toBe(404)
  })

  it.each<[StateName, Params, Params, string]>([
    [
      'naming-pattern',
      { project: 'default', pattern: '^x-', example: 'x-1', description: 'begins with x' },
      { project: 'default', pattern: null, example: null, description: null },
      'PatternError',
    ],
    ['feature-limit', { project: 'default', limit: 1 }, { project: 'default', limit: null }, 'InvalidOperationError'],
    [
      'change-requests',
      { project: 'default', environment: 'development', enabled: true },
      { project: 'default', environment: 'development', enabled: false },
      'ForbiddenError',
    ],
  ])('the prelude makes clones impossible by %s, and possible again', async (state, given, back, error) => {
    await create('src')
    await set(state, given)
    expect((await clone()).body.name).toBe(error)
    await set(state, back)
    expect((await clone()).status).toBe(201)
  })

  it('the prelude revokes permissions of a role and grants them again, in one environment and in all', async () => {
    await create('src')
    await addStrategy('src', { name: 'default' })
    for (const [permission, environment] of [
      ['CREATE_FEATURE_STRATEGY', 'production'],
      ['CREATE_FEATURE', null],
    ]) {
      const given = { role: 'Editor', permission, environment }
      await set('role-permission', { ...given, granted: false })
      expect((await clone('refused', tokens.editor)).body.message).toContain(`"${permission}"`)
      await set('role-permission', { ...given, granted: true })
      expect((await clone(`with-${permission}`, tokens.editor)).status).toBe(201)
    }
  })

  it('the prelude grants a project role and revokes it', async () => {
    await create('src')
    const role = { user: 'viewer', role: 'Owner', project: 'default' }
    await set('project-role', { ...role, granted: true })
    expect((await clone('one', tokens.viewer)).status).toBe(201)
    await set('project-role', { ...role, granted: false })
    expect((await clone('two', tokens.viewer)).status).toBe(403)
  })

  it('the prelude changes constraints, weights and fields without checks', async () => {
    await create('src')
    const variable = { weightType: 'variable', stickiness: 'default', weight: 500 }
    const variants = ['a', 'b'].map((name) => ({ name, ...variable }))
    await addStrategy('src', { name: 'flexibleRollout', variants })
    const at = { project: 'default', feature: 'src', environment: 'production' }
    await set('strategy-variant-weight', { ...at, variant: 'b', weight: 7 })
    await set('feature-fields', { project: 'default', feature: 'src', type: 'odd', description: '' })
    const { body } = await send('GET', `${features}/src`)
    const weights = body.environments[1].strategies[0].variants.map(({ weight }: { weight: number }) => weight)
    expect([body.type, body.description, weights]).toEqual(['odd', '', [7]])
    const constraints = [{ contextName: 'n', operator: 'NUM_EQ', value: 'abc', values: [] }]
    await set('strategy-constraints', { ...at, constraints })
    expect((await clone()).status).toBe(400)
  })

  it('the prelude adds link templates and removes them', async () => {
    await create('src')
    const templates = [{ title: 'T', urlTemplate: 'https://x.example/{{feature}}' }]
    await set('link-templates', { project: 'default', templates })
    await clone('one')
    expect((await send('GET', `${features}/one`)).body.links).toHaveLength(1)
    await set('link-templates', { project: 'default', templates: [] })
    await clone('two')
    expect((await send('GET', `${features}/two`)).body.links).toEqual([])
  })
})
