import { afterEach, expect, it, vi } from 'vitest'
import { CORE, sessionOf } from '../src/engine/mock/session.js'
import { RULES_KEPT } from '../src/engine/scenarios/force-rules.js'
import {
  ALL_CHARACTERS_KEPT,
  CHARACTERS_KEPT,
  ENTRIES_KEPT,
  Journal,
  type StoredEntry,
} from '../src/engine/sessions/journal.js'
import { LOGINS_KEPT } from '../src/engine/sessions/logins.js'
import { createMock } from '../src/index.js'
import { EVALUATION_STEPS } from '../src/service/evaluation/budget.js'
import { MOST_LINKS } from '../src/service/resources/flags/links.js'
import { MESSAGES_KEPT, MOST_FILLED } from '../src/service/resources/instance/addons.js'
import { SCREENS_KEPT } from '../src/service/resources/instance/feedback.js'
import { LINKS_KEPT } from '../src/service/resources/people/login.js'
import { INSTANCES_KEPT, INSTANCES_LEFT } from '../src/service/resources/sdk/client-instances.js'
import {
  LONGEST_APPLICATION,
  METRICS_KEPT,
  METRICS_LEFT,
  VARIANTS_COUNTED,
} from '../src/service/resources/sdk/client-metrics.js'
import { BUCKETS_KEPT } from '../src/service/resources/sdk/impact-metrics.js'
import { APPLICATIONS_KEPT } from '../src/service/resources/sdk/unknown-flags.js'
import { TEXTS_SEARCHED } from '../src/service/resources/shared/schema.js'
import { EVENTS_KEPT, ITEMS_KEPT, RECORDS_KEPT } from '../src/service/store/collection.js'
import { inOnePiece } from '../src/support/text.js'
import { CLIENT, EDITOR, FRONTEND, NOW, onEveryAdapter } from './support/adapters.js'
import { heapUsed } from './support/collect.js'
import { IS_CI } from './support/runs.js'
import { signIn } from './support/sign-in.js'

const list = <Item>(length: number, item: (index: number) => Item) => Array.from({ length }, (_, index) => item(index))

/** A body of almost the maximum size. */
const LARGE = JSON.stringify({ username: 'x'.repeat(100_000), password: '' })

/** A request with a response of the same size. */
const largeEntry = (id: number, response = LARGE): StoredEntry => ({
  id,
  time: 0,
  method: 'GET',
  path: '/health',
  operation: 'getHealth',
  scenario: 'default',
  status: 200,
  durationMs: 0,
  caller: null,
  showsKey: true,
  followsChanges: false,
  requestHead: '',
  responseHead: '',
  request: '',
  response,
  matched: true,
})

