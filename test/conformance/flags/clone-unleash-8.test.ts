import { expect, it } from 'vitest'
import { onEveryAdapter } from '../../support/adapters.js'
import { by, running, tokens } from '../../support/unleash-8.js'

const at = '/api/admin/projects/default/features/source/clone'

onEveryAdapter(
  'cloneFeature of Unleash',
  (client) => {
    const clone = (body: unknown, key: string | null = tokens.admin, headers = {}, path = at) =>
      client.send('POST', path, body, by(key, headers))
    const source = (fields = {}) => client.mock.add({ features: [{ name: 'source', ...fields }] })

    it('Unleash returns a clone with 201 and eight fields', async () => {
      source({ description: 'A flag', type: 'operational' })
      const { status, body, headers } = await clone({ name: 'copy' })
      expect([status, headers.get('location')]).toEqual([201, null])
      expect(body).toEqual({
        name: 'copy',
        description: 'A flag',
        type: 'operational',
        project: 'default',
        stale: false,
        createdAt: '2026-11-20T12:00:00.000Z',
        impressionData: false,
        archived: false,
      })
    })

    it('a source without environments has no clone, with which Unleash fails', async () => {
      source({ onlyIn: [] })
      expect((await clone({ name: 'copy' })).status).toBe(404)
      expect(client.mock.features.get('copy')).toBeUndefined()
    })

    it('Unleash looks for the source only in the project of the path', async () => {
      source()
      const { status, body } = await clone({ name: 'copy' }, tokens.admin, {}, at.replace('default', 'p2'))
      expect([status, body.name, 'id' in body]).toEqual([404, 'NotFoundError', false])
    })

    it.each([
      [123, '123'],
      [1.5, '1.5'],
      [true, 'true'],
    ])('Unleash turns the name %s into text', async (name, text) => {
      source()
      expect((await clone({ name })).body.name).toBe(text)
    })

    it.each([
      ['true', true],
      [1, true],
      ['false', false],
      [0, false],
      [null, false],
    ])('Unleash accepts %j for replaceGroupId', async (replaceGroupId, replaced) => {
      source({
        environments: [{ name: 'development', strategies: [{ name: 'default', parameters: { groupId: 'g' } }] }],
      })
      await clone({ name: 'copy', replaceGroupId })
      const copy = client.mock.features.get('copy')?.environments.find(({ name }) => name === 'development')
      expect(copy?.strategies[0]?.parameters.groupId).toBe(replaced ? 'copy' : 'g')
    })

    it.each([
      ['a type that no coercion helps', { name: 'copy', replaceGroupId: 'yes' }, '/body/replaceGroupId'],
      ['what is missing before a wrong type', { replaceGroupId: 'yes' }, '/body/name'],
      ['a body that is no object', [], '/body'],
    ])('Unleash reports only the first error: %s', async (_, body, path) => {
      source()
      const answer = await clone(body)
      expect(answer.status).toBe(400)
      expect(answer.body).toMatchObject({ id: expect.any(String), name: 'BadDataError' })
      expect(answer.body.details).toEqual([{ message: expect.stringContaining(`"${path}"`), path }])
    })

    it.each(['', 'a b', '.', 'x'.repeat(101)])(
      'Unleash rejects the name %j in the operation: without an ID and a path',
      async (name) => {
        source()
        const { status, body } = await clone({ name })
        expect(status).toBe(400)
        expect(body).toEqual({
          name: 'BadDataError',
          message: expect.any(String),
          details: [{ message: expect.stringContaining(JSON.stringify(name)) }],
        })
      },
    )

    it('Unleash looks for the source before it checks the name', async () => {
      expect((await clone({ name: 'a b' })).status).toBe(404)
    })

    it('Unleash ignores the content type: a body of another type counts as empty', async () => {
      source()
      const answer = await clone('{"name":"copy"}', tokens.admin, { 'content-type': 'text/plain' })
      expect([answer.status, answer.body.details[0].path]).toEqual([400, '/body/name'])
      const empty = await clone('', tokens.admin, { 'content-type': 'application/json' })
      expect([empty.status, empty.body.details[0].path]).toEqual([400, '/body/name'])
      const odd = await clone('{"name":"copy"}', tokens.admin, { 'content-type': 'application/json; foo' })
      expect(odd.status).toBe(400)
      const form = { 'content-type': 'application/x-www-form-urlencoded' }
      expect((await clone('name=copy&replaceGroupId=false', tokens.admin, form)).status).toBe(201)
    })

    it('Unleash reports an unreadable body before everything else, in one field', async () => {
      const broken = await clone('{bad', null)
      expect([broken.status, Object.keys(broken.body)]).toEqual([400, ['message']])
      const coded = await clone('{}', null, { 'content-type': 'application/json; charset=latin1' })
      expect([coded.status, Object.keys(coded.body)]).toEqual([415, ['message']])
      const large = await clone(`{"name":"${'x'.repeat(102_400)}"}`, null)
      expect([large.status, Object.keys(large.body)]).toEqual([413, ['message']])
    })

    it("Unleash lists the missing permission, except for an environment's", async () => {
      source({ environments: [{ name: 'production', strategies: [{ name: 'default' }] }] })
      const viewer = await clone({ name: 'copy' }, tokens.viewer)
      expect(viewer.status).toBe(403)
      expect(viewer.body).toMatchObject({ name: 'PermissionError', permissions: ['CREATE_FEATURE'] })
      const exception = { permission: 'CREATE_FEATURE_STRATEGY', environment: 'production', granted: false }
      client.mock.add({ roles: [{ ...role('Editor'), exceptions: [exception] }] })
      const editor = await clone({ name: 'copy' }, tokens.editor)
      expect(editor.status).toBe(403)
      expect(Object.keys(editor.body)).toEqual(['name', 'message', 'details'])
      expect(editor.body.message).toMatch(/"CREATE_FEATURE_STRATEGY".*"production"/)
    })

    it('Unleash confines users, but not admin tokens, to the project default', async () => {
      client.mock.add({ features: [{ name: 'source', project: 'p2' }] })
      const path = at.replace('default', 'p2')
      expect((await clone({ name: 'copy' }, tokens.admin2, {}, path)).status).toBe(403)
      expect((await clone({ name: 'copy' }, tokens.admin, {}, path)).status).toBe(201)
    })

    it('Unleash uses a special name for admin tokens as creators of a clone', async () => {
      source()
      await clone({ name: 'copy' })
      const made = client.mock.features.get('copy')?.createdBy
      expect([made?.id, made?.name]).toEqual([-42, 'Unleash Admin Token User'])
    })

    it('a clone must satisfy the project’s change requests, naming pattern and feature limit', async () => {
      source()
      const project = { id: 'default', name: 'Default' }
      client.mock.add({ projects: [{ ...project, changeRequests: ['production'] }] })
      expect((await clone({ name: 'a b' })).body.name).toBe('ForbiddenError')
      client.mock.add({
        projects: [
          { ...project, changeRequests: [], featureNaming: { pattern: '[a-z]+', example: null, description: null } },
        ],
      })
      expect((await clone({ name: 'copy1' })).body.name).toBe('PatternError')
      client.mock.add({
        projects: [{ ...project, featureNaming: { pattern: null, example: null, description: null }, featureLimit: 1 }],
      })
      expect((await clone({ name: 'copy' })).body.name).toBe('InvalidOperationError')
    })

    it('a clone needs the types of its strategies, and segments that its project can use', async () => {
      const inDevelopment = (strategy: { name: string; segments?: number[] }) => ({
        development: { strategies: [strategy] },
      })
      client.mock.add({
        strategyTypes: [{ name: 'homemade' }],
        segments: [{ id: 7, name: 'theirs' }],
        features: [{ name: 'source', environments: inDevelopment({ name: 'homemade' }) }],
      })
      expect((await clone({ name: 'typed' })).status).toBe(201)
      await client.send('DELETE', '/api/admin/strategies/homemade', undefined, by(tokens.admin))
      expect(await clone({ name: 'copy' })).toMatchObject({ status: 400, body: { name: expect.stringMatching(/./) } })
      client.mock.add({
        features: [{ name: 'source', environments: inDevelopment({ name: 'default', segments: [7] }) }],
      })
      expect((await clone({ name: 'segmented' })).status).toBe(201)
      client.mock.add({ segments: [{ id: 7, project: 'p2' }] })
      expect((await clone({ name: 'copy' })).status).toBe(400)
    })

    it('variants whose weights don’t add up don’t prevent a clone', async () => {
      const variants = [{ name: 'a', weight: 1, weightType: 'fix' as const }]
      source({ environments: { development: { strategies: [{ name: 'default', variants }] } } })
      expect((await clone({ name: 'copy' })).status).toBe(201)
    })

    it('a clone of an archived project’s feature is rejected', async () => {
      source()
      client.mock.add({ projects: [{ id: 'default', archivedAt: 'now-1d' }] })
      expect((await clone({ name: 'copy' })).status).toBe(404)
    })

    it('a clone gets the link templates of the project, and logs them', async () => {
      source()
      const linkTemplates = [{ title: 'T', urlTemplate: 'https://x.example/{{project}}/{{feature}}' }]
      client.mock.add({ projects: [{ id: 'default', linkTemplates }] })
      await clone({ name: 'copy' })
      const { body } = await client.send('GET', at.replace('source/clone', 'copy'), undefined, by(tokens.admin))
      expect(body.links).toMatchObject([{ title: 'T', url: 'https://x.example/default/copy' }])
      expect(client.mock.events.list({ type: 'feature-link-added' })).toHaveLength(1)
    })

    function role(name: string) {
      const found = client.mock.state().roles.find((one) => one.name === name)
      if (found === undefined) throw new Error(`No role ${name}`)
      return found
    }
  },
  running,
)

onEveryAdapter(
  'strategies of a clone of Unleash',
  (client) => {
    it('a gradual rollout gets the parameters that it lacks, and balanced variants', async () => {
      const variants = [900, 100].map((weight) => ({ name: `v${weight}`, weight, weightType: 'variable' as const }))
      const strategies = [
        { name: 'flexibleRollout', parameters: { userIds: 'a' }, variants, sortOrder: 0 },
        { name: 'default', parameters: { userIds: 'a' }, sortOrder: 1 },
      ]
      client.mock.add({ features: [{ name: 'source', environments: { development: { strategies } } }] })
      expect((await client.send('POST', at, { name: 'copy' }, by(tokens.admin))).status).toBe(201)
      const [copied, other] = client.mock.features.get('copy')?.environments[0]?.strategies ?? []
      const parameters = { userIds: 'a', rollout: '100', stickiness: 'default', groupId: 'copy' }
      expect(copied?.parameters).toEqual(parameters)
      expect(copied?.variants?.map(({ weight }) => weight)).toEqual([500, 500])
      expect(other?.parameters).toEqual({ userIds: 'a' })
    })
  },
  running,
)
