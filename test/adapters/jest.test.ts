import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { mockListeners } from '../../src/engine/mock/mock.js'
import { followTests } from '../../src/entries/adapters/jest/follow-tests.js'
import transformer from '../../src/entries/adapters/jest/transform.js'
import preset, { type JestConfig, withFlagdouble } from '../../src/entries/adapters/jest.js'
import { toHaveReceived } from '../../src/entries/adapters/runners/matchers.js'
import { createMock } from '../../src/index.js'
import { FRONTEND } from '../support/adapters.js'
import { root } from '../support/markdown.js'

const commonjs = { config: { rootDir: root }, supportsStaticESM: false }
const [ours = ''] = Object.keys(preset.transform)
const [ignored = ''] = preset.transformIgnorePatterns

it.each([
  ['/app/node_modules/flagdouble/dist/index.js', true],
  ['/app/node_modules/@mswjs/interceptors/lib/index.mjs', true],
  ['/app/node_modules/.pnpm/until-async@3.0.2/node_modules/until-async/lib/index.js', true],
  ['/app/node_modules/msw/node_modules/until-async/lib/index.js', true],
  ['/app/node_modules/react/index.js', false],
  ['/app/node_modules/msw-tools/index.js', false],
  ['/app/node_modules/msw/lib/data.json', false],
  ['/app/node_modules/.pnpm/react@19.0.0/node_modules/react/index.js', false],
])('the preset compiles %s: %s', (file, compiled) => {
  expect([new RegExp(ours).test(file), new RegExp(ignored).test(file)]).toEqual([compiled, !compiled])
})

it("the preset compiles the code under test as without it, and doesn't ignore it", () => {
  expect(
    Object.entries(preset.transform).find(([pattern]) => new RegExp(pattern).test('/app/src/a.ts'))?.[1],
  ).toContain('babel-jest')
  expect(preset.transformIgnorePatterns.some((pattern) => new RegExp(pattern).test('/app/src/a.ts'))).toBe(false)
})

const COMPILED = '/app/node_modules/msw/lib/index.mjs'

/** Whether a configuration ignores a file, as Jest decides it. */
function ignores({ transformIgnorePatterns = [] }: JestConfig, file: string): boolean {
  return new RegExp(transformIgnorePatterns.join('|')).test(file)
}

it("withFlagdouble keeps a configuration, and compiles flagdouble's dependencies first", async () => {
  const given = {
    transform: { '.': 'own' },
    transformIgnorePatterns: ['/node_modules/(?!mine)', '/vendor/'],
    setupFiles: ['./own.js'],
    setupFilesAfterEnv: ['./after-env.js'],
    testEnvironmentOptions: { url: 'http://localhost' },
    moduleNameMapper: { '^~/(.*)$': '<rootDir>/src/$1' },
    coveragePathIgnorePatterns: ['/generated/'],
  }
  const config = await withFlagdouble(given)()
  expect(config).toEqual({
    ...given,
    transform: { [ours]: 'flagdouble/jest/transform', '.': 'own' },
    transformIgnorePatterns: [expect.stringContaining('/node_modules/(?!mine)'), expect.stringContaining('/vendor/')],
    setupFiles: ['flagdouble/jest/setup', './own.js'],
    setupFilesAfterEnv: ['flagdouble/jest/failures', './after-env.js'],
    testEnvironmentOptions: { customExportConditions: ['node', 'node-addons'], url: 'http://localhost' },
  })
  expect(Object.keys(config.transform)).toEqual([ours, '.'])
})

it.each([
  ['the common exception of packages', '/node_modules/(?!(mine|lodash-es)/)', '/app/node_modules/mine/index.js', false],
  ['the common exception of packages', '/node_modules/(?!(mine|lodash-es)/)', '/app/node_modules/other/index.js', true],
  ['a negation by extension, as in Angular', 'node_modules/(?!.*\\.mjs$)', '/app/node_modules/@angular/a.mjs', false],
  [
    "pnpm's folders",
    'node_modules/\\.pnpm/(?!(mine)@)',
    '/app/node_modules/.pnpm/mine@1/node_modules/mine/a.js',
    false,
  ],
  [
    "pnpm's folders",
    'node_modules/\\.pnpm/(?!(mine)@)',
    '/app/node_modules/.pnpm/other@1/node_modules/other/a.js',
    true,
  ],
  ['an anchored pattern, as of next/jest', '^.+\\.module\\.(css|sass)$', '/app/src/a.module.css', true],
  ['alternatives', '/vendor/|/generated/', '/app/generated/a.js', true],
  ['alternatives', '/vendor/|/generated/', '/app/src/a.js', false],
])('withFlagdouble keeps %s: %s', async (_, pattern, file, ignored) => {
  const config = await withFlagdouble({ transformIgnorePatterns: [pattern, '/node_modules/only-this/'] })()
  expect(ignores(config, file)).toBe(ignored)
  for (const ours of [COMPILED, '/app/node_modules/.pnpm/msw@2.15.0/node_modules/msw/lib/index.mjs']) {
    expect(ignores(config, ours)).toBe(false)
  }
})

