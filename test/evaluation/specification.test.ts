import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { type Context, InMemStorageProvider, Unleash } from 'unleash-client'
import { expect, it } from 'vitest'
import { startServer } from '../../src/entries/adapters/node.js'
import type { ServiceFile } from '../../src/index.js'
import { CLIENT, FIXED, FRONTEND, onEveryAdapter } from '../support/adapters.js'

// The cases for all SDKs, from the package `@unleash/client-specification`. The state of each of its files is a fixture.

interface Case<Expected> {
  description: string
  context: Context
  toggleName: string
  expectedResult: Expected
}

interface Variant {
  name: string
  payload?: object
  enabled: boolean
  feature_enabled: boolean
}

interface Specification {
  name: string
  state: ServiceFile
  tests?: Case<boolean>[]
  variantTests?: Case<Variant>[]
}

const folder = join(
  dirname(createRequire(import.meta.url).resolve('@unleash/client-specification/package.json')),
  'specifications',
)
const read = <Content>(file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Content
const files = read<string[]>('index.json').map((file) => read<Specification>(file))

/** The results of all cases of a file, as an SDK gives them. */
async function resultsOf(
  { tests = [], variantTests = [] }: Specification,
  isEnabled: (one: Case<unknown>) => unknown,
  variantFor: (one: Case<unknown>) => unknown,
) {
  const results = [
    ...tests.map((one) => [one, isEnabled] as const),
    ...variantTests.map((one) => [one, variantFor] as const),
  ]
  return await Promise.all(results.map(async ([one, ask]) => [one.description, await ask(one)] as const))
}

function expectedIn({ tests = [], variantTests = [] }: Specification) {
  return [...tests, ...variantTests].map(({ description, expectedResult }) => [description, expectedResult] as const)
}

it('all cases of version 6.1 are found', () => {
  expect(files.flatMap(expectedIn)).toHaveLength(279)
})

it.each(files)('the Node SDK with the features of a mock has the results of $name', async (specification) => {
  await using server = await startServer({ ...FIXED, scenario: 'empty' }, { port: 0 })
  server.mock.add(specification.state)
  const sdk = new Unleash({
    url: `${server.url}/api/`,
    appName: 'specification',
    customHeaders: { Authorization: CLIENT },
    storageProvider: new InMemStorageProvider(),
    skipInstanceCountWarning: true,
    disableMetrics: true,
  })
  try {
    await once(sdk, 'synchronized')
    const results = await resultsOf(
      specification,
      ({ toggleName, context }) => sdk.isEnabled(toggleName, context),
      ({ toggleName, context }) => {
        const { featureEnabled, ...variant } = sdk.getVariant(toggleName, context)
        return variant
      },
    )
    expect(results).toEqual(expectedIn(specification))
  } finally {
    sdk.destroy()
  }
})

/**
 * The cases in which Unleash's frontend API gives another result than SDKs, as in its source: a context in a request always
 * has a session and an address, and never a `currentTime`; and a feature that is off is unknown as a parent.
 */
const OTHERWISE = [
  'Feature.A4 should be disabled when no user on context',
  'Feature.remoteAddress.A should not be enabled for missing remoteAddress on context',
  'F7.dateAfter should be disabled',
  'F7.dateAfter is exclusive of date parameter',
  'F7.dateBefore should be enabled',
  'F7.date-range should be enabled',
  'F7.date-with-timezone should respect timezone',
  'Child is enabled only if the parent is expectedly disabled and indeed is.',
  'Child is enabled if all of its multiple parents are enabled.',
  "Child yields its variant when the parent's disabled state is as expected.",
  'Child yields its variant when all its parents are enabled.',
]

const OFF: Variant = { name: 'disabled', enabled: false, feature_enabled: false }

onEveryAdapter(
  'the client specification, by the frontend API',
  (client) => {
    it.each(files)('the results are those of $name', async (specification) => {
      client.mock.add(specification.state)
      const ask = async ({ toggleName, context }: Case<unknown>) => {
        const { body } = await client.send('POST', '/api/frontend', { context }, { key: FRONTEND })
        return body.toggles.find(({ name }: { name: string }) => name === toggleName)
      }
      const results = await resultsOf(
        specification,
        async (one) => (await ask(one)) !== undefined,
        async (one) => {
          const { featureEnabled, ...variant } = (await ask(one))?.variant ?? OFF
          return variant
        },
      )
      const expected = expectedIn(specification).map(([description, result]) => {
        const other = typeof result === 'boolean' ? !result : OFF
        return [description, OTHERWISE.includes(description) ? other : result]
      })
      expect(results).toEqual(expected)
    })
  },
  { ...FIXED, scenario: 'empty' },
)
