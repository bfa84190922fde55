import { once } from 'node:events'
import { InMemStorageProvider, Unleash } from 'unleash-client'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type CliRun, runCli, scratchFolder, startCli } from '../support/cli.js'

const exported = {
  features: [
    { name: 'new-checkout', project: 'shop', type: 'release' },
    { name: 'old-search', project: 'shop', archived: false },
  ],
  featureStrategies: [
    { featureName: 'new-checkout', environment: 'staging', name: 'default', parameters: {}, constraints: [] },
  ],
  featureEnvironments: [
    { name: 'new-checkout', featureName: 'new-checkout', environment: 'staging', enabled: true },
    { name: 'old-search', featureName: 'old-search', environment: 'staging', enabled: false },
  ],
  contextFields: [],
  featureTags: [],
  segments: [],
  tagTypes: [],
}

async function ask(at: string, path: string, key?: string, init: RequestInit = {}) {
  const headers = { 'content-type': 'application/json', ...(key === undefined ? {} : { authorization: key }) }
  const response = await fetch(at + path, { ...init, headers })
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}

function signIn(at: string, username: string, password: string) {
  return ask(at, '/auth/simple/login', undefined, { method: 'POST', body: JSON.stringify({ username, password }) })
}

async function connect(at: string, key: string): Promise<Unleash> {
  const sdk = new Unleash({
    url: `${at}/api/`,
    appName: 'shop',
    customHeaders: { Authorization: key },
    storageProvider: new InMemStorageProvider(),
    skipInstanceCountWarning: true,
  })
  onTestFinished(() => sdk.destroy())
  await once(sdk, 'synchronized')
  return sdk
}

const started = (env: Record<string, string>, argv: readonly string[] = []) => startCli(argv, { env })

