import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createMock, type MockOptions } from '../../src/engine/mock/mock.js'
import { type RunningServer, startServer } from '../../src/entries/adapters/node.js'
import { ServiceClient } from '../../src/entries/remote/client.js'
import { realPeople } from '../../src/entries/remote/people.js'
import { pull as pullFrom } from '../../src/entries/remote/pull.js'
import type { PartialState, State } from '../../src/index.js'
import { type CliOptions, runCli, scratchFolder } from '../support/cli.js'
import { inFront } from '../support/in-front.js'

const KEY = 'user:mock-admin'
const NOW = '2026-11-20T12:00:00.000Z'

/** What a real service may hold: in several projects, with all that flags can have. */
const own = {
  environments: [{ name: 'staging', type: 'preproduction', sortOrder: 5 }],
  projects: {
    default: { members: [{ user: 'admin', role: 'Owner' }] },
    'mobile-app': {
      featureNaming: { pattern: '[a-z-]+', example: 'my-flag', description: null },
      linkTemplates: [{ title: 'Ticket', urlTemplate: 'https://example.com/{{feature}}' }],
    },
  },
  segments: [
    {
      id: 4,
      name: 'insiders',
      project: 'mobile-app',
      createdBy: 'ada.lovelace@corp.test',
      constraints: [{ contextName: 'userId', operator: 'IN', values: ['ada', '17'], inverted: true }],
    },
  ],
  contextFields: [{ name: 'plan', stickiness: true, legalValues: [{ value: 'free', description: 'No money' }] }],
  users: [{ id: 9, name: 'Ada Lovelace', username: 'ada', email: 'ada.lovelace@corp.test', rootRole: 'Editor' }],
  favorites: [{ userId: 1, kind: 'feature', name: 'with-everything' }],
  features: [
    { name: 'parent-flag', project: 'mobile-app', stale: true },
    {
      name: 'with-everything',
      project: 'mobile-app',
      type: 'experiment',
      description: 'Ask Ada Lovelace or ada.lovelace@corp.test',
      createdBy: { id: 9 },
      createdAt: '2026-03-04T05:06:07.089Z',
      dependencies: [{ feature: 'parent-flag', enabled: false }],
      tags: [{ type: 'simple', value: 'blue' }],
      environments: [
        {
          name: 'staging',
          enabled: true,
          strategies: [
            {
              name: 'flexibleRollout',
              title: 'Half',
              disabled: true,
              parameters: { rollout: '50', stickiness: 'plan', groupId: 'x' },
              segments: [4],
              constraints: [{ contextName: 'plan', operator: 'STR_CONTAINS', values: ['fr'], caseInsensitive: true }],
              variants: [{ name: 'red', weight: 1000, payload: { type: 'string', value: 'r' } }],
            },
          ],
          variants: [{ name: 'a', weight: 1000, overrides: [{ contextName: 'userId', values: ['ada'] }] }],
        },
      ],
    },
  ],
  signupTokens: [{ secret: 'top-secret-invite', name: 'For Ada Lovelace', users: [{ id: 9 }] }],
  apiTokens: [{ secret: 'user:top-secret-key', type: 'user', tokenName: 'ada', userId: 9 }],
  addons: [{ id: 3, parameters: { url: 'https://hooks.example.com/top-secret-hook' } }],
} satisfies PartialState

async function service(options: MockOptions = {}): Promise<RunningServer> {
  const server = await startServer(createMock({ now: NOW, seed: 'pull', fixtures: own, ...options }), { port: 0 })
  onTestFinished(() => server.close())
  return server
}

/** Runs `flagdouble pull` to its end. Its file is read if it is there. */
async function pull(url: string, argv: readonly string[] = [], options: CliOptions = {}) {
  const folder = scratchFolder()
  const out = `${folder.path}/pulled.json`
  const cli = runCli(['pull', url, '--out', out, ...argv], { env: { FLAGDOUBLE_KEY: KEY }, ...options })
  const code = await cli.done
  const text = existsSync(out) ? readFileSync(out, 'utf8') : ''
  return {
    code,
    text,
    state: text === '' ? undefined : (JSON.parse(text) as PartialState),
    stdout: cli.stdout(),
    stderr: cli.stderr(),
    files: readdirSync(folder.path),
  }
}

