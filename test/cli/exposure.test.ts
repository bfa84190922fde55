import { expect, it, onTestFinished } from 'vitest'
import { startServer } from '../../src/entries/adapters/node.js'
import { runCli, startCli } from '../support/cli.js'

const evil = { origin: 'https://evil.example' }

it.each([['0.0.0.0'], ['::']])(
  '--host %s warns that other machines can reach the server, also with --json',
  async (host) => {
    const { stderr, stdout } = await startCli(['--host', host])
    expect(stderr()).toMatch(new RegExp(`^flagdouble: warning: with --host ${host} other machines can reach`))
    expect(stdout().trimEnd().split('\n')).toHaveLength(1)
  },
)

it('the warning is printed even with --quiet, and when the environment names the host', async () => {
  const port = await freePort()
  const cli = runCli(['--port', String(port), '--quiet'], { env: { FLAGDOUBLE_HOST: '0.0.0.0' } })
  await expect.poll(() => cli.stderr(), { timeout: 10_000 }).toContain('other machines can reach this server')
  expect(cli.stdout()).toBe('')
})

it.each(['127.0.0.1', '127.0.0.2', 'localhost', '::1'])('--host %s prints no warning', async (host) => {
  const { stderr } = await startCli(['--host', host])
  expect(stderr()).toBe('')
})

it.each([
  ['the flag', ['--no-cors'], {}],
  ['the environment', [], { FLAGDOUBLE_NO_CORS: 'true' }],
])('--no-cors keeps foreign pages from the API: by %s', async (_, argv, env) => {
  const { at } = await startCli(argv, { env })
  const { headers } = await fetch(`${at}/health`, { headers: evil })
  expect(headers.get('access-control-allow-origin')).toBeNull()
})

it.each([
  ['nothing', [], {}],
  ['FLAGDOUBLE_NO_CORS=false', [], { FLAGDOUBLE_NO_CORS: 'false' }],
])('without --no-cors, foreign pages use the API via CORS: with %s', async (_, argv, env) => {
  const { at } = await startCli(argv, { env })
  const { headers } = await fetch(`${at}/health`, { headers: evil })
  expect(headers.get('access-control-allow-origin')).toBe(evil.origin)
})

async function freePort(): Promise<number> {
  const server = await startServer({}, { port: 0 })
  await server.close(0)
  onTestFinished(() => server.close(0))
  return server.port
}
