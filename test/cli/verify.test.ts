import { describe, expect, it, onTestFinished } from 'vitest'
import { createMock, type Mock } from '../../src/engine/mock/mock.js'
import { startServer } from '../../src/entries/adapters/node.js'
import { NOT_COMPARED } from '../../src/entries/remote/questions.js'
import type { OperationVerdict, Verification } from '../../src/entries/remote/verify.js'
import { operations } from '../../src/service/api/operations.js'
import { type CliOptions, runCli } from '../support/cli.js'
import { inFront } from '../support/in-front.js'

const env = { FLAGDOUBLE_KEY: 'user:mock-admin' }

/** What flags of a real service have. */
const fixtures = {
  segments: [
    { id: 4, name: 'insiders', constraints: [{ contextName: 'userId', operator: 'IN' as const, values: ['a'] }] },
  ],
  favorites: [{ userId: 1, kind: 'feature' as const, name: 'child' }],
  features: [
    { name: 'parent' },
    {
      name: 'child',
      dependencies: [{ feature: 'parent' }],
      links: [{ url: 'https://example.com/plan' }],
      environments: [
        {
          name: 'development',
          enabled: true,
          strategies: [{ name: 'flexibleRollout', segments: [4], variants: [{ name: 'v' }] }],
          variants: [{ name: 'a' }],
        },
      ],
    },
  ],
}

async function service(scenario = 'default'): Promise<{ mock: Mock; url: string }> {
  const server = await startServer(createMock({ profile: 'unleash-8', scenario, fixtures }), { port: 0 })
  onTestFinished(() => server.close())
  return server
}

/** A server in front of a service that answers one path itself. Making the service's own document takes long. */
async function answering(url: string, path: string, body: object, status = 200) {
  const bodies = new Map<string | undefined, [status: number, body: object]>([
    ['/docs/openapi.json', [200, {}]],
    [path, [status, body]],
  ])
  return inFront(url, (request, response) => {
    const own = bodies.get(request.url)
    if (own !== undefined)
      response.writeHead(own[0], { 'content-type': 'application/json' }).end(JSON.stringify(own[1]))
    return own !== undefined
  })
}

async function verify(url: string, argv: readonly string[] = [], options: CliOptions = { env }) {
  const cli = runCli(['verify', url, '--json', ...argv], options)
  const code = await cli.done
  const report: Verification & { counts: Record<string, number> } =
    cli.stdout() === '' ? undefined : JSON.parse(cli.stdout())
  const about = (operation: string): OperationVerdict | undefined =>
    report.operations.find((one) => one.operation === operation)
  return { code, report, about, stderr: cli.stderr() }
}

