import { expect, it } from 'vitest'
import { scenarios } from '../../src/index.js'
import { ADMIN, onEveryAdapter } from '../support/adapters.js'

const live = '/api/admin/invite-link/tokens/live-invite'
const features = '/api/admin/projects/default/features'

onEveryAdapter('selecting the scenario', (client) => {
  const answering = async (path: string, headers: Record<string, string> = {}) =>
    (await client.send('GET', path, undefined, { headers })).headers.get('x-mock-scenario')

  it('query, header, cookie, switch and start select the scenario, in this order', async () => {
    const query = `${features}?scenario=empty`
    const header = { 'x-mock-scenario': 'disabled-token' }
    const cookie = { cookie: 'other=1; mock-scenario=name-taken' }
    client.mock.useScenario('expired-token')
    expect(await answering(query, { ...header, ...cookie })).toBe('empty')
    expect(await answering(features, { ...header, ...cookie })).toBe('disabled-token')
    expect(await answering(features, cookie)).toBe('name-taken')
    expect(await answering(features)).toBe('expired-token')
    client.mock.reset()
    expect(await answering(features)).toBe('default')
  })

  it('an empty scenario name selects nothing', async () => {
    expect(await answering(`${features}?scenario=`, { 'x-mock-scenario': ' , ', cookie: 'mock-scenario=' })).toBe(
      'default',
    )
  })

  it('several scenarios are separated by commas, and names can be encoded', async () => {
    expect(await answering(`${features}?scenario=empty,%20name-taken`)).toBe('empty,name-taken')
    expect(await answering(features, { cookie: 'mock-scenario=empty%2Cname-taken' })).toBe('empty,name-taken')
  })

  it.each(['query', 'header', 'cookie'])('an unknown scenario in the %s gets a 400', async (where) => {
    const { status, headers, body } = await client.send(
      'GET',
      where === 'query' ? `${features}?scenario=expired-tokn` : features,
      undefined,
      { headers: where === 'header' ? { 'x-mock-scenario': 'expired-tokn' } : cookieOf(where) },
    )
    expect([status, headers.get('x-mock-error')]).toEqual([400, 'UNKNOWN_SCENARIO'])
    expect(body.message).toContain('Did you mean "expired-token"?')
    for (const { name } of scenarios) expect(body.hint).toContain(name)
    const [entry] = client.mock.requests.all()
    expect(entry).toMatchObject({ operation: 'getFeatures', status: 400 })
  })

  it('the address of our page selects the scenario and sets its cookie, unless the request names a scenario', async () => {
    const from = (query: string, headers: Record<string, string> = {}, path = features) =>
      client.send('GET', path, undefined, {
        headers: { 'sec-fetch-site': 'same-origin', referer: `http://localhost:5173/flags?${query}`, ...headers },
      })
    const found = async (...given: Parameters<typeof from>) => {
      const { headers } = await from(...given)
      return [headers.get('x-mock-scenario'), ...headers.getSetCookie().map((text) => text.split(';')[0])]
    }
    expect(await found('scenario=empty')).toEqual(['empty', 'mock-scenario=empty'])
    expect(await found('scenario=empty&session=nora')).toEqual(['empty', 'mock-scenario=empty', 'mock-session=nora'])
    expect(client.mock.session('nora').requests.all()).toHaveLength(1)
    expect(await found('session=ada')).toEqual(['default', 'mock-session=ada'])
    expect(await found('session=ada', { cookie: 'mock-scenario=empty' })).toEqual([
      'empty',
      'mock-scenario=empty',
      'mock-session=ada',
    ])
    expect(await found('session=ada', { cookie: 'mock-session=max' })).toEqual(['default'])
    expect(client.mock.session('ada').requests.all()).toHaveLength(2)
    expect(await found('scenario=empty&session=nora', { 'x-mock-session': 'tom' })).toEqual([
      'empty',
      'mock-scenario=empty',
    ])
    expect(client.mock.session('tom').requests.all()).toHaveLength(1)
    expect(await found('scenario=empty', { cookie: 'mock-scenario=name-taken' })).toEqual(['name-taken'])
    const { headers: ofCookie } = await from('scenario=empty', { cookie: 'mock-scenario=name-taken' })
    expect(ofCookie.get('x-mock-hint')).toBe(
      `A cookie in this browser selects "name-taken", so "empty" in the page's address has no effect. GET /__mock/leave removes the cookie.`,
    )
    const { headers: ofBoth } = await from('scenario=empty', { cookie: 'mock-scenario=empty' })
    expect(ofBoth.get('x-mock-hint')).toBe(null)
    expect(await found('scenario=empty', { 'x-mock-scenario': 'name-taken' })).toEqual(['name-taken'])
    expect(await found('scenario=empty', {}, `${features}?scenario=name-taken`)).toEqual(['name-taken'])
    expect(await found('scenario=')).toEqual(['default'])
    expect(await found('page=2')).toEqual(['default'])
    for (const name of ['Scenario', 'scenaro']) {
      const { headers: ofMisspelt } = await from(`${name}=empty`)
      expect([ofMisspelt.get('x-mock-scenario'), ofMisspelt.get('x-mock-hint')]).toEqual([
        'default',
        `The parameter "${name}" in the page's address has no effect. Did you mean "scenario"?`,
      ])
    }
    for (const query of ['sessionId=1', 'scenario=empty&scenaro=x', 'search=x']) {
      expect((await from(query)).headers.get('x-mock-hint')).toBe(null)
    }
    const { headers: ofOthers } = await from('', { referer: 'https://evil.example/?scenaro=empty' })
    expect(ofOthers.get('x-mock-hint')).toBe(null)
    expect(await found('scenario=empty', { referer: 'https://evil.example/?scenario=empty' })).toEqual(['default'])
    const { status, headers } = await from('scenario=expired-tokn')
    expect([status, headers.get('x-mock-error'), headers.getSetCookie()]).toEqual([400, 'UNKNOWN_SCENARIO', []])
    expect((await from('scenario=empty&scenario=slow')).body.code).toBe('INVALID_REQUEST')
  })

  it('a name is suggested only if it is near', async () => {
    const { body } = await client.send('GET', `${features}?scenario=blackfriday`)
    expect(body.message).toBe('There is no scenario "blackfriday".')
  })

  it('a query that names scenarios twice gets a 400', async () => {
    const { status, body } = await client.send('GET', `${features}?scenario=empty&scenario=slow`)
    expect([status, body.code]).toEqual([400, 'INVALID_REQUEST'])
    expect(body.hint).toContain('?scenario=empty,slow')
  })

  it.each([
    ['a QA link', '/__mock/use/emty?redirect=/flags', {}, '/flags', false],
    ['the address', '/health?scenario=emty', {}, '/health', false],
    ['a cookie', '/health?x=1', { cookie: 'mock-scenario=emty' }, '/health?x=1', true],
  ])('a browser gets a page for an unknown scenario in %s', async (_, path, more, back, isInCookie) => {
    const response = await client.adapter.fetch(path, { headers: { accept: 'text/html,*/*', ...more } })
    expect([response.status, response.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8'])
    const page = await response.text()
    const redirect = `?redirect=${encodeURIComponent(back)}`
    expect(page).toContain(`<a href="/__mock/use/empty${redirect}">Open empty</a>`)
    expect(page).toContain(`<a href="/__mock/leave${redirect}">`)
    for (const { name } of scenarios) expect(page).toContain(`>${name}</a>`)
    expect(page.includes('A cookie of this browser names it.')).toBe(isInCookie)
  })

  it('the page for an unknown scenario quotes no markup', async () => {
    const name = encodeURIComponent('<script>"&')
    const response = await client.adapter.fetch(`/health?scenario=${name}`, { headers: { accept: 'text/html' } })
    expect(await response.text()).not.toContain('<script>')
  })

  it.each([
    ['GET', '/health'],
    ['GET', '/__mock/health'],
    ['GET', '/__mock/clock'],
    ['PUT', '/__mock/clock'],
    ['GET', '/__mock/'],
    ['GET', '/__mock/panel.js'],
    ['GET', '/__mock/nothing'],
    ['GET', '/docs/openapi.json'],
    ['PATCH', features],
  ])('every response names its scenario: %s %s', async (method, path) => {
    const headers = { 'x-mock-scenario': 'empty', authorization: ADMIN }
    const response = await client.adapter.fetch(path, { method, headers })
    expect(response.headers.get('x-mock-scenario')).toBe('empty')
    const unknown = await client.adapter.fetch(path, { method, headers: { ...headers, 'x-mock-scenario': 'emty' } })
    expect(unknown.headers.get('x-mock-scenario')).toBe('default')
  })

  it.each([
    ['GET', '/__mock/health'],
    ['GET', '/__mock/state'],
    ['PATCH', features],
  ])('an unknown scenario gets a 400 on every path: %s %s', async (method, path) => {
    const { status, body } = await client.send(method, `${path}?scenario=emty`)
    expect([status, body.code]).toEqual([400, 'UNKNOWN_SCENARIO'])
  })

  it('the operation and the journal do not see the scenario of the query', async () => {
    await client.send('GET', `${features}?scenario=empty&x=1&y=a%20b`)
    await client.send('GET', `${features}?scenario=empty`)
    const paths = client.mock.requests.all().map(({ path, scenario }) => [path, scenario])
    expect(paths).toEqual([
      [`${features}?x=1&y=a+b`, 'empty'],
      [features, 'empty'],
    ])
  })
})

onEveryAdapter('worlds', (client) => {
  const inScenario = (name: string) => ({ headers: { 'x-mock-scenario': name } })

  it('worlds of different scenarios are independent', async () => {
    const disable = (name: string) => client.send('PUT', live, { enabled: false }, inScenario(name))
    await disable('name-taken')
    const enabled = async (name: string) => (await client.send('GET', live, undefined, inScenario(name))).body.enabled
    expect(await enabled('name-taken')).toBe(false)
    expect(await enabled('default')).toBe(true)
    expect(await enabled('default,name-taken')).toBe(true)
  })

  it('each world has its own clock', async () => {
    await client.send('GET', live, undefined, inScenario('name-taken'))
    client.mock.clock.advance({ days: 60 })
    expect((await client.send('GET', live)).body.enabled).toBe(false)
    expect((await client.send('GET', live, undefined, inScenario('name-taken'))).body.enabled).toBe(true)
  })

  it('a world starts over when a session switches to it', async () => {
    await client.send('PUT', live, { enabled: false })
    client.mock.clock.advance({ days: 1 })
    client.mock.force({ operation: 'getProjects', status: 500 })
    client.mock.useScenario('default')
    expect((await client.send('GET', live)).body.enabled).toBe(true)
    expect(client.mock.clock.now().toISOString()).toBe('2026-11-20T12:00:00.000Z')
    expect((await client.send('GET', '/api/admin/projects')).status).toBe(200)
  })

  it('reset starts worlds over, and they give the same bytes again', async () => {
    const run = async () => {
      const tokens = '/api/admin/invite-link/tokens'
      const sent = [
        await client.send('POST', `${features}/checkout-redesign/clone`, { name: 'copy' }),
        await client.send('POST', tokens, { name: 'x', expiresAt: '2026-12-01T00:00:00Z' }),
        await client.send('POST', `${features}/nothing/clone`, { name: 'copy' }),
        await client.send('GET', '/api/admin/events'),
        await client.send('GET', live, undefined, inScenario('disabled-token')),
      ]
      return JSON.stringify(sent)
    }
    const first = await run()
    client.mock.force({ operation: '*', status: 500 })
    client.mock.clock.advance(1000)
    client.mock.useScenario('empty')
    client.mock.reset()
    expect(client.mock.requests.all()).toEqual([])
    expect(client.mock.activeScenarios).toEqual(['default'])
    expect(await run()).toBe(first)
  })
})

function cookieOf(where: string): Record<string, string> {
  return where === 'cookie' ? { cookie: 'mock-scenario=expired-tokn' } : {}
}

onEveryAdapter('misspelt names in a request', (client) => {
  it.each([
    [
      '/health',
      { 'x-mock-scenaro': 'empty' },
      'The header "x-mock-scenaro" has no effect. Did you mean "x-mock-scenario"?',
    ],
    [
      '/health',
      { 'x-mock-sesion': 'nora' },
      'The header "x-mock-sesion" has no effect. Did you mean "x-mock-session"?',
    ],
    ['/health?scenaro=empty', {}, 'The query parameter "scenaro" has no effect. Did you mean "scenario"?'],
    [
      '/health?scenario=empty&session=nora',
      {},
      'The query parameter "session" has no effect. Did you mean "x-mock-session"?',
    ],
    ['/health?Scenario=empty', {}, 'The query parameter "Scenario" has no effect. Did you mean "scenario"?'],
    ['/health?x=1&scenarios=empty', {}, 'The query parameter "scenarios" has no effect. Did you mean "scenario"?'],
    [
      '/__mock/state',
      { 'x-mock-sesion': 'nora' },
      'The header "x-mock-sesion" has no effect. Did you mean "x-mock-session"?',
    ],
  ])('%s %o', async (path, headers, message) => {
    const { status, body } = await client.send('GET', path, undefined, { headers })
    expect([status, body.code, body.message]).toEqual([400, 'INVALID_REQUEST', message])
  })

  it('other names are nobody’s mistake', async () => {
    const headers = {
      'x-mock-status': '1',
      'x-mock-response-name': 'a',
      'x-hint': 'x-mock-sesion',
      cookie: 'mock_session=x',
    }
    expect((await client.send('GET', '/health?sessionId=1&search=x&sender=y', undefined, { headers })).status).toBe(200)
  })

  it.each(['redirct=/flags', 'sesion=nora'])('a QA link with %s', async (query) => {
    const { status, body } = await client.send('GET', `/__mock/use/empty?${query}`)
    expect([status, body.code, body.message]).toEqual([400, 'INVALID_REQUEST', expect.stringContaining('Did you mean')])
    expect(client.mock.activeScenarios).toEqual(['default'])
    const sent = await client.adapter.fetch('/__mock/use/empty?utm_source=mail', { redirect: 'manual' })
    expect(sent.status).toBe(302)
  })

  it('a control call with another method lists the methods of its path', async () => {
    const { body } = await client.send('POST', '/__mock/scenario', { name: 'empty' })
    expect(body.hint).toBe('This path takes GET, PUT, DELETE; docs/control-api.md lists all calls.')
  })
})
