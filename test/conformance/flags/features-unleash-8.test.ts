import { beforeEach, expect, it } from 'vitest'
import { onEveryAdapter, type SendOptions } from '../../support/adapters.js'
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

    it('only admins see events outside of projects', async () => {
      await send('POST', '/api/admin/tags', { type: 'simple', value: 'outside' })
      await send('PATCH', `${features}/src`, [{ op: 'replace', path: '/description', value: 'Told' }])
      const types = async (path: string, key: string) =>
        (await send('GET', path, undefined, by(key))).body.events.map(({ type }: { type: string }) => type)
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
