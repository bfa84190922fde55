import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { ADMIN, CLIENT } from '../support/adapters.js'
import { runCli, scratchFolder, startCli } from '../support/cli.js'

const asAdmin = { headers: { authorization: ADMIN } }
// biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
const read = async (url: string): Promise<any> => (await fetch(url, asAdmin)).json()

describe('flagdouble start', () => {
  it('flagdouble start prints exactly one line of JSON with --json', async () => {
    const { at, stdout } = await startCli(['--scenario', 'empty,slow'])
    await fetch(`${at}/__mock/health`)
    expect(stdout().endsWith('\n')).toBe(true)
    expect(JSON.parse(stdout())).toEqual({
      url: at,
      port: Number(new URL(at).port),
      scenario: 'empty,slow',
      pid: 4711,
    })
  })

  it('flagdouble without a command starts the server, with a banner', async () => {
    const cli = runCli(['--port', '0'])
    const at = await cli.url()
    expect((await fetch(`${at}/health`)).status).toBe(200)
    for (const part of [at, `${at}/__mock/`, `${at}/docs/openapi.json`, ADMIN, 'user:mock-viewer', 'Ctrl-C'])
      expect(cli.stdout()).toContain(part)
    for (const way of ['?scenario=expired-token', 'x-mock-scenario', '/__mock/scenario', '/__mock/use/expired-token'])
      expect(cli.stdout()).toContain(way)
    expect(cli.stdout().indexOf('/__mock/')).toBeLessThan(cli.stdout().indexOf('API  '))
    expect(cli.stdout().split('\n').length).toBeLessThan(21)
  })

  it('the second line of the banner says which profile responds, and how', async () => {
    const secondLine = async (...args: string[]) => {
      const cli = runCli(['--port', '0', ...args])
      await cli.url()
      return cli.stdout().split('\n')[1]
    }
    expect(await secondLine()).toBe(
      'The profile documented responds as the document says (200 for a clone); --profile unleash-8 responds as Unleash 8.2.',
    )
    expect(await secondLine('--profile', 'unleash-8')).toContain('unleash-8 responds as Unleash 8.2')
  })

  it('a flag that SDKs ask for and that is missing is named once, in the log and for the panel', async () => {
    const { at, stderr } = await startCli(['--quiet'])
    const ask = (toggles: object) =>
      fetch(`${at}/api/client/metrics`, {
        method: 'POST',
        headers: { authorization: CLIENT, 'content-type': 'application/json' },
        body: JSON.stringify({
          appName: 'shop',
          bucket: { start: '2026-01-01T00:00:00Z', stop: '2026-01-01T01:00:00Z', toggles },
        }),
      })
    const sentence = `The app asked for chekout-redesing, which doesn't exist. Did you mean "checkout-redesign"?`
    await ask({ 'chekout-redesing': { yes: 0, no: 1 }, 'checkout-redesign': { yes: 1, no: 0 } })
    expect((await read(`${at}/__mock/scenario`)).notices).toEqual([sentence])
    await ask({ 'chekout-redesing': { yes: 0, no: 1 }, blackfriday: { yes: 0, no: 1 } })
    expect(stderr()).toBe(`flagdouble: ${sentence}\nflagdouble: The app asked for blackfriday, which doesn't exist.\n`)
    expect((await read(`${at}/__mock/scenario`)).notices).toEqual([
      `The app asked for flags that don't exist: blackfriday, chekout-redesing (did you mean "checkout-redesign"?).`,
    ])
  })

  it('--paths maps the paths of a gateway, and --no-auth needs no API token: GitLab', async () => {
    const { at } = await startCli(['--paths', '/api/v4/feature_flags/unleash/42=/api', '--no-auth'])
    const response = await fetch(`${at}/api/v4/feature_flags/unleash/42/client/features`)
    expect([response.status, await response.json()]).toEqual([200, expect.objectContaining({ version: 2 })])
    const wrong = runCli(['--paths', '/proxy'])
    expect([await wrong.done, wrong.stderr()]).toEqual([2, expect.stringContaining('--paths can\'t be "/proxy"')])
    const misspelt = runCli([], { env: { FLAGDOUBLE_PATHS: '/proxy=/api/frontnd' } })
    expect([await misspelt.done, misspelt.stderr()]).toEqual([
      2,
      expect.stringContaining('Did you mean "/api/frontend"?'),
    ])
  })

  it('--ui implies the profile unleash-8; with another profile the banner recommends it', async () => {
    const folder = scratchFolder()
    folder.put('index.html', '<!doctype html><title>The frontend</title>')
    const start = async (...args: string[]) => {
      const cli = runCli(['--port', '0', '--ui', folder.path, ...args])
      const answer = await fetch(`${await cli.url()}/api/admin/user`)
      const { path } = (await answer.json()) as { path?: string }
      return { banner: cli.stdout(), signInAt: path }
    }
    const usual = await start()
    expect(usual.signInAt).toBe('/auth/simple/login')
    expect(usual.banner).toContain('Sign in as admin')
    expect((await start('--base-path', '/deep')).signInAt).toBe('/deep/auth/simple/login')
    const documented = await start('--profile', 'documented')
    expect(documented.signInAt).toBeUndefined()
    expect(documented.banner).toContain('--profile unleash-8')
  })

  it('the banner has colours only on a terminal, and not with NO_COLOR', async () => {
    const sequence = '\u001b['
    const banner = async (isTTY: boolean, env: Record<string, string>) => {
      const cli = runCli(['--port', '0'], { isTTY, env })
      await cli.url()
      return cli.stdout()
    }
    expect(await banner(true, {})).toContain(sequence)
    expect(await banner(true, { NO_COLOR: '1' })).not.toContain(sequence)
    expect(await banner(false, {})).not.toContain(sequence)
  })

  it('each request is logged as one line on standard error, without control characters and secrets', async () => {
    const { at, stdout, stderr } = await startCli()
    await fetch(`${at}/api/admin/projects`, asAdmin)
    await fetch(`${at}/nowhere`, { headers: { 'x-mock-session': 'a' } })
    const session = encodeURIComponent('\u202enora\u001b[2J\n')
    await fetch(`${at}/nowhere`, { headers: { 'x-mock-session': session } })
    await vi.waitFor(() => expect(stderr().trimEnd().split('\n')).toHaveLength(3), { timeout: 10_000 })
    const [first, second, third] = stderr().split('\n')
    expect(first).toMatch(/^GET \/api\/admin\/projects 200 getProjects \d+ ms$/)
    expect(second).toMatch(/^GET \/nowhere 501 .* session a$/)
    expect(third).toMatch(/ session \\u202enora\\u001b\[2J\\u000a$/)
    expect(stderr()).not.toContain('mock-admin')
    expect(stdout().split('\n')).toHaveLength(2)
  })

  it('the log line of a rejected request names the error and its reason', async () => {
    const { at, stderr } = await startCli()
    const clone = (query: string, body: unknown) =>
      fetch(`${at}/api/admin/projects/default/features/legacy-export/clone${query}`, {
        method: 'POST',
        headers: { ...asAdmin.headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    await clone('', { name: '' })
    await clone('', { name: 'push-opt-in' })
    await clone('?scenario=empyt', { name: 'copy' })
    await vi.waitFor(() => expect(stderr().trimEnd().split('\n')).toHaveLength(3), { timeout: 10_000 })
    const lines = stderr().split('\n')
    expect(lines[0]).toMatch(/ 400 cloneFeature \(BadDataError: .*name.*\) \d+ ms$/)
    expect(lines[1]).toMatch(/ 409 cloneFeature \(NameExistsError: .*push-opt-in.*\) \d+ ms$/)
    expect(lines[2]).toMatch(/ 400 cloneFeature \(UNKNOWN_SCENARIO: There is no scenario "empyt".*\) \d+ ms/)
  })

  it.each([
    [[], '*:development.mock-client', 501],
    [['--profile', 'unleash-8'], '*:development.mock-client', 403],
    [['--profile', 'unleash-8'], '*:*.mock-admin', 200],
  ])(
    'the log line of a wrong SDK address names its route, because SDKs show no response: %j %s',
    async (argv, authorization, status) => {
      const { at, stderr } = await startCli(argv)
      await fetch(`${at}/client/features`, { headers: { authorization } })
      const line = new RegExp(
        `^GET /client/features ${status} .*The nearest modelled route is GET /api/client/features`,
      )
      await vi.waitFor(() => expect(stderr()).toMatch(line), { timeout: 10_000 })
    },
  )

  it('the log line of a missing API token names one', async () => {
    const { at, stderr } = await startCli()
    await fetch(`${at}/api/client/features`)
    const line = /^GET \/api\/client\/features 401 .*Authorization: \*:development\.mock-client/
    await vi.waitFor(() => expect(stderr()).toMatch(line), { timeout: 10_000 })
  })

  it('flagdouble --quiet prints nothing', async () => {
    const taken = await freePort()
    const cli = runCli(['--port', String(taken), '--quiet'])
    const answer = await vi.waitFor(() => fetch(`http://127.0.0.1:${taken}/health`), { timeout: 10_000 })
    expect(answer.status).toBe(200)
    cli.signal('SIGINT')
    expect(await cli.done).toBe(0)
    expect(cli.stdout() + cli.stderr()).toBe('')
  })

  it('flags are also read from the environment; a flag takes precedence over its variable', async () => {
    const env = { FLAGDOUBLE_SCENARIO: 'empty', FLAGDOUBLE_NOW: '2026-11-20T12:00:00Z', FLAGDOUBLE_ALLOW_HOST: 'a, b' }
    const { at } = await startCli(['--now', '2020-01-01T00:00:00Z'], { env })
    expect(await read(`${at}/__mock/scenario`)).toEqual({ names: ['empty'] })
    expect(await read(`${at}/__mock/clock`)).toEqual({ now: '2020-01-01T00:00:00.000Z', frozen: true })
  })

  it('--base-path moves every route below that path', async () => {
    const { at } = await startCli(['--base-path', '/flags/'])
    expect(new URL(at).pathname).toBe('/flags')
    expect((await fetch(`${at}/health`)).status).toBe(200)
    expect((await fetch(`${at}/__mock/health`)).status).toBe(200)
    expect((await fetch(new URL('/__mock/health', at))).status).toBe(501)
    const { tokens } = await read(`${at}/api/admin/invite-link/tokens`)
    expect(tokens[0].url).toMatch(`${at}/new-user?invite=`)
    expect((await fetch(at, { redirect: 'manual' })).headers.get('location')).toBe('/flags/__mock/')
  })

  it('the root path redirects a browser to the panel', async () => {
    const { at } = await startCli()
    const answer = await fetch(`${at}/`, { redirect: 'manual' })
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/__mock/'])
  })

  it.each([
    ['::1', '[::1]'],
    ['localhost', 'localhost'],
    ['0.0.0.0', '127.0.0.1'],
    ['::', '127.0.0.1'],
  ])('flagdouble start listens at --host %s', async (host, name) => {
    const { at } = await startCli(['--host', host])
    expect(new URL(at).hostname).toBe(name)
    expect((await fetch(`${at}/health`)).status).toBe(200)
  })

  it('--seed, --now, --latency, --profile and --journal-size take effect', async () => {
    const argv = ['--seed', '7', '--now', '2026-11-20T12:00:00Z', '--latency', '1-2', '--profile', 'documented']
    const create = async () => {
      const { at } = await startCli([...argv, '--journal-size', '1'])
      const body = JSON.stringify({ name: 'Invite', expiresAt: '2026-11-21T12:00:00Z' })
      const headers = { ...asAdmin.headers, 'content-type': 'application/json' }
      const made = await fetch(`${at}/api/admin/invite-link/tokens`, { method: 'POST', headers, body })
      await read(`${at}/api/admin/projects`)
      expect(await read(`${at}/__mock/requests`)).toHaveLength(1)
      return (await made.json()).secret
    }
    expect(await create()).toBe(await create())
  })

  it('a taken port is rejected with a hint', async () => {
    const { at } = await startCli()
    const second = runCli(['--port', new URL(at).port])
    expect(await second.done).toBe(2)
    expect(second.stderr()).toMatch(/^flagdouble: Port \d+ on 127\.0\.0\.1 is already in use\.\nhint: .*--port 0/)
  })
})

describe('--allow-host and --allow-origin', () => {
  it('--allow-host allows requests for its hosts', async () => {
    const { at } = await startCli(['--allow-host', 'flags.example', '--allow-host', 'other.example:8080'])
    expect(await statusFor(at, 'flags.example')).toBe(200)
    expect(await statusFor(at, 'flags.example:9999')).toBe(200)
    expect(await statusFor(at, 'other.example:8080')).toBe(200)
    expect(await statusFor(at, 'evil.example')).toBe(403)
  })

  it('--allow-origin lets pages of its origins control the mock', async () => {
    const { at } = await startCli(['--allow-origin', 'https://a.example', '--allow-origin', 'https://b.example'])
    const reset = (origin: string) => fetch(`${at}/__mock/reset`, { method: 'POST', headers: { origin } })
    expect((await reset('https://b.example')).status).toBe(204)
    expect((await reset('https://c.example')).status).toBe(403)
  })
})

describe('--fixtures and --scenarios', () => {
  const scenario = { name: 'mine', title: 'Mine', promise: 'It has mine-1.', extends: 'default' }

  it('--fixtures adds state and --scenarios adds scenarios', async () => {
    const folder = scratchFolder()
    const first = folder.put('first.json', { features: [{ name: 'from-file', description: 'first' }] })
    const second = folder.put('second.json', { features: [{ name: 'from-file', description: 'second' }] })
    const own = scratchFolder()
    own.put('mine.json', { ...scenario, seed: { features: [{ name: 'mine-1' }] } })
    own.put('notes.txt', 'not a scenario')
    const { at } = await startCli(['-f', first, '-f', second, '--scenarios', own.path, '--scenario', 'mine'])
    const { description } = await read(`${at}/api/admin/projects/default/features/from-file`)
    expect(description).toBe('second')
    expect((await fetch(`${at}/api/admin/projects/default/features/mine-1`, asAdmin)).status).toBe(200)
  })

  it('--watch starts over when a file changes, and keeps the old state when a file breaks', async () => {
    const folder = scratchFolder()
    const file = folder.put('mine.json', { features: [{ name: 'one' }] })
    const own = scratchFolder()
    own.put('mine.json', scenario)
    const { at, stderr } = await startCli(['-f', file, '--scenarios', own.path, '--watch', '--scenario', 'mine'])
    const names = async () => (await read(`${at}/__mock/state`)).features.map(({ name }: { name: string }) => name)
    expect(await names()).toContain('one')

    folder.put('mine.json', { features: [{ name: 'two' }] })
    await vi.waitFor(async () => expect(await names()).toContain('two'), { timeout: 10_000 })
    expect(await names()).not.toContain('one')

    folder.put('mine.json', '{')
    await vi.waitFor(() => expect(stderr()).toMatch(/mine\.json: is not well-formed JSON.*\nhint: .*\n.*stay in use/), {
      timeout: 10_000,
    })
    expect(await names()).toContain('two')

    folder.put('mine.json', {})
    own.put('mine.json', { ...scenario, seed: { features: [{ name: 'three' }] } })
    await vi.waitFor(async () => expect(await names()).toContain('three'), { timeout: 10_000 })
    expect(await names()).not.toContain('two')
    expect(await read(`${at}/__mock/scenario`)).toEqual({ names: ['mine'] })
  })
})

describe('--watch', () => {
  it('--watch notices a deleted folder that comes back', async () => {
    const above = scratchFolder()
    const folder = join(above.path, 'scenarios')
    const put = (feature: string) => {
      mkdirSync(folder)
      const content = {
        name: 'mine',
        title: 'Mine',
        promise: 'It has one flag.',
        seed: { features: [{ name: feature }] },
      }
      above.put('scenarios/mine.json', content)
    }
    put('one')
    const { at, stderr } = await startCli(['--scenarios', folder, '--watch', '--scenario', 'mine'])
    expect(await featuresAt(at)).toContain('one')
    rmSync(folder, { recursive: true })
    await vi.waitFor(() => expect(stderr()).toContain('there is no such folder'), { timeout: 10_000 })
    put('two')
    await vi.waitFor(async () => expect(await featuresAt(at)).toContain('two'), { timeout: 10_000 })
    above.put('scenarios/mine.json', { name: 'mine', title: 'Mine', promise: 'It has none.' })
    await vi.waitFor(async () => expect(await featuresAt(at)).not.toContain('two'), { timeout: 10_000 })
  })

  it.skipIf(process.platform === 'win32')('--watch notices edits behind a linked file', async () => {
    const folder = scratchFolder()
    const elsewhere = scratchFolder()
    symlinkSync(elsewhere.put('real.json', { features: [{ name: 'one' }] }), join(folder.path, 'link.json'))
    const { at } = await startCli(['-f', join(folder.path, 'link.json'), '--watch'])
    expect(await featuresAt(at)).toContain('one')
    elsewhere.put('real.json', { features: [{ name: 'two' }] })
    await vi.waitFor(async () => expect(await featuresAt(at)).toContain('two'), { timeout: 10_000 })
    // Like most editors.
    renameSync(elsewhere.put('new.json', { features: [{ name: 'three' }] }), join(elsewhere.path, 'real.json'))
    await vi.waitFor(async () => expect(await featuresAt(at)).toContain('three'), { timeout: 10_000 })
  })
})

async function featuresAt(at: string): Promise<string[]> {
  const { features } = await read(`${at}/__mock/state`)
  return features.map(({ name }: { name: string }) => name)
}

/** The status of the response to a request that names a host. */
function statusFor(at: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    get(`${at}/__mock/health`, { headers: { host } }, (answer) => {
      answer.resume()
      resolve(answer.statusCode)
    }).once('error', reject)
  })
}

/** A currently free port. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  onTestFinished(() => expect(server.listening).toBe(false))
  return port
}