describe("a server that is set up by Unleash's own variables alone", () => {
  it('its admin flips a flag that its SDK then sees', async () => {
    const { at } = await started({
      INIT_ADMIN_API_TOKENS: '*:*.ci-admin',
      INIT_BACKEND_API_TOKENS: 'default:development.ci-backend, *:production.ci-backend',
      INIT_FRONTEND_API_TOKENS: 'default:development.ci-frontend',
    })
    const features = '/api/admin/projects/default/features'
    const made = await ask(at, features, '*:*.ci-admin', { method: 'POST', body: JSON.stringify({ name: 'fresh' }) })
    expect(made.status).toBe(201)
    const on = `${features}/fresh/environments/development`
    await ask(at, `${on}/strategies`, '*:*.ci-admin', { method: 'POST', body: JSON.stringify({ name: 'default' }) })
    expect((await ask(at, `${on}/on`, '*:*.ci-admin', { method: 'POST' })).status).toBe(200)
    const sdk = await connect(at, 'default:development.ci-backend')
    expect(sdk.isEnabled('fresh')).toBe(true)
    const elsewhere = await connect(at, '*:production.ci-backend')
    expect(elsewhere.isEnabled('fresh')).toBe(false)
    const { body } = await ask(at, '/api/frontend', 'default:development.ci-frontend')
    expect(body.toggles.map(({ name }: { name: string }) => name)).toEqual(['fresh'])
  })

  it('behaves like a new Unleash 8, unless our own flags or variables override it', async () => {
    const env = { INIT_ADMIN_API_TOKENS: '*:*.ci-admin' }
    const { at } = await started(env)
    const { body } = await ask(at, '/api/admin/ui-config', '*:*.ci-admin')
    expect(body.version).toMatch(/^8\./)
    expect((await ask(at, '/__mock/scenario')).body).toEqual({ names: ['fresh-server'] })

    const own = await started({ ...env, FLAGDOUBLE_PROFILE: 'documented' }, ['--scenario', 'empty'])
    expect((await ask(own.at, '/__mock/scenario')).body).toEqual({ names: ['empty'] })
    expect((await ask(own.at, '/api/admin/projects', '*:*.ci-admin')).status).toBe(200)
    expect((await ask(own.at, '/api/admin/projects', '*:*.unleash-insecure-api-token')).status).toBe(200)
  })

  it('the older name of the back-end tokens works without the newer name', async () => {
    const old = { INIT_CLIENT_API_TOKENS: 'default:development:old' }
    const first = await started(old)
    expect((await ask(first.at, '/api/client/features', 'default:development:old')).status).toBe(200)
    const second = await started({ ...old, INIT_BACKEND_API_TOKENS: 'default:development.new' })
    expect((await ask(second.at, '/api/client/features', 'default:development.new')).status).toBe(200)
    expect((await ask(second.at, '/api/client/features', 'default:development:old')).status).toBe(401)
  })

  it('its admin signs in with the configured name and password, and no others', async () => {
    const { at, stderr } = await started({
      UNLEASH_DEFAULT_ADMIN_USERNAME: 'boss',
      UNLEASH_DEFAULT_ADMIN_PASSWORD: 'correct horse',
    })
    expect((await signIn(at, 'boss', 'correct horse')).body).toMatchObject({ id: 1, username: 'boss' })
    expect((await signIn(at, 'boss', 'unleash4all')).status).toBe(401)
    expect((await signIn(at, 'admin', 'unleash4all')).status).toBe(401)
    expect(stderr()).not.toContain('correct horse')
  })

  it('a password without a name has no effect, and a warning says so', async () => {
    const { at, stderr } = await started({ UNLEASH_DEFAULT_ADMIN_PASSWORD: 'correct horse' })
    expect((await signIn(at, 'admin', 'unleash4all')).status).toBe(200)
    expect(stderr()).toContain(
      'UNLEASH_DEFAULT_ADMIN_PASSWORD has no effect without UNLEASH_DEFAULT_ADMIN_USERNAME, as in Unleash.\n',
    )
  })

  it.each([
    [{}, 'default', 'development'],
    [
      { IMPORT_PROJECT: 'mobile-app', IMPORT_ENVIRONMENT: 'production', FLAGDOUBLE_SCENARIO: 'empty' },
      'mobile-app',
      'production',
    ],
  ])('it starts with an export, whose features go to the configured place: %j', async (where, project, environment) => {
    const { at } = await started({
      IMPORT_FILE: scratchFolder().put('flags.json', exported),
      INIT_ADMIN_API_TOKENS: '*:*.ci-admin',
      ...where,
    })
    const features = `/api/admin/projects/${project}/features`
    const { body } = await ask(at, `${features}/new-checkout`, '*:*.ci-admin')
    expect(body).toMatchObject({ name: 'new-checkout', project })
    const on = body.environments.filter(({ enabled }: { enabled: boolean }) => enabled)
    expect(on).toEqual([expect.objectContaining({ name: environment, strategies: [expect.anything()] })])
    const { body: state } = await ask(at, '/__mock/state')
    expect(state.projects.map(({ id }: { id: string }) => id)).not.toContain('shop')
    expect(state.environments.map(({ name }: { name: string }) => name)).not.toContain('staging')
    await ask(at, '/__mock/reset', undefined, { method: 'POST' })
    expect((await ask(at, `${features}/old-search`, '*:*.ci-admin')).status).toBe(200)
  })

  it('it listens at the configured address, below the configured path, with links that match', async () => {
    const { stdout } = await startCli([], {
      env: {
        HTTP_HOST: 'localhost',
        BASE_URI_PATH: 'flags/',
        UNLEASH_URL: 'https://flags.example.com/flags',
        INIT_ADMIN_API_TOKENS: '*:*.ci-admin',
      },
    })
    const { url } = JSON.parse(stdout())
    expect(url).toMatch(/^http:\/\/localhost:\d+\/flags$/)
    const { body } = await ask(url, '/api/admin/invite-link/tokens', '*:*.ci-admin', {
      method: 'POST',
      body: JSON.stringify({ name: 'team', expiresAt: '2099-01-01T00:00:00Z' }),
    })
    expect(body.url).toMatch(/^https:\/\/flags\.example\.com\/flags\/new-user\?invite=/)
  })

  it('an empty variable counts as not set', async () => {
    const { at } = await started({ INIT_ADMIN_API_TOKENS: '', HTTP_PORT: '' })
    expect((await ask(at, '/__mock/scenario')).body).toEqual({ names: ['default'] })
  })
})