const ALL = ['--project', 'default', '--project', 'mobile-app']

/** The kinds of records that are taken whole. */
const WHOLE = ['environments', 'segments', 'contextFields', 'tagTypes', 'strategyTypes'] as const

/** The parts of a state that are taken, in an order of their own: lists of the service have other ones. */
function comparable(state: State, withLinks: boolean): unknown {
  const sorted = (list: readonly object[]) =>
    list.toSorted((one, other) => JSON.stringify(one).localeCompare(JSON.stringify(other)))
  const features = state.features.map(({ pastStages: _, links, ...feature }) => ({
    ...feature,
    ...(withLinks ? { links: links.map(({ url }) => url) } : {}),
    environments: sorted(feature.environments),
  }))
  const tags = [...state.tags, ...state.features.flatMap((feature) => feature.tags)]
  const parts = {
    ...Object.fromEntries(WHOLE.map((kind) => [kind, sorted(state[kind])])),
    projects: state.projects.map(({ updatedAt: _, ...project }) => project),
    features: sorted(features),
    tags: [...new Set(tags.map(({ type, value }) => `${type}:${value}`))].sort(),
    favorites: state.favorites,
    users: state.users.map(({ id, name, username, email, rootRole }) => [id, name, username, email, rootRole]),
    signupTokens: sorted(
      state.signupTokens.map(({ name, expiresAt, users, role }) => [
        name,
        expiresAt,
        users.map(({ id }) => id),
        role.id,
      ]),
    ),
  }
  return JSON.parse(JSON.stringify(parts))
}

describe.each(['documented', 'unleash-8'] as const)('flagdouble pull, from the profile %s', (profile) => {
  it('takes what the service has: a mock that starts with it holds the same', async () => {
    const source = await service({ profile })
    const { state = {}, stderr, code } = await pull(source.url, [...ALL, '--keep-people'])
    expect(stderr).toMatch(/^Taken from version /)
    expect(code).toBe(0)
    const copy = createMock({ scenario: 'empty', now: NOW, fixtures: state })
    // The documented answers have no links.
    const [expected, found] = [source.mock, copy].map((mock) => comparable(mock.state(), profile !== 'documented'))
    expect(found).toEqual(expected)
  })

  it('copies no secret, and shows the key nowhere', async () => {
    const source = await service({ profile })
    const { text, stdout, stderr } = await pull(source.url, ALL)
    expect(text).toContain('with-everything')
    expect(text + stdout + stderr).not.toMatch(
      /top-secret|mock-admin|mock-editor|mock-client|"live-invite"|passwordHash/,
    )
  })

  it('puts other people in place of everybody, the same ones everywhere', async () => {
    const source = await service({ profile })
    const { text, state } = await pull(source.url, [...ALL, '--seed', 'one'])
    expect(text).not.toMatch(/lovelace|"ada"|@corp/i)
    const { users, features, segments } = createMock({ scenario: 'empty', fixtures: state ?? {} }).state()
    const ada = users.find(({ id }) => id === 9)
    const feature = features.find(({ name }) => name === 'with-everything')
    expect(ada?.email).toMatch(/@example\.com$/)
    expect(feature?.createdBy).toMatchObject({ id: 9, name: ada?.name })
    expect(feature?.description).toBe(`Ask ${ada?.name} or ${ada?.email}`)
    expect(feature?.environments.find(({ name }) => name === 'staging')?.variants[0]?.overrides).toEqual([
      { contextName: 'userId', values: [ada?.username] },
    ])
    expect(segments.find(({ id }) => id === 4)).toMatchObject({
      createdBy: ada?.email,
      constraints: [{ values: [ada?.username, '17'] }],
    })
    expect((await pull(source.url, [...ALL, '--seed', 'one'])).text).toBe(text)
    expect((await pull(source.url, [...ALL, '--seed', 'two'])).text).not.toBe(text)
  })
})

