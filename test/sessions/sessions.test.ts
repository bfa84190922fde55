import { expect, it } from 'vitest'
import { WORLDS_KEPT } from '../../src/engine/sessions/worlds.js'
import { createMock } from '../../src/index.js'
import { ADMIN, FIXED, onEveryAdapter } from '../support/adapters.js'

const live = '/api/admin/invite-link/tokens/live-invite'

onEveryAdapter('sessions', (client) => {
  const as = (name: string) => ({ headers: { 'x-mock-session': name } })
  const enabled = async (name: string) => (await client.send('GET', live, undefined, as(name))).body.enabled

  it('each session has its own data, scenario, clock and journal', async () => {
    await client.send('PUT', live, { enabled: false }, as('ada'))
    expect([await enabled('ada'), await enabled('bob'), await enabled('')]).toEqual([false, true, true])
    client.mock.session('bob').useScenario('empty')
    client.mock.session('bob').clock.advance({ days: 1 })
    expect(client.mock.activeScenarios).toEqual(['default'])
    expect(client.mock.session('ada').features.list()).toHaveLength(4)
    expect(client.mock.clock.now().toISOString()).toBe(FIXED.now)
    expect(client.mock.session('ada').requests.count()).toBe(2)
    expect(client.mock.session('bob').requests.count()).toBe(1)
    expect(client.mock.requests.count()).toBe(1)
  })

  it('a session is named by a header, or else by a cookie', async () => {
    const cookie = { cookie: 'mock-session=carl' }
    await client.send('PUT', live, { enabled: false }, { headers: cookie })
    expect(await enabled('carl')).toBe(false)
    await client.send('PUT', live, { enabled: false }, { headers: { ...cookie, 'x-mock-session': 'dora' } })
    expect(await enabled('dora')).toBe(false)
    expect(await enabled('')).toBe(true)
  })

  it('a session can have an odd name', async () => {
    for (const name of ['constructor', 'a b', 'x'.repeat(64)]) {
      await client.send('PUT', live, { enabled: false }, as(name))
      expect(await enabled(name)).toBe(false)
    }
    expect(await enabled('toString')).toBe(true)
  })

  it('a name that can’t be saved is rejected in header, cookie, link and code', async () => {
    const rejected = { status: 400, error: 'INVALID_REQUEST' }
    const cookie = { headers: { cookie: 'mock-session=__proto__' } }
    const link = '/__mock/use?session=__proto__'
    const linkToScenario = '/__mock/use/empty?session=__proto__'
    for (const answer of [
      await client.send('PUT', live, { enabled: false }, as('__proto__')),
      await client.send('PUT', live, { enabled: false }, cookie),
      await client.send('GET', link),
      await client.send('GET', linkToScenario),
    ]) {
      const found = { status: answer.status, error: answer.headers.get('x-mock-error') }
      expect([found, answer.headers.has('set-cookie')]).toEqual([rejected, false])
    }
    expect(() => client.mock.session('__proto__').state()).toThrow('can\'t have the name "__proto__"')
  })

  it('a name is percent-encoded in a header, as in a cookie; a % that encodes nothing means itself', async () => {
    const isEnabled = (name: string) => client.mock.session(name).signupTokens.get('live-invite')?.enabled
    for (const [sent, name] of [
      ['%C5%81ukasz%20K.', 'Łukasz K.'],
      ['100%25', '100%'],
      ['50%', '50%'],
    ] as const) {
      await client.send('PUT', live, { enabled: false }, as(sent))
      expect([name, isEnabled(name)]).toEqual([name, false])
      const inCookie = { headers: { cookie: `mock-session=${sent}` } }
      expect((await client.send('GET', live, undefined, inCookie)).body.enabled).toBe(false)
    }
    const scenario = { headers: { 'x-mock-scenario': 'empty%2Cz%C5%82y' } }
    expect((await client.send('GET', live, undefined, scenario)).body.message).toContain('no scenario "zły"')
  })
})

it('a session is the same in process as by header', async () => {
  const mock = createMock(FIXED)
  const ada = mock.session('ada')
  const request = () => new Request(`http://localhost${live}`, { headers: { authorization: ADMIN } })
  await ada.fetch(request())
  expect([ada.name, ada.requests.count(), mock.requests.count(), mock.name]).toEqual(['ada', 1, 0, ''])
  expect(mock.session()).toMatchObject({ name: '' })
})

