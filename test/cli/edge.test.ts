import { describe, expect, it } from 'vitest'
import { runCli, scratchFolder, startCli } from '../support/cli.js'

const bootstrap = {
  version: 2,
  features: [
    { name: 'new-checkout', project: 'shop', enabled: true, strategies: [{ name: 'default' }] },
    { name: 'old-search', project: 'default', enabled: false, strategies: [{ name: 'default' }] },
  ],
  query: { environment: 'staging' },
}

const short = { 'new-checkout': { enabled: true, variant: 'blue' }, 'old-search': { enabled: false } }

async function startAsEdge(content: unknown, env: Record<string, string>) {
  const file = scratchFolder().put('features.json', content)
  const { at } = await startCli([], { env: { BOOTSTRAP_FILE: file, ...env } })
  return async (path: string, authorization: string) => {
    const response = await fetch(at + path, { headers: { authorization } })
    return { status: response.status, body: await response.json() }
  }
}

const flagsOf = ({ features }: { features: { name: string; enabled: boolean }[] }) =>
  Object.fromEntries(features.map(({ name, enabled }) => [name, enabled]))

describe("a server that is set up by the variables of Edge's offline mode", () => {
  it('serves the same flags in each environment that a token names, and each token its projects', async () => {
    const ask = await startAsEdge(bootstrap, {
      CLIENT_TOKENS: '*:development.a, *:ci.b,default:production.c, elsewhere:development.d',
      FRONTEND_TOKENS: '*:ci.e',
    })
    const all = { 'new-checkout': true, 'old-search': false }
    expect(flagsOf((await ask('/api/client/features', '*:development.a')).body)).toEqual(all)
    expect(flagsOf((await ask('/api/client/features', '*:ci.b')).body)).toEqual(all)
    expect(flagsOf((await ask('/api/client/features', 'default:production.c')).body)).toEqual({ 'old-search': false })
    expect(flagsOf((await ask('/api/client/features', 'elsewhere:development.d')).body)).toEqual({})
    expect((await ask('/api/frontend', '*:ci.e')).body.toggles).toMatchObject([{ name: 'new-checkout' }])
    expect((await ask('/api/frontend', '*:ci.b')).status).toBe(403)
    expect((await ask('/api/client/features', '*:development.z')).status).toBe(401)
  })

  it('reads the short form of the file, and tokens of any form', async () => {
    const ask = await startAsEdge(short, { TOKENS: 'secret-123', FRONTEND_TOKENS: 'for-browsers' })
    expect(flagsOf((await ask('/api/client/features', 'secret-123')).body)).toEqual({
      'new-checkout': true,
      'old-search': false,
    })
    expect((await ask('/api/frontend', 'for-browsers')).body.toggles).toMatchObject([
      { name: 'new-checkout', enabled: true, variant: { name: 'blue', enabled: true } },
    ])
  })

  it('accepts a file without flags', async () => {
    const ask = await startAsEdge({ version: 1, features: [] }, { CLIENT_TOKENS: '*:ci.a' })
    expect((await ask('/api/client/features', '*:ci.a')).body.features).toEqual([])
  })

  it("listens at Edge's port, unless PORT is set", async () => {
    const file = scratchFolder().put('features.json', short)
    const env = { BOOTSTRAP_FILE: file, CLIENT_TOKENS: 'a' }
    const health = runCli(['health', '--host', 'host.invalid'], { env })
    expect(await health.done).toBe(1)
    expect(health.stderr()).toContain('http://host.invalid:3063/')
    const other = runCli(['--json'], { env: { ...env, PORT: '0' } })
    expect(new URL(await other.url()).port).not.toBe('3063')
  })
})

it('without BOOTSTRAP_FILE, variables such as TOKENS have no effect', async () => {
  const { at, stdout } = await startCli([], { env: { TOKENS: 'a', CLIENT_TOKENS: 'b', FRONTEND_TOKENS: 'c' } })
  expect(JSON.parse(stdout())).toMatchObject({ scenario: 'default' })
  expect((await fetch(`${at}/api/client/features`, { headers: { authorization: 'b' } })).status).toBe(401)
})

it.each([
  ['no token', short, {}, 'BOOTSTRAP_FILE needs API tokens.\nhint: Set CLIENT_TOKENS or FRONTEND_TOKENS'],
  ['an export', { features: [], featureStrategies: [] }, { TOKENS: 'a' }, 'it is not a bootstrap file of Edge.'],
  [
    'a fault',
    { ...bootstrap, features: [{ name: 1, enabled: true, strategies: [] }] },
    { TOKENS: 'a' },
    '$.features[0].name',
  ],
])('with %s, the start ends with exit code 2', async (_, content, env, problem) => {
  const file = scratchFolder().put('features.json', content)
  const cli = runCli([], { env: { BOOTSTRAP_FILE: file, ...env } })
  expect(await cli.done).toBe(2)
  expect(cli.stderr()).toContain(problem)
  expect(cli.stderr()).toContain('BOOTSTRAP_FILE')
})
