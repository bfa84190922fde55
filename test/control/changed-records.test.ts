import { expect, it } from 'vitest'
import { onEveryAdapter } from '../support/adapters.js'

onEveryAdapter('PATCH /__mock/state with records by their keys', (client) => {
  const patch = (body: unknown) => client.send('PATCH', '/__mock/state', body, { key: null })

  it('a patch of records changes only the named records', async () => {
    const before = client.mock.features.get('checkout-redesign')
    const { status } = await patch({ features: { 'checkout-redesign': { stale: true } } })
    expect(status).toBe(200)
    expect(client.mock.features.get('checkout-redesign')).toEqual({ ...before, stale: true })
  })

  it('a patch reaches a feature’s environments by name, and replaces their strategies', async () => {
    const stored = client.mock.features.get('checkout-redesign')?.environments
    const development = { strategies: [{ name: 'default', title: 'First' }] }
    await patch({ features: { 'checkout-redesign': { environments: { development } } } })
    const environments = client.mock.features.get('checkout-redesign')?.environments
    expect(environments?.map(({ enabled }) => enabled)).toEqual(stored?.map(({ enabled }) => enabled))
    expect(environments?.[0]?.strategies.map(({ title }) => title)).toEqual(['First'])
    expect(environments?.[1]).toEqual(stored?.[1])
  })

  it('a patch replaces lists of names and of members', async () => {
    const members = [{ user: 'viewer', role: 'Member' }]
    await patch({ projects: { default: { environments: ['development'], members } } })
    const project = client.mock.state().projects.find(({ id }) => id === 'default')
    expect(project).toMatchObject({ environments: ['development'], members: [{ id: 3, role: 5 }] })
  })

  it('a patch removes fields by null, which then get their defaults', async () => {
    await patch({ features: { 'legacy-export': { description: null, stale: null, type: null } } })
    const feature = client.mock.features.get('legacy-export')
    expect(feature).toMatchObject({ description: null, stale: false, type: 'release' })
  })

  it('a patch with an unknown record or a broken value is rejected', async () => {
    for (const features of [{ nothing: { stale: true } }, { 'checkout-redesign': { stale: 'no' } }]) {
      expect((await patch({ features })).headers.get('x-mock-error')).toBe('INVALID_STATE')
    }
  })
})
