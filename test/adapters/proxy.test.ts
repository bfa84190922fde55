import { describe, expect, it } from 'vitest'
import type { JournalEntry } from '../../src/index.js'
import { ADMIN } from '../support/adapters.js'
import { startBackend } from '../support/backend.js'
import { runCli, startCli } from '../support/cli.js'
import { sendRaw } from '../support/raw.js'

async function journal(at: string): Promise<JournalEntry[]> {
  return (await fetch(`${at}/__mock/requests`)).json() as Promise<JournalEntry[]>
}

describe('flagdouble --proxy', () => {
  it("forwards requests that aren't for Unleash, and handles the others itself", async () => {
    const backend = await startBackend()
    const { at } = await startCli(['--proxy', backend.url])
    const own = await fetch(`${at}/api/orders?page=2`, {
      method: 'POST',
      headers: { 'content-type': 'text/x-order' },
      body: 'one order',
    })
    expect([own.status, own.headers.get('content-type'), await own.text()]).toEqual([200, 'text/x-order', 'one order'])
    expect(backend.asked).toMatchObject([{ method: 'POST', url: '/api/orders?page=2' }])
    for (const path of ['/', '/flags', '/invite/x/signup', '/%2e%2e/x', '//evil.example/x']) await fetch(at + path)
    expect(backend.asked.slice(1).map(({ url }) => url)).toEqual([
      '/',
      '/flags',
      '/invite/x/signup',
      '/x',
      '//evil.example/x',
    ])
    expect((await fetch(`${at}/api/admin/projects`, { headers: { authorization: ADMIN } })).status).toBe(200)
    expect((await fetch(`${at}/__mock/`)).headers.get('content-type')).toContain('text/html')
    expect(backend.asked).toHaveLength(6)
  })

  it('judges the path that it forwards: no spelling leads to a path of Unleash or the control API', async () => {
    const backend = await startBackend()
    const { at } = await startCli(['--proxy', backend.url])
    const port = Number(new URL(at).port)
    for (const target of ['/x/../api/admin/projects', '/.%2e/__mock/state', '/x/%2E%2e//API/client/features']) {
      expect((await sendRaw(port, { target })).status, target).toBe(501)
    }
    expect(backend.asked).toEqual([])
    expect((await sendRaw(port, { target: '/api/admin/../../x' })).status).toBe(200)
    expect(backend.asked).toMatchObject([{ url: '/x' }])
  })

  it('keeps the path of the URL, and forwards everything outside of the base path', async () => {
    const backend = await startBackend()
    const { at } = await startCli(['--proxy', `${backend.url}/app/`, '--base-path', '/flags'])
    await fetch(new URL('/api/admin/projects', at))
    expect(backend.asked).toMatchObject([{ url: '/app/api/admin/projects' }])
    expect((await fetch(`${at}/health`)).status).toBe(200)
  })

  it('drops headers of the connection, and names the client', async () => {
    const backend = await startBackend((_, response) => void response.writeHead(200, { via: '1.1 theirs' }).end('ok'))
    const { at } = await startCli(['--proxy', backend.url])
    const { port } = new URL(at)
    const headers = { 'x-mine': '1', connection: 'close, x-mine', cookie: 'a=b', host: `localhost:${port}` }
    const response = await sendRaw(Number(port), { target: '/page', headers })
    const [asked] = backend.asked
    expect(asked).toMatchObject({
      url: '/page',
      headers: {
        host: new URL(backend.url).host,
        cookie: 'a=b',
        via: expect.stringMatching(/^1\.1 flagdouble \(.+\)$/),
        'x-forwarded-host': `localhost:${port}`,
        'x-forwarded-proto': 'http',
      },
    })
    expect(asked?.headers).not.toHaveProperty('x-mine')
    expect(response).toMatchObject({ status: 200, headers: { via: '1.1 theirs' } })
  })

  it('forwards a complete URL as the target only if it names the server', async () => {
    const backend = await startBackend()
    const { at } = await startCli(['--proxy', backend.url])
    const { host, port } = new URL(at)
    const foreign = await sendRaw(Number(port), { target: 'http://evil.example/foreign', headers: { host } })
    expect([foreign.status, foreign.headers['x-mock-error']]).toEqual([403, 'HOST_NOT_ALLOWED'])
    await sendRaw(Number(port), { target: `${at}/own`, headers: { host } })
    expect(backend.asked).toMatchObject([{ url: '/own', headers: { host: new URL(backend.url).host } }])
  })

  it("leaves redirects to the client, with its own address in place of the backend's", async () => {
    const backend = await startBackend(({ url }, response) => {
      response
        .writeHead(302, { location: url === '/in' ? `${backend.url}/login?next=1` : 'https://sso.example/x' })
        .end()
    })
    const { at } = await startCli(['--proxy', backend.url])
    const location = async (path: string) => (await fetch(at + path, { redirect: 'manual' })).headers.get('location')
    expect(await location('/in')).toBe('/login?next=1')
    expect(await location('/out')).toBe('https://sso.example/x')
  })

  it('leaves CORS of forwarded requests to the backend', async () => {
    const backend = await startBackend(({ method }, response) => {
      response
        .writeHead(method === 'OPTIONS' ? 204 : 200, { 'access-control-allow-origin': 'https://theirs.example' })
        .end()
    })
    const { at } = await startCli(['--proxy', backend.url])
    const headers = { origin: 'http://localhost:9', 'access-control-request-method': 'PUT' }
    const preflight = await fetch(`${at}/page`, { method: 'OPTIONS', headers })
    expect(preflight.headers.get('access-control-allow-origin')).toBe('https://theirs.example')
  })

  it('a backend that is down is a 502 with the reason, and so is a proxy to itself', async () => {
    const backend = await startBackend()
    const { at } = await startCli(['--proxy', backend.url])
    await backend.close()
    const down = await fetch(`${at}/page`)
    expect([down.status, down.headers.get('x-mock-error')]).toEqual([502, 'BACKEND_UNREACHABLE'])
    expect(await down.json()).toMatchObject({
      message: `The backend ${backend.url}/ did not respond: ECONNREFUSED.`,
      hint: expect.stringContaining('--proxy'),
    })
    const port = new URL(backend.url).port
    const circular = runCli(['start', '--port', port, '--json', '--proxy', backend.url])
    const looped = await fetch(`${await circular.url()}/page`)
    expect(await looped.json()).toMatchObject({ message: expect.stringContaining('leads back') })
  })

  it("neither records nor changes forwarded requests: the journal and scenarios don't apply to them", async () => {
    const backend = await startBackend()
    const { at, stderr } = await startCli(['--proxy', backend.url, '--scenario', 'offline'])
    const crossSite = {
      origin: 'https://login.example',
      'sec-fetch-site': 'cross-site',
      'content-type': 'application/x-www-form-urlencoded',
    }
    const target = '/callback?scenario=of-the-app'
    const { port } = new URL(at)
    const posted = await sendRaw(Number(port), { method: 'POST', target, headers: crossSite, body: 'code=s3cret' })
    expect([posted.status, posted.body]).toEqual([200, expect.stringContaining('code=s3cret')])
    expect(backend.asked[0]?.url).toBe(target)
    expect(await journal(at)).toEqual([])
    expect(stderr()).not.toContain('/callback')
  })

  it('streams, and stops while a stream is open', async () => {
    const backend = await startBackend((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: 1\n\n')
    })
    const { at, signal, done } = await startCli(['--proxy', backend.url])
    const events = await fetch(`${at}/events`)
    const first = await events.body?.getReader().read()
    expect(new TextDecoder().decode(first?.value)).toBe('data: 1\n\n')
    signal('SIGTERM')
    signal('SIGTERM')
    await backend.close()
    expect(await done).toBe(0)
  })

  it.each([
    ['GET', '/api/admin/groups'],
    ['POST', '/api/admin/banners'],
    ['GET', '/edge/validate'],
    ['DELETE', '/API/admin/projects'],
    ['GET', '/api/Admin//groups/'],
    ['PUT', '/api/frontend/nothing'],
    ['GET', '/__MOCK/nothing'],
  ])('keeps the paths of Unleash, modelled or not, in any letter case: %s %s', async (method, path) => {
    const backend = await startBackend()
    const { at } = await startCli(['--proxy', backend.url])
    const { status } = await fetch(at + path, { method, headers: { authorization: ADMIN } })
    expect(status).toBeGreaterThanOrEqual(400)
    expect(backend.asked).toEqual([])
  })

  it('a redirect of the backend never leads to another site', async () => {
    const backend = await startBackend(({ url = '' }, response) => {
      response.writeHead(302, { location: backend.url + url.slice('/to'.length) }).end()
    })
    const { at } = await startCli(['--proxy', backend.url])
    const { port } = new URL(at)
    for (const path of ['//evil.example/x/', '/\\evil.example/x', '/', '/x?y=1', '/.//evil.example']) {
      const { headers } = await sendRaw(Number(port), { target: `/to${path.replace('\\', '%5C')}` })
      const { origin } = new URL(headers.location ?? '', at)
      expect([path, origin]).toEqual([path, new URL(at).origin])
    }
  })

  it('a URL with a name and a password is rejected, and never quoted', async () => {
    const backend = await startBackend()
    const { at, stderr } = await startCli(['--proxy', backend.url])
    const { host, port } = new URL(at)
    for (const path of ['/page', '/api/admin/projects']) {
      const answer = await sendRaw(Number(port), {
        method: 'POST',
        target: `http://ada:s3cret@${host}${path}`,
        body: '{}',
      })
      expect([answer.status, answer.headers['x-mock-error']]).toEqual([400, 'MALFORMED_REQUEST'])
      expect(answer.body).not.toContain('s3cret')
    }
    expect(JSON.stringify(await journal(at)) + stderr()).not.toContain('s3cret')
    expect(backend.asked).toEqual([])
  })

  it.each(['localhost:3000', 'ftp://x.example', 'http://user:pw@localhost', 'http://localhost?x', 'nonsense', ''])(
    'rejects the URL "%s"',
    async (url) => {
      const cli = runCli(['start', '--port', '0', `--proxy=${url}`])
      expect(await cli.done).toBe(2)
      expect(cli.stderr()).toMatch(/--proxy can't be ".*"\.\nhint: It must be a URL with http or https/)
    },
  )

  it('can be set by the environment and for exec, and names itself in the banner; --ui excludes it', async () => {
    const backend = await startBackend()
    const cli = runCli(['start', '--port', '0'], { env: { FLAGDOUBLE_PROXY: backend.url } })
    expect(await (await fetch(`${await cli.url()}/x`, { method: 'POST', body: 'echo' })).text()).toBe('echo')
    expect(cli.stdout()).toContain(`All other requests go to ${backend.url}.`)
    const script = `fetch(process.env.FLAGDOUBLE_URL + '/x', { method: 'PUT', body: 'y' }).then(async (r) => process.exit((await r.text()) === 'y' ? 7 : 1))`
    expect(await runCli(['exec', '--quiet', '--proxy', backend.url, '--', process.execPath, '-e', script]).done).toBe(7)
    const both = runCli(['start', '--port', '0', '--proxy', backend.url, '--ui', '.'])
    expect(await both.done).toBe(2)
    expect(both.stderr()).toContain("--ui and --proxy can't be combined")
  })
})
