import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createMock } from '../../src/engine/mock/mock.js'
import { startServer } from '../../src/entries/adapters/node.js'
import type { PartialState } from '../../src/index.js'
import { runCli, scratchFolder, startCli } from '../support/cli.js'
import { inFront } from '../support/in-front.js'

/** The references of features, which must exist before an import, as in Unleash. */
const surroundings = {
  segments: [{ id: 31, name: 'insiders', constraints: [{ contextName: 'userId', operator: 'IN', values: ['1'] }] }],
  strategyTypes: [{ name: 'byWeekday' }],
} satisfies PartialState

const own = {
  ...surroundings,
  contextFields: [{ name: 'plan', stickiness: true, legalValues: [{ value: 'free' }] }],
  tagTypes: [{ name: 'team', color: '#00FF00' }],
  features: [
    { name: 'parent' },
    {
      name: 'child',
      type: 'experiment',
      description: 'A child',
      impressionData: true,
      dependencies: [{ feature: 'parent', enabled: false }],
      tags: [{ type: 'team', value: 'red' }],
      links: [{ url: 'https://example.com/home', title: 'Home' }],
      environments: [
        {
          name: 'development',
          enabled: true,
          strategies: [
            {
              name: 'flexibleRollout',
              title: 'Half',
              disabled: true,
              segments: [31],
              parameters: { rollout: '50', stickiness: 'plan', groupId: 'x' },
              constraints: [{ contextName: 'plan', operator: 'IN', values: ['free'] }],
              variants: [{ name: 'v', weight: 1000 }],
            },
            { name: 'byWeekday', parameters: { days: 'Mon' } },
          ],
          variants: [{ name: 'a', weight: 1000 }],
        },
        { name: 'production', enabled: true },
      ],
    },
    { name: 'elsewhere', project: 'mobile-app' },
    { name: 'archived-one', archived: true },
  ],
} satisfies PartialState

async function exported(argv: readonly string[]) {
  const cli = runCli(['export', ...argv])
  const code = await cli.done
  return { code, file: cli.stdout() === '' ? undefined : JSON.parse(cli.stdout()), stderr: cli.stderr() }
}

const names = (file: { features: { name: string }[] }) => file.features.map(({ name }) => name)

describe.each(['documented', 'unleash-8'] as const)('flagdouble export, imported in the profile %s', (profile) => {
  it('writes a file from which Unleash creates the same flags', async () => {
    const fixture = scratchFolder().put('own.json', own)
    const { code, file } = await exported(['--fixtures', fixture, '--project', 'default'])
    expect([code, names(file)]).toEqual([0, ['child', 'parent']])
    const target = createMock({ profile, scenario: 'empty', fixtures: surroundings })
    const response = await target.fetch(
      new Request('http://localhost/api/admin/features-batch/import', {
        method: 'POST',
        headers: { authorization: 'user:mock-admin', 'content-type': 'application/json' },
        body: JSON.stringify({ project: 'default', environment: 'development', data: file }),
      }),
    )
    expect([response.status, await response.text()]).toEqual([200, ''])
    const again = createMock({ scenario: 'empty', fixtures: own })
    const brief = (mock: typeof target) =>
      mock
        .state()
        .features.filter(({ archived, project }) => !archived && project === 'default')
        .map(({ name, type, description, impressionData, tags, dependencies, links, environments }) => ({
          ...{ name, type, description, impressionData, tags },
          dependencies: dependencies.map(({ feature, enabled }) => [feature, enabled ?? true]),
          links: links.map(({ url, title }) => [url, title]),
          environment: environments
            .filter((one) => one.name === 'development')
            .map((one) => ({ ...one, strategies: one.strategies.map(({ id: _, ...strategy }) => strategy) })),
        }))
        .sort((one, other) => one.name.localeCompare(other.name))
    expect(brief(target)).toEqual(brief(again))
    expect(target.state().contextFields).toContainEqual(expect.objectContaining({ name: 'plan', stickiness: true }))
  })
})

describe('flagdouble export', () => {
  it('writes a file that works as a fixture', async () => {
    const folder = scratchFolder()
    const fixture = folder.put('own.json', own)
    const out = `${folder.path}/export.json`
    const cli = runCli(['export', '--fixtures', fixture, '--out', out])
    expect([await cli.done, cli.stdout()]).toEqual([0, ''])
    const fixtures = JSON.parse(readFileSync(out, 'utf8'))
    expect(
      createMock({ scenario: 'empty', fixtures })
        .features.list()
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['child', 'elsewhere', 'parent'])
  })

  it('without a source writes the flags of the default scenario', async () => {
    expect(names((await exported([])).file)).toContain('checkout-redesign')
  })

  it('reads a running mock', async () => {
    await using server = await startServer(createMock({ fixtures: own }), { port: 0 })
    expect(names((await exported(['--url', server.url])).file)).toContain('child')
  })

  it('reads a state file while a mock is running with it', async () => {
    const state = `${scratchFolder().path}/flags.json`
    const cli = await startCli(['--state', state, '--state-sync'])
    const response = await fetch(`${cli.at}/__mock/state`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(own),
    })
    expect(response.status).toBe(200)
    const before = readFileSync(state, 'utf8')
    const { file, stderr } = await exported(['--state', state])
    expect([names(file), stderr]).toEqual([expect.arrayContaining(['child', 'checkout-redesign']), ''])
    expect(readFileSync(state, 'utf8')).toBe(before)
  })

  it.each([
    ['two sources', ['--state', 'x', '--url', 'http://127.0.0.1'], /reads exactly one source/],
    [
      'an unknown project',
      ['--project', 'defualt'],
      /There is no project "defualt" to export\.\nhint: Did you mean "default"\?/,
    ],
    ['an unknown environment', ['--environment', 'prod'], /There is no environment "prod" to export/],
    ['a state file that is not there', ['--state', '/nowhere.json'], /nowhere\.json: there is no such file/],
    ['a fixture that is broken', ['--fixtures', '/nowhere.json'], /nowhere\.json: there is no such file/],
    ['a fixture as a state file', ['--state', 'package.json'], /^flagdouble: package\.json: /],
  ])('ends with code 2 for %s', async (_, argv, message) => {
    const { code, file, stderr } = await exported(argv)
    expect([code, file]).toEqual([2, undefined])
    expect(stderr).toMatch(message)
  })
})

it("flagdouble export also takes the panel's address", async () => {
  const { at } = await startCli([])
  const { done, stdout } = runCli(['export', '--url', `${at}/__mock/`])
  expect([await done, JSON.parse(stdout())]).toEqual([0, expect.objectContaining({ features: expect.any(Array) })])
})

it('flagdouble export follows no redirect', async () => {
  const elsewhere = await inFront('', (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(createMock().state()))
    return true
  })
  const redirecting = await inFront('', (_, response) => {
    response.writeHead(302, { location: `${elsewhere.url}/__mock/state` }).end()
    return true
  })
  const { done, stderr } = runCli(['export', '--url', redirecting.url])
  expect([await done, stderr()]).toEqual([2, expect.stringContaining('/__mock/state: 302.')])
  expect(elsewhere.paths).toEqual([])
})
