import { expect, it } from 'vitest'
import { createMock } from '../../src/index.js'
import { FIXED, onEveryAdapter, read } from '../support/adapters.js'

const _live = '/api/admin/invite-link/tokens/live-invite'

onEveryAdapter('the QA link', (client) => {
  const follow = (path: string, headers: Record<string, string> = {}) =>
    client.adapter.fetch(`/__mock/use/${path}`, { redirect: 'manual', headers })

  it('the QA link sets the cookie and redirects to the page', async () => {
    const response = await follow('expired-token?redirect=/flags?x=1%26y=2%23there')
    expect([response.status, response.headers.get('location')]).toEqual([302, '/flags?x=1&y=2#there'])
    // msw's fetch hides cookies, like a browser.
    const cookie = response.headers.get('set-cookie')
    if (cookie !== null) expect(cookie).toMatch(/^mock-scenario=expired-token; Path=\/; SameSite=Lax$/)
    expect(client.mock.activeScenarios).toEqual(['default'])
  })

  it('the QA link accepts several scenarios, and leads to the panel by default', async () => {
    const response = await follow('expired-token,slow')
    expect([response.status, response.headers.get('location')]).toEqual([302, '/__mock/'])
    await response.text()
  })

  it.each([
    'https://evil.example',
    'HTTPS:evil.example',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    'javascript:alert(1)',
    'data:text/html,x',
    'evil.example',
    '',
    ' /flags',
    '@evil.example',
    '/.//evil.example',
    '/x/..//evil.example',
  ])('the QA link rejects a redirect to another site: %j', async (redirect) => {
    const response = await follow(`empty?redirect=${encodeURIComponent(redirect)}`)
    const { status, headers, body } = await read(response)
    expect([status, body.code, headers.get('location')]).toEqual([400, 'INVALID_REDIRECT', null])
    expect(headers.get('set-cookie')).toBeNull()
  })

  it.each(['/\r\nx', '/\r\nset-cookie: a=b', '/\u0001', '/\u0000', '/\u007f', '/\u0085', '/x\t', '/\u001b[2J'])(
    'the QA link rejects a redirect with a control character before anything happens: %j',
    async (redirect) => {
      client.mock.add({ features: [{ name: 'mine' }] })
      const response = await follow(`default?redirect=${encodeURIComponent(redirect)}`)
      const { status, headers, body } = await read(response)
      expect([status, body.code, headers.get('x-mock-error')]).toEqual([400, 'INVALID_REDIRECT', 'INVALID_REDIRECT'])
      expect(headers.get('set-cookie')).toBeNull()
      expect(client.mock.features.get('mine')).toBeDefined()
    },
  )

  it('the QA link leads to a path in any script', async () => {
    const response = await follow(`empty?redirect=${encodeURIComponent('/flags/größe 🚀')}`)
    expect([response.status, response.headers.get('location')]).toEqual([302, '/flags/gr%C3%B6%C3%9Fe%20%F0%9F%9A%80'])
  })

  it('a QA link without a scenario is rejected', async () => {
    const { status, body } = await read(await follow(',?redirect=/flags'))
    expect([status, body.code]).toEqual([400, 'INVALID_REQUEST'])
  })

  it('a QA link with an unknown scenario is rejected', async () => {
    const { status, body } = await read(await follow('emty?redirect=/flags'))
    expect([status, body.code]).toEqual([400, 'UNKNOWN_SCENARIO'])
  })
})

