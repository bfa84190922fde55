import { describe, expect, it } from 'vitest'
import { createMock, type PartialState } from '../../src/index.js'
import { ADMIN, FIXED, onEveryAdapter } from '../support/adapters.js'

/** The message about a rejected fixture. */
function faultOf(fixtures: PartialState): string {
  try {
    createMock({ ...FIXED, fixtures })
  } catch (error) {
    return String(error)
  }
  return 'nothing'
}

describe('roles by name', () => {
  it('a user, a signup token and a member of a project can have a role by its name', () => {
    const mock = createMock({
      ...FIXED,
      fixtures: {
        roles: [{ id: 9, name: 'Tester' }],
        users: [
          { id: 10, username: 'ada', rootRole: 'Editor' },
          { id: 11, rootRole: 'Tester' },
        ],
        signupTokens: [
          { secret: 'a', role: 'Editor' },
          { secret: 'b', role: 9 },
        ],
        projects: [
          {
            id: 'p',
            members: [
              { user: 'ada', role: 'Owner' },
              { id: 11, role: 'Member' },
              { user: 'ada', role: 5 },
            ],
          },
        ],
      },
    })
    expect([mock.users.get(10)?.rootRole, mock.users.get(11)?.rootRole]).toEqual([2, 9])
    expect([mock.signupTokens.get('a')?.role.id, mock.signupTokens.get('b')?.role.name]).toEqual([2, 'Tester'])
    const { projects } = mock.state()
    expect(projects.find(({ id }) => id === 'p')?.members).toEqual([
      { id: 10, role: 4 },
      { id: 11, role: 5 },
      { id: 10, role: 5 },
    ])
    mock.add({ users: { 10: { rootRole: 'Viewer' } }, signupTokens: { a: { role: 'Admin' } } })
    expect([mock.users.get(10)?.rootRole, mock.signupTokens.get('a')?.role.id]).toEqual([3, 1])
  })

  it.each<[PartialState, string]>([
    [
      { users: [{ id: 10, rootRole: 'Editr' }] },
      '$.users[0].rootRole: must be the id or the name of a role that exists, but is "Editr"',
    ],
    [
      { users: [{ id: 10, rootRole: 77 }] },
      '$.users[0].rootRole: must be the id or the name of a role that exists, but is 77',
    ],
    [{ signupTokens: [{ secret: 'a', role: 'Editr' }] }, '$.signupTokens[0].role: must be'],
    [
      { projects: [{ id: 'p', members: [{ user: 'admin', role: 'Editr' }] }] },
      '$.projects[0].members[0].role: must be',
    ],
  ])('an unknown role is reported with all known roles: %j', (fixtures, message) => {
    const fault = faultOf(fixtures)
    expect(fault).toContain(message)
    for (const role of ['"Admin" (1)', '"Editor" (2)', '"Viewer" (3)', '"Owner" (4)', '"Member" (5)'])
      expect(fault).toContain(role)
  })

  it('an unknown member is reported with the users', () => {
    const fault = faultOf({ projects: [{ id: 'p', members: [{ user: 'ada', role: 'Owner' }] }] })
    expect(fault).toMatch(/members\[0\]\.user: must be the id of a user that exists, but is "ada".*"admin" \(1\)/)
  })

  it('a value of another kind is rejected with a description of a role', () => {
    const given = JSON.parse('{ "users": [{ "id": 10, "rootRole": true }] }') as PartialState
    expect(faultOf(given)).toContain('must be the id or the name of a role, but is true')
  })
})

it('a hint at a similar name ends the message', () => {
  const mock = createMock(FIXED)
  const rule = { operation: 'cloneFeature', status: 403, match: { params: { projectID: 'mobile' } } } as const
  expect(() => mock.force(rule)).toThrow(/\)\. Did you mean "projectId"\?$/m)
})

const NAMES = ['development', 'production', 'staging']

onEveryAdapter(
  'environments of a feature',
  (client) => {
    it('they come by their sortOrder, in any order in the fixture', async () => {
      const headers = { authorization: ADMIN, 'content-type': 'application/json' }
      const read = async (path: string) => (await client.adapter.fetch(path, { headers })).json()
      const names = ({ environments }: { environments: { name: string }[] }) => environments.map(({ name }) => name)
      const path = '/api/admin/projects/default/features'
      expect(names(await read(`${path}/mixed`))).toEqual(NAMES)
      const { features } = await read(path)
      expect(names(features.find(({ name }: { name: string }) => name === 'mixed'))).toEqual(NAMES)
      const found = await read('/api/admin/search/features?project=IS:default')
      expect(names(found.features.find(({ name }: { name: string }) => name === 'mixed'))).toEqual(NAMES)
      expect(client.mock.features.get('mixed')?.environments.map(({ name }) => name)).toEqual(NAMES)
    })

    it('they follow when the order changes', async () => {
      const order = { development: 9, staging: 1, production: 5 }
      const { status } = await client.send('PUT', '/api/admin/environments/sort-order', order)
      expect(status).toBe(200)
      const { body } = await client.send('GET', '/api/admin/projects/default/features/mixed')
      const names = body.environments.map(({ name }: { name: string }) => name)
      expect(names).toEqual(['staging', 'production', 'development'])
    })
  },
  {
    ...FIXED,
    fixtures: {
      environments: [{ name: 'staging', type: 'test', sortOrder: 4 }],
      projects: [{ id: 'default', environments: NAMES }],
      features: [
        {
          name: 'mixed',
          environments: [{ name: 'production' }, { name: 'staging' }, { name: 'development', enabled: true }],
        },
      ],
    },
  },
)

onEveryAdapter('the API token user:mock-admin', (client) => {
  it('it belongs to a user with all permissions', async () => {
    const key = 'user:mock-admin'
    const { status, body } = await client.send('GET', '/api/admin/user', undefined, { key })
    expect([status, body.user.email]).toEqual([200, 'admin@example.com'])
    expect(body.permissions).toContainEqual({ permission: 'ADMIN' })
    const data = {
      features: [],
      featureStrategies: [],
      featureEnvironments: [],
      contextFields: [],
      featureTags: [],
      segments: [],
      tagTypes: [],
    }
    const sent = { project: 'default', environment: 'development', data }
    const imported = await client.send('POST', '/api/admin/features-batch/import', sent, { key })
    expect(imported.status).toBe(200)
  })
})
