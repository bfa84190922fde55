import { describe, expect, it } from 'vitest'
import { scratchFolder, startCli } from '../../support/cli.js'

/** A call of a public setup, with the status of Unleash 8.2.0. */
type Call = [call: string, status: number, body?: unknown, key?: string | undefined]

const ADMIN = '*:*.secret'
const BACKEND = 'default:development.secret'
const FRONTEND = 'default:development.page'
const feature = '/api/admin/projects/default/features'
const login = { username: 'admin', password: 'unleash4all' }
const exported = { features: [{ name: 'imported' }], featureStrategies: [], featureEnvironments: [] }

const health: Call[] = [
  ['GET /health', 200],
  ['GET /ready', 200],
]

const signIn: Call[] = [
  ['GET /auth/simple/login', 200],
  ['POST /auth/simple/login', 200, login],
  ['GET /api/admin/projects', 401],
]

/** A test creates a flag, turns it on and removes it. */
const flip = (key?: string): Call[] => [
  [`POST ${feature}`, 201, { name: 'mine', type: 'release' }, key],
  [`POST ${feature}`, 409, { name: 'mine' }, key],
  [`POST ${feature}/mine/environments/development/strategies`, 200, { name: 'default' }, key],
  [`POST ${feature}/mine/environments/development/on`, 200, undefined, key],
  [`GET ${feature}/mine`, 200, undefined, key],
  [`POST ${feature}/mine/environments/development/off`, 200, undefined, key],
  [`DELETE ${feature}/mine`, 202, undefined, key],
  ['DELETE /api/admin/archive/mine', 200, undefined, key],
]

const metrics = { appName: 'app', instanceId: 'i', bucket: { start: 1, stop: 2, toggles: {} } }
const backend = (key?: string): Call[] => [
  ['GET /api/client/features', 200, undefined, key],
  ['POST /api/client/register', 202, { appName: 'app', instanceId: 'i', strategies: [], started: 1, interval: 1 }, key],
  ['POST /api/client/metrics', 202, metrics, key],
]
const frontend = (key?: string): Call[] => [
  ['GET /api/frontend', 200, undefined, key],
  ['POST /api/frontend', 200, { context: {} }, key],
]

/** The calls of the Terraform provider's client and of the Go client. */
const administration: Call[] = [
  ['GET /api/admin/context/appName', 200, undefined, ADMIN],
  ['POST /api/admin/context', 201, { name: 'region', legalValues: [{ value: 'eu' }] }, ADMIN],
  ['DELETE /api/admin/context/region', 200, undefined, ADMIN],
  ['POST /api/admin/user-admin', 201, { username: 'searchable-user', rootRole: 1 }, ADMIN],
  ['GET /api/admin/user-admin/search?q=able-user', 200, undefined, ADMIN],
  ['GET /api/admin/api-tokens/admin', 200, undefined, ADMIN],
  [
    'POST /api/admin/api-tokens',
    201,
    { tokenName: 'mine', type: 'client', environment: 'development', projects: ['default'] },
    ADMIN,
  ],
  ['POST /api/admin/tag-types', 201, { name: 'team', description: 'd' }, ADMIN],
  ['GET /api/admin/roles', 404, undefined, ADMIN],
  ['POST /api/admin/projects', 404, { id: 'new', name: 'New' }, ADMIN],
  ['GET /api/admin/groups', 404, undefined, ADMIN],
]

const database = { DATABASE_HOST: 'db', DATABASE_NAME: 'unleash', DATABASE_SSL: 'false', LOG_LEVEL: 'warn' }
const tokens = {
  INIT_ADMIN_API_TOKENS: ADMIN,
  INIT_BACKEND_API_TOKENS: BACKEND,
  INIT_FRONTEND_API_TOKENS: FRONTEND,
}

interface SetUp {
  name: string
  variables: Record<string, string>
  calls: Call[]
}