onEveryAdapter('links for users', (client) => {
  const follow = (path: string, headers: Record<string, string> = {}) =>
    client.adapter.fetch(`/__mock/${path}`, { redirect: 'manual', headers })
  const features = '/api/admin/projects/default/features'
  const namesIn = async (cookie: string) => {
    const { body } = await client.send('GET', features, undefined, { headers: { cookie } })
    return body.features.map(({ name }: { name: string }) => name)
  }
  // Where browsers hide cookies, fetch does too.
  const expectCookies = ({ headers }: Response, expected: readonly RegExp[]) => {
    const cookies = headers.getSetCookie()
    if (cookies.length > 0) expect(cookies).toEqual(expected.map((text) => expect.stringMatching(text)))
  }

  it('a QA link can also name the session, and starts the scenario over there', async () => {
    const inNora = 'mock-session=nora; mock-scenario=missing-permission'
    client.mock.session('nora').add({ features: [{ name: 'of-nora' }] })
    const added = { features: [{ name: 'old' }] }
    await client.send('PATCH', '/__mock/state', added, { headers: { cookie: inNora } })
    expect(await namesIn(inNora)).toContain('old')
    client.mock.add({ features: [{ name: 'of-all' }] })
    const response = await follow('use/missing-permission?session=nora&redirect=/flags')
    expect([response.status, response.headers.get('location')]).toEqual([302, '/flags'])
    expectCookies(response, [
      /^mock-scenario=missing-permission; Path=\/; SameSite=Lax$/,
      /^mock-session=nora; Path=\/; SameSite=Lax$/,
    ])
    expect(await namesIn(inNora)).not.toContain('old')
    expect(await namesIn('mock-session=nora')).toContain('of-nora')
    expect(await namesIn('')).toContain('of-all')
  })

  it('a link can select a session alone, and starts nothing over', async () => {
    client.mock.session('nora').add({ features: [{ name: 'of-nora' }] })
    const response = await follow('use?session=nora&redirect=/')
    expect([response.status, response.headers.get('location')]).toEqual([302, '/'])
    expectCookies(response, [/^mock-session=nora; Path=\/; SameSite=Lax$/])
    expect(await namesIn('mock-session=nora')).toContain('of-nora')
  })

  it('a session can have any name', async () => {
    const response = await follow(`use?session=${encodeURIComponent('größe; a=b')}`)
    expect([response.status, response.headers.get('location')]).toEqual([302, '/__mock/'])
    expectCookies(response, [/^mock-session=gr%C3%B6%C3%9Fe%3B%20a%3Db; Path=\/; SameSite=Lax$/])
    const { body } = await client.send('GET', '/__mock/sessions')
    expect(body.map(({ name }: { name: string }) => name)).toContain('größe; a=b')
  })

  it('a link leads back to normal: it removes both cookies, and starts nothing over', async () => {
    client.mock.add({ features: [{ name: 'mine' }] })
    const response = await follow('leave?redirect=/flags', { cookie: 'mock-session=nora; mock-scenario=empty' })
    expect([response.status, response.headers.get('location')]).toEqual([302, '/flags'])
    expectCookies(response, [/^mock-scenario=; Max-Age=0; Path=\/; /, /^mock-session=; Max-Age=0; Path=\/; /])
    expect((await follow('leave')).headers.get('location')).toBe('/__mock/')
    expect(await namesIn('')).toContain('mine')
  })

  it.each(['use?session=', 'use/empty?session='])('a link without a session is rejected: %s', async (path) => {
    const { status, body, headers } = await read(await follow(path))
    expect([status, body.code, headers.get('set-cookie')]).toEqual([400, 'INVALID_REQUEST', null])
    expect(body.hint).toContain('/__mock/leave')
  })

  it.each(['use?session=nora', 'use/empty?session=nora', 'leave?a=b'])(
    'no link leads to another site, or works for a foreign page: %s',
    async (path) => {
      for (const redirect of ['https://evil.example', '//evil.example', '/\\evil.example', '/\r\nset-cookie: a=b']) {
        const { status, body, headers } = await read(await follow(`${path}&redirect=${encodeURIComponent(redirect)}`))
        expect([status, body.code, headers.get('set-cookie')]).toEqual([400, 'INVALID_REDIRECT', null])
      }
      for (const headers of [
        { origin: 'https://evil.example' },
        { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
        { 'sec-purpose': 'prefetch' },
      ]) {
        const answer = await read(await follow(path, headers))
        expect([answer.status, answer.body.code]).toEqual([403, 'ORIGIN_NOT_ALLOWED'])
        expect(answer.headers.get('set-cookie')).toBeNull()
      }
      const { body } = await client.send('GET', '/__mock/sessions')
      expect(body.map(({ name }: { name: string }) => name)).not.toContain('nora')
    },
  )
})

it('links also remove cookies below a base path', async () => {
  const mock = createMock({ ...FIXED, baseUrl: 'http://localhost:4242/x' })
  const { headers } = await mock.fetch(new Request('http://localhost:4242/x/__mock/leave'))
  const paths = headers.getSetCookie().map((text) => /^(mock-\w+)=; .*Path=([^;]+)/.exec(text)?.slice(1))
  expect(paths).toEqual([
    ['mock-scenario', '/'],
    ['mock-scenario', '/x'],
    ['mock-session', '/'],
    ['mock-session', '/x'],
  ])
})

it('the QA link lies below the base path', async () => {
  const mock = createMock({ ...FIXED, baseUrl: 'http://localhost:4242/x' })
  const response = await mock.fetch(new Request('http://localhost:4242/x/__mock/use/empty'))
  expect(response.headers.get('location')).toBe('/x/__mock/')
  expect(response.headers.get('set-cookie')).toBe('mock-scenario=empty; Path=/; SameSite=Lax')
})