onEveryAdapter('limits', (client) => {
  const register = (instanceId: string) =>
    client.send(
      'POST',
      '/api/client/register',
      { appName: 'shop', instanceId, interval: 1, started: NOW, strategies: [] },
      { key: CLIENT },
    )
  const report = (toggles: Record<string, object>, stop = NOW) =>
    client.send(
      'POST',
      '/api/client/metrics',
      { appName: 'shop', bucket: { start: NOW, stop, toggles } },
      { key: CLIENT },
    )
  const createLink = (id: string) => client.send('POST', '/api/admin/user-admin/reset-password', { id })

  it('beyond the limit of logins, the oldest ends', async () => {
    const { logins } = sessionOf(client.mock)
    const user = { id: 1, name: 'Admin', username: 'admin', email: null }
    const login = { user, scenario: 'default', since: Date.now() }
    logins.resume(list(LOGINS_KEPT, (index) => ({ ...login, secret: `login-${index}` })))
    const me = (secret: string) =>
      client.send('GET', '/api/admin/user', undefined, { key: null, headers: { cookie: `unleash-session=${secret}` } })
    // A sixth login as the same user would end more.
    await signIn(client, 'editor')
    expect(logins.toJSON()).toHaveLength(LOGINS_KEPT)
    expect([(await me('login-0')).status, (await me('login-1')).status]).toEqual([401, 200])
  })

  it('links to set a password are removed once they have expired, and the oldest beyond the limit', async () => {
    const links = list(LINKS_KEPT, (index) => ({ secret: `link-${index}`, userId: 1 }))
    client.mock.add({ resetTokens: links })
    await createLink('editor@example.com')
    const kept = client.mock.state().resetTokens.map(({ secret }) => secret)
    expect(kept).toHaveLength(LINKS_KEPT)
    expect([kept.includes('link-0'), kept.includes('link-1')]).toEqual([false, true])
    client.mock.clock.advance({ days: 1 })
    await createLink('editor@example.com')
    expect(client.mock.state().resetTokens).toHaveLength(1)
  })

  it('SDKs are dropped thirty days after they were last seen, when another registers', async () => {
    await register('old')
    await register('faithful')
    client.mock.clock.advance({ days: 20 })
    await register('faithful')
    client.mock.clock.advance({ days: 20 })
    const known = () => client.mock.state().clientInstances.map(({ instanceId }) => instanceId)
    expect(known()).toEqual(['old', 'faithful'])
    await register('new')
    expect(known()).toEqual(['faithful', 'new'])
  })

  it('beyond the limit of messages of integrations, the oldest is dropped', async () => {
    const event = { id: 1, type: 'feature-created' }
    const message = {
      integrationId: 1,
      createdAt: 'now',
      state: 'success',
      stateDetails: '',
      event,
      details: {},
    } as const
    client.mock.add({
      addons: [{ id: 1, parameters: { url: 'https://example.com' }, events: ['feature-created'] }],
      integrationEvents: list(MESSAGES_KEPT, (index) => ({ ...message, id: String(index + 1) })),
    })
    await client.send('POST', '/api/admin/projects/default/features', { name: 'a' })
    const ids = client.mock.state().integrationEvents.map(({ id }) => Number(id))
    expect([ids.length, Math.min(...ids), Math.max(...ids)]).toEqual([MESSAGES_KEPT, 2, MESSAGES_KEPT + 1])
  })

  it('of more messages that a request causes, the journal shows the first ones, and the last ones are kept', async () => {
    const features = list(70, (index) => `feature-${index + 10}`)
    client.mock.add({
      features: features.map((name) => ({ name })),
      addons: [1, 2].map((id) => ({ id, parameters: { url: 'https://example.com' }, events: ['feature-stale-on'] })),
    })
    const { status } = await client.send('POST', '/api/admin/projects/default/stale', { features, stale: true })
    const kept = client.mock.state().integrationEvents
    const [request] = client.mock.requests.find({ operation: 'staleFeatures' })
    expect([status, kept.length, request?.sent?.length]).toEqual([202, MESSAGES_KEPT, MESSAGES_KEPT])
    expect([kept[0]?.id, kept.at(-1)?.id]).toEqual(['41', '140'])
    expect([kept[0]?.event.featureName, kept[0]?.integrationId]).toEqual(['feature-30', 1])
    expect(request?.sent?.at(-1)).toMatchObject({
      body: { featureName: 'feature-59' },
      integrationId: 2,
    })
  })

  it('a template that repeats the event is filled only up to a limit', async () => {
    const bodyTemplate = '{{{eventJson}}}'.repeat(5000)
    const parameters = { url: 'https://example.com', bodyTemplate }
    client.mock.add({ addons: [{ id: 1, parameters, events: ['feature-created'] }] })
    await client.send('POST', '/api/admin/projects/default/features', { name: 'a', description: 'x'.repeat(50_000) })
    const [message] = client.mock.state().integrationEvents
    expect(String(message?.details.body).length).toBeLessThanOrEqual(MOST_FILLED)
  })

  it('beyond the limit of SDKs, the least recently seen are dropped', async () => {
    const seen = (index: number) => new Date(Date.parse(NOW) - index * 1000).toISOString()
    client.mock.add({
      clientInstances: list(INSTANCES_KEPT, (index) => ({
        appName: 'shop',
        instanceId: `sdk-${index}`,
        environment: 'development',
        lastSeenAt: seen(index),
      })),
    })
    await register('new')
    const known = client.mock.state().clientInstances.map(({ instanceId }) => instanceId)
    expect(known).toHaveLength(INSTANCES_LEFT + 1)
    expect(known.at(-1)).toBe('new')
    expect(known).not.toContain(`sdk-${INSTANCES_LEFT}`)
    expect(known).toContain(`sdk-${INSTANCES_LEFT - 1}`)
  })

  it('a report about more SDKs than the limit stores only as many as the limit', async () => {
    const applications = list(INSTANCES_KEPT + 1, (index) => ({
      appName: 'a',
      instanceId: `${index}`,
      environment: 'e',
      started: 0,
      interval: 1,
    }))
    await register('known')
    await client.send('POST', '/api/client/metrics/bulk', { applications, metrics: [] }, { key: CLIENT })
    expect(client.mock.state().clientInstances).toHaveLength(INSTANCES_KEPT)
  })

  it('beyond the limit of metrics, the oldest hours are dropped', async () => {
    client.mock.add({
      clientMetrics: list(METRICS_KEPT, (index) => ({
        featureName: 'checkout-redesign',
        environment: 'development',
        appName: `app-${index}`,
        timestamp: index < 100 ? 'now-5h' : 'now-1h',
      })),
    })
    await report({ 'checkout-redesign': { yes: 1 } })
    const kept = client.mock.state().clientMetrics
    expect(kept).toHaveLength(METRICS_LEFT)
    expect(kept.filter(({ timestamp }) => timestamp < '2026-11-20T08:00:00.000Z')).toEqual([])
    expect(kept.at(-1)).toMatchObject({ appName: 'shop', yes: 1 })
  })

  it('metrics of an application with a longer name than the limit are ignored', async () => {
    const reportAs = (appName: string) => {
      const toggles = { 'checkout-redesign': { yes: 1 }, nobody: { yes: 1 } }
      const bucket = { start: NOW, stop: NOW, toggles }
      return client.send('POST', '/api/client/metrics', { appName, bucket }, { key: CLIENT })
    }
    const longest = 'x'.repeat(LONGEST_APPLICATION)
    expect((await reportAs(`${longest}x`)).status).toBe(202)
    expect((await reportAs(longest)).status).toBe(202)
    const { clientMetrics, unknownFlags } = client.mock.state()
    const unknown = unknownFlags.find(({ name }) => name === 'nobody')
    expect(clientMetrics.flatMap(({ appName }) => (appName.startsWith(longest) ? [appName] : []))).toEqual([longest])
    expect(unknown?.reports.map(({ appName }) => appName)).toEqual([longest])
  })

  it('beyond the limit of variants in a record of metrics, further ones are ignored', async () => {
    const variants = (from: number) => Object.fromEntries(list(80, (index) => [`variant-${from + index}`, 1]))
    await report({ 'checkout-redesign': { yes: 1, variants: variants(0) } })
    await report({ 'checkout-redesign': { yes: 1, variants: variants(80) } })
    const [metrics] = client.mock.state().clientMetrics
    expect(Object.keys(metrics?.variants ?? {})).toHaveLength(VARIANTS_COUNTED)
    await report({ 'legacy-export': { yes: 1, variants: { ...variants(0), ...variants(80) } } })
    const other = client.mock.state().clientMetrics.find(({ featureName }) => featureName === 'legacy-export')
    expect(Object.keys(other?.variants ?? {})).toHaveLength(VARIANTS_COUNTED)
  })

  it('beyond the limit of prompts and screens of a user, the oldest are dropped', async () => {
    const [user] = client.mock.state().users.filter(({ id }) => id === 2)
    client.mock.add({
      users: [
        {
          ...user,
          id: 2,
          feedback: list(SCREENS_KEPT, (index) => ({ feedbackId: `f-${index}`, neverShow: true, given: null })),
          splash: Object.fromEntries(list(SCREENS_KEPT, (index) => [`s-${index}`, true])),
        },
      ],
    })
    await client.send('POST', '/api/admin/feedback', { feedbackId: 'new' }, { key: EDITOR })
    await client.send('POST', '/api/admin/splash/new', undefined, { key: EDITOR })
    const { feedback, splash } = (await client.send('GET', '/api/admin/user', undefined, { key: EDITOR })).body
    expect([feedback.length, Object.keys(splash).length]).toEqual([SCREENS_KEPT, SCREENS_KEPT])
    expect([feedback.at(-1).feedbackId, splash.new, splash['s-0']]).toEqual(['new', true, undefined])
  })

  it('rules beyond the limit are rejected', async () => {
    for (let added = 0; added < RULES_KEPT; added++) client.mock.force({ operation: 'getHealth', status: 503 })
    const answer = await client.send('POST', '/__mock/forced', { operation: 'getHealth', status: 503 })
    expect([answer.status, answer.body.code]).toEqual([400, 'INVALID_RULE'])
    expect(answer.body.message).toContain('The limit of 1,000 rules')
    await client.send('DELETE', '/__mock/forced')
    expect((await client.send('POST', '/__mock/forced', { operation: 'getHealth', status: 503 })).status).toBe(201)
  })

  it('the event log keeps the newest events', async () => {
    const events = list(EVENTS_KEPT + 10, (index) => ({ id: index + 1, type: 'feature-created' }))
    client.mock.add({ events })
    await client.send('POST', '/api/admin/user-admin/reset-password', { id: 2 })
    await client.send('POST', '/api/admin/segments', { name: 'one', constraints: [] })
    const kept = client.mock.events.list()
    expect(kept).toHaveLength(EVENTS_KEPT)
    expect(kept.at(-1)?.type).toBe('segment-created')
    expect((await client.send('GET', '/api/admin/events')).body.totalEvents).toBe(EVENTS_KEPT + 11)
  })

  it.runIf(IS_CI)('a kind of record does not grow beyond its limit', async () => {
    const tags = list(RECORDS_KEPT - client.mock.state().tags.length, (index) => ({
      type: 'simple',
      value: `t${index}`,
    }))
    client.mock.add({ tags })
    const add = (value: string) => client.send('POST', '/api/admin/tags', { type: 'simple', value })
    const { status, body } = await add('one-more')
    expect([status, body.code]).toEqual([507, 'TOO_MUCH_DATA'])
  })

  it('links of a flag and link templates of a project are limited', async () => {
    const project = (count: number) => {
      const linkTemplates = list(count, (index) => ({
        title: `l${index}`,
        urlTemplate: 'https://example.com/{{feature}}',
      }))
      return client.send('PATCH', '/__mock/state', { projects: [{ id: 'default', linkTemplates }] })
    }
    const rejected = await project(MOST_LINKS + 1)
    expect([rejected.status, rejected.body.code]).toEqual([400, 'INVALID_STATE'])
    expect(rejected.body.message).toContain('linkTemplates: must have at most 10 items')
    expect((await project(MOST_LINKS)).status).toBe(200)
    await client.send('POST', '/api/admin/projects/default/features', { name: 'linked' })
    expect(client.mock.state().features.find(({ name }) => name === 'linked')?.links).toHaveLength(MOST_LINKS)
    const path = '/api/admin/projects/default/features/linked/link'
    expect((await client.send('POST', path, { url: 'https://example.com/one-more' })).status).toBe(403)
  })

  it('a list in a record does not grow beyond its limit', async () => {
    client.mock.add({
      contextFields: [{ name: 'shop', legalValues: list(ITEMS_KEPT, (index) => ({ value: `value-${index}` })) }],
    })
    const add = (value: string) => client.send('POST', '/api/admin/context/shop/legal-values', { value })
    const answer = await add('one-more')
    expect([answer.status, answer.body.code]).toEqual([507, 'TOO_MUCH_DATA'])
    expect((await add('value-0')).status).toBe(200)
  })
})