it('a thousand sessions are kept; the longest idle is dropped first, and unchanged ones before changed ones', () => {
  const mock = createMock(FIXED)
  const mark = (name: string) => mock.session(name).useScenario('empty')
  const isKept = (name: string) => mock.session(name).activeScenarios[0] === 'empty'
  mark('first')
  mark('second')
  for (let i = 0; i < 1000; i++) mock.session(`session-${i}`)
  expect(['first', 'second'].map(isKept)).toEqual([true, true])
  for (let i = 0; i < 998; i++) mark(`marked-${i}`)
  expect(isKept('first')).toBe(true)
  mark('one-more')
  expect(isKept('first')).toBe(true)
  expect(isKept('second')).toBe(false)
})

it('a session keeps a limited number of worlds: the last used, and always the active one', async () => {
  const others = Array.from({ length: WORLDS_KEPT + 1 }, (_, i) => ({
    name: `s${i}`,
    title: `S${i}`,
    promise: 'A world.',
  }))
  const mock = createMock({ ...FIXED, scenarios: others })
  mock.add({ features: [{ name: 'mine' }] })
  const send = async (scenario: string, method: string, path: string, body?: unknown) => {
    const headers = { authorization: ADMIN, 'content-type': 'application/json', 'x-mock-scenario': scenario }
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
    return (await mock.fetch(new Request(`http://localhost/api/admin/projects/default/features${path}`, init))).status
  }
  for (const { name } of others) expect(await send(name, 'POST', '', { name: 'theirs' })).toBe(201)
  const kept = []
  for (const { name } of others.toReversed()) kept.push(await send(name, 'GET', '/theirs'))
  expect(mock.features.get('mine')).toBeDefined()
  // One of them is active. The first lookup finds the newest; a dropped world starts over, and drops another.
  expect(kept).toEqual([...Array.from({ length: WORLDS_KEPT - 1 }, () => 200), 404, 404])
})

it('two mocks with the same seed and time give the same bytes', async () => {
  const run = async () => {
    const mock = createMock({ seed: 42, now: '2026-11-20T12:00:00Z' })
    const texts: string[] = []
    for (const [method, path, body] of [
      ['POST', '/api/admin/projects/default/features/checkout-redesign/clone', { name: 'copy' }],
      ['POST', '/api/admin/invite-link/tokens', { name: 'x', expiresAt: '2026-12-01T00:00:00Z' }],
      ['PUT', '/api/admin/invite-link/tokens/nothing', { enabled: true }],
      ['GET', '/api/admin/events', undefined],
    ] as const) {
      const headers = { authorization: ADMIN, 'content-type': 'application/json' }
      const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
      const response = await mock.fetch(new Request(`http://localhost${path}`, init))
      texts.push(JSON.stringify([...response.headers]) + (await response.text()))
    }
    return [...texts, JSON.stringify(mock.state())]
  }
  const first = await run()
  expect(await run()).toEqual(first)
  const other = createMock({ seed: 43, now: '2026-11-20T12:00:00Z' })
  expect(JSON.stringify(other.state())).not.toBe(first.at(-1))
})

it('two mocks without a seed create different IDs', () => {
  const newId = () => {
    const mock = createMock()
    mock.enable('new')
    return mock.features.get('new')?.environments[0]?.strategies[0]?.id
  }
  expect(newId()).toMatch(/./)
  expect(newId()).not.toBe(newId())
})

it('two mocks share nothing', () => {
  const [one, other] = [createMock(FIXED), createMock(FIXED)]
  one.add({ features: [{ name: 'mine' }] })
  one.force({ operation: '*', status: 500 })
  one.session('ada').useScenario('empty')
  expect(other.features.get('mine')).toBeUndefined()
  expect(other.session('ada').activeScenarios).toEqual(['default'])
})

it('a link with its scenario in the query says where the scenario belongs', async () => {
  const response = await createMock().fetch('/__mock/use?scenario=empty&redirect=/')
  expect([response.status, await response.json()]).toMatchObject([
    400,
    { message: 'A link names its scenario in the path.', hint: expect.stringContaining('/__mock/use/empty') },
  ])
})
