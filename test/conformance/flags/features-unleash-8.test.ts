import { beforeEach, expect, it } from 'vitest'
import { NOW, onEveryAdapter, type SendOptions } from '../../support/adapters.js'
import { by, running, tokens } from '../../support/unleash-8.js'

const features = '/api/admin/projects/default/features'
const development = (name: string) => `${features}/${name}/environments/development`

onEveryAdapter(
  'features of Unleash',
  (client) => {
    const send = (method: string, path: string, body?: unknown, options: SendOptions = by(tokens.admin)) =>
      client.send(method, path, body, options)

    beforeEach(() => {
      const strategies = [{ id: 's1', name: 'default' }]
      client.mock.add({
        features: [
          {
            name: 'src',
            tags: [{ type: 'simple', value: 'one' }],
            environments: [{ name: 'development', strategies }],
          },
          { name: 'src-two' },
          { name: 'gone', archived: true },
        ],
      })
    })

    it('features are filtered by the prefix of their name and by tag', async () => {
      const names = async (query: string) =>
        (await send('GET', `${features}${query}`)).body.features.map(({ name }: { name: string }) => name)
      expect(await names('?namePrefix=src-')).toEqual(['src-two'])
      expect(await names('?tag=simple:one')).toEqual(['src'])
      expect(await names('?tag=simple:one&tag=simple:two&namePrefix=src')).toEqual(['src'])
      expect((await send('GET', `${features}?tag=simple:one&tag=simple`)).status).toBe(400)
      expect(await names('?namePrefix=nope')).toEqual([])
    })

    it('the list of projects counts completed features, if there are any', async () => {
      const [project] = (await send('GET', '/api/admin/projects')).body.projects
      expect(project).not.toHaveProperty('cleanupCount')
      await send('POST', `${features}/src/lifecycle/complete`, { status: 'kept' })
      expect((await send('GET', '/api/admin/projects')).body.projects).toEqual([
        expect.objectContaining({ cleanupCount: 1 }),
      ])
    })

    it('found features have the colours of their tags', async () => {
      const { body } = await send('GET', '/api/admin/search/features?query=src')
      expect(body.features[0].tags).toEqual([{ type: 'simple', value: 'one', color: '#FFFFFF' }])
    })

    it('a feature in an environment has its name in each strategy, and no segments', async () => {
      const [strategy] = (await send('GET', development('src'))).body.strategies
      expect(strategy).toMatchObject({ id: 's1', featureName: 'src' })
      expect(strategy).not.toHaveProperty('segments')
    })

    it('an archived feature keeps its strategies and can’t be turned on', async () => {
      expect((await send('POST', `${development('gone')}/strategies`, { name: 'default' })).status).toBe(200)
      expect((await send('GET', `${development('gone')}/strategies`)).body).toHaveLength(1)
      for (const change of ['on', 'off']) {
        const { status, body } = await send('POST', `${development('gone')}/${change}`)
        expect([status, body.name]).toEqual([400, 'ArchivedFeatureError'])
      }
      expect((await send('DELETE', `${features}/gone`)).status).toBe(202)
    })

    it('an enabled archived feature keeps its last enabled strategy', async () => {
      await send('POST', `${development('src')}/on`)
      await send('DELETE', `${features}/src`)
      const { status, body } = await send('DELETE', `${development('src')}/strategies/s1`)
      expect([status, body.name]).toEqual([400, 'ArchivedFeatureError'])
      expect((await send('GET', `${development('src')}/strategies`)).body).toHaveLength(1)
      await send('POST', `${development('src')}/strategies`, { name: 'default' })
      expect((await send('DELETE', `${development('src')}/strategies/s1`)).status).toBe(200)
    })

    it('a strategy is changed by a path of an environment of its feature', async () => {
      const elsewhere = development('src').replace('development', 'nope')
      expect((await send('PUT', `${elsewhere}/strategies/s1`, { name: 'default' })).status).toBe(404)
      const patch = [{ op: 'replace', path: '/title', value: 'x' }]
      const elsewhereToo = { status: 403, body: { name: 'InvalidOperationError' } }
      expect(await send('PATCH', `${development('src-two')}/strategies/s1`, patch)).toMatchObject(elsewhereToo)
      expect(await send('GET', `${development('src-two')}/strategies/s1`)).toMatchObject(elsewhereToo)
      expect(await send('GET', `${development('nope')}/strategies/s1`)).toMatchObject(elsewhereToo)
      expect((await send('GET', `${development('src')}/strategies/nope`)).status).toBe(404)
    })

    it('a link is changed and deleted only by the path of its feature, in any project', async () => {
      await send('POST', `${features.replace('default', 'nope')}/src/link`, { url: 'https://example.com/a' })
      const [link] = (await send('GET', `${features}/src`)).body.links
      const path = `${features}/src/link/${link.id}`
      const url = 'https://example.com/b'
      for (const other of ['src-two', 'nope']) {
        const elsewhere = path.replace('/src/', `/${other}/`)
        expect([(await send('PUT', elsewhere, { url })).status, (await send('DELETE', elsewhere)).status]).toEqual([
          404, 404,
        ])
      }
      expect((await send('GET', `${features}/src`)).body.links).toEqual([link])
      expect((await send('GET', `${features}/src-two`)).body.links).toEqual([])
      expect((await send('PUT', path, { url })).status).toBe(204)
      expect((await send('GET', `${features}/src`)).body.links).toMatchObject([{ id: link.id, url }])
      expect((await send('DELETE', path)).status).toBe(204)
      expect((await send('DELETE', path)).status).toBe(404)
      const places = client.mock.events.list().map(({ type, featureName, project }) => [type, featureName, project])
      expect(places.slice(-3)).toEqual([
        ['feature-link-added', 'src', 'nope'],
        ['feature-link-updated', 'src', 'default'],
        ['feature-link-removed', 'src', 'default'],
      ])
    })

    it('a taken name is told before an unknown project', async () => {
      const create = (name: string) => send('POST', '/api/admin/projects/nope/features', { name })
      expect((await create('src')).status).toBe(409)
      expect((await create('new')).status).toBe(404)
    })

    it('an editor has the permissions of a project only where there is a project', async () => {
      const status = async (method: string, path: string, body?: unknown, key: string = tokens.editor) =>
        (await send(method, path, body, by(key))).status
      const tag = { type: 'simple', value: 'free' }
      expect(await status('POST', '/api/admin/tags', tag, tokens.viewer)).toBe(201)
      expect(await status('DELETE', '/api/admin/tags/simple/free')).toBe(403)
      expect(await status('POST', '/api/admin/features/nope/tags', tag)).toBe(403)
      expect(await status('POST', '/api/admin/features/src/tags', tag)).toBe(201)
      expect(await status('DELETE', '/api/admin/archive/nope')).toBe(403)
      expect(await status('DELETE', '/api/admin/tags/simple/free', undefined, tokens.admin2)).toBe(200)
    })

    it('variants of an environment are completed only in a batch, and their events have no group', async () => {
      const one = [{ name: 'a', weight: 1000 }]
      const batch = await send('PUT', `${features}/src/variants-batch`, {
        environments: ['development'],
        variants: one,
      })
      expect(batch.body.variants).toEqual([{ ...one[0], weightType: 'variable', stickiness: 'default' }])
      expect(client.mock.events.list().at(-1)).not.toHaveProperty('groupId')
      expect((await send('PUT', `${development('src')}/variants`, one)).status).toBe(400)
    })

    it('a patched feature keeps its name', async () => {
      expect((await send('PATCH', `${features}/src`, [{ op: 'remove', path: '/name' }])).status).toBe(400)
    })

    it('an update can leave the name out, or empty', async () => {
      expect((await send('PUT', `${features}/src`, { name: '', type: 'release' })).status).toBe(200)
      expect((await send('PUT', `${features}/nope`, { name: '', type: 'release' })).status).toBe(404)
      const strange = await send('PUT', `${features}/src`, { name: {} })
      expect([strange.status, 'id' in strange.body]).toEqual([400, false])
      expect((await send('PATCH', `${features}/src`, [{ op: 'replace', path: '/name', value: 'a b' }])).status).toBe(
        400,
      )
    })

    it('a feature that an update archives or makes active keeps its stage', async () => {
      await send('PUT', `${features}/src`, { archived: true })
      const stages = async () => (await send('GET', `${features}/src/lifecycle`)).body
      expect(await stages()).toMatchObject([{ stage: 'initial' }])
      await send('DELETE', `${features}/src-two`)
      await send('PUT', `${features}/src-two`, { type: 'release' })
      const { body } = await send('GET', '/api/admin/lifecycle/count')
      expect(body).toMatchObject({ initial: 1, archived: 2 })
      const { lifecycleSummary } = (await send('GET', '/api/admin/projects/default/status')).body
      expect(lifecycleSummary).toMatchObject({ initial: { currentFlags: 1 }, archived: { currentFlags: 2 } })
    })

    it('an export without an environment has all', async () => {
      const { body } = await send('POST', '/api/admin/features-batch/export', { environment: '', features: ['src'] })
      const names = body.featureEnvironments.map(({ environment }: { environment: string }) => environment)
      expect(names).toEqual(['development', 'production'])
    })

    it('use in production makes a feature pre-live, then live; an archived one too', async () => {
      await send('POST', `${development('src').replace('development', 'production')}/on`)
      await send('DELETE', `${features}/src`)
      const bucket = { start: NOW, stop: NOW, toggles: { src: { yes: 1, no: 0 } } }
      const metrics = { appName: 'app', environment: 'production', bucket }
      client.mock.add({ apiTokens: [{ secret: '*:production.live', type: 'client', environment: 'production' }] })
      await send('POST', '/api/client/metrics', metrics, by('*:production.live'))
      const { body } = await send('GET', `${features}/src/lifecycle`)
      const stages = body.map(({ stage }: { stage: string }) => stage)
      expect(stages.slice(-3)).toEqual(['archived', 'pre-live', 'live'])
    })

    it('a completed feature that is used becomes pre-live', async () => {
      await send('POST', `${features}/src/lifecycle/complete`, { status: 'kept' })
      const bucket = { start: NOW, stop: NOW, toggles: { src: { yes: 1, no: 0 } } }
      await send('POST', '/api/client/metrics', { appName: 'app', bucket }, by(tokens.client))
      expect((await send('GET', `${features}/src`)).body.lifecycle.stage).toBe('pre-live')
      const [found] = (await send('GET', '/api/admin/search/features?query=src&sortBy=name')).body.features
      expect(found.lifecycle.stage).toBe('pre-live')
    })

    it('a feature is not found in the path of another project', async () => {
      const elsewhere = development('src').replace('/default/', '/nope/')
      expect((await send('GET', `${elsewhere}/strategies`)).status).toBe(404)
      expect((await send('GET', `${development('nope')}/strategies`)).status).toBe(404)
    })

    it('variants are checked by the operation, after their types', async () => {
      const variant = { name: 'a', weight: 1000, weightType: 'variable', stickiness: 'default' }
      const wrong = [
        { ...variant, extra: 1 },
        { ...variant, name: '' },
        { ...variant, stickiness: '' },
        { ...variant, payload: { type: 'string', value: '' } },
        { ...variant, payload: { type: 'string', value: 'x', extra: 1 } },
        { ...variant, payload: { type: 'json', value: '12' } },
        { ...variant, name: 'a b' },
      ]
      for (const one of wrong) {
        const { status, body } = await send('POST', `${development('src')}/strategies`, {
          name: 'default',
          variants: [one],
        })
        expect([status, 'id' in body, Object.keys(body.details[0])]).toEqual([400, false, ['message']])
      }
      const typed = await send('POST', `${development('src')}/strategies`, {
        name: 'default',
        variants: [{ ...variant, weightType: 'other' }],
      })
      expect([typed.status, 'id' in typed.body]).toEqual([400, true])
      const broken = { ...variant, payload: { type: 'json', value: '{bad' } }
      const named = await send('POST', `${development('src')}/strategies`, { name: 'default', variants: [broken] })
      expect(named.body.message).toContain('"{bad"')
      const unknownType = await send('POST', `${development('src')}/strategies`, { name: 'nope', variants: wrong })
      expect(unknownType.body.message).toContain('"nope"')
    })

    it('variants are checked in their order, before the environments, and the feature before the variants', async () => {
      const variants = [
        { name: 'a', weight: 1, payload: { type: 'json', value: 'null' } },
        { name: 'a', weight: 1.5 },
      ]
      const batch = (name: string) =>
        send('PUT', `${features}/${name}/variants-batch`, { environments: ['nope'], variants }, by(tokens.admin2))
      const { status, body } = await batch('src')
      expect([status, body.message]).toEqual([400, expect.stringContaining('"null"')])
      expect((await batch('nope')).status).toBe(404)
    })

    it('the last user to change a feature is its first collaborator', async () => {
      await send('PUT', `${features}/src`, { type: 'operational' }, by(tokens.editor))
      const { users } = (await send('GET', `${features}/src`)).body.collaborators
      expect(users).toMatchObject([{ name: 'editor user' }, {}])
    })

    it('the default strategy of a project is checked when it is used', async () => {
      const path = '/api/admin/projects/default/environments/development/default-strategy'
      const turnOn = () => send('POST', `${development('src-two')}/on`)
      const wrong = [{ segments: [99] }, { constraints: [{ contextName: 'userId', operator: 'NUM_EQ', value: 'x' }] }]
      const statuses = []
      for (const more of [...wrong, { sortOrder: 7 }]) {
        await send('POST', path, { name: 'flexibleRollout', ...more })
        statuses.push((await turnOn()).status)
      }
      expect(statuses).toEqual([404, 400, 200])
      expect((await send('GET', development('src-two'))).body.strategies).toMatchObject([{ sortOrder: 7 }])
    })

    it('a repeated segment of a strategy is told after its constraints', async () => {
      client.mock.add({ segments: [{ id: 7, name: 'seven' }] })
      const constraints = [{ contextName: 'userId', operator: 'NUM_EQ', value: 'x' }]
      const add = (more: object) =>
        send('POST', `${development('src')}/strategies`, { name: 'default', segments: [7, 7], ...more })
      expect((await add({ constraints })).body.message).toContain('"x"')
      expect((await add({})).body.message).toContain('"7"')
    })

    it('the error for an invalid patched strategy has its place', async () => {
      const change = [{ op: 'replace', path: '/parameters', value: { rollout: null } }]
      const { status, body } = await send('PATCH', `${development('src')}/strategies/s1`, change)
      expect([status, 'id' in body, body.details[0].path]).toEqual([400, false, '/parameters/rollout'])
    })

    it('a strategy is rejected in an environment outside the project, or with an unknown segment', async () => {
      const add = (environment: string, body: object) =>
        send('POST', `${features}/src/environments/${environment}/strategies`, body)
      const unconnected = await add('nope', { name: 'default' })
      expect([unconnected.status, unconnected.body.name]).toEqual([400, 'BadDataError'])
      const unknown = await add('development', { name: 'default', segments: [99] })
      expect([unknown.status, unknown.body.name]).toEqual([404, 'NotFoundError'])
      expect(unknown.body.message).toContain('"99"')
    })

    it("parameters of strategies become text, and a rollout's are completed", async () => {
      const parameters = { rollout: 50, stickiness: '', groupId: null, extra: true }
      const { body } = await send('POST', `${development('src')}/strategies`, { name: 'flexibleRollout', parameters })
      expect(body.parameters).toEqual({ rollout: '50', stickiness: 'default', groupId: 'src', extra: 'true' })
    })

    it('an unknown feature has an empty lifecycle', async () => {
      const { status, body } = await send('GET', `${features}/nope/lifecycle`)
      expect([status, body]).toEqual([200, []])
    })

    it('links without a scheme or with a trailing slash are normalized', async () => {
      const urls = ['a.example/x', 'https://b.example/', 'c']
      for (const url of urls) expect((await send('POST', `${features}/src/link`, { url })).status).toBe(204)
      const { links } = (await send('GET', `${features}/src`)).body
      expect(links.map(({ url }: { url: string }) => url)).toEqual([
        'https://a.example/x',
        'https://b.example',
        'https://c',
      ])
      const { status, body } = await send('POST', `${features}/src/link`, { url: '' })
      expect([status, body.name, 'id' in body]).toEqual([400, 'BadDataError', false])
    })

    it('the event of a new link has the title that was sent', async () => {
      for (const more of [{}, { title: null }, { title: 'T' }]) {
        await send('POST', `${features}/src/link`, { url: 'https://a.example', ...more })
        expect(client.mock.events.list().at(-1)?.data).toEqual({ url: 'https://a.example', ...more })
      }
      expect((await send('PUT', `${features}/src/link/nope`, { url: '' })).status).toBe(400)
    })

    it('only admins see events outside of projects', async () => {
      await send('POST', '/api/admin/tags', { type: 'simple', value: 'outside' })
      await send('PATCH', `${features}/src`, [{ op: 'replace', path: '/description', value: 'Told' }])
      const types = async (path: string, key: string) =>
        (await send('GET', path, undefined, by(key))).body.events
          .map(({ type }: { type: string }) => type)
          .filter((type: string) => type !== 'strategy-created')
      const search = '/api/admin/search/events'
      expect(await types(search, tokens.admin2)).toEqual(['feature-metadata-updated', 'tag-created'])
      expect(await types(search, tokens.editor)).toEqual(['feature-metadata-updated'])
      expect(await types(`${search}?query=told`, tokens.editor)).toEqual(['feature-metadata-updated'])
      expect(await types(`${search}?query=metadata`, tokens.editor)).toEqual([])
      expect(await types('/api/admin/events?project=default', tokens.admin)).toEqual(['feature-metadata-updated'])
      expect(await types('/api/admin/events?project=nope', tokens.admin)).toEqual([])
    })
  },
  running,
)
