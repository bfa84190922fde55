import { expect, it } from 'vitest'
import { CLIENT, NOW } from '../support/adapters.js'
import { onEveryHome } from '../support/homes.js'
import type { Where } from '../support/state-server.js'

const FEATURES = '/api/admin/projects/default/features'
const titled = (name: string) => ({ name, title: 'Title', promise: 'A promise.' })
const basedOn = (base: string, name: string) => ({ ...titled(name), extends: base })

onEveryHome('a restart', (home) => {
  const ok = async (method: string, path: string, body?: unknown, where?: Where) => {
    const response = await home.send(method, path, body, where)
    expect(response.ok, `${method} ${path}`).toBe(true)
    return response
  }
  const expectTold = (message: string) => {
    const told = home.messages()
    if (told !== undefined) expect(told).toContain(message)
  }
  const clone = (name: string, of = 'checkout-redesign') => home.send('POST', `${FEATURES}/${of}/clone`, { name })
  const me = async (where: Where = {}) =>
    (await home.send('GET', '/api/admin/user', undefined, { ...where, key: null })).status

  it('keeps records as undo and redo left them, and empties the history', async () => {
    await home.create(['one', 'two', 'three'])
    await home.step('undo', 'undo', 'redo')
    await home.switchTo('empty')
    await home.step('undo')
    const before = await home.read('/__mock/state')
    await home.restart()
    expect(await home.read('/__mock/state')).toEqual(before)
    expect([await home.activeScenarios(), await home.names()]).toEqual([['default'], ['one', 'two']])
    expect(await home.read('/__mock/history')).toHaveLength(1)
    await home.create('four')
    await home.restart()
    expect([await home.names(), home.messages() ?? '']).toEqual([['one', 'two', 'four'], ''])
  })

  it('keeps the switches of each session, and its worlds of other scenarios', async () => {
    await home.create('in-default')
    await home.create('of-ada', { session: 'ada', scenario: 'expired-token' })
    await home.switchTo('empty')
    await ok('PATCH', '/__mock/state', { projects: [{ id: 'only' }] })
    await home.switchTo('empty', { session: 'ada' })
    for (const name of ['empty', 'default']) await home.switchTo(name, { session: 'bob' })
    await home.restart()
    const inSession = (session: string) => home.activeScenarios({ session })
    expect([await home.activeScenarios(), await inSession('ada'), await inSession('bob')]).toEqual([
      ['empty'],
      ['empty'],
      ['default'],
    ])
    expect((await home.read('/__mock/state')).projects).toContainEqual(expect.objectContaining({ id: 'only' }))
    expect(await home.names({ scenario: 'default' })).toEqual(['in-default'])
    expect(await home.names({ session: 'ada', scenario: 'expired-token' })).toEqual(['of-ada'])
    expect(await home.names({ session: 'bob' })).toEqual([])
  })

  it('keeps saved scenarios, those added by PUT, and the changes in them', async () => {
    await home.create('saved')
    for (const name of ['kept', 'removed']) await ok('POST', '/__mock/scenarios', titled(name))
    await ok('DELETE', '/__mock/scenarios/removed')
    await ok('PUT', '/__mock/scenarios/added', basedOn('kept', 'added'))
    await home.create('in-added', { scenario: 'added' })
    await home.switchTo('kept')
    await home.create('later')
    await home.restart()
    expect([await home.activeScenarios(), await home.names()]).toEqual([['kept'], ['saved', 'later']])
    expect(await home.names({ scenario: 'added' })).toEqual(['saved', 'in-added'])
    const names = (await home.read('/__mock/scenarios')).map(({ name }: { name: string }) => name)
    expect([names.includes('added'), names.includes('removed')]).toEqual([true, false])
    await home.reset()
    await home.switchTo('kept')
    expect(await home.names()).toEqual(['saved'])
  })

  it('is in the default scenario, and says so, if the base of its scenario is gone', async () => {
    await home.restart({ scenarios: [basedOn('default', 'shop')] })
    await ok('PUT', '/__mock/scenarios/saved', basedOn('shop', 'saved'))
    await home.switchTo('saved')
    await home.create('mine')
    await home.restart({})
    expect(await home.read('/__mock/scenario')).toMatchObject({
      names: ['default'],
      notice: expect.stringContaining('saved'),
    })
    expectTold('"saved" can\'t start any more')
    await home.create('another')
    await home.reset()
  })

  it('keeps the data of a scenario that is gone, until the scenario is back', async () => {
    await home.restart({ scenarios: [basedOn('default', 'shop')] })
    await home.create('in-default')
    await home.switchTo('shop')
    await home.create('in-shop')
    await home.restart({})
    expect([await home.activeScenarios(), await home.names()]).toEqual([['default'], ['in-default']])
    await home.create('later')
    await home.restart({ scenarios: [basedOn('default', 'shop')] })
    expect([await home.activeScenarios(), await home.names()]).toEqual([['shop'], ['in-shop']])
    expect(await home.names({ scenario: 'default' })).toEqual(['in-default', 'later'])
  })

  it('puts the changes on changed files; one that does not fit sleeps with a notice, until it fits again', async () => {
    const old = { features: [{ name: 'old' }] }
    await home.restart({ fixtures: old })
    await home.create('mine')
    await ok('PATCH', '/__mock/state', { features: [{ name: 'old', description: 'mine' }] })
    await home.restart({ fixtures: { features: [{ name: 'new' }] } })
    expect(await home.names()).toEqual(['new', 'mine'])
    const { notice } = await home.read('/__mock/scenario')
    expect(notice).toBe(
      "1 of your changes doesn't fit your files: features.old is gone. It comes back when it fits, until you start over.",
    )
    expectTold(notice)
    await home.create('later')
    await home.restart({ fixtures: { features: [{ name: 'old', stale: true }] } })
    expect(await home.names()).toEqual(['old', 'mine', 'later'])
    const { features } = await home.read('/__mock/state')
    expect(features.find(({ name }: { name: string }) => name === 'old')).toMatchObject({
      description: 'mine',
      stale: true,
    })
    expect((await home.read('/__mock/scenario')).notice).toBeUndefined()
    await home.reset()
    expect(await home.names()).toEqual(['old'])
  })

  it('keeps a login, which is valid in every scenario, and a logout', async () => {
    await home.login()
    await home.switchTo('empty')
    expect([await me(), await me({ scenario: 'missing-permission' })]).toEqual([200, 200])
    await home.restart()
    expect([await me(), await me({ scenario: 'missing-permission' })]).toEqual([200, 200])
    await home.send('POST', '/logout', undefined, { key: null })
    await home.restart()
    expect(await me()).toBe(401)
  })

  it('keeps nothing from before everything started over', async () => {
    await home.create('mine')
    await ok('PUT', '/__mock/clock', { now: '2031-05-06T07:08:09.000Z' })
    await home.reset()
    await home.restart()
    expect([await home.names(), (await home.read('/__mock/clock')).frozen]).toEqual([[], false])
    await home.create('again')
    await home.restart()
    expect(await home.names()).toEqual(['again'])
  })

  it('keeps a clock, and rules with their counts, unless they start over with every restart', async () => {
    await home.switchTo('expired-token')
    await ok('PUT', '/__mock/clock', { now: '2031-05-06T07:08:09.000Z' })
    await ok('POST', '/__mock/forced', { operation: 'cloneFeature', status: 503, times: 2 })
    expect((await clone('one')).status).toBe(503)
    await home.restart()
    const clock = home.keepsSettings ? { now: '2031-05-06T07:08:09.000Z', frozen: true } : { frozen: false }
    const rules = home.keepsSettings ? [{ id: '1', status: 503, seen: 1 }] : []
    expect(await home.activeScenarios()).toEqual(['expired-token'])
    expect(await home.read('/__mock/clock')).toMatchObject(clock)
    expect(await home.read('/__mock/forced')).toMatchObject(rules)
    expect([(await clone('two')).status, (await clone('three')).status]).toEqual([home.keepsSettings ? 503 : 200, 200])
  })

  it('keeps the order of records', async () => {
    for (const name of ['b', 'a', 'c']) await home.create(name)
    for (const name of ['a', 'legacy-export']) {
      await ok('DELETE', `${FEATURES}/${name}`)
      await ok('DELETE', `/api/admin/archive/${name}`)
      await home.create(name)
    }
    await ok('PATCH', `${FEATURES}/checkout-redesign`, [{ op: 'replace', path: '/stale', value: true }])
    const segment = (id: number) => ({ id, name: `s${id}` })
    await ok('PATCH', '/__mock/state', { segments: [1, 2, 3].map(segment) })
    await ok('PATCH', '/__mock/state', { segments: { s1: null } })
    await ok('PATCH', '/__mock/state', { segments: [segment(1)] })
    const before = await home.read('/__mock/state')
    await home.restart()
    const { features, segments } = await home.read('/__mock/state')
    expect([features, segments]).toEqual([before.features, before.segments])
    expect(segments.slice(-2)).toMatchObject([{ name: 's3' }, { name: 's1' }])
  })

  it('keeps the order of records that undo has restored', async () => {
    const remove = (name: string) => ok('PATCH', '/__mock/state', { features: { [name]: null } })
    await home.restart({ fixtures: { features: ['first', 'second', 'third'].map((name) => ({ name })) } })
    await remove('second')
    await remove('checkout-redesign')
    await home.create('checkout-redesign')
    await home.reset()
    await home.step('undo', 'undo', 'undo', 'undo')
    const { features } = await home.read('/__mock/state')
    await home.restart()
    const nameOf = ({ name }: { name: string }) => name
    expect((await home.read('/__mock/state')).features.map(nameOf)).toEqual(features.map(nameOf))
  })

  it('keeps the counts that SDKs added to the metrics of a fixture', async () => {
    const app = { appName: 'app', environment: 'development' }
    const metrics = { ...app, featureName: 'counted', timestamp: '2026-01-02T10:00:00.000Z', yes: 3, no: 1 }
    const fixtures = {
      features: [{ name: 'counted' }],
      clientMetrics: [metrics],
      clientInstances: [{ ...app, instanceId: 'i', lastSeenAt: '2026-01-02T10:00:00.000Z' }],
    }
    await home.restart({ fixtures })
    const { start, stop } = { start: '2026-01-02T10:00:00.000Z', stop: '2026-01-02T10:01:00.000Z' }
    const bucket = { start, stop, toggles: { counted: { yes: 3, no: 1 } } }
    await ok('POST', '/api/client/metrics', { appName: 'app', instanceId: 'i', bucket }, { key: CLIENT })
    const before = await home.read('/__mock/state')
    expect(before.clientMetrics).toMatchObject([{ yes: 6, no: 2 }])
    await home.restart()
    const { clientMetrics, clientInstances } = await home.read('/__mock/state')
    expect([clientMetrics, clientInstances]).toEqual([before.clientMetrics, before.clientInstances])
  })

  it('keeps a replaced state, and the changes of generated data', async () => {
    await ok('PUT', '/__mock/state', { projects: [{ id: 'p' }], features: [{ name: 'f', project: 'p' }] })
    const large = { scenario: 'large-project' }
    const before = await home.names(large)
    await home.create('mine', large)
    await home.restart()
    expect(await home.names()).toEqual(['f'])
    expect(await home.names(large)).toEqual([...before, 'mine'])
  })

  it('keeps the start of all sessions, below the changes of each', async () => {
    await home.restart({ fixtures: { features: [{ name: 'old' }] } })
    await home.create('seeded')
    await ok('PATCH', '/__mock/state', { features: { 'legacy-export': null, old: { stale: true } } })
    if (home.isOfOneSession) {
      const rejected = await home.send('POST', '/__mock/start')
      expect([rejected.status, rejected.headers.get('x-mock-error')]).toEqual([400, 'INVALID_REQUEST'])
      return
    }
    await ok('POST', '/__mock/start')
    await home.create('own', { session: 'ada' })
    await home.restart()
    const { features } = await home.read('/__mock/state', { session: 'new' })
    expect(features.map(({ name, stale }: { name: string; stale: boolean }) => [name, stale])).toEqual([
      ['checkout-redesign', false],
      ['archived-banner', false],
      ['push-opt-in', false],
      ['old', true],
      ['seeded', false],
    ])
    expect(await home.names({ session: 'ada' })).toEqual(['old', 'seeded', 'own'])
    expect(home.messages() ?? '').toBe('')
    await home.reset({ session: 'ada' })
    await home.restart({ fixtures: { features: [{ name: 'new' }] } })
    expect(await home.names({ session: 'ada' })).toEqual(['new', 'seeded'])
    expectTold("The start of all sessions doesn't fit your files: features.old is gone.")
    await ok('DELETE', '/__mock/start')
    await home.restart()
    expect(await home.names()).toEqual(['new'])
  })

  it('gives new records unused IDs, those of a mock that never stopped if all of it is kept', async () => {
    const bodies = async (between: () => Promise<void>) => {
      await home.restart({ seed: 'homes', now: NOW })
      const texts: string[] = []
      for (const [name, of] of [['copy'], ['copy'], ['copy', 'gone'], ['another', 'copy']] as const) {
        texts.push(await (await clone(name, of)).text())
        await between()
      }
      return { texts, ids: await home.strategyIds() }
    }
    const stopped = await bodies(() => home.restart())
    expect(new Set(stopped.ids).size).toBe(stopped.ids.length)
    await home.reset()
    const running = await bodies(async () => undefined)
    if (home.keepsSettings) expect(stopped).toEqual(running)
  })
})
