import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { COVERAGE_WANTED, wordsOf } from '../../src/engine/mock/flag-report.js'
import { mockListeners } from '../../src/engine/mock/mock.js'
import { CORE } from '../../src/engine/mock/session.js'
import {
  type CoverageReport,
  CoverageSum,
  MISSING_KEPT,
  ofOneTest,
  VARIANTS_KEPT,
} from '../../src/engine/sessions/flag-coverage.js'
import { followTests } from '../../src/entries/adapters/jest/follow-tests.js'
import JestReporter from '../../src/entries/adapters/jest/reporter.js'
import PlaywrightReporter from '../../src/entries/adapters/playwright/reporter.js'
import { COVERAGE_FOLDER } from '../../src/entries/adapters/runners/coverage.js'
import FlagCoverageReporter from '../../src/entries/adapters/vitest/reporter.js'
import { createMock, type FlagCoverage, type Mock } from '../../src/index.js'
import { ADMIN, CLIENT, FIXED, FRONTEND } from '../support/adapters.js'
import { runCli } from '../support/cli.js'
import { root } from '../support/markdown.js'

// A reporter sets these for its process, which later test files share.
beforeEach(() => {
  for (const name of [COVERAGE_WANTED, COVERAGE_FOLDER]) vi.stubEnv(name, undefined)
})
afterEach(() => void vi.unstubAllEnvs())

const fixtures = {
  features: [
    { name: 'banner', enabled: true },
    { name: 'legacy', enabled: false },
    { name: 'new-checkout', enabled: true },
    { name: 'old', archived: true },
  ],
}
const mockWith = () => createMock({ ...FIXED, fixtures })