onEveryAdapter('limits of requests', (client) => {
  const evaluate = () =>
    client.send('POST', '/api/frontend', { context: { userId: 'x'.repeat(1000) } }, { key: FRONTEND })
  const addWithExpressions = (name: string, count: number) => {
    const value = `(a|x){1,80}${name}`
    const constraints = list(count, () => ({
      contextName: 'userId',
      operator: 'REGEX' as const,
      inverted: true,
      value,
    }))
    const strategies = [{ name: 'default', constraints }]
    client.mock.add({ features: [{ name, environments: [{ name: 'development', enabled: true, strategies }] }] })
  }

  it('an evaluation that takes too many steps is rejected with the reason', async () => {
    addWithExpressions('one', 1)
    expect((await evaluate()).status).toBe(200)
    for (const name of ['two', 'three', 'four']) addWithExpressions(name, 30)
    const { status, body } = await evaluate()
    expect([status, body.name]).toEqual([400, 'BadDataError'])
    expect(body.message).toContain(`${EVALUATION_STEPS.toLocaleString('en')} steps`)
  })

  it('the playground also counts long lists and long responses', async () => {
    const parameters = { IPs: list(5000, (i) => `10.0.${i % 200}.1`).join(',') }
    const strategies = list(10, () => ({ name: 'remoteAddress', parameters }))
    client.mock.add({
      features: [{ name: 'wide', environments: [{ name: 'development', enabled: true, strategies }] }],
    })
    const play = (users: number) => {
      const context = { appName: 'shop', userId: list(users, (i) => `u${i}`).join(',') }
      return client.send('POST', '/api/admin/playground/advanced', { environments: ['development'], context })
    }
    expect((await play(1)).status).toBe(200)
    expect((await play(60)).body).toMatchObject({ name: 'BadDataError', message: expect.stringContaining('steps') })
  })

  it.each([
    ['long ones', { x: 'y'.repeat(60_000) }, 1500],
    ['ones of many fields', { properties: Object.fromEntries(list(7000, (i) => [`p${i}`, 'y'])) }, 4000],
  ])('the playground counts the contexts that its response repeats: %s', async (_, given, users) => {
    client.mock.add({
      projects: [{ id: 'own' }],
      features: [{ name: 'wide', project: 'own', environments: [{ name: 'development', enabled: true }] }],
    })
    const play = (count: number) => {
      const context = { ...given, appName: 'shop', userId: list(count, (i) => `${i % 10}`).join(',') }
      const where = { environments: ['development'], projects: ['own'] }
      return client.send('POST', '/api/admin/playground/advanced', { ...where, context })
    }
    expect((await play(1)).status).toBe(200)
    expect((await play(users)).body).toMatchObject({ name: 'BadDataError', message: expect.stringContaining('steps') })
  })

  it('an evaluation counts the characters of an ID', async () => {
    const environments = [{ name: 'development', enabled: true, strategies: [{ name: 'flexibleRollout' }] }]
    client.mock.add({ features: list(1100, (i) => ({ name: `flag-${i}`, environments })) })
    const evaluateFor = (length: number) =>
      client.send('POST', '/api/frontend', { context: { userId: 'x'.repeat(length) } }, { key: FRONTEND })
    expect((await evaluateFor(1000)).status).toBe(200)
    expect((await evaluateFor(100_000)).body).toMatchObject({ message: expect.stringContaining('steps') })
  })

  it('a search accepts a limited number of texts', async () => {
    const search = (count: number) =>
      client.send('GET', `/api/admin/search/features?query=${list(count, (i) => `t${i}`).join(',')}`)
    expect((await search(TEXTS_SEARCHED)).status).toBe(200)
    expect((await search(TEXTS_SEARCHED + 1)).status).toBe(400)
    expect((await client.send('GET', `/api/admin/search/features?query=${','.repeat(5000)}`)).status).toBe(200)
  })

  it('an unknown flag keeps the applications that reported it last; known flags always count', async () => {
    const reportAs = (appName: string) =>
      client.send(
        'POST',
        '/api/client/metrics',
        {
          appName,
          bucket: { start: NOW, stop: NOW, toggles: { nobody: { yes: 1 }, 'checkout-redesign': { yes: 1 } } },
        },
        { key: CLIENT },
      )
    const reports = list(APPLICATIONS_KEPT, (i) => ({
      appName: `app-${i}`,
      environments: [{ environment: 'development', seenAt: NOW }],
    }))
    client.mock.add({ unknownFlags: [{ name: 'nobody', reports }], features: [{ name: 'checkout-redesign' }] })
    expect((await reportAs('one-more')).status).toBe(202)
    const { unknownFlags, clientMetrics } = client.mock.state()
    const kept = unknownFlags.find(({ name }) => name === 'nobody')?.reports.map(({ appName }) => appName)
    expect([kept?.length, kept?.[0], kept?.at(-1)]).toEqual([APPLICATIONS_KEPT, 'app-1', 'one-more'])
    expect(clientMetrics).toContainEqual(expect.objectContaining({ appName: 'one-more', yes: 1 }))
  })

  it('a histogram keeps a limited number of buckets, and continues to count those', async () => {
    const report = (buckets: object[]) => {
      const impactMetrics = [{ name: 'm', help: 'h', type: 'histogram', samples: [{ count: 1, sum: 1, buckets }] }]
      const bucket = { start: NOW, stop: NOW, toggles: {} }
      return client.send('POST', '/api/client/metrics', { appName: 'shop', bucket, impactMetrics }, { key: CLIENT })
    }
    await report(list(BUCKETS_KEPT, (le) => ({ le, count: 1 })))
    await report([
      { le: 0, count: 1 },
      { le: -1, count: 1 },
    ])
    const [sample] = client.mock.state().impactMetrics[0]?.samples ?? []
    expect(sample).toMatchObject({ count: 2, buckets: expect.arrayContaining([{ le: 0, count: 2 }]) })
    expect(sample).toHaveProperty('buckets.length', BUCKETS_KEPT)
  })
})