async function failed({ done, stdout, stderr }: CliRun): Promise<string> {
  expect(await done).toBe(2)
  expect(stdout()).toBe('')
  expect(stderr().trimEnd().split('\n')).toHaveLength(2)
  return stderr()
}

it.each<[name: string, value: string, what: RegExp]>([
  ['INIT_ADMIN_API_TOKENS', 'hunter2', /Its token must be \*:\*\.secret/],
  [
    'INIT_ADMIN_API_TOKENS',
    '*:*.fine, default:*.hunter2',
    /Its token 2 of 2 must be for all projects and environments/,
  ],
  ['INIT_ADMIN_API_TOKENS', '*:development.hunter2', /must be for all projects and environments/],
  ['INIT_BACKEND_API_TOKENS', '*:*.hunter2', /must name an environment/],
  ['INIT_CLIENT_API_TOKENS', 'default.hunter2', /must be project:environment\.secret/],
  ['INIT_FRONTEND_API_TOKENS', 'default:*.hunter2', /must name an environment/],
  ['IMPORT_FILE', '/nowhere/flags.json', /there is no such file/],
])(
  'with an invalid value of %s, the server exits with code 2, and no secret is printed: %s',
  async (name, value, what) => {
    const stderr = await failed(runCli([], { env: { [name]: value } }))
    expect(stderr).toMatch(new RegExp(`^flagdouble: ${name}`))
    expect(stderr).toMatch(what)
    expect(stderr).not.toContain('hunter2')
  },
)

