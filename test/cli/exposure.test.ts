import { expect, it, onTestFinished } from 'vitest'
import { startServer } from '../../src/entries/adapters/node.js'
import { ADMIN } from '../support/adapters.js'
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

it('a page of another site uses the API only if --allow-origin names the site', async () => {
  const url = async (...argv: string[]) => `${(await startCli(argv)).at}/api/admin/projects`
  const headers = { ...evil, authorization: ADMIN }
  expect((await fetch(await url(), { headers })).status).toBe(403)
  expect((await fetch(await url('--allow-origin', evil.origin), { headers })).status).toBe(200)
})

async function freePort(): Promise<number> {
  const server = await startServer({}, { port: 0 })
  await server.close(0)
  onTestFinished(() => server.close(0))
  return server.port
}
