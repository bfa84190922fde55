import { expect, it } from 'vitest'
import { createMock } from '../../src/index.js'
import { FIXED, onEveryDoor, read } from '../support/doors.js'

const live = '/api/admin/invite-link/tokens/live-invite'

onEveryDoor('the QA link', (client) => {
  const follow = (path: string, headers: Record<string, string> = {}) =>
    client.door.fetch(`/__mock/use/${path}`, { redirect: 'manual', headers })

  it('the QA link sets the cookie and leads back to the page', async () => {
    const response = await follow('expired-token?redirect=/flags?x=1%26y=2%23there')
    expect([response.status, response.headers.get('location')]).toEqual([302, '/flags?x=1&y=2#there'])
    // fetch by msw keeps cookies to itself, as a browser does.
    const cookie = response.headers.get('set-cookie')
    if (cookie !== null) expect(cookie).toMatch(/^mock-scenario=expired-token; Path=\/; SameSite=Lax$/)
    expect(client.mock.activeScenarios).toEqual(['default'])
  })

  it('the QA link starts the world of its scenario over', async () => {
    const inExpired = { headers: { cookie: 'mock-scenario=expired-token' } }
    await client.send('PUT', live, { expiresAt: '2030-01-01T00:00:00Z' }, inExpired)
    expect((await client.send('GET', live, undefined, inExpired)).body.enabled).toBe(true)
    await follow('expired-token')
    expect((await client.send('GET', live, undefined, inExpired)).body.enabled).toBe(false)
  })

  it('the QA link takes several scenarios, and leads to the panel by default', async () => {
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

  it('a QA link of a foreign page is rejected', async () => {
    const { status, body } = await read(await follow('empty', { origin: 'https://evil.example' }))
    expect([status, body.code]).toEqual([403, 'ORIGIN_NOT_ALLOWED'])
  })
})

it('the QA link lies below the base path', async () => {
  const mock = createMock({ ...FIXED, baseUrl: 'http://localhost:4242/x' })
  const response = await mock.fetch(new Request('http://localhost:4242/x/__mock/use/empty'))
  expect(response.headers.get('location')).toBe('/x/__mock/')
  expect(response.headers.get('set-cookie')).toBe('mock-scenario=empty; Path=/; SameSite=Lax')
})
