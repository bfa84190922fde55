import { expect, it } from 'vitest'
import { EDITOR, NOW, onEveryAdapter, VIEWER } from '../../support/adapters.js'
import { onBothProfiles } from '../../support/both.js'

const addons = '/api/admin/addons'
const features = '/api/admin/projects/default/features'
const webhook = {
  provider: 'webhook',
  description: 'Tells the shop',
  enabled: true,
  parameters: { url: 'https://hooks.example.com/T0/hook-secret', authorization: 'hook-key', contentType: 'text/plain' },
  events: ['feature-created'],
}
const shown = { url: '*****', authorization: '*****', contentType: 'text/plain' }
const unchosen = { projects: [], environments: [] }

onBothProfiles('integrations', (client) => {
  const create = (body: object = webhook) => client.send('POST', addons, body, { key: EDITOR })
  const createFeature = (name: string) => client.send('POST', features, { name })
  const types = () => client.mock.events.list().map(({ type }) => type)

  it('the providers are listed with their parameters', async () => {
    const { body } = await client.send('GET', addons, undefined, { key: VIEWER })
    expect(body.addons).toEqual([])
    expect(body.providers.map(({ name }: { name: string }) => name)).toEqual([
      ...['webhook', 'slack', 'slack-app', 'teams', 'datadog', 'new-relic', 'teamsworkflow'],
    ])
    const [url] = body.providers[0].parameters
    expect(url).toMatchObject({ name: 'url', type: 'url', required: true, sensitive: true })
    const counts = body.providers.map(({ events }: { events: string[] }) => events.length)
    expect(counts).toEqual([33, 17, 63, 32, 15, 15, 32])
    expect(body.providers[0].events.slice(5, 8)).toEqual([
      'feature-stale-off',
      'feature-completed',
      'feature-environment-enabled',
    ])
  })

  it('an integration is created, and returned with masked sensitive parameters', async () => {
    const { status, body } = await create()
    expect(status).toBe(201)
    expect(body).toEqual({ id: 1, ...webhook, ...unchosen })
    const read = { ...body, parameters: shown, createdAt: NOW }
    expect((await client.send('GET', `${addons}/1`, undefined, { key: VIEWER })).body).toEqual(read)
    expect((await client.send('GET', addons)).body.addons).toEqual([read])
    const { parameters: _, ...data } = body
    expect(client.mock.events.list()).toMatchObject([
      { type: 'addon-config-created', createdBy: 'editor@example.com', data, preData: null },
    ])
  })

  it('a masked parameter in a request stays unchanged', async () => {
    await create()
    const { description: _, ...changed } = {
      ...webhook,
      parameters: { ...shown, contentType: 'text/html' },
      projects: ['*'],
    }
    const { status, body } = await client.send('PUT', `${addons}/1`, changed)
    expect(status).toBe(200)
    expect(body).toEqual({
      ...{ id: 1, ...webhook, projects: ['*'], environments: [], createdAt: NOW },
      parameters: { ...webhook.parameters, contentType: 'text/html' },
    })
    expect(client.mock.events.list().at(-1)).toMatchObject({
      type: 'addon-config-updated',
      data: { projects: ['*'] },
      preData: { projects: [] },
    })
  })

  it('the values of an integration are checked after the integration is found', async () => {
    const { id } = (await create()).body
    const wrong = async (changes: object) => {
      const body = { ...webhook, ...changes }
      const unknown = await client.send('PUT', `${addons}/99`, body)
      const answers = [await create(body), await client.send('PUT', `${addons}/${id}`, body)]
      expect([unknown.status, ...answers.map(({ status }) => status)]).toEqual([404, 400, 400])
      return answers[0]?.body.message
    }
    expect(await wrong({ parameters: { ...webhook.parameters, extra: [1] } })).toContain('"parameters.extra"')
    expect(await wrong({ parameters: { ...webhook.parameters, extra: null } })).toContain('"parameters.extra"')
    expect(await wrong({ parameters: { url: '' } })).toContain('"parameters.url"')
    expect(await wrong({ events: ['a', ''] })).toContain('"events[1]"')
    expect(await wrong({ projects: [''] })).toContain('"projects[0]"')
  })

  it('an integration is deleted with its messages', async () => {
    await create()
    await createFeature('a')
    expect((await client.send('DELETE', `${addons}/1`)).status).toBe(200)
    expect((await client.send('GET', `${addons}/1/events`)).body).toEqual({ integrationEvents: [] })
  })

  const withUrl = (url: string) => ({ ...webhook, parameters: { url } })
  const privateHosts = ['localhost:1', '127.1', '10.0.0.1', '[::1]', '[fd00::1]']

  it.each<[string, object]>([
    ['nothing', {}],
    ['an unknown provider', { ...webhook, provider: 'pager' }],
    ['a deprecated provider', { ...webhook, provider: 'teams' }],
    ['a required parameter missing', { ...webhook, parameters: {} }],
    ['a URL that is none', withUrl('hook-secret')],
    ['a URL of another kind', withUrl('ftp://example.com/hook-secret')],
    ...privateHosts.map((host): [string, object] => [`the address ${host}`, withUrl(`http://${host}/hook-secret`)]),
  ])('an integration is rejected with %s', async (_, body) => {
    const { status, body: error } = await create(body)
    expect([status, error.name]).toEqual([400, 'BadDataError'])
    expect(JSON.stringify(error)).not.toContain('hook-secret')
    expect(types()).toEqual([])
  })

  it('only an admin can read the messages of an integration', async () => {
    const { status, body } = await client.send('GET', `${addons}/1/events`, undefined, { key: VIEWER })
    expect([status, body.message]).toEqual([403, expect.stringContaining('ADMIN')])
  })

  it('the tag type by which a provider selects its channels is added', async () => {
    await create({ ...webhook, provider: 'slack-app', parameters: { accessToken: 'a', defaultChannels: 'all, dev' } })
    expect((await client.send('GET', '/api/admin/tag-types/slack')).status).toBe(200)
    expect(types()).toEqual(['tag-type-created', 'addon-config-created'])
  })
})

