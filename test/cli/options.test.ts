import { describe, expect, it } from 'vitest'
import flagdouble from '../../src/entries/adapters/vite.js'
import { createMock, type MockOptions } from '../../src/index.js'
import { runCli, startCli } from '../support/cli.js'
import { errorOf } from '../support/errors.js'

/** An invalid option: as a flag, as a variable, and in code. */
const wrong: [flag: string, text: string, options: object][] = [
  ['latency', '-1', { latency: -1 }],
  ['latency', 'soon', { latency: 'soon' }],
  ['latency', '500-100', { latency: { min: 500, max: 100 } }],
  ['latency', '3600001', { latency: 3_600_001 }],
  ['base-path', '/..', { basePath: '/..' }],
  ['base-path', '/a/./b', { basePath: '/a/./b' }],
  ['base-path', 'flags', { basePath: 'flags' }],
  ['base-path', '/a b', { basePath: '/a b' }],
  ['allow-origin', 'app.example.com', { allowOrigins: ['app.example.com'] }],
  ['allow-origin', 'https://app.example.com/x', { allowOrigins: ['https://app.example.com/x'] }],
  ['allow-origin', 'https://me@app.example.com', { allowOrigins: ['https://me@app.example.com'] }],
  ['allow-origin', 'null', { allowOrigins: ['null'] }],
  ['now', 'tomorrow', { now: 'tomorrow' }],
  ['now', '2030-02-30', { now: '2030-02-30' }],
  ['journal-size', '1000001', { journalSize: 1_000_001 }],
  ['journal-size', '1.5', { journalSize: 1.5 }],
  ['profile', 'unleash8', { profile: 'unleash8' }],
]

describe('an option has the same rule everywhere', () => {
  it.each(wrong)('%s: %s is rejected everywhere, in the same words', async (flag, text, options) => {
    const inCode = errorOf(() => createMock(options))
    expect(inCode.code).toBe('INVALID_OPTION')
    const [, words = ''] = /: \w+(?:\[0\])?: (must be .*?), but is /.exec(inCode.problem) ?? []
    expect(words).not.toBe('')

    const byFlag = runCli([`--${flag}=${text}`])
    expect(await byFlag.done).toBe(2)
    expect(byFlag.stderr()).toContain(`--${flag} can't be "${text}".\nhint: It ${words}`)

    const name = `FLAGDOUBLE_${flag.replace('-', '_').toUpperCase()}`
    const byVariable = runCli([], { env: { [name]: text } })
    expect(await byVariable.done).toBe(2)
    expect(byVariable.stderr()).toContain(`${name} can't be "${text}".\nhint: It ${words}`)

    const byPlugin = errorOf(() => flagdouble(options))
    expect(byPlugin.code).toBe('INVALID_OPTION')
    expect(byPlugin.problem).toContain(words)
  })

  const ours: [given: string, ours: string][] = [
    ['https://App.Example.com/', 'https://app.example.com'],
    ['HTTPS://app.example.com:443', 'https://app.example.com'],
    ['http://app.example.com:8080/', 'http://app.example.com:8080'],
    ['capacitor://LocalApp', 'capacitor://localapp'],
  ]

  it.each(ours)('the origin %s allows pages of %s, in code and as a flag', async (given, origin) => {
    const preflight = { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'PUT' } }
    const mock = createMock({ allowOrigins: [given] })
    const inCode = await mock.fetch(new Request('http://localhost/__mock/scenario', preflight))
    expect(inCode.headers.get('access-control-allow-origin')).toBe(origin)
    const { at } = await startCli(['--allow-origin', given])
    const byFlag = await fetch(`${at}/__mock/scenario`, preflight)
    expect(byFlag.headers.get('access-control-allow-origin')).toBe(origin)
  })

  it('a base path can end with a slash, in code and as a flag', async () => {
    const options: MockOptions = { basePath: '/flags/' }
    expect(createMock(options).baseUrl).toBe('http://localhost:4242/flags')
    const { at } = await startCli(['--base-path', '/flags/'])
    expect(at).toMatch(/\d\/flags$/)
  })
})

it.each([
  [{ state: 3 }, 'state: must be a string'],
  [{ sate: 'x.json' }, 'Did you mean "state"?'],
  [{ scenarios: 3 }, 'scenarios: '],
])('the Vite plugin rejects the options %j', (options, words) => {
  expect(errorOf(() => flagdouble(options as never)).problem).toContain(words)
})
