// Checks the types of the subpaths for test tools.
import preset, { withFlagdouble } from 'flagdouble/jest'
import { test as playwrightTest } from 'flagdouble/playwright'
import flagdouble, { type PluginOptions } from 'flagdouble/vite'
import { type ReceivedRequest, type TestMockOptions, test, useMock } from 'flagdouble/vitest'
import type { Plugin } from 'vite'
import { expect } from 'vitest'

const shared = useMock({ scenario: 'empty' })
const mockOptions: TestMockOptions = { scenario: 'offline' }
test.override({ mockOptions })

test('has a mock', ({ mock, expect }) => expect(mock.features.list()).toEqual(shared.features.list()))

const like: ReceivedRequest = { body: { name: 'copy' }, status: 200 }
test('toHaveReceived is typed', ({ mock, expect: ownExpect }) => {
  expect(mock).not.toHaveReceived('cloneFeature', like)
  ownExpect(shared).toHaveReceived('cloneFeature', 2)
  // @ts-expect-error: there is no such operation.
  expect(mock).toHaveReceived('clonFeature')
  // @ts-expect-error: there is no such part.
  expect(mock).toHaveReceived('cloneFeature', { bdy: {} })
})

playwrightTest('has a session', async ({ mock, page }) => {
  await page.goto(mock.url)
  mock.useScenario('empty')
})

const pluginOptions: PluginOptions = {
  scenarios: 'scenarios',
  fixtures: ['state.json', { features: [{ name: 'one' }] }],
}
const plugin: Plugin = flagdouble(pluginOptions)
test('the plugin has a name', ({ expect }) => expect(plugin.name).toBe('flagdouble'))

const jestConfig = withFlagdouble({ displayName: 'own', transformIgnorePatterns: preset.transformIgnorePatterns })
test('the configuration for Jest keeps what is given', async ({ expect }) => {
  const { displayName }: { displayName: string } = await jestConfig()
  expect(displayName).toBe('own')
})
