import { beforeEach, expect, it } from 'vitest'
import { onEveryAdapter } from '../../support/adapters.js'

const KEY = 'user:limited'

interface Granted {
  name: string
  environment?: string
}

onEveryAdapter('the scope of a permission', (client) => {
  const statusOf = async (method: string, path: string, body: unknown) =>
    (await client.send(method, path, body, { key: KEY })).status

  /** A user with these permissions in the whole instance, and with others in one project. */
  const permit = (everywhere: Granted[], inProject: Granted[] = [], project = 'my~team') =>
    client.mock.add({
      roles: [
        { id: 10, permissions: everywhere },
        { id: 11, type: 'project', permissions: inProject },
      ],
      users: [{ id: 10, rootRole: 10 }],
      apiTokens: [{ secret: KEY, userId: 10 }],
      projects: [{ id: project, environments: ['pre~prod', 'development'], members: [{ id: 10, role: 11 }] }],
      features: [{ name: 'own~flag', project }],
    })

  beforeEach(() => client.mock.add({ environments: [{ name: 'pre~prod' }] }))

  it('any of several permissions is enough', async () => {
    const switchOn = () => statusOf('POST', '/api/admin/maintenance', { enabled: true })
    permit([{ name: 'UPDATE_FEATURE' }])
    expect(await switchOn()).toBe(403)
    permit([{ name: 'UPDATE_MAINTENANCE_MODE' }])
    expect(await switchOn()).toBe(204)
  })

  it('a feature without a project in the path needs the permission in its own project', async () => {
    permit([], [{ name: 'UPDATE_FEATURE' }])
    const tag = (feature: string) =>
      statusOf('POST', `/api/admin/features/${feature}/tags`, { type: 'simple', value: 'mine' })
    expect([await tag('own%7Eflag'), await tag('checkout-redesign')]).toEqual([201, 403])
  })

  it('names of projects and environments are decoded', async () => {
    permit([], [{ name: 'CREATE_FEATURE_STRATEGY', environment: 'pre~prod' }])
    const add = (environment: string) => {
      const path = `/api/admin/projects/my%7Eteam/features/own%7Eflag/environments/${environment}/strategies`
      return statusOf('POST', path, { name: 'default' })
    }
    expect([await add('pre%7Eprod'), await add('development')]).toEqual([200, 403])
  })

  it("an environment in the body doesn't matter", async () => {
    permit([], [{ name: 'CREATE_FEATURE', environment: 'development' }])
    const create = (name: string, more: object) =>
      statusOf('POST', '/api/admin/projects/my%7Eteam/features', { name, ...more })
    const [without, within] = [await create('one', {}), await create('two', { environment: 'development' })]
    expect(within).toBe(without)
  })
})