describe('flagdouble verify, against a mock of the same profile', () => {
  it('finds no difference, and has asked about everything; it only reads, and shows the key nowhere', async () => {
    const { url, mock } = await service()
    const before = mock.state()
    const front = await inFront(url, () => false)
    const { code, report, stderr } = await verify(front.url)
    expect(stderr).toBe('')
    expect(report.operations.filter(({ result }) => result !== 'same')).toEqual([])
    expect(code).toBe(0)
    const reads = operations.filter(({ method, access }) => method === 'GET' && access === 'admin').map(({ id }) => id)
    const compared = report.operations.map(({ operation }) => operation)
    const ofProjects = ['getContextFieldForProject', 'getStrategiesByContextFieldForProject']
    expect([...compared, ...Object.keys(NOT_COMPARED), ...ofProjects].sort()).toEqual([...reads].sort())
    expect(front.paths.filter((path) => !path.startsWith('GET '))).toEqual([])
    expect(mock.state()).toEqual(before)
    expect(JSON.stringify(report)).not.toContain(env.FLAGDOUBLE_KEY)
  })

  it('does as much with the key of a viewer, and is red for what is refused unless that is allowed by name', async () => {
    const { url } = await service()
    const viewer = { env: { FLAGDOUBLE_KEY: 'user:mock-viewer' } }
    const { code, report } = await verify(url, [], viewer)
    const refused = report.operations.filter(({ result }) => result === 'they refuse')
    expect(refused).toContainEqual(expect.objectContaining({ operation: 'getUsers', status: 403, allowed: false }))
    expect(report.operations.filter(({ result }) => result === 'differs')).toEqual([])
    expect(code).toBe(1)
    const allowed = refused.flatMap(({ operation }) => ['--allow-refused', operation])
    expect((await verify(url, allowed.slice(2), viewer)).code).toBe(1)
    expect((await verify(url, allowed, viewer)).code).toBe(0)
  })

  it('takes what is shown in place of a user for the same, whatever the key is called', async () => {
    const { url, mock } = await service()
    mock.add({ apiTokens: [{ secret: '*:*.other', type: 'admin', tokenName: 'other' }] })
    const { code, report, about } = await verify(url, [], { env: { FLAGDOUBLE_KEY: '*:*.other' } })
    expect(report.operations.filter(({ result }) => result !== 'same')).toEqual([])
    expect(about('getMe')).toMatchObject({ asked: 1 })
    expect(code).toBe(0)
  })

  it('compares invitations of one name by everything but their secrets, and creators of flags by the name that is shown', async () => {
    const { url, mock } = await service()
    mock.add({
      signupTokens: [
        { secret: 'b', name: 'same', expiresAt: '2030-01-01T00:00:00Z' },
        { secret: 'a', name: 'same', expiresAt: '2031-01-01T00:00:00Z', enabled: false },
      ],
      users: [{ id: 1, name: null, email: null, username: 'admin' }],
      features: [{ name: 'mine', createdBy: { id: 1 } }],
    })
    const { code, report } = await verify(url)
    expect(report.operations.filter(({ result }) => result !== 'same')).toEqual([])
    expect(code).toBe(0)
  })

  it('takes an empty list for what it is', async () => {
    const { url, mock } = await service('empty')
    const { contextFields, tagTypes } = mock.state()
    mock.add({
      features: { child: { environments: { development: { strategies: [] } } } },
      segments: { 4: null },
      contextFields: Object.fromEntries(contextFields.map(({ name }) => [name, null])),
      tagTypes: Object.fromEntries(tagTypes.map(({ name }) => [name, null])),
    })
    const { code, report } = await verify(url)
    expect(report.operations.filter(({ result }) => result === 'differs')).toEqual([])
    expect(code).toBe(0)
  })

  it('has the users of the service, and no others', async () => {
    const { url, mock } = await service('empty')
    const { users, apiTokens, ...others } = mock.state()
    mock.restore({
      ...others,
      users: users.filter(({ id }) => id === 1),
      apiTokens: apiTokens.filter(({ userId }) => userId === 1),
    })
    const { code, report, stderr } = await verify(url)
    expect(stderr).toBe('')
    expect(report.operations.filter(({ result }) => result === 'differs')).toEqual([])
    expect(code).toBe(0)
  })

  it('keeps its own context fields where those of the service are refused', async () => {
    const { url } = await service('empty')
    const front = await answering(url, '/api/admin/context', {}, 403)
    const { code, report, about } = await verify(front.url, ['--allow-refused', 'getContextFields'])
    expect(report.missed).toEqual(['context fields: the key may not read them (403)'])
    expect(about('getContextField')).toMatchObject({ result: 'same', asked: 5 })
    expect(code).toBe(0)
  })

  it('keeps to the projects that are named', async () => {
    const { url } = await service()
    const front = await inFront(url, () => false)
    const { code, report } = await verify(front.url, ['--project', 'mobile-app'])
    expect(report.operations.filter(({ result }) => result === 'differs')).toEqual([])
    expect(code).toBe(0)
    expect(front.paths.join('\n')).not.toMatch(/projects\/default|features\/child/)
  })
})

