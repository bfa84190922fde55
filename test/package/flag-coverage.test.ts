import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Consumer, createConsumer } from '../support/consumer.js'
import { root } from '../support/markdown.js'

let consumer: Consumer
beforeAll(() => {
  consumer = createConsumer()
}, 30_000)
afterAll(() => consumer.remove())

const SUPPORT = `
import { UnleashClient } from 'unleash-proxy-client'

export const options = {
  scenario: 'empty',
  fixtures: { features: ['banner', 'legacy', 'new-checkout', 'old'].map((name) => ({ name, enabled: true })) },
}

export async function ask(name, Client = UnleashClient) {
  const url = 'http://flags.example.com/api/frontend'
  const sdk = new Client({ url, clientKey: '*:development.mock-frontend', appName: 'shop', disableMetrics: true })
  await sdk.start()
  sdk.isEnabled(name)
  sdk.stop()
}
`

const FIRST = `
import { useMock } from 'flagdouble/vitest'
import { describe, expect, test } from 'vitest'
import { ask, options } from './support.js'

const mock = useMock(options)
let runs = 0
test('passes when it runs again', { retry: 1 }, async () => {
  await ask('banner')
  runs += 1
  expect(runs).toBe(2)
})
test('asks again', async () => {
  mock.disable('banner')
  await ask('banner')
})
describe('with a mock of its own', () => {
  useMock(options)
  test('asks for another flag', () => ask('new-checkout'))
})
`

/** OpenFeature's provider loads the SDK as CommonJS. */
const SECOND = `
import { createRequire } from 'node:module'
import { useMock } from 'flagdouble/vitest'
import { test } from 'vitest'
import { ask, options } from './support.js'

const { UnleashClient } = createRequire(import.meta.url)('unleash-proxy-client')
useMock(options)
test('asks in another file', () => ask('legacy', UnleashClient))
test('asks for a flag that is missing', () => ask('baner'))
`

it('the reporter for Vitest knows each flag, asked or not, in a worker with several files', async () => {
  consumer.put('flags/support.js', SUPPORT)
  consumer.put('flags/a.test.js', FIRST)
  consumer.put('flags/b.test.js', SECOND)
  const reporters = [['flagdouble/vitest/reporter', { outputFile: 'flag-coverage.json' }]]
  consumer.put('flags/vitest.config.js', `export default { test: { reporters: ${JSON.stringify(reporters)} } }`)
  const vitest = `${root}/node_modules/vitest/vitest.mjs`
  const output = await consumer.node(vitest, 'run', '--root', 'flags', '--maxWorkers=1', '--no-isolate')
  expect(output.trim().split('\n')).toEqual([
    'Flag coverage: 1 of 4 flags seen on and off (25 %)',
    '  Evidence: 5 of 5 tests',
    "  baner         doesn't exist (did you mean banner?)",
    '  legacy        only ON (1 test)',
    '  new-checkout  only ON (1 test)',
    '  old           never asked',
  ])
})