onEveryAdapter('a response that is longer than a string can be', (client) => {
  const LONGEST = 100_000

  /** Makes JSON texts above 100,000 characters fail as V8's longest text does. */
  const limitTexts = () => {
    const stringify = JSON.stringify
    const limited = (...given: Parameters<typeof JSON.stringify>) => {
      const text = stringify(...given)
      return text !== undefined && text.length > LONGEST ? 'x'.repeat(2 ** 30) : text
    }
    vi.spyOn(JSON, 'stringify').mockImplementation(limited as typeof JSON.stringify)
  }
  afterEach(() => vi.restoreAllMocks())

  it.each([
    ['GET', '/api/admin/projects/default/features/long'],
    ['GET', '/__mock/state'],
    ['POST', '/api/admin/projects/default/features/long/clone', { name: 'copy' }],
  ] as const)('is 507, and nothing changes: %s %s', async (method, path, body?: object) => {
    client.mock.add({ features: [{ name: 'long', description: 'x'.repeat(LONGEST) }] })
    const told = vi.spyOn(console, 'error')
    limitTexts()
    const answer = await client.send(method, path, body)
    vi.mocked(JSON.stringify).mockRestore()
    expect([answer.status, answer.body.code]).toEqual([507, 'TOO_MUCH_DATA'])
    expect(answer.body.message).toContain('longer than a string can be')
    expect(told).not.toHaveBeenCalled()
    expect(client.mock.features.get('copy')).toBeUndefined()
  })
})