/** A service in which some paths are answered otherwise. The key of the map is the end of a path. */
async function serviceWith(answers: Readonly<Record<string, unknown>>, options: MockOptions = {}) {
  const source = await service(options)
  return await inFront(source.url, (request, response) => {
    const found = Object.entries(answers).find(([end]) => request.url?.endsWith(end))
    if (found === undefined) return false
    const [, answer] = found
    response.writeHead(typeof answer === 'number' ? answer : 200, { 'content-type': 'application/json' })
    response.end(typeof answer === 'string' ? answer : typeof answer === 'number' ? '{}' : JSON.stringify(answer))
    return true
  })
}

/** A mock with what was pulled. It throws if that can't be loaded. */
function started(state: PartialState | undefined, scenario = 'empty') {
  return createMock({ scenario, fixtures: state ?? {} })
}

describe('a partial pull', () => {
  it('leaves out what points at records that the key may not read, and says so, for every kind of reference', async () => {
    const custom: PartialState = {
      featureTypes: [{ id: 'special', name: 'Special' }],
      strategyTypes: [{ name: 'my-strategy' }],
      tagTypes: [{ name: 'team' }],
      tags: [{ type: 'team', value: 'red' }],
      segments: [{ id: 7, name: 'seven' }],
      features: [
        {
          name: 'one',
          type: 'special',
          tags: [{ type: 'team', value: 'red' }],
          environments: { development: { strategies: [{ name: 'my-strategy' }, { name: 'default', segments: [7] }] } },
        },
      ],
    }
    const refused = { '/feature-types': 403, '/admin/strategies': 403, '/tag-types': 403, '/segments': 403 }
    const front = await serviceWith(refused, { fixtures: custom })
    const { code, state, stderr } = await pull(front.url)
    expect(code).toBe(0)
    for (const what of ['type is special', 'strategies.name is my-strategy', 'tags.type is team', 'segments is 7'])
      expect(stderr).toContain(what)
    const one = started(state).features.get('one')
    expect(one).toMatchObject({ type: 'release', tags: [] })
    expect(one?.environments[0]?.strategies).toMatchObject([{ name: 'default', segments: [] }])
  })

  it('takes a user whose role is not listed as a Viewer', async () => {
    const users = [{ id: 1, name: 'A', email: 'a@corp.test', rootRole: 77, imageUrl: '' }]
    const front = await serviceWith({ '/user-admin': { users, rootRoles: [] } })
    const { code, state, stderr } = await pull(front.url)
    expect(code).toBe(0)
    expect(stderr).toContain('its rootRole is 77')
    expect(started(state).users.get(1)).toMatchObject({ rootRole: 3 })
  })

  it('leaves out a favorite of something that was not taken', async () => {
    const front = await serviceWith({ 'features/parent-flag?variantEnvironments=true': { favorite: true, name: 5 } })
    const { code, state } = await pull(front.url)
    expect(code).toBe(0)
    started(state)
  })

  it('takes the first of two records with one key, also of a feature that was archived meanwhile', async () => {
    const twice = { id: 5, name: 'first', constraints: [] }
    const archived = { name: 'parent-flag', project: 'mobile-app', archivedAt: '2026-01-01T00:00:00.000Z' }
    const front = await serviceWith({
      '/admin/segments': { segments: [twice, { ...twice, name: 'second' }, { id: 6, name: 'first', constraints: [] }] },
      'archived=IS:true&offset=0': { features: [archived], total: 1 },
    })
    const { code, state } = await pull(front.url)
    expect(code).toBe(0)
    const { segments, features } = started(state).state()
    expect(segments.map(({ id, name }) => [id, name])).toEqual([[5, 'first']])
    expect(features.find(({ name }) => name === 'parent-flag')?.archived).toBe(false)
  })

  it.each([
    ['a number', '5'],
    ['null', null],
    ['objects that have nothing of what is expected', { users: [{ name: { toString: 5 } }, 7], features: [[]] }],
    ['names that are no text', { features: [{ name: { toString: 5 }, project: {} }], total: 'x' }],
    ['half of a surrogate pair', { projects: [{ id: '\ud800', name: 'x' }], features: [{ name: '\udfff' }], total: 1 }],
    ['__proto__', '{"features":[{"__proto__":{"name":"x"},"name":"y"}],"segments":[{"__proto__":1}]}'],
  ])('writes what it can where every list is %s, and says what is none', async (_, answer) => {
    const everywhere = Object.fromEntries(
      ['user-admin', 'access', 'projects', 'segments', 'features', 'offset=0', '/tags', 'context'].map((end) => [
        end,
        answer,
      ]),
    )
    const front = await serviceWith(everywhere)
    const { code, state, stderr } = await pull(front.url)
    expect([code, stderr]).toEqual([0, expect.stringContaining('the service answered no list')])
    started(state)
  })

  it('takes the projects that only features name, and counts what the search lists', async () => {
    const fixtures: PartialState = {
      projects: [{ id: 'shop' }],
      features: [
        { name: 'cart', project: 'shop' },
        { name: 'old', project: 'shop', archived: true },
      ],
    }
    const source = await service({ profile: 'unleash-8', fixtures })
    const { state, stderr } = await pull(source.url)
    const { projects, features } = source.mock.state()
    expect(
      started(state)
        .state()
        .projects.map(({ id }) => id),
    ).toEqual(projects.map(({ id }) => id))
    expect(
      started(state)
        .features.list()
        .map(({ name }) => name)
        .sort(),
    ).toEqual(features.map(({ name }) => name).sort())
    expect(stderr).toContain(`Its search lists ${features.length} features.`)
  })
})