it('withFlagdouble changes nothing that it has changed', async () => {
  const config = await withFlagdouble({ transformIgnorePatterns: ['/node_modules/(?!mine)'] })()
  expect(await withFlagdouble(config)()).toEqual(config)
})

describe('with a preset', () => {
  const folder = mkdtempSync(join(tmpdir(), 'flagdouble-jest-'))
  const put = (file: string, text: string) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  const ofPackage = '{ "transformIgnorePatterns": ["/node_modules/(?!mine/)"], "testEnvironmentOptions": { "own": 1 } }'
  put('node_modules/plain-preset/jest-preset.json', ofPackage)
  put('node_modules/old-preset/jest-preset.js', `module.exports = Promise.resolve(${ofPackage})`)
  put('node_modules/old-preset/package.json', '{}')
  put('node_modules/new-preset/jest-preset.mjs', `export default ${ofPackage}`)
  put('own/preset.cjs', `exports.__esModule = true; exports.default = ${ofPackage}`)
  put('compiles.json', '{ "transform": { "x": "y" } }')
  put('nothing.json', '{}')
  afterAll(() => rmSync(folder, { recursive: true }))

  it.each(['plain-preset', 'old-preset', 'new-preset', './own/preset.cjs', './own/preset', '<rootDir>/own/preset.cjs'])(
    'withFlagdouble keeps the patterns and options of the preset %s',
    async (preset) => {
      const config = await withFlagdouble(async () => ({ rootDir: folder, preset }))()
      expect(config).toMatchObject({ preset, testEnvironmentOptions: { own: 1 } })
      const files = ['mine', 'other', 'msw'].map((name) => `/app/node_modules/${name}/index.js`)
      expect(files.map((file) => ignores(config, file))).toEqual([false, true, false])
    },
  )

  it("the project's own settings replace those of its preset, as in Jest", async () => {
    const own = { transformIgnorePatterns: ['/vendor/'], testEnvironmentOptions: { mine: 2 } }
    const config = await withFlagdouble({ rootDir: folder, preset: 'plain-preset', ...own })()
    expect(config.testEnvironmentOptions).not.toHaveProperty('own')
    expect(ignores(config, '/app/node_modules/other/index.js')).toBe(false)
  })

  it.each([
    ['an object without a preset', {}, true],
    ['a promise', Promise.resolve<JestConfig>({}), true],
    ['a function, as of next/jest', async (): Promise<JestConfig> => ({}), true],
    ['a preset that compiles', { rootDir: folder, preset: './compiles.json' }, false],
    ["a preset that doesn't compile", { rootDir: folder, preset: './nothing.json' }, true],
    ['a configuration that compiles nothing', { transform: {} }, false],
  ])(
    "with %s, Jest's own transformer stays: %s",
    async (_, given: JestConfig | Promise<JestConfig> | (() => Promise<JestConfig>), stays) => {
      const { transform } = await withFlagdouble(given)()
      expect(Object.keys(transform ?? {})).toHaveLength(stays ? 2 : 1)
    },
  )

  it("a preset is found from the file that calls withFlagdouble, wherever Jest's process is", async () => {
    put('calls.mjs', "export const call = (withFlagdouble) => withFlagdouble({ preset: './own/preset.cjs' })")
    const { call } = await import(/* @vite-ignore */ pathToFileURL(join(folder, 'calls.mjs')).href)
    expect(await call(withFlagdouble)()).toMatchObject({ testEnvironmentOptions: { own: 1 } })
  })

  it('a preset that is nowhere gives its name and the folders', async () => {
    await expect(withFlagdouble({ rootDir: folder, preset: 'no-preset' })()).rejects.toThrow(
      `withFlagdouble can't find the preset "no-preset" from ${folder}.`,
    )
  })

  it('the projects of a configuration are wrapped, each with its own preset', async () => {
    const projects = [
      { displayName: 'a', preset: './compiles.json', rootDir: folder },
      { displayName: 'b', transformIgnorePatterns: ['/vendor/'] },
    ]
    const config = await withFlagdouble({ projects })()
    const [first, second] = config.projects as JestConfig[]
    expect(first).toMatchObject({ displayName: 'a', transform: { [ours]: 'flagdouble/jest/transform' } })
    expect(Object.keys(first?.transform ?? {})).toHaveLength(1)
    expect(second).toMatchObject({ displayName: 'b', setupFiles: ['flagdouble/jest/setup'] })
    expect([ignores(second ?? {}, COMPILED), ignores(second ?? {}, '/app/vendor/a.js')]).toEqual([false, true])
  })
})

