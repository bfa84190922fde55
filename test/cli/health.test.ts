import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { certificate } from '../support/certificate.js'
import { runCli, scratchFolder, startCli } from '../support/cli.js'

type Env = Record<string, string>

async function askHealth(argv: readonly string[], env: Env = {}) {
  const { done, stdout, stderr } = runCli(['health', ...argv], { env })
  return { code: await done, stdout: stdout(), stderr: stderr() }
}

const healthy = { code: 0, stdout: '', stderr: '' }

/** The flags for a certificate. */
function certificateFiles(): string[] {
  const { put } = scratchFolder()
  return ['--cert', put('cert.pem', certificate.cert), '--cert-key', put('key.pem', certificate.key)]
}

describe('flagdouble health', () => {
  it.each<[string, () => readonly string[], Env]>([
    ['nothing else', () => [], {}],
    ['a base path', () => ['--base-path', '/flags/'], {}],
    ['a base URL with a path', () => ['--base-url', 'https://example.com/flags'], {}],
    ['a base URL and a base path', () => ['--base-url', 'https://example.com/a', '--base-path', '/b'], {}],
    ['HTTPS', certificateFiles, {}],
    ['all networks', () => ['--host', '0.0.0.0', '--quiet'], {}],
    ['a scenario that breaks connections', () => ['--scenario', 'offline'], {}],
    ['FLAGDOUBLE_BASE_URL', () => [], { FLAGDOUBLE_BASE_URL: 'http://example.com/flags' }],
    ["the service's URL, whose path moves no route", () => [], { UNLEASH_URL: 'http://example.com/flags' }],
    ["the service's base path", () => [], { BASE_URI_PATH: 'flags/', AUTH_TYPE: 'none' }],
  ])('exits with 0 while a server with the same port and %s is running, and then with 1', async (_, given, env) => {
    const argv = given()
    const { at, signal, done } = await startCli(argv, { env })
    const ask = () => askHealth([...argv, '--port', new URL(at).port], env)
    expect(await ask()).toEqual(healthy)
    signal('SIGTERM')
    await done
    const { code, stderr } = await ask()
    expect(code).toBe(1)
    expect(stderr).toMatch(/^flagdouble: https?:\/\/127\.0\.0\.1:\d+\S*\/__mock\/health can't be reached: .*\nhint: /)
  })

  it.each(['HTTP_PORT', 'FLAGDOUBLE_PORT'])('reads the port from %s', async (name) => {
    const { at } = await startCli()
    expect(await askHealth([], { [name]: new URL(at).port })).toEqual(healthy)
  })

  it('exits with 1 if another server is listening', async () => {
    const other = createServer((_, response) => response.writeHead(404).end()).listen(0, '127.0.0.1')
    onTestFinished(() => void other.close())
    await new Promise((resolve) => other.once('listening', resolve))
    const { port } = other.address() as AddressInfo
    const { code, stderr } = await askHealth(['--port', String(port)])
    expect(code).toBe(1)
    expect(stderr).toMatch(/responds with 404\.\nhint: Another server/)
  })

  it('exits with 1 for a variable that prevents a start, and for port 0', async () => {
    expect(await askHealth([], { FLAGDOUBLE_PORT: 'x' })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('"x"'),
    })
    expect(await askHealth(['--port', '0'])).toMatchObject({ code: 1, stderr: expect.stringContaining('Port 0') })
  })
})