it.each<[variables: Record<string, string>, content: unknown, what: RegExp]>([
  [
    { IMPORT_PROJECT: 'defalt' },
    exported,
    /^flagdouble: IMPORT_PROJECT can't be "defalt".*\nhint: Did you mean "default"\?/,
  ],
  [{ IMPORT_ENVIRONMENT: 'dev' }, exported, /^flagdouble: IMPORT_ENVIRONMENT can't be "dev"/],
  [
    {},
    { features: [{ name: 'of-our-own' }] },
    /^flagdouble: IMPORT_FILE can't be ".*": it is not an Unleash export file/,
  ],
  [{}, '{"features":', /^flagdouble: IMPORT_FILE: .*flags\.json: is not well-formed JSON/],
  [
    {},
    { ...exported, featureStrategies: [{ featureName: 'elsewhere', name: 'default' }] },
    /^flagdouble: IMPORT_FILE .*flags\.json: \$\.featureStrategies\[0\]\.featureName/,
  ],
])('with an impossible import, the server exits with code 2 and names it: %j', async (variables, content, what) => {
  const file = scratchFolder().put('flags.json', content)
  expect(await failed(runCli([], { env: { IMPORT_FILE: file, ...variables } }))).toMatch(what)
})

it.each<[what: string, content: object, environment: string]>([
  [
    'a file of version 1',
    { version: 1, features: [{ name: 'old', enabled: true, strategies: [{ name: 'default' }] }] },
    'production',
  ],
  [
    'a state export of Unleash 4, which keeps its environments',
    {
      version: 4,
      features: [{ name: 'old' }],
      featureStrategies: [{ id: 'a', featureName: 'old', strategyName: 'default', environment: 'default' }],
      featureEnvironments: [
        { featureName: 'old', environment: 'default', enabled: true },
        { featureName: 'old', environment: 'production', enabled: false },
      ],
      featureStrategySegments: [],
    },
    'default',
  ],
])('IMPORT_FILE also takes the files of older versions: %s', async (_, content, environment) => {
  const IMPORT_FILE = scratchFolder().put('flags.json', content)
  const { at } = await started({ IMPORT_FILE, IMPORT_ENVIRONMENT: 'production', INIT_ADMIN_API_TOKENS: '*:*.a' })
  const { body } = await ask(at, '/api/admin/projects/default/features/old', '*:*.a')
  const enabled = body.environments.filter((one: { enabled: boolean }) => one.enabled)
  expect(enabled).toMatchObject([{ name: environment, strategies: [{ name: 'default' }] }])
})

it.each([
  ['HTTP_PORT', 'http'],
  ['BASE_URI_PATH', '/..'],
  ['UNLEASH_URL', 'flags.example.com'],
])('a value of %s with which Unleash would start is a warning: %s', async (name, value) => {
  const { at, stderr } = await started({ [name]: value, INIT_ADMIN_API_TOKENS: '*:*.ci-admin' })
  expect(stderr()).toContain(`flagdouble: ${name} can't be "${value}". It is ignored. It must be a`)
  expect((await ask(at, '/api/admin/projects', '*:*.ci-admin')).status).toBe(200)
})

it.each([
  { DATABASE_HOST: 'db', DATABASE_NAME: 'unleash' },
  { DATABASE_URL: 'postgres://db/unleash' },
  { DATABASE_URL_FILE: '/run/secrets/db' },
  { AUTH_TYPE: 'open-source' },
])('a server is fresh if only these are set: %j', async (env) => {
  const { at } = await started(env)
  expect((await signIn(at, 'admin', 'unleash4all')).status).toBe(200)
  expect((await ask(at, '/__mock/scenario')).body).toEqual({ names: ['fresh-server'] })
})

it('the banner of a fresh server without API tokens says how to get one', async () => {
  const cli = runCli(['--port', '0'], { env: { DATABASE_HOST: 'db' } })
  await cli.url()
  expect(cli.stdout()).toContain('no API token exists; set INIT_ADMIN_API_TOKENS, or sign in and create one')
})

it("variables that an app's own server also has don't select the place of Unleash", async () => {
  const url = 'http://unleash:4242/api'
  const { at, stdout } = await started({ HTTP_HOST: 'localhost', UNLEASH_URL: url, LOG_LEVEL: 'warn' })
  expect(JSON.parse(stdout())).toMatchObject({ scenario: 'default' })
  expect((await ask(at, '/health')).status).toBe(200)
  expect((await ask(at, '/api/admin/projects', '*:*.mock-admin')).status).toBe(200)
  const features = await ask(at, '/api/admin/invite-link/tokens', '*:*.mock-admin')
  expect(features.body.tokens[0].url).toMatch(/^http:\/\/unleash:4242\/api\/new-user/)
})

describe('variables of other services in the cluster', () => {
  const LINKS = {
    FLAGDOUBLE_PORT: 'tcp://10.96.0.12:4242',
    FLAGDOUBLE_SERVICE_HOST: '10.96.0.12',
    FLAGDOUBLE_SERVICE_PORT: '4242',
    FLAGDOUBLE_SERVICE_PORT_HTTP: '4242',
    FLAGDOUBLE_PORT_4242_TCP: 'tcp://10.96.0.12:4242',
    FLAGDOUBLE_PORT_4242_TCP_ADDR: '10.96.0.12',
    HTTP_PORT: 'udp://10.96.0.14:80',
    DATABASE_PORT: 'tcp://10.96.0.13:5432',
    DATABASE_SERVICE_HOST: '10.96.0.13',
    DATABASE_PORT_5432_TCP_PROTO: 'tcp',
    DATABASE_ENV_POSTGRES_VERSION: '15',
    UNLEASH_PORT: 'tcp://10.96.0.15:4242',
    UNLEASH_SERVICE_HOST: '10.96.0.15',
  }

  it('set no options, and select nothing', async () => {
    const { at, stderr } = await started(LINKS)
    expect((await ask(at, '/__mock/scenario')).body).toEqual({ names: ['default'] })
    expect((await ask(at, '/api/admin/projects', '*:*.mock-admin')).status).toBe(200)
    expect(stderr()).not.toMatch(/warning|_PORT|_SERVICE/)
  })

  it('are not read by exec, and reach its command', async () => {
    const check = 'process.exit(process.env.FLAGDOUBLE_PORT.startsWith("tcp://") ? 0 : 1)'
    const cli = runCli(['exec', '--', process.execPath, '-e', check], { env: LINKS })
    expect(await cli.done).toBe(0)
  })

  it('a wrong number is still an error, and a real database still selects', async () => {
    const wrong = runCli(['start'], { env: { FLAGDOUBLE_PORT: 'http://10.96.0.12' } })
    expect(await wrong.done).toBe(2)
    expect(wrong.stderr()).toContain('FLAGDOUBLE_PORT can\'t be "http://10.96.0.12"')
    const { at } = await started({ ...LINKS, DATABASE_HOST: 'database' })
    expect((await ask(at, '/__mock/scenario')).body).toEqual({ names: ['fresh-server'] })
  })
})

it('PORT works without HTTP_PORT', async () => {
  const both = runCli(['--json'], { env: { PORT: '1', HTTP_PORT: '0' } })
  expect(new URL(await both.url()).port).not.toBe('1')
  const alone = runCli(['--json'], { env: { PORT: '0' } })
  expect(new URL(await alone.url()).port).not.toBe('4242')
})

it('exec reads only API tokens', async () => {
  const env = { HTTP_PORT: '1', PORT: '1', HTTP_HOST: 'nowhere.invalid', DATABASE_URL: 'postgres://db/app' }
  const cli = runCli(['exec', '--', process.execPath, '-e', 'fetch(process.env.FLAGDOUBLE_URL + "/__mock/scenario")'], {
    env,
  })
  expect(await cli.done).toBe(0)
  expect(cli.stderr()).toContain('(scenario default)')
  const token = runCli(['exec', '--', process.execPath, '-e', ''], { env: { ...env, INIT_ADMIN_API_TOKENS: '*:*.a' } })
  expect(await token.done).toBe(0)
  expect(token.stderr()).toContain('(scenario fresh-server)')
})

it('a token that is named twice has its last meaning', async () => {
  const both = 'default:development.both'
  const { at } = await started({
    INIT_ADMIN_API_TOKENS: '*:*.a, *:*.a',
    INIT_BACKEND_API_TOKENS: both,
    INIT_FRONTEND_API_TOKENS: `${both}, ${both}`,
  })
  expect((await ask(at, '/api/frontend', both)).status).toBe(200)
  expect((await ask(at, '/api/client/features', both)).status).toBe(403)
  const { tokens } = (await ask(at, '/api/admin/api-tokens', '*:*.a')).body
  expect(tokens.filter(({ secret }: { secret: string }) => secret === both)).toHaveLength(1)
})

it('environments and origins are as configured', async () => {
  const env = {
    ENABLED_ENVIRONMENTS: 'development',
    UNLEASH_FRONTEND_API_ORIGINS: 'https://a.example, https://b.example',
  }
  const { at } = await started({ ...env, INIT_ADMIN_API_TOKENS: '*:*.a' })
  const { body } = await ask(at, '/api/admin/environments', '*:*.a')
  expect(body.environments.map(({ name, enabled }: { name: string; enabled: boolean }) => [name, enabled])).toEqual([
    ['development', true],
    ['production', false],
  ])
  const project = await ask(at, '/api/admin/projects/default/overview', '*:*.a')
  expect(project.body.environments.map(({ environment }: { environment: string }) => environment)).toEqual([
    'development',
  ])
  const config = await ask(at, '/api/admin/ui-config', '*:*.a')
  expect(config.body.frontendApiOrigins).toEqual(['https://a.example', 'https://b.example'])
})

it('an unknown environment is a warning, and all environments stay unchanged', async () => {
  const cli = runCli(['--port', '0'], { env: { ENABLED_ENVIRONMENTS: 'dev', INIT_ADMIN_API_TOKENS: '*:*.a' } })
  const { body } = await ask(await cli.url(), '/api/admin/environments', '*:*.a')
  expect(body.environments.map(({ enabled }: { enabled: boolean }) => enabled)).toEqual([true, true])
  expect(cli.stderr()).toContain(
    'ENABLED_ENVIRONMENTS names unknown environments: dev. They are ignored. Known: development, production.',
  )
})

it('the banner lists the variables, their effects, and the API tokens', async () => {
  const cli = runCli(['--port', '0'], {
    env: { INIT_ADMIN_API_TOKENS: '*:*.ci-admin', UNLEASH_URL: 'http://localhost:4242', DATABASE_HOST: 'db' },
  })
  await cli.url()
  expect(cli.stdout()).toContain(
    'Configured by INIT_ADMIN_API_TOKENS, DATABASE_HOST, UNLEASH_URL: profile unleash-8, scenario fresh-server.\n',
  )
  expect(cli.stdout()).toContain('Sign in as admin with the password unleash4all.\n')
  expect(cli.stdout()).toMatch(/^ {4}\*:\*\.ci-admin +everything except user-specific operations$/m)
  expect(cli.stdout()).not.toContain('insecure')
})

it.each([
  [{ DATABASE_HOST: 'db' }, true],
  [{ HTTP_HOST: 'localhost' }, false],
])(
  "the banner ends with the line that Unleash's setups wait for, only in place of Unleash: %j",
  async (env, isSaid) => {
    const cli = runCli(['--port', '0'], { env })
    await cli.url()
    expect(cli.stdout().split('\n').includes('Unleash has started.')).toBe(isSaid)
  },
)

it('the tokens and the import of the start are data, not events', async () => {
  const { at } = await started({
    INIT_ADMIN_API_TOKENS: '*:*.a',
    IMPORT_FILE: scratchFolder().put('flags.json', exported),
    IMPORT_ENVIRONMENT: 'development',
  })
  const { body } = await ask(at, '/api/admin/events', '*:*.a')
  expect(body.events.filter(({ createdBy }: { createdBy: string }) => createdBy !== 'migration')).toEqual([])
})

describe('AUTH_TYPE=none', () => {
  const env = { AUTH_TYPE: 'none' }

  it('no request needs an API token, and the banner says so', async () => {
    const cli = runCli(['--port', '0'], { env })
    const at = await cli.url()
    const features = '/api/admin/projects/default/features'
    const post = (path: string, body?: unknown) =>
      ask(at, path, undefined, { method: 'POST', ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
    expect((await post(features, { name: 'fresh' })).status).toBe(201)
    expect((await post(`${features}/fresh/environments/development/on`)).status).toBe(200)
    expect((await ask(at, '/api/client/features')).body.features).toMatchObject([{ name: 'fresh', enabled: true }])
    expect((await ask(at, '/api/frontend')).body.toggles).toMatchObject([{ name: 'fresh' }])
    expect(cli.stdout()).toContain('Requests without an API token act as an admin,')
  })

  it('API tokens and logins still work', async () => {
    const { at } = await started({ ...env, INIT_BACKEND_API_TOKENS: 'default:production.b' })
    expect((await ask(at, '/api/client/features', 'default:production.b')).body.query).toMatchObject({
      environment: 'production',
    })
    expect((await ask(at, '/api/client/features', 'unknown')).status).toBe(200)
    expect((await ask(at, '/api/admin/projects', 'default:production.b')).status).toBe(403)
    expect((await signIn(at, 'admin', 'unleash4all')).status).toBe(200)
  })

  it.each<[argv: string[], variables: Record<string, string>]>([
    [['--host', '0.0.0.0'], {}],
    [[], { HTTP_HOST: '0.0.0.0' }],
    [['--host', '::'], {}],
  ])('the server exits with code 2 where other machines reach the server: %j %j', async (argv, variables) => {
    const stderr = await failed(runCli(argv, { env: { ...env, ...variables } }))
    expect(stderr).toMatch(/^flagdouble: AUTH_TYPE can't be "none" at the address .*\nhint: .*--no-auth/)
  })

  it.each<[argv: string[], variables: Record<string, string>]>([
    [['--host', '0.0.0.0', '--no-auth'], {}],
    [[], { FLAGDOUBLE_HOST: '0.0.0.0', FLAGDOUBLE_CONTAINER: '1' }],
    [[], { HTTP_HOST: '127.0.0.1' }],
  ])('it starts with --no-auth, in a container, and on this machine: %j %j', async (argv, variables) => {
    const { at } = await startCli(argv, { env: { ...env, ...variables } })
    expect((await ask(at, '/api/admin/projects')).status).toBe(200)
  })

  it.each(['NONE', 'None'])('the value is read in any case: %s', async (type) => {
    const { at, stderr } = await started({ AUTH_TYPE: type })
    expect(stderr()).toBe('')
    expect((await ask(at, '/api/admin/projects')).status).toBe(200)
  })

  it('another login type is a warning', async () => {
    const { at, stderr } = await started({ AUTH_TYPE: 'demo' })
    expect(stderr()).toContain(`flagdouble: AUTH_TYPE can't be "demo". It is ignored.`)
    expect((await ask(at, '/api/admin/projects')).status).toBe(401)
  })
})

it('a token that names an unknown environment or project has a warning', async () => {
  const { stderr } = await startCli([], {
    env: { INIT_CLIENT_API_TOKENS: 'default:developmnt.x,*:development.y,shp:production.z' },
  })
  expect(stderr()).toBe(
    `flagdouble: An API token names the environment "developmnt", which doesn't exist. Did you mean "development"? It gives access to nothing there.
flagdouble: An API token names the project "shp", which doesn't exist. It gives access to nothing there.
`,
  )
})

it.each([
  [
    { UPSTREAM_URL: 'http://unleash:4242', TOKENS: '*:development.x' },
    'UPSTREAM_URL has no effect: flagdouble has its own flags. To accept the API tokens of Edge, add --auth any.',
  ],
  [
    { UNLEASH_PROXY_SECRETS: 'top-secret', UNLEASH_URL: 'http://unleash:4242/api' },
    'UNLEASH_PROXY_SECRETS has no effect. To replace unleash-proxy, add --auth any --paths /proxy=/api/frontend.',
  ],
])('a variable of a server in front of Unleash has a notice: %j', async (env, notice) => {
  const { stderr } = await startCli([], { env })
  expect(stderr()).toBe(`flagdouble: ${notice}\n`)
})

it("a misspelt variable has a warning with the nearest name, and other programs' variables have none", async () => {
  const env = {
    FLAGDOUBLE_SCENARO: 'empty',
    FLAGDOUBLE_FIXTURE: 'x.json',
    INIT_ADMIN_API_TOKEN: '*:*.top-secret',
    FLAGDOUBLE_NO_AUTH: 'false',
    FLAGDOUBLE_KEY: 'x',
    FLAGDOUBLE_SERVICE_HOST: '10.0.0.1',
    INIT_CWD: '/app',
    UNLEASH_API_URL: 'http://flags/api',
    UNLEASH_DEFAULT_ADMIN_USER: 'root',
    ENABLED_ENVIRONMENT: 'development',
    AUTH_TYPES: 'none',
    AUTH_TOKEN: 'x',
    FLAGDOUBLE_HOSTNAME: '0.0.0.0',
    FLAG_DOUBLE_PORT: '1',
    flagdouble_scenario: 'empty',
    FLAGD_PORT: '8013',
    FLAGSMITH_STATE: 'x',
  }
  const { stderr } = await startCli([], { env })
  expect(stderr().split('\n')).toEqual([
    'flagdouble: The variable FLAGDOUBLE_SCENARO is unknown and has no effect. Did you mean FLAGDOUBLE_SCENARIO?',
    'flagdouble: The variable FLAGDOUBLE_FIXTURE is unknown and has no effect. Did you mean FLAGDOUBLE_FIXTURES?',
    'flagdouble: The variable FLAGDOUBLE_HOSTNAME is unknown and has no effect. Did you mean FLAGDOUBLE_HOST?',
    'flagdouble: The variable FLAG_DOUBLE_PORT is unknown and has no effect. Did you mean FLAGDOUBLE_PORT?',
    'flagdouble: The variable flagdouble_scenario is unknown and has no effect. Did you mean FLAGDOUBLE_SCENARIO?',
    'flagdouble: The variable INIT_ADMIN_API_TOKEN is unknown and has no effect. Did you mean INIT_ADMIN_API_TOKENS?',
    'flagdouble: The variable UNLEASH_DEFAULT_ADMIN_USER is unknown and has no effect. Did you mean UNLEASH_DEFAULT_ADMIN_USERNAME?',
    'flagdouble: The variable ENABLED_ENVIRONMENT is unknown and has no effect. Did you mean ENABLED_ENVIRONMENTS?',
    'flagdouble: The variable AUTH_TYPES is unknown and has no effect. Did you mean AUTH_TYPE?',
    '',
  ])
})
