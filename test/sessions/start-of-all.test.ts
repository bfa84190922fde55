import { expect, it } from 'vitest'
import { createMock, defineScenario } from '../../src/index.js'
import { CLIENT, FIXED, FRONTEND, onEveryAdapter } from '../support/adapters.js'

const FEATURES = '/api/admin/projects/default/features'
const shop = defineScenario({
  name: 'shop',
  title: 'Shop',
  promise: 'One flag.',
  extends: 'default',
  seed: { features: [{ name: 'basket', description: 'of the scenario' }] },
})
const options = { ...FIXED, scenarios: [shop] }

onEveryAdapter(
  'the start of all sessions',
  (client) => {
    const as = (session: string, scenario = '') => ({
      headers: { 'x-mock-session': session, ...(scenario && { 'x-mock-scenario': scenario }) },
    })
    const must = async (status: number, ...[method, path, body, where]: Parameters<typeof client.send>) => {
      const answer = await client.send(method, path, body, where)
      expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).toBe(status)
      return answer.body
    }
    const create = (name: string, session = '') => must(201, 'POST', FEATURES, { name }, as(session))
    const change = (features: object, session = '') => must(200, 'PATCH', '/__mock/state', { features }, as(session))
    const take = (session = '') => must(204, 'POST', '/__mock/start', undefined, as(session))
    const stateOf = (session: string, scenario = '') =>
      must(200, 'GET', '/__mock/state', undefined, as(session, scenario))
    const namesOf = async (session: string, scenario = ''): Promise<string[]> =>
      (await stateOf(session, scenario)).features.map(({ name }: { name: string }) => name)
    const builtIn = ['checkout-redesign', 'legacy-export', 'archived-banner', 'push-opt-in']

    it('is the present data, in every kind of change: a new session and a reset begin with it', async () => {
      await create('seeded')
      await change({ 'legacy-export': null, 'checkout-redesign': { description: 'seeded' } })
      await must(200, 'POST', `${FEATURES}/seeded/environments/development/on`)
      await take()
      const seeded = { ...(await stateOf('')), events: [] }
      expect(await stateOf('new')).toEqual(seeded)
      await create('later')
      await must(204, 'POST', '/__mock/reset')
      expect(await stateOf('')).toEqual(seeded)
      const sdk = await client.send('GET', '/api/frontend', undefined, { key: FRONTEND, ...as('newer') })
      expect(sdk.body.toggles.map(({ name }: { name: string }) => name)).toContain('seeded')
      await create('seeded-by-session', 'newer')
      expect(await namesOf('new')).not.toContain('seeded-by-session')
    })

    it('is below the changes of other sessions, and undo restores the records of one without them', async () => {
      await create('own', 'nora')
      await create('seeded')
      await take()
      expect(await namesOf('nora')).toEqual([...builtIn, 'seeded', 'own'])
      const [last] = (await must(200, 'GET', '/__mock/history', undefined, as('nora'))).slice(-1)
      expect(last).toMatchObject({
        what: 'reload',
        title: 'The data of the shared session became the start of all sessions; 1 of your changes stayed',
      })
      await must(200, 'POST', '/__mock/history/undo', undefined, as('nora'))
      expect(await namesOf('nora')).toEqual([...builtIn, 'own'])
      await must(204, 'POST', '/__mock/reset', undefined, as('nora'))
      expect(await namesOf('nora')).toEqual([...builtIn, 'seeded'])
    })

    it('is on top of the scenarios it was taken from, and below all others', async () => {
      await must(200, 'PUT', '/__mock/scenario', { name: 'shop' })
      await create('seeded')
      await change({ basket: { description: 'seeded' }, 'checkout-redesign': null })
      await take()
      const before = await stateOf('')
      for (const names of [['default'], ['shop'], ['shop', 'slow']])
        await must(200, 'PUT', '/__mock/scenario', { names })
      expect((await stateOf('', 'shop')).features).toEqual(before.features)
      const { features } = await stateOf('', 'shop,slow')
      expect(features.map(({ name }: { name: string }) => name)).toEqual(
        before.features.map(({ name }: { name: string }) => name),
      )
      expect(features.at(-2)).toMatchObject({ name: 'basket', description: 'seeded' })
      // The flag of the other scenario isn't there to be changed.
      expect(await namesOf('', 'default')).toEqual(['legacy-export', 'archived-banner', 'push-opt-in', 'seeded'])
      expect(await namesOf('', 'empty')).toEqual(['seeded'])
      expect((await must(200, 'GET', '/__mock/scenario', undefined, as('', 'empty'))).notice).toBeUndefined()
      await must(200, 'PUT', '/__mock/scenario', { name: 'default' })
      await change([{ name: 'basket', description: 'below' }])
      await take()
      const { features: ofShop } = await stateOf('', 'shop')
      expect(ofShop).toContainEqual(expect.objectContaining({ name: 'basket', description: 'of the scenario' }))
    })

    it('can be taken again, and left', async () => {
      await create('first')
      await take()
      await create('second')
      await change({ first: { description: 'again' } })
      await take()
      expect(await namesOf('new')).toEqual([...builtIn, 'first', 'second'])
      expect((await stateOf('new')).features.at(-2)).toMatchObject({ name: 'first', description: 'again' })
      await create('own', 'nora')
      await must(204, 'DELETE', '/__mock/start')
      expect([await namesOf('new'), await namesOf('nora')]).toEqual([builtIn, [...builtIn, 'own']])
      await must(204, 'DELETE', '/__mock/start')
    })

    it('contains no events and no metrics: these stay in the session that has them, each once', async () => {
      const report = async (session: string) => {
        const toggles = { 'checkout-redesign': { yes: 3, no: 1 } }
        const bucket = { start: '2026-01-02T10:00:00.000Z', stop: '2026-01-02T10:01:00.000Z', toggles }
        const body = { appName: 'app', instanceId: 'i', bucket }
        const { status } = await client.send('POST', '/api/client/metrics', body, { key: CLIENT, ...as(session) })
        expect(status).toBe(202)
      }
      const reported = async (session: string) => {
        const { events, clientMetrics } = await stateOf(session)
        const created = events.map(({ featureName }: { featureName: string }) => featureName)
        return { created, counts: clientMetrics.map(({ yes, no }: { yes: number; no: number }) => [yes, no]) }
      }
      await create('nora-1', 'nora')
      await create('seeded-1')
      await report('')
      await take()
      await create('nora-2', 'nora')
      await report('nora')
      await take('nora')
      await report('')
      await create('seeded-2')
      await take()
      expect(await reported('')).toEqual({ created: ['seeded-1', 'seeded-2'], counts: [[6, 2]] })
      expect(await reported('nora')).toEqual({ created: ['nora-1', 'nora-2'], counts: [[3, 1]] })
      expect(await reported('new')).toEqual({ created: [], counts: [] })
    })

    it('contains no clock, rules or logins, and leaves the request journal', async () => {
      await must(200, 'PUT', '/__mock/clock', { now: '2031-05-06T07:08:09.000Z' })
      await must(201, 'POST', '/__mock/forced', { operation: 'getFrontendFeatures', status: 503 })
      await create('seeded')
      const count = client.mock.requests.count()
      await take()
      expect(client.mock.requests.count()).toBe(count)
      expect((await must(200, 'GET', '/__mock/clock', undefined, as('new'))).now).not.toMatch(/^2031/)
      expect(await must(200, 'GET', '/__mock/forced', undefined, as('new'))).toEqual([])
    })

    it('gives new records IDs that no taken record has', async () => {
      const clone = (name: string, session: string) =>
        must(200, 'POST', `${FEATURES}/checkout-redesign/clone`, { name }, as(session))
      await clone('one', '')
      await take()
      await clone('two', 'new')
      await take('new')
      await clone('three', 'newer')
      const { features } = await stateOf('newer')
      type Feature = { environments: { strategies: { id: string }[] }[] }
      const ids = features.flatMap(({ environments }: Feature) =>
        environments.flatMap(({ strategies }) => strategies.map(({ id }) => id)),
      )
      expect(new Set(ids).size).toBe(ids.length)
    })
  },
  options,
)

it('changed files are below taken data, and a notice names the first record that does not fit', async () => {
  const mock = createMock({ fixtures: { features: [{ name: 'old' }] } })
  mock.add({ features: [{ name: 'old', description: 'seeded' }, { name: 'seeded' }] })
  const control = (method: string, path: string) => mock.fetch(`/__mock/${path}`, { method })
  expect((await control('POST', 'start')).status).toBe(204)
  const noticeIn = async () => (await (await control('GET', 'scenario')).json()).notice
  expect(await noticeIn()).toBeUndefined()
  mock.reload({ fixtures: { features: [{ name: 'new' }] } })
  expect([mock.features.get('old'), mock.features.get('new')?.name, mock.features.get('seeded')?.name]).toEqual([
    undefined,
    'new',
    'seeded',
  ])
  expect(await noticeIn()).toBe(
    "The start of all sessions doesn't fit your files: features.old is gone. The rest of it is used.",
  )
  expect((await control('POST', 'start')).status).toBe(204)
  mock.reload({ fixtures: { features: [{ name: 'old', stale: true }] } })
  expect([mock.features.get('old'), await noticeIn()]).toMatchObject([
    { description: 'seeded', stale: true },
    undefined,
  ])
})
