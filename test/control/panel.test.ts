import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { startServer } from '../../src/entries/adapters/node.js'
import { onEveryAdapter } from '../support/adapters.js'

const CONTENT_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

onEveryAdapter('The control panel', (client) => {
  const get = async (path: string) => {
    const response = await client.adapter.fetch(path, { redirect: 'manual' })
    return { response, text: await response.text() }
  }

  it('the panel is a page under a strict content policy, without inline scripts or styles', async () => {
    const { response, text } = await get('/__mock/')
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(response.headers.get('content-security-policy')).toBe(CONTENT_POLICY)
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
    expect(text).toMatch(/^<!doctype html>/)
    expect(text).not.toMatch(/<style|<script(?! src=)|\sstyle=|\son\w+=/)
  })

  it('the panel refers to its script and its stylesheet by relative paths', async () => {
    const { text } = await get('/__mock/')
    expect([...text.matchAll(/(?:src|href)="(?!data:)([^"]+)"/g)].map(([, url]) => url)).toEqual([
      'panel.css',
      'panel.js',
    ])
    const script = await get('/__mock/panel.js')
    expect(script.response.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(script.text).toContain('x-mock-session')
    const stylesheet = await get('/__mock/panel.css')
    expect(stylesheet.response.headers.get('content-type')).toBe('text/css; charset=utf-8')
    expect(stylesheet.text).toContain('light-dark(')
  })

  it('the panel loads nothing from other sites', async () => {
    const page = await get('/__mock/')
    const stylesheet = await get('/__mock/panel.css')
    expect(decodeURIComponent(page.text).match(/https?:[^"']+/g)).toEqual(['http://www.w3.org/2000/svg'])
    expect(stylesheet.text).not.toMatch(/https?:|url\(/)
  })

  it('the script of the panel has at most 32 kB, compressed', async () => {
    expect(gzipSync((await get('/__mock/panel.js')).text).length).toBeLessThanOrEqual(32_000)
  })

  it('the panel is also at a URL without a slash, with matching links', async () => {
    const { response, text } = await get('/__mock')
    expect(response.status).toBe(200)
    expect(text).toContain('<script src="__mock/panel.js" defer>')
  })

  it('the panel leaves nothing in the journal', async () => {
    await get('/__mock/')
    await get('/__mock/panel.js')
    expect(client.mock.requests.all()).toEqual([])
  })
})

onEveryAdapter('The data of the panel', (client) => {
  it('sessions are listed with their scenario, worlds and number of requests', async () => {
    await client.send('GET', '/health', undefined, { headers: { 'x-mock-session': 'ada' } })
    await client.send('GET', '/health', undefined, { headers: { 'x-mock-session': 'ada', 'x-mock-scenario': 'empty' } })
    const { body } = await client.send('GET', '/__mock/sessions')
    expect(body).toEqual([
      { name: '', scenario: 'default', worlds: ['default'], requests: 0 },
      { name: 'ada', scenario: 'default', worlds: ['default', 'empty'], requests: 2 },
    ])
  })

  it('the profile says how it responds', async () => {
    const { body } = await client.send('GET', '/__mock/profile')
    const responds = expect.stringContaining('200 for a clone')
    expect(body).toEqual({ name: 'documented', responds })
  })

  it('operations are listed with their documented errors', async () => {
    const { body } = await client.send('GET', '/__mock/operations')
    expect(body.find(({ id }: { id: string }) => id === 'updatePublicSignupToken')).toMatchObject({
      method: 'PUT',
      path: '/api/admin/invite-link/tokens/:token',
      errors: [400, 401, 403, 404, 413, 415, 503],
    })
  })

  it('API tokens are listed with their permissions', async () => {
    const { body } = await client.send('GET', '/__mock/keys')
    const allows = Object.fromEntries(
      body.map((key: { authorization: string; allows: string }) => [key.authorization, key.allows]),
    )
    expect(allows['*:*.mock-admin']).toBe('everything except user-specific operations')
    expect(allows['user:mock-editor']).toMatch(/^Editor: /)
    expect(allows['user:mock-viewer']).toMatch(/^Viewer: /)
    expect(allows['*:development.mock-client']).toBe('the operations of SDKs only')
  })

  it('a step of the history shows its changes, before and after, without their events', async () => {
    const path = '/api/admin/projects/default/features/legacy-export'
    await client.send('PATCH', path, [{ op: 'replace', path: '/description', value: 'Changed' }])
    const { commit } = client.mock.requests.all().at(-1) ?? {}
    const { body } = await client.send('GET', `/__mock/history/${commit}`)
    const [change] = body
    expect(body).toMatchObject([{ table: 'features', key: 'legacy-export', after: { description: 'Changed' } }])
    expect(change.before.description).not.toBe('Changed')
    expect((await client.send('GET', '/__mock/history/98765')).body.code).toBe('UNKNOWN_COMMIT')
  })

  it('POST /__mock/login signs in as a user of the world, without a password', async () => {
    const { status, headers } = await client.send('POST', '/__mock/login', { user: 2 })
    expect(status).toBe(204)
    const cookie = String(headers.get('set-cookie')).split(';')[0] ?? ''
    const me = await client.send('GET', '/api/admin/user', undefined, { key: null, headers: { cookie } })
    expect(me.body.user.email).toBe('editor@example.com')
    expect(await client.send('POST', '/__mock/login', { user: 99 })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_REQUEST', message: 'There is no user 99.' },
    })
  })

  it('a rule that can never apply is listed with the reason', async () => {
    client.mock.force({ operation: 'getProjects', status: 503 })
    client.mock.force({ operation: '*', status: 500 })
    const { body } = await client.send('GET', '/__mock/forced')
    const [, newer] = body
    expect(body.map(({ idle }: { idle?: string }) => idle)).toEqual([
      `the newer rule ${newer.id} handles all of its requests`,
      undefined,
    ])
  })

  it('an expired API token is listed without permissions', async () => {
    client.mock.add({ apiTokens: [{ secret: '*:*.old', expiresAt: 'now-1d' }] })
    const { body } = await client.send('GET', '/__mock/keys')
    const old = ({ authorization }: { authorization: string }) => authorization === '*:*.old'
    expect(body.find(old)).toEqual({
      authorization: '*:*.old',
      type: 'admin',
      holder: 'old',
      allows: 'nothing, because it has expired',
    })
  })
})

it('the panel moves with the base path', async () => {
  await using server = await startServer({ baseUrl: 'http://localhost/flags' }, { port: 0 })
  const page = await fetch(`${server.url}/__mock`)
  const [, script = ''] = /script src="([^"]+)"/.exec(await page.text()) ?? []
  expect(script).toContain('panel.js')
  expect((await fetch(new URL(script, page.url))).status).toBe(200)
})
