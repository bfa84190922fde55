import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Consumer, createConsumer } from '../support/consumer.js'
import { root } from '../support/markdown.js'

let consumer: Consumer
beforeAll(() => {
  consumer = createConsumer()
  cpSync(join(root, '.ci/consumers/tests'), join(consumer.path, 'tests'), { recursive: true })
  consumer.put('broken/a.test.js', BROKEN)
  consumer.put('broken/b.test.js', "import { suite } from '../tests/suite.js'\nsuite()")
  consumer.put('broken/vitest.config.js', BY_NAME)
  consumer.put('condition/a.test.js', "import { suite } from '../tests/suite.js'\nsuite()")
  consumer.put('condition/vitest.config.js', "export default { ssr: { resolve: { conditions: ['browser'] } } }")
}, 30_000)
afterAll(() => consumer.remove())

/** Its hook fails before that of useMock. */
const BROKEN = `
import { useMock } from 'flagdouble/vitest'
import { beforeAll, test } from 'vitest'
beforeAll(() => { throw new Error('broken') })
useMock()
test('never runs', () => {})
`

const BY_NAME = `
import { BaseSequencer } from 'vitest/node'
class ByName extends BaseSequencer {
  sort = async (files) => files.sort((a, b) => (a.moduleId < b.moduleId ? -1 : 1))
}
export default { test: { sequence: { sequencer: ByName } } }
`

interface Report {
  testResults: { name: string; status: string; assertionResults: { title: string; status: string }[] }[]
}

/** Runs the test files of a folder in one worker. */
async function run(folder: string, ...options: string[]): Promise<Report> {
  const vitest = `${root}/node_modules/vitest/vitest.mjs`
  const args = ['run', '--root', folder, '--maxWorkers=1', '--reporter=json', ...options]
  const output = await consumer.node(vitest, ...args).then(String, (error: Error) => error.message)
  const [json = output] = /^\{.*\}$/m.exec(output) ?? []
  return JSON.parse(json) as Report
}

// CI runs the other pools, and other versions of Vitest and msw: .ci/consumers/pools.mjs.
const POOLS = [
  ['--pool=threads', '--no-isolate'],
  ['--pool=vmThreads', '--isolate'],
]

it.each(POOLS)('several test files share a worker: %s %s', async (...options) => {
  const { testResults } = await run('tests', ...options)
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
  expect(tests.filter(({ status }) => status !== 'passed')).toEqual([])
  expect([testResults.length, tests.length]).toEqual([4, 28])
})

it('a file whose hook fails does not open the network to the next file', async () => {
  const { testResults } = await run('broken', '--no-isolate')
  expect(testResults.map(({ name, status }) => [name.slice(-9), status])).toEqual([
    ['a.test.js', 'failed'],
    ['b.test.js', 'passed'],
  ])
})

it('in Node, the condition browser changes nothing', async () => {
  const { testResults } = await run('condition')
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
  expect(tests.filter(({ status }) => status === 'passed')).toHaveLength(9)
})