describe('a pull from a hostile service', () => {
  it('stops where a search brings nothing new', async () => {
    const page = { features: [{ name: 'again', project: 'default' }], total: 1e12 }
    const front = await serviceWith({ '&offset=0': page, '&offset=1': page, '&offset=2': page })
    const { code, stderr } = await pull(front.url)
    expect(code).toBe(0)
    expect(stderr).toContain('there are 1000000000000, and the search told 1')
  })

  it('writes what it has when a limit is reached, and says what is missing', async () => {
    let page = 0
    const source = await service()
    const front = await inFront(source.url, (request, response) => {
      if (!request.url?.includes('/search/')) return false
      response.end(JSON.stringify({ features: [{ name: `new-${page++}`, project: 'default' }], total: 1e12 }))
      return true
    })
    const client = new ServiceClient({
      url: front.url,
      key: KEY,
      signal: new AbortController().signal,
      limits: { requests: 30 },
    })
    const { state, missed } = await pullFrom({ client, projects: [], people: realPeople, onProgress: () => {} })
    expect(front.paths).toHaveLength(30)
    expect(missed).toContain('projects: not read any more, after 30 requests')
    expect(started(state).features.get('new-0')).toBeDefined()
  })

  it('reads an answer that broke off once more', async () => {
    const source = await service()
    let attempts = 0
    const front = await inFront(source.url, (request, response) => {
      if (!request.url?.endsWith('/segments') || ++attempts > 1) return false
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
      response.write('{"segments":')
      setTimeout(() => response.destroy(), 20)
      return true
    })
    const { code, state } = await pull(front.url)
    expect([code, attempts]).toEqual([0, 2])
    expect(JSON.stringify(state?.segments)).toContain('insiders')
  })

  it.each([
    ['is no JSON', '<html>', 'The answer to /api/admin/segments is not JSON.'],
    ['is nested very deep', `${'['.repeat(200_000)}${']'.repeat(200_000)}`, 'is nested more than 64 deep.'],
  ])('ends with code 2 and a sentence where an answer %s', async (_, answer, message) => {
    const front = await serviceWith({ '/admin/segments': answer })
    const { code, stderr, files } = await pull(front.url)
    expect([code, files]).toEqual([2, []])
    expect(stderr).toContain(message)
    expect(stderr).not.toMatch(/bug|at \S+:\d/)
  })

  it('ends with code 2 at once where a redirect leads to no address', async () => {
    const source = await service()
    const front = await inFront(source.url, (request, response) => {
      if (!request.url?.endsWith('/segments')) return false
      response.writeHead(302, { location: 'http://[nowhere' }).end()
      return true
    })
    const { code, stderr } = await pull(front.url)
    expect([code, stderr]).toEqual([2, expect.stringContaining('which is no address')])
    expect(front.paths.filter((path) => path.endsWith('/segments'))).toHaveLength(1)
  })

  it('shows control characters, and prints none', async () => {
    const evil = '\u001b]0;owned\u0007\u009b2J\r\nTaken'
    const front = await serviceWith({
      '/ui-config': { version: `9${evil}` },
      '/segments': { segments: [{ id: 'x', name: evil }] },
    })
    const { code, stderr, text } = await pull(front.url)
    expect(code).toBe(0)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
    expect(stderr + text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
    expect(stderr).toContain('9\\u001b]0;owned\\u0007\\u009b2J\\u000d\\u000aTaken')
  })
})

describe('people who are pulled', () => {
  /** The status of a login, and the id of the role of whoever has the address. */
  const signIn = async (state: PartialState | undefined, username: string, scenario?: string) => {
    const mock = started(state, scenario)
    const body = JSON.stringify({ username, password: 'flagdouble' })
    const headers = { 'content-type': 'application/json' }
    const { status } = await mock.fetch(
      new Request('http://localhost/auth/simple/login', { method: 'POST', headers, body }),
    )
    return [status, mock.users.list().find(({ email }) => email === username)?.rootRole]
  }

  const theirs = [
    { id: 1, username: 'admin', name: null, imageUrl: '' },
    { id: 2, name: 'Bea Bright', email: 'bea@corp.test', imageUrl: '' },
  ]

  it.each([[], ['--keep-people']])(
    'have nothing of a built-in person %s; an admin lies beside them',
    async (...argv) => {
      // The roles of the others are not shown to whoever is no admin.
      const front = await serviceWith({ '/user-admin': 403, '/user-admin/access': { users: theirs } })
      const { state, stderr } = await pull(front.url, argv)
      const [one, two] = started(state).state().users
      expect(one).toMatchObject({ id: 1, name: null, email: null })
      expect(two).toMatchObject({ id: 2, username: null, rootRole: 3 })
      expect([one?.passwordHash, two?.passwordHash]).toEqual([null, null])
      expect(stderr).toMatch(/\nSign in as admin@example\.com with the password flagdouble: Admin\. [^\n]*\n$/)
      for (const scenario of ['empty', 'default', 'slow'])
        expect(await signIn(state, 'admin@example.com', scenario)).toEqual([200, 1])
    },
  )

  it('leave the built-in admin alone where nobody has that id', async () => {
    const front = await serviceWith({
      '/user-admin': { users: [{ ...theirs[1], id: 40, rootRole: 2 }], rootRoles: [] },
    })
    const { state } = await pull(front.url)
    expect(state?.users).toHaveLength(1)
    expect(await signIn(state, 'admin@example.com')).toEqual([200, 1])
  })

  it('are those of the key alone where the key may not read the others', async () => {
    const front = await serviceWith({ '/user-admin': 403, '/user-admin/access': 403 })
    const { state } = await pull(front.url, ['--keep-people'])
    expect(state?.users).toMatchObject([{ id: 1, email: 'admin@example.com' }])
    expect(await signIn(state, 'admin@example.com')).toEqual([200, 1])
  })

  it('are invented whatever letters their addresses have', async () => {
    const description = "foo@bücher.de, jörg@example.de, (o'brien@corp.test) and 'x@corp.test'."
    const source = await service({ fixtures: { features: [{ name: 'one', description }] } })
    const { state } = await pull(source.url)
    const found = started(state).features.get('one')?.description ?? ''
    expect(found.replaceAll(/[a-z.]+\.x?\d+@example\.com/g, '@')).toBe("@, @, (@) and '@'.")
  })

  it('can have very long names, and names that begin like others', async () => {
    const long = `Juan ${Array.from({ length: 20 }, (_, i) => `de No${i}`).join(' ')}`
    const users = [long, 'Juan de', 'Juan de No0'].map((name, i) => ({ id: i + 1, name, email: `j${i}@corp.test` }))
    const description = `Ask ${long}, Juan de No0 or JUAN DE first; Juan is nobody.`
    const front = await serviceWith({
      '/user-admin': { users: users.map((one) => ({ ...one, imageUrl: '', rootRole: 3 })), rootRoles: [] },
      '/admin/segments': { segments: [{ id: 1, name: 's', description, constraints: [] }] },
    })
    const { text } = await pull(front.url)
    expect(text).not.toMatch(/No\d|juan de/i)
    expect(text).toContain('Juan is nobody.')
  })

  it('can be thousands, all of them named in texts', async () => {
    const people = Array.from({ length: 3000 }, (_, i) => ({
      id: i + 1,
      name: `Ann No${i}`,
      email: `ann${i}@corp.test`,
    }))
    const segments = people.map(({ id, name, email }) => ({ id, name: `s${id}`, description: `${name}, ${email}` }))
    const front = await serviceWith({
      '/user-admin': { users: people.map((one) => ({ ...one, imageUrl: '', rootRole: 3 })), rootRoles: [] },
      '/admin/segments': { segments: segments.map((one) => ({ ...one, constraints: [] })) },
    })
    const { code, text } = await pull(front.url)
    expect(code).toBe(0)
    expect(text).not.toMatch(/Ann No|corp\.test/)
  })
})

describe('flagdouble pull', () => {
  it('only reads', async () => {
    const source = await service()
    const before = source.mock.state()
    const front = await inFront(source.url, () => false)
    await pull(front.url)
    expect(front.paths.length).toBeGreaterThan(10)
    expect(front.paths.filter((path) => !path.startsWith('GET '))).toEqual([])
    expect(source.mock.state()).toEqual(before)
  })

  it('takes a single project, without what belongs to others', async () => {
    const source = await service()
    const { state } = await pull(source.url, ['--project', 'default'])
    expect(state?.projects).toMatchObject([{ id: 'default' }])
    expect(JSON.stringify(state)).not.toContain('mobile-app')
  })

  it('follows the pages of a search', async () => {
    const features = Array.from({ length: 230 }, (_, i) => ({ name: `old-${i}`, archived: true }))
    const source = await service({ fixtures: { features } })
    const { state } = await pull(source.url, ['--project', 'default'])
    expect(JSON.stringify(state).match(/"old-\d+"/g)).toHaveLength(230)
  })

  it.each([
    ['that does not know the filter', 200, { features: [{ name: 'parent-flag' }], total: 1 }],
    ['that has no search', 404, { message: 'Not found' }],
  ])(
    'takes the archive of a service %s by its own list, and does without what it does not have',
    async (_, status, found) => {
      const source = await service()
      const front = await inFront(source.url, (request, response) => {
        const json = (status: number, body: object) => {
          response.writeHead(status, { 'content-type': 'application/json' })
          response.end(JSON.stringify(body))
          return true
        }
        if (request.url?.startsWith('/api/admin/search/')) return json(status, found)
        if (request.url?.startsWith('/api/admin/invite-link')) return json(404, { message: 'Not found' })
        if (request.url === '/api/admin/archive/features/default') {
          return json(200, {
            features: [
              {
                name: 'ancient',
                type: 'release',
                archived: true,
                archivedAt: '2024-01-01T00:00:00.000Z',
                createdAt: null,
              },
            ],
          })
        }
        return false
      })
      const { state, stderr, code } = await pull(front.url, ['--project', 'default'])
      expect(code).toBe(0)
      expect(state?.features).toContainEqual(expect.objectContaining({ name: 'ancient', archived: true }))
      expect(stderr).toContain('invitations: the service answered 404')
      expect(stderr).not.toContain('archived features')
    },
  )

  it.each([
    ['is refused', 403, 0, 0, 'archived features', 'the key may not read them (403)'],
    [
      'is not there, nor the list in its place',
      404,
      0,
      0,
      'archived features of the project "default"',
      'the service answered 501',
    ],
    ['refuses a later page', 403, 100, 100, 'archived features', 'the key may not read them (403)'],
  ])('tells that archived features are missing where the search %s', async (_, status, offset, taken, what, why) => {
    const features = Array.from({ length: 130 }, (_, i) => ({ name: `old-${i}`, archived: true }))
    const source = await service({ fixtures: { features } })
    const front = await inFront(source.url, (request, response) => {
      if (!request.url?.startsWith('/api/admin/search/') || !request.url.endsWith(`&offset=${offset}`)) return false
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
      return true
    })
    const { state, stderr, code } = await pull(front.url, ['--project', 'default'])
    expect(code).toBe(0)
    expect(stderr).toContain(`  ${what}: ${why}\n`)
    expect(JSON.stringify(state).match(/"archived":true/g) ?? []).toHaveLength(taken)
  })

  it('tells what the key could not see', async () => {
    const source = await service()
    const { code, stderr, state } = await pull(source.url, [], { env: { FLAGDOUBLE_KEY: 'user:mock-viewer' } })
    expect(code).toBe(0)
    expect(stderr).toMatch(/Not taken:\n {2}.*the key may not read them \(403\)/)
    expect(JSON.stringify(state?.features)).toContain('checkout-redesign')
  })

  it('counts what it took, one of a kind as one', async () => {
    const source = await service({ fixtures: { contextFields: { userId: null } } })
    const { stderr } = await pull(source.url, ['--project', 'default'])
    expect(stderr).toMatch(
      /: 3 users, .*, 4 context fields, 1 tag type, 1 tag, 3 invitations, 1 project, \d features\.\n/,
    )
  })

  it('waits as long as Retry-After says, and asks again', async () => {
    const source = await service()
    let refusals = 0
    const front = await inFront(source.url, (request, response) => {
      if (!request.url?.endsWith('/segments') || refusals++ > 1) return false
      response.writeHead(refusals === 1 ? 429 : 503, { 'retry-after': '0' }).end('Too many requests')
      return true
    })
    const { code, state } = await pull(front.url, ALL)
    expect([code, refusals]).toEqual([0, 3])
    expect(JSON.stringify(state?.segments)).toContain('insiders')
  })

  it('does not wait for longer than two minutes', async () => {
    const source = await service()
    const front = await inFront(source.url, (_, response) => {
      response.writeHead(429, { 'retry-after': '3600' }).end()
      return true
    })
    const { code, stderr, files } = await pull(front.url)
    expect([code, files]).toEqual([2, []])
    expect(stderr).toMatch(/asks to wait for 3600 seconds/)
  })

  it('is asked for the key where the environment has none', async () => {
    const source = await service()
    const { code, stdout, stderr, text } = await pull(source.url, [], { env: {}, secret: `${KEY}\n` })
    expect(code).toBe(0)
    expect(stdout + stderr + text).not.toContain(KEY)
  })

  it.each([
    ['no key', '', {}, /A key of the service is needed/],
    ['a key that the service does not know', '', { FLAGDOUBLE_KEY: 'user:nobody' }, /does not know the key/],
    ['a key that no header can hold', '', { FLAGDOUBLE_KEY: 'a\nb' }, /characters that no header can hold/],
    ['an address that is none', 'nowhere', undefined, /"nowhere" is not the address of a service/],
    ['a password in the address', 'http://me:pw@127.0.0.1/', undefined, /The address holds a password/],
  ])('ends with code 2 for %s', async (_, url, env, message) => {
    const source = await service()
    const { code, stderr, files } = await pull(url || source.url, [], env === undefined ? {} : { env })
    expect([code, files]).toEqual([2, []])
    expect(stderr).toMatch(message)
    expect(stderr).toMatch(/\nhint: /)
    expect(stderr).not.toMatch(/user:|pw@/)
  })

  it('ends with code 2 where nobody answers', async () => {
    const gone = await startServer({}, { port: 0 })
    await gone.close()
    const { code, stderr } = await pull(gone.url)
    expect([code, stderr]).toEqual([2, expect.stringContaining("can't be reached: ECONNREFUSED")])
  })

  it('ends with code 2 where something else answers', async () => {
    const front = await inFront('', (_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')
      return true
    })
    const { code, stderr } = await pull(front.url)
    expect(code).toBe(2)
    expect(stderr).toMatch(/does not answer as the service does/)
  })

  it('ends with code 2 for a project that is not there', async () => {
    const source = await service()
    const { code, stderr } = await pull(source.url, ['--project', 'nope'])
    expect(code).toBe(2)
    expect(stderr).toMatch(/can't see a project "nope"/)
  })

  it('follows redirects at the same place, and sends the key to no other one', async () => {
    const source = await service()
    const other = await inFront(source.url, () => false)
    const front = await inFront(source.url, (request, response) => {
      const path = request.url ?? ''
      if (path === '/api/admin/segments') response.writeHead(302, { location: '/api/admin/segments?moved' }).end()
      else if (path === '/api/admin/tags') response.writeHead(301, { location: `${other.url}${path}` }).end()
      else return false
      return true
    })
    const { code, stderr, files } = await pull(front.url)
    expect([code, files]).toEqual([2, []])
    expect(front.paths).toContain('GET /api/admin/segments?moved')
    expect(other.paths).toEqual([])
    expect(stderr).toContain(`redirects /api/admin/tags to ${other.url}. The key is not sent there.`)
  })

  it('reads no endless answer', async () => {
    const source = await service()
    const front = await inFront(source.url, (request, response) => {
      if (!request.url?.endsWith('/segments')) return false
      const chunk = Buffer.alloc(1024 * 1024, ' ')
      const more = () => {
        while (!response.destroyed && response.write(chunk)) {}
      }
      response.on('drain', more)
      more()
      return true
    })
    const { code, stderr, files } = await pull(front.url)
    expect([code, files]).toEqual([2, []])
    expect(stderr).toMatch(/answer to \/api\/admin\/segments is larger than 64 MiB/)
  })

  it('leaves nothing behind when it is interrupted, and an older file as it was', async () => {
    const source = await service()
    const front = await inFront(source.url, (request) => request.url?.endsWith('/segments') ?? false)
    const folder = scratchFolder()
    const out = folder.put('flags.json', 'older')
    const cli = runCli(['pull', front.url, '--out', out], { env: { FLAGDOUBLE_KEY: KEY } })
    await vi.waitFor(() => expect(front.paths).toContain('GET /api/admin/segments'))
    cli.signal('SIGINT')
    expect(await cli.done).toBe(130)
    expect(cli.stderr()).toMatch(/interrupted. Nothing was written/)
    expect(readdirSync(folder.path)).toEqual(['flags.json'])
    expect(readFileSync(out, 'utf8')).toBe('older')
  })

  it('shows a progress bar on a terminal only', async () => {
    const source = await service()
    expect((await pull(source.url, [], { env: { FLAGDOUBLE_KEY: KEY }, isTTY: true })).stderr).toMatch(
      /\[#+ *\] \d+\/\d+ /,
    )
    expect((await pull(source.url)).stderr).not.toContain('\u001b')
  })

  it('writes to standard output where it is told to', async () => {
    const source = await service()
    const cli = runCli(['pull', source.url, '--out', '-'], { env: { FLAGDOUBLE_KEY: KEY } })
    expect(await cli.done).toBe(0)
    expect(JSON.parse(cli.stdout())).toMatchObject({ version: 1, features: expect.any(Array) })
  })

  it('writes a fixture that the other commands read', async () => {
    const source = await service()
    const out = `${scratchFolder().path}/flags.json`
    await runCli(['pull', source.url, '--out', out], { env: { FLAGDOUBLE_KEY: KEY } }).done
    for (const argv of [
      ['validate', out],
      ['export', '--fixtures', out],
    ])
      expect(await runCli(argv).done).toBe(0)
  })

  it('says that a file can not be written', async () => {
    const source = await service()
    const cli = runCli(['pull', source.url, '--out', '/nowhere/at/all.json'], { env: { FLAGDOUBLE_KEY: KEY } })
    expect(await cli.done).toBe(2)
    expect(cli.stderr()).toMatch(/\/nowhere\/at\/all\.json: can't be written: there is no such/)
  })
})