onEveryAdapter('the journal', (client) => {
  it('the journal keeps no more entries than its limit', async () => {
    for (let i = 0; i < ENTRIES_KEPT; i++) sessionOf(client.mock).journal.record((id) => largeEntry(id, ''))
    await client.send('GET', '/health')
    const entries = client.mock.requests.find()
    expect([entries.length, entries[0]?.id, entries.at(-1)?.path]).toEqual([ENTRIES_KEPT, 2, '/health'])
  })

  it('the journal keeps no more characters than its limit, and drops the oldest entries first', async () => {
    const sent = Math.ceil(CHARACTERS_KEPT / 100_000) + 20
    const byAdapter = 40
    for (let i = 0; i < sent - byAdapter; i++) sessionOf(client.mock).journal.record((id) => largeEntry(id))
    for (let i = 0; i < byAdapter; i++) await client.send('POST', '/auth/simple/login', LARGE, { key: null })
    const entries = client.mock.requests.find()
    expect(entries.length).toBeLessThanOrEqual(CHARACTERS_KEPT / 100_000)
    expect(entries.length).toBeGreaterThan(CHARACTERS_KEPT / 100_000 - 20)
    expect(entries.map(({ id }) => id)).toEqual(list(entries.length, (index) => sent - entries.length + index + 1))
    client.mock.requests.clear()
    await client.send('GET', '/health')
    expect(client.mock.requests.count()).toBe(1)
  })
})

