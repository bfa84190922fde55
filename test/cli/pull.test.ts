import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type RunningServer, startServer } from '../../src/adapters/node.js'
import type { PartialState, State } from '../../src/index.js'
import { createMock, type MockOptions } from '../../src/mock/mock.js'
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
    ['is refused', 403, 0, 0, 'the key may not read them (403)'],
    ['is not there, nor the list in its place', 404, 0, 0, 'the service answered 501'],
    ['refuses a later page', 403, 100, 100, 'the key may not read them (403)'],
  ])('tells that archived features are missing where the search %s', async (_, status, offset, taken, why) => {
    const features = Array.from({ length: 130 }, (_, i) => ({ name: `old-${i}`, archived: true }))
    const source = await service({ fixtures: { features } })
    const front = await inFront(source.url, (request, response) => {
      if (!request.url?.startsWith('/api/admin/search/') || !request.url.endsWith(`&offset=${offset}`)) return false
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
      return true
    })
    const { state, stderr, code } = await pull(front.url, ['--project', 'default'])
    expect(code).toBe(0)
    expect(stderr).toContain(`Not taken:\n  archived features of the project "default": ${why}\n`)
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

  it('says that a file can not be written', async () => {
    const source = await service()
    const cli = runCli(['pull', source.url, '--out', '/nowhere/at/all.json'], { env: { FLAGDOUBLE_KEY: KEY } })
    expect(await cli.done).toBe(2)
    expect(cli.stderr()).toMatch(/\/nowhere\/at\/all\.json: can't be written: there is no such/)
  })
})
