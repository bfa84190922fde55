import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createMock, type MockOptions } from '../../src/engine/mock/mock.js'
import { type RunningServer, startServer } from '../../src/entries/adapters/node.js'
import type { PartialState, ProfileName } from '../../src/index.js'
import { type CliOptions, runCli, scratchFolder } from '../support/cli.js'
import { inFront } from '../support/in-front.js'

const KEY = 'user:mock-admin'
const NOW = '2026-11-20T12:00:00.000Z'

/** The data of a real instance: in several projects, with all features of flags. */
const own = {
  environments: [{ name: 'staging', type: 'preproduction', sortOrder: 5 }],
  projects: {
    default: { members: [{ user: 'admin', role: 'Owner' }] },
    'mobile-app': {
      environments: ['development', 'production', 'staging'],
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
      dependencies: [{ feature: 'parent-flag', enabled: false, variants: [] }],
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

/** Runs `flagdouble pull` to its end, and reads its file if it exists. */
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

/** A feature as a server presents it, without its collaborators and the IDs of links, which no export has. */
async function featureAt(ask: (path: string) => Promise<Response>, project: string, name: string): Promise<unknown> {
  const response = await ask(`/api/admin/projects/${project}/features/${name}`)
  const { createdBy: _, collaborators: __, links = [], ...feature } = (await response.json()) as Record<string, unknown>
  return { ...feature, links: (links as { url: string }[]).map(({ url }) => url) }
}

const headers = { authorization: '*:*.mock-admin' }

describe('flagdouble pull', () => {
  it.each<ProfileName>(['documented', 'unleash-8'])(
    'reads a mock of the profile %s: a mock with the fixture has the same features, and a second pull the same bytes',
    async (profile) => {
      const { url } = await service({ profile })
      const { code, stderr, text, state } = await pull(url)
      expect(code).toBe(0)
      expect(stderr).toContain('Not read: archived flags, users, roles, API tokens.')
      const mock = createMock({ profile, scenario: 'empty', now: NOW, fixtures: state ?? {} })
      const features = mock.features.list()
      expect(features.map(({ name }) => name)).toEqual(expect.arrayContaining(['parent-flag', 'with-everything']))
      for (const { project, name } of features) {
        const theirs = await featureAt((path) => fetch(url + path, { headers }), project, name)
        const ours = await featureAt((path) => mock.fetch(new Request(mock.baseUrl + path, { headers })), project, name)
        expect(ours).toEqual(theirs)
      }
      expect(mock.state().segments).toMatchObject([{ id: 4, name: 'insiders', project: 'mobile-app' }])
      expect((await pull(url)).text).toBe(text)
    },
  )

  it('writes a fixture that loads, for a flag of a type that Unleash doesn’t list', async () => {
    const imported = { features: [{ name: 'odd', type: 'unlisted' }], featureStrategies: [] }
    const { url } = await service({ fixtures: imported })
    const { code, state } = await pull(url)
    expect(code).toBe(0)
    expect(createMock({ scenario: 'empty', fixtures: state ?? {} }).features.get('odd')?.type).toBe('unlisted')
  })

  it('ends at a search without an end', async () => {
    const { url } = await service()
    const page = (offset: number) => ({
      features: Array.from({ length: 60_000 }, (_, i) => ({ name: `f${offset + i}` })),
    })
    let asked = 0
    const endless = await inFront(url, (request, response) => {
      if (!request.url?.startsWith('/api/admin/search')) return false
      response.setHeader('content-type', 'application/json').end(JSON.stringify(page(60_000 * asked++)))
      return true
    })
    const { code, stderr } = await pull(endless.url)
    expect([code, stderr]).toEqual([2, expect.stringContaining('lists more than 250,000 features')])
  })

  it('reads only the chosen projects and environments', async () => {
    const { url } = await service()
    const { state } = await pull(url, ['--project', 'mobile-app', '--environment', 'staging'])
    expect(state?.projects).toMatchObject([{ id: 'mobile-app', environments: ['staging'] }])
    expect(state?.environments).toMatchObject([{ name: 'staging' }])
    const { features } = createMock({ scenario: 'empty', fixtures: state ?? {} })
    expect(features.get('with-everything')?.environments).toMatchObject([{ name: 'staging', enabled: true }])
    expect(features.get('checkout-redesign')).toBeUndefined()
    for (const [flag, name] of [
      ['--project', 'nope'],
      ['--environment', 'stagin'],
    ] as const) {
      const { code, stderr, files } = await pull(url, [flag, name])
      expect([code, files]).toEqual([2, []])
      expect(stderr).toMatch(new RegExp(`can't read the .* "${name}"\\.\nhint: .*The API token can read: `))
    }
  })

  it('reads no personal data and no secrets, and never prints the API token', async () => {
    const { url } = await service()
    const { text, stdout, stderr } = await pull(url)
    const told = JSON.stringify({ ...JSON.parse(text), features: [] }) + stdout + stderr
    expect(told).not.toMatch(/ada\.lovelace|top-secret|mock-admin/)
    expect(text).not.toMatch(/createdBy|collaborators|top-secret|mock-admin/)
  })

  it('ends with code 2 and leaves nothing behind after an unusable response', async () => {
    const { url } = await service()
    const cases: [answer: (path: string) => Response, problem: RegExp][] = [
      [() => new Response('', { status: 503 }), /responded 503\.\nhint: .*later/],
      [() => new Response('', { status: 404 }), /responded 404\.\nhint: .*too old/],
      [() => new Response('<p>Log in'), /responded 200 with a body that isn't JSON\.\nhint: .*login page/],
      [() => new Response('{"a":1}'), /responded 200 without a list\./],
      [
        () => new Response('', { status: 302, headers: { location: 'https://evil.example/x' } }),
        /302 and redirects to https:\/\/evil\.example\/x, which isn't sent the API token\.\nhint: If that is your instance/,
      ],
      [() => new Response(`"${'x'.repeat(65 * 1024 * 1024)}"`), /more than 64 MiB\.\nhint: .*--project/],
    ]
    for (const [answer, problem] of cases) {
      const front = await inFront(url, (request, response) => {
        if (!request.url?.startsWith('/api/admin/context')) return false
        const { status, headers: sent, body } = answer(request.url)
        response.writeHead(status, Object.fromEntries(sent))
        if (body === null) response.end()
        else
          void body
            .pipeTo(
              new WritableStream({ write: (chunk) => void response.write(chunk), close: () => void response.end() }),
            )
            .catch(() => undefined)
        return true
      })
      const { code, stderr, files } = await pull(front.url)
      expect([code, files]).toEqual([2, []])
      expect(stderr).toContain(`${front.url}/api/admin/context`)
      expect(stderr).toMatch(problem)
    }
  })

  it('asks for the API token without a variable, and needs a URL and a token that can be sent', async () => {
    const { url } = await service()
    expect((await pull(url, [], { env: {}, secret: ` ${KEY}\n` })).code).toBe(0)
    const fault = async (address: string, key: string) =>
      (await pull(address, [], { env: { FLAGDOUBLE_KEY: key } })).stderr
    expect(await fault(url, '')).toContain('The API token is missing.')
    expect(await fault(url, 'a\nb')).toContain("a header can't contain")
    expect(await fault(url, 'user:wrong')).toMatch(/responded 401\.\nhint: Use a personal access token/)
    expect(await fault('nonsense', KEY)).toContain('is not the URL of an Unleash instance')
    expect(await fault(url.replace('//', '//ada:s3cret@'), KEY)).toContain('The URL contains a password.')
    expect(await fault('http://127.0.0.1:5', KEY)).toContain('/api/admin/environments did not respond: ECONNREFUSED')
  })

  it('writes to standard output on request', async () => {
    const { url } = await service()
    const cli = runCli(['pull', `${url}/api/admin/`, '--out', '-'], { env: { FLAGDOUBLE_KEY: KEY } })
    expect(await cli.done).toBe(0)
    expect(JSON.parse(cli.stdout())).toMatchObject({ version: 1 })
  })
})