const setUps: SetUp[] = [
  {
    name: "the vendor's docker-compose.yml",
    variables: { ...database, INIT_FRONTEND_API_TOKENS: FRONTEND, INIT_BACKEND_API_TOKENS: BACKEND },
    calls: [...health, ...signIn, ...backend(BACKEND), ...frontend(FRONTEND)],
  },
  { name: 'the vendor’s test file, dokploy, .NET', variables: database, calls: [...health, ...signIn] },
  {
    name: 'a helm chart',
    variables: { DATABASE_URL_FILE: '/run/secrets/db', PORT: '0' },
    calls: [...health, ...signIn],
  },
  {
    name: 'the provider for Terraform, server-api-go',
    variables: { ...database, INIT_ADMIN_API_TOKENS: ADMIN, NODE_ENV: 'development', UNLEASH_LICENSE: 'x' },
    calls: [...flip(ADMIN), ...administration],
  },
  {
    name: 'the Python provider of OpenFeature',
    variables: { ...database, INIT_CLIENT_API_TOKENS: BACKEND, INIT_ADMIN_API_TOKENS: ADMIN, AUTH_ENABLE: 'false' },
    calls: [...flip(ADMIN), ...backend(BACKEND)],
  },
  {
    name: 'a dev service of Quarkus',
    variables: { INIT_BACKEND_API_TOKENS: BACKEND, IMPORT_PROJECT: 'default', IMPORT_ENVIRONMENT: 'development' },
    calls: backend(BACKEND),
  },
  {
    name: 'a service of GitHub Actions that needs no key',
    variables: { ...tokens, AUTH_TYPE: 'none' },
    calls: [...flip(), ...flip(ADMIN), ...backend(), ...frontend()],
  },
  {
    name: 'a set-up with an export file, a token named twice and the variable of its app',
    variables: { ...tokens, INIT_CLIENT_API_TOKENS: BACKEND, UNLEASH_URL: 'unleash:4242/api' },
    calls: [...health, [`GET ${feature}/imported`, 200, undefined, ADMIN], ...backend(BACKEND)],
  },
  {
    name: 'an own admin, as in seeds and smoke tests',
    variables: { ...tokens, UNLEASH_DEFAULT_ADMIN_USERNAME: 'boss', UNLEASH_DEFAULT_ADMIN_PASSWORD: 'correct horse' },
    calls: [
      ['POST /auth/simple/login', 200, { username: 'boss', password: 'correct horse' }],
      ['POST /auth/simple/login', 401, login],
      [
        'POST /api/admin/features-batch/import',
        400,
        { project: 'default', environment: 'development', data: exported },
        ADMIN,
      ],
      ['POST /api/admin/state/import', 404, {}, ADMIN],
      ...flip(ADMIN),
    ],
  },
  {
    name: 'Edge and the proxy',
    variables: { INIT_CLIENT_API_TOKENS: BACKEND, INIT_FRONTEND_API_TOKENS: FRONTEND },
    calls: [
      ['POST /edge/validate', 200, { tokens: [BACKEND] }],
      ['GET /api/client/delta', 404, undefined, BACKEND],
      ['GET /api/proxy', 404, undefined, FRONTEND],
      ['GET /internal-backstage/prometheus', 200],
      ...backend(BACKEND),
      ...frontend(FRONTEND),
    ],
  },
]

describe("a public setup gets Unleash's statuses, with its own variables", () => {
  it.each(setUps)('$name', async ({ variables, calls }) => {
    const file = scratchFolder().put('flags.json', exported)
    const { at } = await startCli([], { env: { ...variables, IMPORT_FILE: file } })
    const answered: string[] = []
    for (const [call, , body, key] of calls) {
      const [method = '', path = ''] = call.split(' ')
      const response = await fetch(at + path, {
        method,
        headers: { 'content-type': 'application/json', ...(key === undefined ? {} : { authorization: key }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      await response.text()
      answered.push(`${response.status} ${call}`)
    }
    expect(answered).toEqual(calls.map(([call, status]) => `${status} ${call}`))
  })
})

it('a fresh instance has the descriptions that other projects compare', async () => {
  const { at } = await startCli([], { env: { ...database, INIT_ADMIN_API_TOKENS: ADMIN } })
  const get = async (path: string) => (await fetch(at + path, { headers: { authorization: ADMIN } })).json()
  expect((await get('/api/admin/context/appName')).description).toBe('Allows you to constrain on application name')
})