it('the transformer turns an ES module into CommonJS, including later imports', async () => {
  const source = [
    "import { sep } from 'node:path'",
    "export const later = () => import('node:os')",
    'export const url = import.meta.url',
    'export { sep }',
  ].join('\n')
  const { code } = transformer.process(source, '/app/a.mjs', commonjs)
  const module = { exports: {} as { sep?: string; url?: string; later?: () => Promise<{ EOL: string }> } }
  const given = [module, module.exports, createRequire(import.meta.url), '/app/a b.mjs']
  new Function('module', 'exports', 'require', '__filename', code)(...given)
  expect([module.exports.sep, module.exports.url]).toEqual(['/', 'file:///app/a%20b.mjs'])
  expect(code).not.toMatch(/\bimport\(/)
  expect(await module.exports.later?.()).toMatchObject({ EOL: '\n' })
})

it('the transformer leaves CommonJS unchanged', () => {
  const source = "const { sep } = require('node:path')\nmodule.exports = { sep } // not to import, nor to export"
  expect(transformer.process(source, '/app/a.js', commonjs).code).toBe(source)
})

it('the transformer leaves an ES module unchanged that Jest loads as such', () => {
  const source = 'export const url = import.meta.url'
  expect(transformer.process(source, '/app/a.mjs', { ...commonjs, supportsStaticESM: true }).code).toBe(source)
})

it('the cache key of a file depends on its text, its path, its kind and the configuration', () => {
  const keyOf = (source: string, file: string, configString: string, supportsStaticESM = false) =>
    transformer.getCacheKey(source, file, { configString, supportsStaticESM })
  const key = keyOf('export {}', '/app/a.mjs', '{}')
  expect(key).toMatch(/^[\da-f]{64}$/)
  expect(keyOf('export {}', '/app/a.mjs', '{}')).toBe(key)
  const others = [
    keyOf('', '/app/a.mjs', '{}'),
    keyOf('export {}', '/app/b.mjs', '{}'),
    keyOf('export {}', '/app/a.mjs', ''),
    keyOf('export {}', '/app/a.mjs', '{}', true),
  ]
  expect(new Set([key, ...others]).size).toBe(5)
})

it('without a compiler, the transformer says which to install', () => {
  const compile = () => transformer.process('export {}', '/app/a.mjs', { ...commonjs, config: { rootDir: '/nowhere' } })
  expect(compile).toThrow('npm install --save-dev @swc/core')
})

let events: ((event: object) => void)[] = []
const extend = vi.fn()
const tell = (event: object) => {
  for (const handle of events) handle(event)
}
beforeEach(() => {
  events = []
  followTests(events, { extend })
})
afterEach(() => mockListeners.clear())

it('the error of a failing test ends with its requests, without those of earlier tests', async () => {
  expect(extend).toHaveBeenCalledWith({ toHaveReceived })
  const failureOf = () => {
    const error = new Error('expected 404 to be 200')
    tell({ name: 'test_fn_failure', error })
    return error
  }
  expect(failureOf().message).toBe('expected 404 to be 200')
  const mock = createMock()
  const ask = (path: string) => mock.fetch(new Request(`http://localhost${path}`))
  await ask('/health')
  tell({ name: 'test_start' })
  await ask('/api/admin/projects')
  const { message, stack } = failureOf()
  expect(message).toMatch(
    /^expected 404 to be 200\n\nRequests to the mock:\n {2}GET \/api\/admin\/projects +getProjects +401/,
  )
  expect(message).not.toContain('/health')
  mock.force({ operation: 'cloneFeature', status: 503 })
  expect(failureOf().message).toMatch(/\nNo request matched the rule {"operation":"cloneFeature","status":503}\.$/)
  const toggles = { 'chekout-redesign': { yes: 0, no: 1 } }
  const bucket = { start: '2026-01-01T00:00:00Z', stop: '2026-01-01T01:00:00Z', toggles }
  await mock.fetch('/api/frontend/client/metrics', {
    method: 'POST',
    headers: { authorization: FRONTEND, 'content-type': 'application/json' },
    body: JSON.stringify({ appName: 'page', bucket }),
  })
  expect(failureOf().message).toMatch(
    /\nThe app asked for chekout-redesign, which doesn't exist\. Did you mean "checkout-redesign"\?$/,
  )
  mock.reset()
  mock.enable('checkout-redesing', 'own')
  expect(failureOf().message).toMatch(
    /\nThe test created flags that didn't exist: checkout-redesing \(did you mean "checkout-redesign"\?\), own\.\n1 rule that the test had added is gone: /,
  )
  const constraints = [{ contextName: 'userID', operator: 'IN' as const, values: ['1'] }]
  const environments = [{ name: 'development', strategies: [{ name: 'default' as const, constraints }] }]
  mock.add({ features: [{ name: 'own', environments }] })
  expect(failureOf().message).toMatch(
    /\nThe strategy default of the flag own names the context field "userID". Did you mean "userId"\?$/,
  )
  mock.reset()
  tell({ name: 'test_start' })
  expect(failureOf().message).toMatch(
    /No requests reached the mock\. Is an `await` missing\? .* the msw server listen\?$/,
  )
  expect(stack).toContain(message)
})

it('a failing test names its own lost flags, those of another mock, and the requests of a timeout', async () => {
  const mock = createMock()
  const begin = (...enabled: string[]) => {
    tell({ name: 'test_start' })
    if (enabled.length > 0) mock.enable(...enabled)
  }
  const messageOf = () => {
    const error = new Error('expected')
    tell({ name: 'test_fn_failure', error })
    return error.message
  }
  begin('new-checkout')
  mock.reset()
  begin()
  expect(messageOf()).not.toContain('new-checkout')
  begin('new-checkout')
  mock.reset()
  expect(messageOf()).toContain('1 flag that the test had created is gone: new-checkout.')
  begin()
  createMock().enable('elsewhere')
  await mock.fetch('/health')
  expect(messageOf()).toContain("\nA mock without requests: The test created flags that didn't exist: elsewhere.")
  begin()
  await mock.fetch('/health')
  const test = { errors: [['Exceeded timeout', new Error('its place')]] }
  tell({ name: 'test_fn_failure', error: 'Exceeded timeout', test })
  expect(test.errors[0]?.[0]).toMatch(/^Exceeded timeout\n\nRequests to the mock:\n {2}GET \/health/)
})

it('a test fails if no request matched a rule that it added', async () => {
  const mock = createMock()
  mock.force({ operation: 'deleteApiToken', status: 503 })
  const errorsOf = async (act: () => unknown): Promise<string[]> => {
    const test = { errors: [] as Error[] }
    tell({ name: 'test_start', test })
    await act()
    tell({ name: 'test_fn_success', test })
    // As in afterEach.
    mock.reset()
    return test.errors.map(({ message }) => message)
  }
  const unmatched = () => mock.force({ operation: 'cloneFeature', status: 503 })
  // The rule for deleteApiToken is older than the test.
  expect(await errorsOf(unmatched)).toEqual([
    expect.stringContaining('No request matched the rule {"operation":"cloneFeature","status":503}.'),
  ])
  expect(await errorsOf(() => mock.force({ operation: 'getHealth', status: 503, optional: true }))).toEqual([])
  const matched = () => {
    mock.force({ operation: 'getHealth', status: 503 })
    return mock.fetch('http://localhost/health')
  }
  expect(await errorsOf(matched)).toEqual([])
  expect(await errorsOf(() => createMock().force({ operation: 'getProjects', status: 503 }))).toHaveLength(1)
})
