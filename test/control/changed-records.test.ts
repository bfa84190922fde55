import { expect, it } from 'vitest'
import { onEveryAdapter } from '../support/adapters.js'

onEveryAdapter('PATCH /__mock/state with objects in place of lists', (client) => {
  const patch = (body: unknown) => client.send('PATCH', '/__mock/state', body, { key: null })

  it('a patch of records changes only what it names', async () => {
    const before = client.mock.features.get('checkout-redesign')
    const { status } = await patch({ features: { 'checkout-redesign': { stale: true } } })
    expect(status).toBe(200)
    expect(client.mock.features.get('checkout-redesign')).toEqual({ ...before, stale: true })
  })

  it('a patch addresses items of lists by name and by position', async () => {
    const development = { strategies: { 0: { title: 'First' } } }
    await patch({ features: { 'checkout-redesign': { environments: { development } } } })
    const [feature] = client.mock.state().features.filter(({ name }) => name === 'checkout-redesign')
    const environment = feature?.environments.find(({ name }) => name === 'development')
    expect(environment?.strategies.map(({ title }) => title)).toEqual(['First', expect.anything()])
  })

  it('a patch adds names to a list and removes them', async () => {
    await patch({ projects: { default: { environments: { production: false, development: true } } } })
    expect(client.mock.state().projects.find(({ id }) => id === 'default')?.environments).toEqual(['development'])
  })

  it('a patch adds a member by name, and removes them', async () => {
    const members = () => client.mock.state().projects.find(({ id }) => id === 'default')?.members
    const before = members()
    const member = { user: 'viewer', role: 'Member' }
    await patch({ projects: { default: { members: { viewer: { ...member, granted: true } } } } })
    expect(members()).toEqual([...(before ?? []), { id: 3, role: 5 }])
    await patch({ projects: { default: { members: { viewer: { ...member, granted: false } } } } })
    expect(members()).toEqual(before)
  })

  it('a patch with an unknown record or a broken value is rejected', async () => {
    for (const features of [{ nothing: { stale: true } }, { 'checkout-redesign': { stale: 'no' } }]) {
      expect((await patch({ features })).headers.get('x-mock-error')).toBe('INVALID_STATE')
    }
  })
})
