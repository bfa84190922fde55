import { createRequire } from 'node:module'
import { expect, it, onTestFinished } from 'vitest'
import { mockListeners } from '../../src/engine/mock/mock.js'
import transformer from '../../src/entries/adapters/jest/transform.js'
import preset, { withFlagdouble } from '../../src/entries/adapters/jest.js'
import { createMock } from '../../src/index.js'
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

it("withFlagdouble keeps a configuration, and compiles flagdouble's dependencies first", async () => {
  const given = {
    preset: 'ts-jest',
    transform: { '.': 'own' },
    transformIgnorePatterns: ['/node_modules/(?!mine)', '/vendor/'],
    setupFiles: ['./own.js'],
    setupFilesAfterEnv: ['./after-env.js'],
    testEnvironmentOptions: { url: 'http://localhost' },
  }
  const config = await withFlagdouble(given)()
  expect(config).toEqual({
    preset: 'ts-jest',
    transform: { [ours]: 'flagdouble/jest/transform', '.': 'own' },
    transformIgnorePatterns: [ignored, '/vendor/'],
    setupFiles: ['flagdouble/jest/setup', './own.js'],
    setupFilesAfterEnv: ['flagdouble/jest/failures', './after-env.js'],
    testEnvironmentOptions: { customExportConditions: ['node', 'node-addons'], url: 'http://localhost' },
  })
  expect(Object.keys(config.transform)).toEqual([ours, '.'])
})

it.each([
  ['an object', {}, true],
  ['a promise', Promise.resolve({ verbose: true }), true],
  ['a function, as of next/jest', async () => ({ verbose: true }), true],
  ['a preset, which says what compiles the rest', { preset: 'ts-jest' }, false],
])('withFlagdouble accepts %s', async (_, given, compilesByDefault) => {
  const { transform } = await withFlagdouble(given)()
  expect(Object.keys(transform ?? {})).toHaveLength(compilesByDefault ? 2 : 1)
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

it('the error of a failing test ends with its requests, without those of earlier tests', async () => {
  const handlers: ((event: object) => void)[] = []
  Reflect.set(globalThis, Symbol.for('EVENT_HANDLERS'), handlers)
  onTestFinished(() => {
    Reflect.deleteProperty(globalThis, Symbol.for('EVENT_HANDLERS'))
    mockListeners.clear()
  })
  await import('../../src/entries/adapters/jest/failures.js')
  const [tell] = handlers
  const failureOf = () => {
    const error = new Error('expected 404 to be 200')
    tell?.({ name: 'test_fn_failure', error })
    return error
  }
  expect(failureOf().message).toBe('expected 404 to be 200')
  const mock = createMock()
  const ask = (path: string) => mock.fetch(new Request(`http://localhost${path}`))
  await ask('/health')
  tell?.({ name: 'test_start' })
  await ask('/api/admin/projects')
  const { message, stack } = failureOf()
  expect(message).toMatch(
    /^expected 404 to be 200\n\nRequests to the mock:\n {2}GET \/api\/admin\/projects +getProjects +401/,
  )
  expect(message).not.toContain('/health')
  tell?.({ name: 'test_start' })
  expect(failureOf().message).toMatch(/No requests reached the mock\. Is an `await` missing, or .* another base URL\?$/)
  expect(stack).toContain(message)
})
