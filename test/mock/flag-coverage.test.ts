import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import FlagCoverageReporter from '../../src/entries/adapters/vitest/reporter.js'
import { createMock, type FlagCoverage, type Mock } from '../../src/index.js'
import { ADMIN, CLIENT, FIXED, FRONTEND } from '../support/adapters.js'
import { runCli } from '../support/cli.js'

const fixtures = {
  features: [
    { name: 'banner', enabled: true },
    { name: 'legacy', enabled: false },
    { name: 'new-checkout', enabled: true },
    { name: 'old', archived: true },
  ],
}
const mockWith = () => createMock({ ...FIXED, fixtures })

async function send(mock: Pick<Mock, 'fetch'>, method: string, path: string, key: string, body?: unknown) {
  const response = await mock.fetch(
    new Request(`http://localhost${path}`, {
      method,
      headers: { authorization: key, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  )
  expect(response.status).toBe(path.startsWith('/api/client/metrics') ? 202 : 200)
}

const bucket = (toggles: object) => ({ start: '2026-11-20T11:00:00.000Z', stop: '2026-11-20T12:00:00.000Z', toggles })
const report = (mock: Pick<Mock, 'fetch'>, toggles: object) =>
  send(mock, 'POST', '/api/client/metrics', CLIENT, { appName: 'shop', instanceId: 'i', bucket: bucket(toggles) })
const of = (all: readonly FlagCoverage[], name: string) => all.find((flag) => flag.name === name)
const none = { on: 0, off: 0, variants: {} }

describe('flag coverage', () => {
  it('counts the responses to SDKs, with each form of request', async () => {
    const mock = mockWith()
    await send(mock, 'GET', '/api/client/features', CLIENT)
    await send(mock, 'GET', '/api/client/features', CLIENT)
    mock.disable('banner')
    await send(mock, 'GET', '/api/client/features', CLIENT)
    await send(mock, 'GET', '/api/client/features/banner', CLIENT)
    mock.setVariant('new-checkout', 'blue')
    await send(mock, 'GET', '/api/frontend?userId=1', FRONTEND)
    await send(mock, 'POST', '/api/frontend', FRONTEND, { context: { userId: '1' } })
    const all = mock.flagCoverage()
    expect(of(all, 'banner')).toEqual({
      ...{ name: 'banner', exists: true, isBuiltIn: false, asked: none },
      served: { on: 2, off: 4, variants: {} },
    })
    expect(of(all, 'new-checkout')?.served).toEqual({ on: 5, off: 0, variants: { blue: 2 } })
    expect(of(all, 'old')).toBeUndefined()
  })

  it('counts the evaluations that SDKs reported, also of names that do not exist', async () => {
    const mock = mockWith()
    await report(mock, { banner: { yes: 2, no: 1, variants: { blue: 2, disabled: 1 } }, baner: { yes: 0, no: 3 } })
    await report(mock, { old: { yes: 0, no: 1 } })
    await send(mock.session('other'), 'POST', '/api/frontend/client/metrics', FRONTEND, {
      appName: 'web',
      bucket: bucket({ 'new-checkout': { yes: 4, no: 0 } }),
    })
    await send(mock, 'POST', '/api/client/metrics/bulk', CLIENT, {
      applications: [],
      metrics: [
        { featureName: 'legacy', appName: 'edge', environment: 'development', yes: 0, no: 7 },
        { featureName: 'legacy', appName: 'edge', environment: 'production', yes: 5, no: 0 },
      ],
    })
    const all = mock.flagCoverage()
    expect(of(all, 'banner')?.asked).toEqual({ on: 2, off: 1, variants: { blue: 2 } })
    expect(of(all, 'baner')).toEqual({
      name: 'baner',
      exists: false,
      isBuiltIn: false,
      served: none,
      asked: { on: 0, off: 3, variants: {} },
    })
    expect(of(all, 'old')?.exists).toBe(false)
    expect(of(all, 'new-checkout')?.asked.on).toBe(4)
    expect(of(all, 'legacy')?.asked).toEqual({ on: 0, off: 7, variants: {} })
    const response = await mock.fetch(new Request('http://localhost/__mock/flag-coverage'))
    expect(await response.json()).toEqual(all)
  })

  it('survives a reset, and belongs to one mock', async () => {
    const mock = mockWith()
    await report(mock, { banner: { yes: 1, no: 0 } })
    mock.reset()
    expect(of(mock.flagCoverage(), 'banner')?.asked.on).toBe(1)
    expect(of(mockWith().flagCoverage(), 'banner')?.asked.on).toBe(0)
  })

  it('is not counted for requests that are no SDK', async () => {
    const mock = mockWith()
    await send(mock, 'GET', '/api/admin/projects/default/features', ADMIN)
    expect(of(mock.flagCoverage(), 'banner')?.served).toEqual(none)
  })
})

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'flagdouble-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** The lines that the reporter prints about the coverage of tests. */
async function printed(tests: readonly (FlagCoverage[] | undefined)[], options?: object): Promise<string[]> {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  try {
    const allTests = () => tests.map((flagCoverage) => ({ meta: () => ({ flagCoverage }) }))
    await new FlagCoverageReporter(options).onTestRunEnd([{ children: { allTests } }])
    return write.mock.calls.flatMap(([text]) => String(text).trim().split('\n'))
  } finally {
    write.mockRestore()
  }
}

describe('the reporter for Vitest', () => {
  const tests = async () => {
    const [one, two] = [mockWith(), mockWith()]
    await report(one, { banner: { yes: 1, no: 0 }, baner: { yes: 0, no: 3 }, 'new-checkout': { yes: 1, no: 0 } })
    await report(two, { banner: { yes: 0, no: 1 }, 'new-checkout': { yes: 1, no: 0 } })
    return [one.flagCoverage(), two.flagCoverage()]
  }

  it('names flags that are half tested, dead or mistyped, and leaves out built-in flags that no test touched', async () => {
    expect(await printed(await tests())).toEqual([
      'Flag coverage: 1 of 3 flags seen on and off (33 %)',
      '  legacy        never asked',
      '  new-checkout  only ON (2 tests)',
      "  baner         asked 3 times, doesn't exist (did you mean banner?)",
    ])
  })

  it('prints and writes nothing if no test used a mock', async () => {
    const outputFile = join(scratch(), 'flag-coverage.json')
    expect(await printed([undefined, undefined], { outputFile })).toEqual([])
    expect(existsSync(outputFile)).toBe(false)
  })

  it('says so if there are no flags to report on', async () => {
    const lines = await printed([createMock(FIXED).flagCoverage()])
    expect(lines).toEqual(['Flag coverage: The mock has no flags of yours, and no SDK asked for a flag.'])
  })

  it('a flag of a fixture is your own, even if a built-in flag has the same name', async () => {
    const mock = createMock({ ...FIXED, fixtures: { features: [{ name: 'legacy-export', enabled: true }] } })
    await report(mock, { baner: { yes: 0, no: 1 } })
    const lines = await printed([mock.flagCoverage()])
    expect(lines).toEqual([
      'Flag coverage: 0 of 1 flag seen on and off (0 %)',
      '  legacy-export  never asked',
      "  baner          asked 1 time, doesn't exist",
    ])
  })

  it('writes the counts, and compares the tests with production', async () => {
    const folder = scratch()
    const [outputFile, against] = [join(folder, 'flag-coverage.json'), join(folder, 'flags.json')]
    writeFileSync(
      against,
      JSON.stringify({
        features: [
          { name: 'new-checkout', enabled: false },
          { name: 'banner', enabled: true },
        ],
      }),
    )
    const lines = await printed(await tests(), { outputFile, against })
    expect(lines.at(-1)).toBe('  1 flag is off in production; your tests only saw it on: new-checkout')
    expect(JSON.parse(readFileSync(outputFile, 'utf8'))).toContainEqual(
      expect.objectContaining({ name: 'new-checkout', mocks: { served: 0, asked: 2 } }),
    )
  })

  it('without reports of SDKs, it tells the states in responses, and says so', async () => {
    const mock = mockWith()
    await send(mock, 'GET', '/api/client/features', CLIENT)
    const lines = await printed([mock.flagCoverage()])
    expect(lines.slice(1, 4)).toEqual([
      '  banner        only ON (1 test)',
      '  legacy        only OFF (1 test)',
      '  new-checkout  only ON (1 test)',
    ])
    expect(lines.at(-1)).toContain('Set a short metricsInterval')
  })
})

describe('flagdouble exec', () => {
  const script = `
    const url = process.env.FLAGDOUBLE_URL
    const headers = { authorization: '${CLIENT}', 'content-type': 'application/json' }
    const body = JSON.stringify({ appName: 'a', instanceId: 'i', bucket: ${JSON.stringify(
      bucket({ banner: { yes: 1, no: 0 }, baner: { yes: 0, no: 1 } }),
    )} })
    await fetch(url + '/api/client/metrics', { method: 'POST', headers, body })`

  it.each([
    [['--flag-coverage'], 0],
    [['--min-flag-coverage', '80'], 1],
    [['--min-flag-coverage', '0'], 0],
  ])('prints the flag coverage at the end, and fails below the minimum: %s', async (flags, code) => {
    const file = join(scratch(), 'flags.json')
    writeFileSync(file, JSON.stringify({ features: [{ name: 'banner', enabled: true }] }))
    const command = ['exec', '-f', file, ...flags, '--', process.execPath, '--input-type=module', '-e', script]
    const { done, stdout, stderr } = runCli(command)
    expect([await done, stderr()]).toEqual([code, expect.any(String)])
    expect(stdout()).toContain('Flag coverage: 0 of 1 flag seen on and off (0 %)\n  banner  only ON\n')
    expect(stdout()).toContain("  baner   asked 1 time, doesn't exist (did you mean banner?)")
    expect(stderr().includes('below --min-flag-coverage 80')).toBe(code === 1)
  })

  it('rejects an invalid percentage', async () => {
    const { done, stderr } = runCli(['exec', '--min-flag-coverage', '180', '--', 'true'])
    expect([await done, stderr()]).toEqual([2, expect.stringContaining('--min-flag-coverage must be a percentage')])
  })
})