async function send(
  mock: Pick<Mock, 'fetch'>,
  method: string,
  path: string,
  key: string,
  body?: unknown,
  headers?: Record<string, string>,
) {
  const response = await mock.fetch(
    new Request(`http://localhost${path}`, {
      method,
      headers: { authorization: key, 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  )
  expect(response.status).toBe(path.startsWith('/api/client/metrics') ? 202 : 200)
}

const bucket = (toggles: object) => ({ start: '2026-11-20T11:00:00.000Z', stop: '2026-11-20T12:00:00.000Z', toggles })
const report = (mock: Pick<Mock, 'fetch'>, toggles: object, sdk = 'i') =>
  send(
    mock,
    'POST',
    '/api/client/metrics',
    CLIENT,
    { appName: 'shop', instanceId: 'i', bucket: bucket(toggles) },
    idOf(sdk),
  )
const reportPage = (mock: Pick<Mock, 'fetch'>, toggles: object, sdk = 'p') =>
  send(mock, 'POST', '/api/frontend/client/metrics', FRONTEND, { appName: 'web', bucket: bucket(toggles) }, idOf(sdk))
const fetchList = (mock: Pick<Mock, 'fetch'>, sdk = 'i') =>
  send(mock, 'GET', '/api/client/features', CLIENT, undefined, idOf(sdk))
const fetchPage = (mock: Pick<Mock, 'fetch'>, context = '', sdk = 'p') =>
  send(mock, 'GET', `/api/frontend?${context}`, FRONTEND, undefined, idOf(sdk))
const idOf = (sdk: string) => ({ 'unleash-connection-id': sdk })
const of = (all: readonly FlagCoverage[], name: string) => all.find((flag) => flag.name === name)
const none = { on: 0, off: 0, variants: {} }
/** The coverage of a test that used the mock. */
const covered = (mock: Mock) => ofOneTest(mock[CORE].coverage.report(mock[CORE].sessions.unnamed.world()))
/** The lines about the tests that used the mocks, without the spaces that align them. */
function lines(mocks: readonly Mock[], production?: Mock): string[] {
  const sum = new CoverageSum()
  for (const mock of mocks) sum.add(covered(mock))
  const tables = production?.[CORE].sessions.unnamed.world().data.tables
  return wordsOf(sum.report(), tables).lines.map((line) => line.trim().replaceAll(/ {2,}/g, '  '))
}

describe('flag coverage', () => {
  it('counts the responses to SDKs, with each form of request', async () => {
    const mock = mockWith()
    await fetchList(mock)
    await fetchList(mock)
    mock.disable('banner')
    await fetchList(mock)
    await send(mock, 'GET', '/api/client/features/banner', CLIENT)
    mock.setVariant('new-checkout', 'blue')
    await fetchPage(mock, 'userId=1')
    await send(mock, 'POST', '/api/frontend', FRONTEND, { context: { userId: '1' } })
    const all = mock.flagCoverage()
    expect(of(all, 'banner')).toMatchObject({ exists: true, isBuiltIn: false, isFromTest: false, asked: none })
    expect(of(all, 'banner')?.served).toEqual({ on: 2, off: 4, variants: {} })
    expect(of(all, 'new-checkout')?.served).toEqual({ on: 5, off: 0, variants: { blue: 2 } })
    expect(of(all, 'old')).toBeUndefined()
  })

  it('counts the evaluations that SDKs reported, also of names that do not exist', async () => {
    const mock = mockWith()
    await report(mock, { banner: { yes: 2, no: 1, variants: { blue: 2, disabled: 1 } }, baner: { yes: 0, no: 3 } })
    await report(mock, { old: { yes: 0, no: 1 } })
    await reportPage(mock.session('other'), { 'new-checkout': { yes: 4, no: 0 } })
    await send(mock, 'POST', '/api/client/metrics/bulk', CLIENT, {
      applications: [],
      metrics: [
        { featureName: 'legacy', appName: 'edge', environment: 'development', yes: 0, no: 7 },
        { featureName: 'legacy', appName: 'edge', environment: 'production', yes: 5, no: 0 },
      ],
    })
    const all = mock.flagCoverage()
    expect(of(all, 'banner')?.asked).toEqual({ on: 2, off: 1, variants: { blue: 2 } })
    expect(of(all, 'baner')).toMatchObject({ exists: false, served: none, asked: { on: 0, off: 3, variants: {} } })
    expect(of(all, 'old')?.exists).toBe(false)
    expect(of(all, 'new-checkout')?.asked.on).toBe(4)
    expect(of(all, 'legacy')?.asked).toEqual({ on: 0, off: 7, variants: {} })
    const response = await mock.fetch(new Request('http://localhost/__mock/flag-coverage'))
    expect(await response.json()).toEqual(all)
  })

  it('counts any name of a variant', async () => {
    const mock = mockWith()
    const variants = Object.fromEntries(['constructor', 'toString', 'hasOwnProperty'].map((name) => [name, 3]))
    for (let i = 0; i < 2; i += 1) await report(mock, { banner: { yes: 9, no: 0, variants } })
    const counts = Object.entries(of(mock.flagCoverage(), 'banner')?.asked.variants ?? {})
    expect(counts).toEqual(
      expect.arrayContaining([
        ['constructor', 6],
        ['toString', 6],
      ]),
    )
  })

  it('keeps at most 1,000 names that do not exist and 100 variants of a flag, and counts the others', async () => {
    const mock = mockWith()
    const named = (prefix: string, value: unknown) =>
      Object.fromEntries(Array.from({ length: 700 }, (_, i) => [`${prefix}-${i}`, value]))
    for (const prefix of ['a', 'b']) await report(mock, named(prefix, { yes: 0, no: 2 }))
    await report(mock, { banner: { yes: 1, no: 0, variants: named('v', 1) } })
    await fetchList(mock)
    const { flags, otherNames } = covered(mock)
    expect([flags.filter(({ exists }) => !exists).length, otherNames]).toEqual([MISSING_KEPT, 800])
    const asked = of(flags, 'banner')?.asked
    expect([Object.keys(asked?.variants ?? {}).length, asked?.otherVariants]).toEqual([VARIANTS_KEPT, 600])
    expect(of(flags, 'legacy')?.served.off).toBe(1)
    expect(lines([mock]).at(-1)).toBe("Names that don't exist were asked for 800 more times.")
  })

  it('keeps the coverage after a reset, but a reset begins another test', async () => {
    const mock = mockWith()
    await fetchList(mock)
    await report(mock, { banner: { yes: 1, no: 0 }, baner: { yes: 0, no: 1 } })
    const situation = async () => (await mock.fetch('/__mock/scenario')).json()
    expect(await situation()).toMatchObject({
      notices: ['The app asked for baner, which doesn\'t exist. Did you mean "banner"?'],
    })
    mock.reset()
    expect(await situation()).not.toHaveProperty('problems')
    await fetchList(mock, 'other')
    expect(mock[CORE].coverage.report(mock[CORE].sessions.unnamed.world()).tests).toEqual({ all: 2, known: 1 })
    expect(of(mock.flagCoverage(), 'banner')).toMatchObject({ asked: { on: 1 }, unknown: 1 })
    expect(of(mockWith().flagCoverage(), 'banner')?.asked.on).toBe(0)
  })

  it('adds up more sessions than it keeps apart', async () => {
    const mock = mockWith()
    for (let i = 0; i < 60; i += 1) await reportPage(mock.session(`test-${i}`), { banner: { yes: 1, no: 0 } })
    expect(of(mock.flagCoverage(), 'banner')?.asked.on).toBe(60)
  })

  it('is not counted for requests that are no SDK', async () => {
    const mock = mockWith()
    await send(mock, 'GET', '/api/admin/projects/default/features', ADMIN)
    expect(of(mock.flagCoverage(), 'banner')?.served).toEqual(none)
  })

  it('tells a listener about the new names of a report together', async () => {
    const mock = mockWith()
    const told: string[] = []
    mock[CORE].onMissingFlag((sentence) => told.push(sentence))
    await report(mock, { baner: { yes: 0, no: 1 }, banner: { yes: 1, no: 0 } })
    await report(mock, { baner: { yes: 0, no: 1 }, x: { yes: 0, no: 1 }, y: { yes: 0, no: 1 } })
    expect(told).toEqual([
      'The app asked for baner, which doesn\'t exist. Did you mean "banner"?',
      "The app asked for flags that don't exist: x, y.",
    ])
  })
})

describe('the report on flag coverage', () => {
  it('is sure only of the tests whose SDKs sent a report', async () => {
    const [one, two, three] = [mockWith(), mockWith(), mockWith()]
    await fetchPage(one)
    await reportPage(one, { banner: { yes: 1, no: 0 } })
    await fetchPage(two)
    await fetchList(three)
    expect(lines([one, two, three])).toEqual([
      'Flag coverage: 0 of 3 flags seen on and off (0 %)',
      'Evidence: 1 of 3 tests; the SDKs of the other 2 reported nothing',
      expect.stringContaining('observeFlags'),
      'banner  only ON (1 test), unknown (2 tests)',
      'legacy  unknown (2 tests)',
      'new-checkout  unknown (2 tests)',
    ])
    expect(lines([one])).toEqual([
      'Flag coverage: 0 of 3 flags seen on and off (0 %)',
      'Evidence: 1 of 1 test',
      'banner  only ON (1 test)',
      'legacy  never asked',
      'new-checkout  never asked',
    ])
  })

  it('is unsure if one of several SDKs of a test told nothing', async () => {
    const mock = mockWith()
    for (const sdk of ['a', 'b']) await fetchPage(mock, '', sdk)
    await reportPage(mock, { banner: { yes: 1, no: 0 } }, 'a')
    expect(lines([mock]).slice(1, 2)).toEqual(["Evidence: 0 of 1 test; the other one's SDK reported nothing"])
    expect(lines([mock])).toContain('legacy  unknown (1 test)')
  })

  it('counts no state of a frontend that the mock never served: it asks before the flags have come', async () => {
    const mock = mockWith()
    await fetchPage(mock)
    await reportPage(mock, { banner: { yes: 4, no: 1 }, 'new-checkout': { yes: 0, no: 1 } })
    expect(of(mock.flagCoverage(), 'banner')).toMatchObject({ asked: { on: 4, off: 1 }, seen: { on: 4, off: 0 } })
    expect(lines([mock])).toContain('banner  only ON (1 test)')
    expect(lines([mock])).toContain('new-checkout  asked only before the SDK got flags')
    mock.disable('banner')
    await fetchPage(mock)
    expect(lines([mock]).join()).not.toContain('banner')
  })

  it('says so if no SDK got flags', () => {
    expect(lines([mockWith()])).toEqual([
      'Flag coverage: No SDK got flags from the mock, so nothing is known about your 3 flags.',
    ])
  })

  it('lists the most harmful findings first, and counts only the flags of fixtures', async () => {
    const variants = ['blue', 'green'].map((name) => ({ name, weight: 500 }))
    const constraints = [{ contextName: 'userId', operator: 'IN' as const, values: ['1'] }]
    const strategies = [{ name: 'default', constraints }]
    const features = [
      ...['dead', 'half', 'whole'].map((name) => ({ name, enabled: true })),
      { name: 'button', environments: [{ name: 'development', enabled: true, variants }] },
      { name: 'for-users', environments: [{ name: 'development', enabled: true, strategies }] },
      { name: 'outdated', enabled: true, stale: true },
    ]
    const mock = createMock({ ...FIXED, fixtures: { features } })
    mock.enable('promo-baner', 'own')
    await fetchPage(mock)
    mock.disable('whole', 'button')
    await fetchPage(mock)
    const both = { yes: 1, no: 1 }
    await reportPage(mock, {
      ...{
        whole: both,
        own: both,
        half: { yes: 1, no: 0 },
        outdated: { yes: 1, no: 0 },
        'for-users': { yes: 0, no: 1 },
      },
      ...{ hlaf: { yes: 0, no: 1 }, zzz: { yes: 0, no: 1 } },
    })
    await report(mock, { button: { ...both, variants: { blue: 1 } } })
    expect(lines([mock])).toEqual([
      'Flag coverage: 2 of 6 flags seen on and off (33 %)',
      'Evidence: 1 of 1 test',
      "hlaf  doesn't exist (did you mean half?)",
      "zzz  doesn't exist",
      'for-users  only OFF (1 test), asked only without userId (a strategy needs it)',
      'half  only ON (1 test)',
      'outdated  only ON (1 test), stale',
      'own  only ON (1 test), made by a test',
      'button  variants never seen: green',
      'dead  never asked',
      'promo-baner  made by a test (mock.enable), never asked',
    ])
    await fetchPage(mock, 'userId=1')
    expect(lines([mock]).join()).not.toContain('userId')
  })

  it('compares the tests with production', async () => {
    const features = ['off-there', 'on-there', 'same', 'button'].map((name) => ({ name, enabled: name !== 'on-there' }))
    const mock = createMock({ ...FIXED, fixtures: { features } })
    const blue = [{ name: 'blue', weight: 1000 }]
    const production = createMock({
      ...FIXED,
      fixtures: {
        features: [
          { name: 'off-there', enabled: false },
          { name: 'on-there', enabled: true },
          { name: 'same', enabled: true },
          { name: 'button', environments: [{ name: 'production', enabled: true, variants: blue }] },
          { name: 'only-there', enabled: true },
        ],
      },
    })
    await fetchPage(mock)
    const [on, off] = [
      { yes: 1, no: 0 },
      { yes: 0, no: 1 },
    ]
    await reportPage(mock, { 'off-there': on, 'on-there': off, same: on, button: on, 'only-there': off })
    expect(lines([mock], production).slice(2)).toEqual([
      'only-there  is in production, but not in your fixtures',
      'button  only ON (1 test), variants of production never seen: blue',
      'off-there  only ON (1 test), but off in production',
      'on-there  only OFF (1 test), but on for everyone in production',
      'same  only ON (1 test)',
    ])
  })

  it('is the same if the tests of a run list each flag once', async () => {
    const features = [...fixtures.features, { name: 'outdated', enabled: true, stale: true }]
    const mocks: Mock[] = []
    for (const toggles of [{ banner: { yes: 1, no: 0 } }, { banner: { yes: 0, no: 1 } }, undefined, {}]) {
      const mock = createMock({ ...FIXED, fixtures: { features } })
      mock.enable('made')
      await fetchList(mock)
      if (toggles !== undefined) await report(mock, toggles)
      mocks.push(mock)
    }
    // Here, a fixture has it.
    mocks.push(createMock({ ...FIXED, fixtures: { features: [{ name: 'made' }] } }))
    const listed = new Set<string>()
    const reports = mocks.map((mock) => mock[CORE].coverage.report(mock[CORE].sessions.unnamed.world(), listed))
    const sumOf = (all: readonly CoverageReport[]) => {
      const sum = new CoverageSum()
      for (const one of all) sum.add(ofOneTest(one))
      return wordsOf(sum.report()).lines
    }
    const whole = mocks.map((mock) => mock[CORE].coverage.report(mock[CORE].sessions.unnamed.world()))
    expect(sumOf(reports)).toEqual(sumOf(whole))
    expect(reports[1]?.flags.flatMap(({ name, isBuiltIn }) => (isBuiltIn ? [] : name))).toEqual([
      'banner',
      'made',
      'outdated',
    ])
  })

  it('suggests a name for each of the first names that do not exist, within 50,000 comparisons', async () => {
    const features = Array.from({ length: 100 }, (_, i) => ({ name: `feature-${i + 100}`, enabled: true }))
    const mock = createMock({ ...FIXED, scenario: 'empty', fixtures: { features } })
    const names = Array.from({ length: 600 }, (_, i) => `feture-${i + 100}`)
    await report(mock, Object.fromEntries(names.map((name) => [name, { yes: 0, no: 1 }])))
    const missing = lines([mock]).filter((line) => line.includes("doesn't exist"))
    expect(missing.map((line) => line.includes('did you mean'))).toEqual(names.map((_, i) => i < 500))
  })

  it('shows names without control characters', async () => {
    const mock = mockWith()
    await report(mock, { '\u001b[2Jx': { yes: 0, no: 1 } })
    expect(lines([mock])).toContain("\\u001b[2Jx  doesn't exist")
  })
})

function scratch(): string {
  const folder = mkdtempSync(join(tmpdir(), 'flagdouble-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** The lines that the reporter prints about the coverage of tests. */
async function printed(tests: readonly (CoverageReport | undefined)[], options?: object): Promise<string[]> {
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
    return [covered(one), covered(two)]
  }

  it('adds up the tests', async () => {
    expect(await printed(await tests())).toEqual([
      'Flag coverage: 1 of 3 flags seen on and off (33 %)',
      '  Evidence: 2 of 2 tests',
      "  baner         doesn't exist (did you mean banner?)",
      '  new-checkout  only ON (2 tests)',
      '  legacy        never asked',
    ])
  })

  it('prints the report that the page on flags shows', async () => {
    const page = readFileSync(join(root, 'docs/test-with-flags.md'), 'utf8')
    const [shown = ''] = page.match(/^ {4}Flag coverage:.*\n(?: {4}.*\n)+/m) ?? []
    const features = ['banner', 'new-checkout', 'legacy-export'].map((name) => ({ name, enabled: true }))
    const reports: CoverageReport[] = []
    for (let i = 0; i < 35; i += 1) {
      const mock = createMock({ ...FIXED, scenario: 'empty', fixtures: { features } })
      await fetchList(mock)
      const state = { yes: i % 2, no: 1 - (i % 2) }
      await report(mock, {
        banner: state,
        ...(i < 14 && { 'new-checkout': { yes: 1, no: 0 } }),
        ...(i === 34 && { baner: { yes: 0, no: 1 } }),
      })
      reports.push(covered(mock))
    }
    expect(await printed(reports)).toEqual(
      shown
        .trimEnd()
        .split('\n')
        .map((line) => line.slice(4)),
    )
  })

  it('prints and writes nothing if no test used a mock', async () => {
    const outputFile = join(scratch(), 'flag-coverage.json')
    expect(await printed([undefined, undefined], { outputFile })).toEqual([])
    expect(existsSync(outputFile)).toBe(false)
  })

  it('a flag of a fixture is your own, even if a built-in flag has the same name', async () => {
    const mock = createMock({ ...FIXED, fixtures: { features: [{ name: 'legacy-export', enabled: true }] } })
    await report(mock, { baner: { yes: 0, no: 1 } })
    expect(await printed([covered(mock)])).toEqual([
      'Flag coverage: 0 of 1 flag seen on and off (0 %)',
      '  Evidence: 1 of 1 test',
      "  baner          doesn't exist",
      '  legacy-export  never asked, stale',
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
    expect(lines).toContain('  new-checkout  only ON (2 tests), but off in production')
    expect(JSON.parse(readFileSync(outputFile, 'utf8'))).toMatchObject({
      tests: { all: 2, known: 2 },
      flags: expect.arrayContaining([expect.objectContaining({ name: 'new-checkout', tests: { on: 2, off: 0 } })]),
    })
  })
})

describe('the reporters', () => {
  const reporters = {
    vitest: FlagCoverageReporter,
    playwright: PlaywrightReporter,
    jest: class extends JestReporter {
      constructor(options: object) {
        super({}, options)
      }
    },
  }

  it.each(Object.entries(reporters))('for %s: rejects unknown options and a missing file', (name, Reporter) => {
    const error = (options: object) => () => new Reporter(options)
    expect(error({ outputfile: 'x.json' })).toThrow(
      `flagdouble/${name}/reporter has no option "outputfile". Did you mean "outputFile"?`,
    )
    expect(error({ outputFile: 3 })).toThrow('The option outputFile takes a path, not 3.')
    expect(error({ against: 'missing.json' })).toThrow("The file missing.json of the option against doesn't exist.")
  })

  it('for playwright: adds up the attachments of tests, and writes the same file as the one for vitest', async () => {
    const [one, two] = [mockWith(), mockWith()]
    await report(one, { banner: { yes: 1, no: 0 } })
    await report(two, { banner: { yes: 0, no: 1 } })
    const files = ['playwright.json', 'vitest.json'].map((file) => join(scratch(), file))
    const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    const reporter = new PlaywrightReporter({ outputFile: files[0], ...{ configDir: '/', _mode: 'test' } })
    for (const mock of [one, two]) {
      const attachments = ['flag coverage', 'trace'].map((name) => {
        const body = name === 'trace' ? undefined : Buffer.from(JSON.stringify(covered(mock)))
        return { name, contentType: 'application/json', ...(body && { body }) }
      })
      reporter.onTestEnd({}, { attachments })
    }
    await reporter.onEnd()
    expect(write.mock.calls.join('')).toContain('Evidence: 2 of 2 tests')
    write.mockRestore()
    await printed([covered(one), covered(two)], { outputFile: files[1] })
    const [playwright, vitest] = files.map((file) => readFileSync(file, 'utf8'))
    expect(playwright).toBe(vitest)
  })
})

describe('the reporter for Jest', () => {
  it('adds up the test files, in which each reset of a mock begins another test', async () => {
    const handlers: ((event: object) => void)[] = []
    const folder = scratch()
    vi.stubEnv('TMPDIR', folder)
    onTestFinished(() => mockListeners.clear())
    const reporter = new JestReporter({})
    reporter.onRunStart()
    followTests(handlers, { extend: vi.fn() })
    const mock = mockWith()
    for (const toggles of [{ banner: { yes: 1, no: 0 } }, { banner: { yes: 1, no: 0 }, baner: { yes: 0, no: 1 } }]) {
      await fetchList(mock)
      await report(mock, toggles)
      mock.reset()
    }
    const silent = mockWith()
    await fetchList(silent)
    // Two files leave the same counts.
    for (let i = 0; i < 2; i += 1) for (const handle of handlers) handle({ name: 'run_finish' })
    const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    await reporter.onRunComplete()
    const text = write.mock.calls.join('')
    write.mockRestore()
    expect(text).toContain('Evidence: 4 of 6 tests; the SDKs of the other 2 reported nothing')
    expect(text).toMatch(/banner +only ON \(4 tests\)/)
    expect(text).toMatch(/baner +doesn't exist \(did you mean banner\?\)/)
    expect(readdirSync(folder)).toEqual([])
  })
})

describe('flagdouble flag-coverage', () => {
  /** A file of a run in which the features were seen on, or off. */
  async function fileOf(toggles: object): Promise<string> {
    const mock = mockWith()
    await report(mock, toggles)
    const outputFile = join(scratch(), 'flag-coverage.json')
    await printed([covered(mock)], { outputFile })
    return outputFile
  }

  it.each([
    [[], 0],
    [['--min', '33'], 0],
    [['--min', '34'], 1],
  ])('prints the sum of files: %s', async (flags, code) => {
    const files = [await fileOf({ banner: { yes: 1, no: 0 } }), await fileOf({ banner: { yes: 0, no: 1 } })]
    const { done, stdout, stderr } = runCli(['flag-coverage', ...files, ...flags])
    expect([await done, stderr()]).toEqual([
      code,
      code === 0 ? '' : 'flagdouble: The flag coverage is 33 %, below --min 34.\n',
    ])
    expect(stdout().split('\n').slice(0, 3)).toEqual([
      'Flag coverage: 1 of 3 flags seen on and off (33 %)',
      '  Evidence: 2 of 2 tests',
      '  legacy        never asked',
    ])
  })

  it('compares the sum with production', async () => {
    const against = join(scratch(), 'production.json')
    writeFileSync(against, JSON.stringify({ features: [{ name: 'banner', enabled: false }] }))
    const { done, stdout } = runCli([
      'flag-coverage',
      await fileOf({ banner: { yes: 1, no: 0 } }),
      '--against',
      against,
    ])
    expect(await done).toBe(0)
    expect(stdout()).toContain('banner        only ON (1 test), but off in production')
  })

  it.each([
    [[], 'flag-coverage needs a file.'],
    [['missing.json'], "missing.json: can't be read: "],
    [['package.json'], 'package.json: is not a file with flag coverage of this version'],
    [['README.md'], 'README.md: is not JSON'],
    [['package.json', '--min', 'all'], '--min must be a percentage, but is "all".'],
  ])('rejects %s', async (given, message) => {
    const { done, stderr } = runCli(['flag-coverage', ...given])
    expect([await done, stderr()]).toEqual([2, expect.stringContaining(message)])
  })
})

describe('flagdouble exec', () => {
  const script = `
    const url = process.env.FLAGDOUBLE_URL
    const headers = { authorization: '${CLIENT}', 'content-type': 'application/json' }
    const body = JSON.stringify({ appName: 'a', instanceId: 'i', bucket: ${JSON.stringify(
      bucket({ banner: { yes: 1, no: 0 }, baner: { yes: 0, no: 1 }, '\u001b[2J\nx': { yes: 0, no: 1 } }),
    )} })
    await fetch(url + '/api/client/metrics', { method: 'POST', headers, body })`

  it.each([
    [['--flag-coverage'], 0],
    [['--min-flag-coverage', '80'], 1],
    [['--min-flag-coverage', '0'], 0],
  ])('prints the flag coverage at the end, and fails below the minimum: %s', async (flags, code) => {
    const file = join(scratch(), 'flags.json')
    writeFileSync(file, JSON.stringify({ features: [{ name: 'banner', enabled: true }] }))
    const written = join(scratch(), 'flag-coverage.json')
    const command = [
      'exec',
      '-f',
      file,
      ...flags,
      '--flag-coverage-file',
      written,
      '--',
      process.execPath,
      '--input-type=module',
      '-e',
      script,
    ]
    const { done, stdout, stderr } = runCli(command)
    expect([await done, stderr()]).toEqual([code, expect.any(String)])
    const again = runCli(['flag-coverage', written])
    expect([await again.done, again.stdout()]).toEqual([0, stdout()])
    expect(stdout()).toContain(
      [
        'Flag coverage: 0 of 1 flag seen on and off (0 %)',
        '  Evidence: 1 of 1 SDK',
        "  \\u001b[2J\\u000ax  doesn't exist",
        "  baner             doesn't exist (did you mean banner?)",
        '  banner            only ON\n',
      ].join('\n'),
    )
    expect(stderr().includes('below --min-flag-coverage 80')).toBe(code === 1)
    expect(stderr()).toContain("asked for flags that don't exist: baner, \\u001b[2J\\u000ax.")
  })

  it('says that some tests have separate servers, if no SDK reached this one', async () => {
    const { done, stdout } = runCli(['exec', '--flag-coverage', '--', process.execPath, '-e', '0'])
    expect(await done).toBe(0)
    expect(stdout()).toBe(
      [
        'Flag coverage: No SDK got flags from the mock, so nothing is known about your flags.',
        '  Tests of flagdouble/playwright start separate servers: add the reporter flagdouble/playwright/reporter.\n',
      ].join('\n'),
    )
  })

  it('rejects an invalid percentage', async () => {
    const { done, stderr } = runCli(['exec', '--min-flag-coverage', '180', '--', 'true'])
    expect([await done, stderr()]).toEqual([2, expect.stringContaining('--min-flag-coverage must be a percentage')])
  })
})