onEveryAdapter('messages of integrations', (client) => {
  const create = (more: object = {}) => client.send('POST', addons, { ...webhook, ...more })
  const createFeature = (name: string) => client.send('POST', features, { name })
  const messages = async (query = '') => (await client.send('GET', `${addons}/1/events${query}`)).body.integrationEvents

  it('an event is recorded by each integration that listens to it', async () => {
    await create()
    await create({ enabled: false })
    await create({ events: ['feature-archived'] })
    await create({ projects: ['mobile-app'] })
    await createFeature('a')
    const [event] = client.mock.events.list().slice(-1)
    expect(await messages()).toEqual([
      {
        id: '1',
        integrationId: 1,
        createdAt: NOW,
        state: 'success',
        stateDetails: 'The message is recorded, and not sent.',
        event,
        details: { url: webhook.parameters.url, contentType: 'text/plain', body: event },
      },
    ])
    expect(client.mock.state().integrationEvents).toHaveLength(1)
  })

  it('the journal contains the message with its request, without secrets', async () => {
    await create()
    await createFeature('a')
    const [event] = client.mock.events.list().slice(-1)
    const [entry] = client.mock.requests.find({ operation: 'createFeature' })
    expect(entry?.sent).toEqual([{ provider: 'webhook', integrationId: 1, body: event }])
    await messages()
    expect(JSON.stringify(client.mock.requests.all())).not.toMatch(/hook-secret|hook-key/)
  })

  it('a request that changes nothing causes no message', async () => {
    await create()
    await createFeature('legacy-export')
    expect(client.mock.requests.all().at(-1)).not.toHaveProperty('sent')
    expect(await messages()).toEqual([])
  })

  it.each<[string, object]>([
    ['/body/provider', { provider: 'pager' }],
    ['/body/parameters', { parameters: {} }],
    ['/body/parameters/url', { parameters: { url: 'nowhere' } }],
  ])('an error names its place: %s', async (path, more) => {
    expect((await create(more)).body.details).toMatchObject([{ path }])
  })

  it('a template is filled in', async () => {
    const bodyTemplate =
      '{"what":"{{event.type}}","by":"{{event.createdBy}}","none":"{{event.data.x}}","all":{{{eventJson}}}}'
    await create({ parameters: { ...webhook.parameters, bodyTemplate } })
    await client.send('POST', features, { name: 'a' })
    const [{ event, details }] = await messages()
    expect(JSON.parse(details.body)).toEqual({
      what: 'feature-created',
      by: event.createdBy,
      none: '',
      all: JSON.stringify(event),
    })
  })

  it('chats get a sentence, in the channels of the flag’s tags', async () => {
    await create({
      provider: 'slack-app',
      parameters: { accessToken: 'a', defaultChannels: 'all' },
      events: ['feature-tagged'],
    })
    await client.send('POST', '/api/admin/features/legacy-export/tags', { type: 'slack', value: 'dev' })
    const [{ details }] = await messages()
    expect(details.channels).toContain('all')
    expect(details.message).toContain('legacy-export')
  })

  it('messages come in pages, newest first', async () => {
    await create()
    for (const name of ['a', 'b', 'c']) await createFeature(name)
    const ids = async (query: string) => (await messages(query)).map(({ id }: { id: string }) => id)
    expect(await ids('')).toEqual(['3', '2', '1'])
    expect(await ids('?limit=1&offset=1')).toEqual(['2'])
    expect((await client.send('GET', `${addons}/x/events`)).status).toBe(400)
  })

  it('fixtures can contain integrations', async () => {
    client.mock.add({ addons: [{ id: 7, parameters: webhook.parameters, events: ['feature-created'] }] })
    await createFeature('a')
    const state = client.mock.state()
    expect(state.integrationEvents).toMatchObject([{ integrationId: 7 }])
    client.mock.restore(state)
    expect(client.mock.state()).toEqual(state)
  })
})
