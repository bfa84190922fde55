import { expect, it } from 'vitest'
import { ADMIN, onEveryAdapter } from '../../support/adapters.js'

onEveryAdapter('forced responses of any type', (client) => {
  const path = '/api/admin/projects'

  it.each([
    ['text/html', '<script>alert(1)</script>'],
    ['text/html; charset=utf-8', '<p>'],
    ['image/svg+xml', '<svg/>'],
    ['text/plain', 'x'],
  ])("a response that is forced as %s can't run scripts, whatever the rule sets", async (type, body) => {
    const headers = {
      'Content-Type': type,
      'Content-Security-Policy': "default-src 'self'",
      'x-content-type-options': 'no',
    }
    await client.send('POST', '/__mock/forced', { operation: 'getProjects', body, headers })
    const response = await client.adapter.fetch(path)
    expect(response.headers.get('content-type')).toBe(type)
    expect(response.headers.get('content-security-policy')).toBe('sandbox')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    await response.text()
  })

  it("the operation’s own response can't either, if a rule gives it another type", async () => {
    await client.send('POST', '/__mock/forced', { operation: 'getProjects', headers: { 'content-type': 'text/html' } })
    const response = await client.adapter.fetch(path, { headers: { authorization: ADMIN } })
    expect([response.status, response.headers.get('content-security-policy')]).toEqual([200, 'sandbox'])
    await response.text()
  })

  it('JSON needs no protection', async () => {
    await client.send('POST', '/__mock/forced', { operation: 'getProjects', body: '<p>' })
    const response = await client.adapter.fetch(path)
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(response.headers.has('content-security-policy')).toBe(false)
    await response.text()
  })
})