it('all journals of a mock together keep no more characters than their limit, and idle ones drop theirs first', () => {
  const { sessions } = createMock()[CORE]
  const record = (session: string) => sessions.open(session).journal.record((id) => largeEntry(id))
  const perSession = 100
  const names = list(Math.ceil((ALL_CHARACTERS_KEPT / LARGE.length / perSession) * 1.5), (name) => `s-${name}`)
  for (const name of names) for (let sent = 0; sent < perSession; sent++) record(name)
  const counts = () => names.map((name) => sessions.open(name).journal.count())
  const kept = counts().reduce((sum, count) => sum + count, 0)
  expect(kept).toBeLessThanOrEqual(ALL_CHARACTERS_KEPT / LARGE.length)
  expect(kept).toBeGreaterThan(ALL_CHARACTERS_KEPT / LARGE.length - 50)
  expect([counts()[0], counts().at(-1)]).toEqual([0, perSession])
  const newest = names.at(-1) ?? ''
  sessions.open(newest).journal.clear()
  for (let sent = 0; sent < perSession; sent++) record('s-0')
  expect([counts()[0], counts().at(-1), counts().at(-2)]).toEqual([perSession, 0, perSession])
})

it('only the shown part of a cut body is held in memory', async () => {
  const journal = new Journal(100)
  const before = await heapUsed()
  for (let sent = 0; sent < 30; sent++) {
    journal.record((id) => largeEntry(id, inOnePiece('long'.repeat(1_000_000))))
    journal.record((id) => largeEntry(id, 'short'))
  }
  expect((await heapUsed()) - before).toBeLessThan(30 * 1_000_000)
})
