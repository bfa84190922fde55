import { describe, expect, it } from 'vitest'
import { createMock, type Mock, type MockOptions } from '../../src/index.js'
import { FIXED } from '../support/adapters.js'

const KEY = 'user:ada'

/** The fixtures of a world in which Ada has these roles. */
type Roles = {
  root?: (string | { name: string; environment: string })[]
  /** By project. */
  projects?: Record<string, (string | { name: string; environment: string })[]>
}

function mockWith({ root = [], projects = {} }: Roles, options: MockOptions = FIXED): Mock {
  const members = Object.keys(projects)
  return createMock({
    ...options,
    fixtures: {
      roles: [
        { id: 100, permissions: root },
        ...members.map((project, i) => ({ id: 101 + i, type: 'project', permissions: projects[project] ?? [] })),
      ],
      users: [{ id: 9, username: 'ada', rootRole: 100 }],
      apiTokens: [{ secret: KEY, tokenName: 'ada', type: 'user', userId: 9 }],
      projects: members.map((id, i) => ({ id, members: [{ id: 9, role: 101 + i }] })),
    },
  })
}

async function ask(mock: Mock, method: string, path: string, body?: object) {
  const headers = { authorization: KEY, ...(body && { 'content-type': 'application/json' }) }
  const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
  const response = await mock.fetch(new Request(`http://localhost${path}`, init))
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}

describe("the permissions of a user, in Unleash's list", () => {
  const grantsOf = async (roles: Roles, options?: MockOptions) =>
    (await ask(mockWith(roles, options), 'GET', '/api/admin/user')).body.permissions

  it('a role without permissions grants nothing', async () => {
    expect(await grantsOf({})).toEqual([])
  })

  it('a role with all permissions grants only ADMIN', async () => {
    expect(await grantsOf({ root: ['CREATE_FEATURE', 'ADMIN'] })).toEqual([{ permission: 'ADMIN' }])
  })

  it('a permission of the whole instance is granted without a project', async () => {
    expect(await grantsOf({ root: ['CREATE_SEGMENT'] })).toEqual([{ permission: 'CREATE_SEGMENT' }])
  })

  it('the root role grants a permission of projects in every project', async () => {
    expect(await grantsOf({ root: ['CREATE_FEATURE'] })).toEqual([{ permission: 'CREATE_FEATURE', project: '*' }])
  })

  it('a permission of environments is granted in each environment', async () => {
    const permission = 'UPDATE_FEATURE_ENVIRONMENT'
    const environments = ['development', 'production']
    expect(await grantsOf({ root: [permission] })).toEqual(
      environments.map((environment) => ({ permission, project: '*', environment })),
    )
    expect(await grantsOf({ root: [{ name: permission, environment: 'production' }] })).toEqual([
      { permission, project: '*', environment: 'production' },
    ])
  })

  it('a role in a project grants permissions there, after those of the root role', async () => {
    const roles: Roles = { root: ['CREATE_SEGMENT'], projects: { 'mobile-app': ['CREATE_FEATURE'], default: [] } }
    expect(await grantsOf(roles)).toEqual([
      { permission: 'CREATE_SEGMENT' },
      { permission: 'CREATE_FEATURE', project: 'mobile-app' },
    ])
  })

  it('grants are confined to the project default in the profile unleash-8', async () => {
    const roles: Roles = { root: ['CREATE_FEATURE'], projects: { 'mobile-app': ['DELETE_FEATURE'] } }
    expect(await grantsOf(roles, { ...FIXED, profile: 'unleash-8' })).toEqual([
      { permission: 'CREATE_FEATURE', project: 'default' },
    ])
  })
})

describe('the scope of a permission', () => {
  const tokens = '/api/admin/projects/default/api-tokens'
  const newToken = { type: 'client', tokenName: 'sdk' }
  const onlyIn = (environment: string): Roles => ({ root: [{ name: 'CREATE_PROJECT_API_TOKEN', environment }] })

  it.each([
    ['production', 201],
    ['development', 403],
  ])(
    'in the profile unleash-8, the environment in the body determines the needed permission: %s gets %i',
    async (environment, expected) => {
      const mock = mockWith(onlyIn('production'), { ...FIXED, profile: 'unleash-8' })
      expect((await ask(mock, 'POST', tokens, { ...newToken, environment })).status).toBe(expected)
    },
  )

  it('an environment in the body that is not text grants nothing', async () => {
    const mock = mockWith(onlyIn('production'), { ...FIXED, profile: 'unleash-8' })
    expect((await ask(mock, 'POST', tokens, { ...newToken, environment: ['production'] })).status).toBe(403)
  })

  it('the environment of the path takes precedence over that of the body', async () => {
    const permission = { name: 'UPDATE_FEATURE_ENVIRONMENT', environment: 'development' }
    const turnOn = (environment: string, body: object) =>
      ask(
        mockWith({ root: [permission] }, { ...FIXED, profile: 'unleash-8' }),
        'POST',
        `/api/admin/projects/default/features/checkout-redesign/environments/${environment}/on`,
        body,
      )
    expect((await turnOn('production', { environment: 'development' })).status).toBe(403)
    expect((await turnOn('development', { environment: 'production' })).status).toBe(200)
  })
})
