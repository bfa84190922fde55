import { createServer } from 'vite'
import { expect, it, onTestFinished } from 'vitest'
import { startServer } from '../../src/entries/adapters/node.js'
import { ADMIN, FIXED } from '../support/adapters.js'
import { sendRaw } from '../support/raw.js'
import { appFolder } from '../support/vite.js'

/** A Vite dev server for any host. It forwards the API, and sends the mock's host to the mock. */
async function startDevProxy(): Promise<{
  ask(origin: string, method: string, sent?: Record<string, string>): ReturnType<typeof sendRaw>
}> {
  const mock = await startServer(FIXED, { port: 0 })
  const proxy = { '/api': { target: mock.url, changeOrigin: true } }
  const server = { port: 0, host: '127.0.0.1', allowedHosts: true as const, hmr: false as const, proxy }
  const dev = await createServer({ root: appFolder().path, configFile: false, logLevel: 'silent', server })
  await dev.listen()
  onTestFinished(async () => {
    await dev.close()
    await mock.close(0)
  })
  const { port } = new URL(dev.resolvedUrls?.local[0] ?? '')
  return {
    ask(origin, method, sent = {}) {
      // Over plain HTTP, browsers send no Sec-Fetch headers to other hosts.
      const { host } = new URL(origin)
      const headers = { host, authorization: ADMIN, 'content-type': 'application/json', ...sent }
      const target = `/api/admin/projects/default/features${method === 'POST' ? '/checkout-redesign/clone' : ''}`
      const more = method === 'POST' ? { body: '{"name":"copy"}' } : {}
      return sendRaw(Number(port), {
        method,
        target,
        headers: method === 'GET' ? headers : { ...headers, origin },
        ...more,
      })
    },
  }
}

it('a page of a name below .test uses the mock through a dev proxy with changeOrigin', async () => {
  const { ask } = await startDevProxy()
  expect((await ask('http://myapp.test:5173', 'GET')).status).toBe(200)
  expect((await ask('http://myapp.test:5173', 'POST')).status).toBe(200)
})

it('a page of another name reads through it, and the rejection of a change has the flag to add', async () => {
  const { ask } = await startDevProxy()
  expect((await ask('http://app.example:5173', 'GET')).status).toBe(200)
  const rejected = await ask('http://app.example:5173', 'POST')
  expect(rejected.status).toBe(403)
  expect(JSON.parse(rejected.body).hint).toContain('--allow-origin http://app.example:5173,')
})

it("the page's address selects the scenario behind the proxy", async () => {
  const { ask } = await startDevProxy()
  const origin = 'http://localhost:5173'
  const { headers } = await ask(origin, 'GET', { referer: `${origin}/flags?scenario=empty` })
  expect(headers['x-mock-scenario']).toBe('empty')
  expect(headers['set-cookie']).toBe('mock-scenario=empty; Path=/; SameSite=Lax')
  const unknown = await ask(origin, 'GET', { referer: `${origin}/flags?scenario=expired-tokn` })
  expect([unknown.status, JSON.parse(unknown.body).code]).toEqual([400, 'UNKNOWN_SCENARIO'])
})