describe('flagdouble verify, against a service that answers otherwise', () => {
  it('tells the request, the path in the answer, and both values', async () => {
    const { url, mock } = await service('empty')
    const feature = await mock.fetch(
      new Request('http://localhost/api/admin/projects/default/features/child', {
        headers: { authorization: env.FLAGDOUBLE_KEY },
      }),
    )
    const body = { ...(await feature.json()), newField: 1 }
    body.environments[0].strategies[0].sortOrder = 7
    const front = await answering(url, '/api/admin/projects/default/features/child', body)
    const { code, about } = await verify(front.url)
    expect(code).toBe(1)
    expect(about('getFeature')).toMatchObject({ result: 'differs', differing: 2 })
    const request = 'GET /api/admin/projects/default/features/child'
    expect(about('getFeature')?.differences).toEqual(
      expect.arrayContaining([
        { request, at: '$.newField', theirs: 'a number' },
        { request, at: '$.environments[0].strategies[0].sortOrder', theirs: 7, ours: 0 },
      ]),
    )
  })

  it('tells what the service refuses, and what the mock does not have', async () => {
    const { url, mock } = await service('empty')
    mock.force({ operation: 'getStrategiesBySegmentId', status: 403 })
    const paths = { '/api/admin/segments': { get: {} }, '/api/admin/release-plans/{id}': { get: {}, post: {} } }
    const front = await answering(url, '/docs/openapi.json', { paths })
    const { code, report, about } = await verify(front.url)
    expect(about('getStrategiesBySegmentId')).toMatchObject({ result: 'they refuse', status: 403 })
    expect(report.operations.filter(({ result }) => result === 'not modelled')).toMatchObject([
      { operation: 'GET /api/admin/release-plans/{id}' },
    ])
    expect(code).toBe(1)
  })

  it.each([
    ['fails', 501, '{}', { result: 'they refuse', status: 501 }],
    ['answers something that is no JSON', 200, '<html>', { result: 'differs' }],
  ])('is red where the service %s, whatever may be refused', async (_, status, body, verdict) => {
    const { url } = await service('empty')
    const front = await inFront(url, (request, response) => {
      if (request.url === '/docs/openapi.json') response.end('{}')
      else if (request.url === '/api/admin/segments/4') response.writeHead(status).end(body)
      else return false
      return true
    })
    const { code, about } = await verify(front.url, ['--allow-refused', 'getSegment'])
    expect(about('getSegment')).toMatchObject(verdict)
    expect(code).toBe(1)
  })

  it('quotes nothing of what the mock does not know, but its name and kind', async () => {
    const { url } = await service('empty')
    const front = await answering(url, '/api/admin/segments/4', {
      ...(await (
        await fetch(`${url}/api/admin/segments/4`, { headers: { authorization: env.FLAGDOUBLE_KEY } })
      ).json()),
      passwordHash: 'top-secret',
      '\u001b[2J': ['top-secret'],
    })
    const cli = runCli(['verify', front.url], { env })
    expect(await cli.done).toBe(1)
    expect(cli.stdout()).toContain(
      '\n  GET /api/admin/segments/4\n    $.passwordHash: theirs a string, ours nothing\n    $.\\u001b[2J: theirs an array, ours nothing\n',
    )
    expect(cli.stdout()).not.toContain('top-secret')
  })

  it('tells an operation that is missing there', async () => {
    const { url } = await service('empty')
    const path = '/api/admin/projects/default/features/child/parents'
    const front = await answering(url, path, { name: 'NotFoundError' }, 404)
    const { code, about } = await verify(front.url)
    expect(code).toBe(1)
    expect(about('listParentOptions')?.differences[0]).toMatchObject({ at: 'status', theirs: 404, ours: 200 })
  })

  it('reports the same in words for people', async () => {
    const { url, mock } = await service('empty')
    mock.force({
      operation: 'getTagTypes',
      body: { version: 1, tagTypes: [{ name: 'simple', description: 'Other' }] },
      after: 1,
    })
    const cli = runCli(['verify', url], { env })
    expect(await cli.done).toBe(1)
    expect(cli.stdout()).toMatch(/^differs +getTagTypes 1 answer\n {2}GET \/api\/admin\/tag-types\n {4}\$\.tagTypes/)
    expect(cli.stdout()).toMatch(/\$\.tagTypes\[0\]\.description: theirs "Other", ours "/)
    expect(cli.stdout()).toMatch(/by operation: 1 differs, 0 they refuse, 0 not modelled, \d+ same\.\n$/)
  })

  it('ends with code 2 for an operation that there is none of, and names the nearest', async () => {
    const { url } = await service('empty')
    const { code, stderr } = await verify(url, ['--allow-refused', 'getUser5'])
    expect([code, stderr]).toEqual([2, expect.stringMatching(/no operation "getUser5"\.\nhint: Did you mean "getUser/)])
  })

  it.each([
    ['no key', {}, /A key of the service is needed/],
    ['a wrong key', { FLAGDOUBLE_KEY: 'user:nobody' }, /does not know the key/],
  ])('ends with code 2 for %s', async (_, wrong, message) => {
    const { url } = await service('empty')
    const { code, report, stderr } = await verify(url, [], { env: wrong })
    expect([code, report]).toEqual([2, undefined])
    expect(stderr).toMatch(message)
  })
})
