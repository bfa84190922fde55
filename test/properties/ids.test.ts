import { expect, it } from 'vitest'
import { createMock, type State } from '../../src/index.js'
import { FIXED } from '../support/adapters.js'
import { onBothProfiles } from '../support/both.js'

const constraints: readonly object[] = []
const webhook = {
  provider: 'webhook',
  enabled: true,
  parameters: { url: 'https://example.com' },
  events: ['user-created'],
}

/** The creation and deletion of a numbered record. */
const numbered = [
  ['segments', '/api/admin/segments', (name: string) => ({ name, constraints })],
  ['users', '/api/admin/user-admin', (name: string) => ({ email: `${name}@example.com`, rootRole: 3 })],
  ['addons', '/api/admin/addons', () => webhook],
] as const

onBothProfiles('numbers', (client, profile) => {
  const create = async (path: string, body: object): Promise<number> => (await client.send('POST', path, body)).body.id
  const remove = (path: string, id: number) => client.send('DELETE', `${path}/${id}`)

  it.each(numbered)('an ID of %s is never used twice', async (kind, path, bodyOf) => {
    const first = await create(path, bodyOf('first'))
    await remove(path, first)
    expect(await create(path, bodyOf('second'))).toBe(first + 1)
    // Nor after the snapshot was loaded elsewhere, and an earlier one was added.
    const old = client.mock.state()
    await remove(path, first + 1)
    const snapshot: State = JSON.parse(JSON.stringify(client.mock.state()))
    client.mock.restore(snapshot)
    expect(client.mock.state()).toEqual(snapshot)
    client.mock.add({ sequences: old.sequences })
    expect(await create(path, bodyOf('third'))).toBe(first + 2)
    client.mock.add({ [kind]: [{ id: 90 }] })
    client.mock.add({ [kind]: { 90: null } })
    expect(await create(path, bodyOf('fourth'))).toBe(91)
  })

  it('the messages of a deleted integration keep their IDs', async () => {
    const addon = await create('/api/admin/addons', webhook)
    await create('/api/admin/user-admin', { email: 'a@example.com', rootRole: 3 })
    expect(client.mock.state().integrationEvents.map(({ id }) => id)).toEqual(['1'])
    await remove('/api/admin/addons', addon)
    await create('/api/admin/addons', webhook)
    await create('/api/admin/user-admin', { email: 'b@example.com', rootRole: 3 })
    expect(client.mock.state().integrationEvents.map(({ id }) => id)).toEqual(['2'])
  })

  it('an archived feature loses a deleted segment', async () => {
    client.mock.add({
      segments: [{ id: 1, name: 'staff' }],
      features: [
        {
          name: 'old',
          archived: true,
          environments: [{ name: 'development', strategies: [{ name: 'default', segments: [1] }] }],
        },
      ],
    })
    expect((await remove('/api/admin/segments', 1)).status).toBe(204)
    await client.send('POST', '/api/admin/archive/revive/old')
    expect(await create('/api/admin/segments', { name: 'others', constraints })).toBe(2)
    const [development] = client.mock.features.get('old')?.environments ?? []
    expect(development?.strategies.map(({ segments }) => segments)).toEqual([[]])
    const path = '/api/admin/projects/default/features/old/clone'
    expect((await client.send('POST', path, { name: 'copy' })).status).toBe(profile === 'documented' ? 200 : 201)
  })
})

it('a new mock has retired no IDs', () => {
  expect(createMock(FIXED).state().sequences).toEqual([])
})
