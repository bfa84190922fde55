// The same for the subpaths for test tools.
import { test as playwrightTest } from 'flagdouble/playwright'
import { type TestMockOptions, test, useMock } from 'flagdouble/vitest'

const shared = useMock({ scenario: 'empty' })
const mockOptions: TestMockOptions = { scenario: 'offline' }
test.override({ mockOptions })

test('has a mock', ({ mock, expect }) => expect(mock.features.list()).toEqual(shared.features.list()))

playwrightTest('has a session', async ({ mock, page }) => {
  await page.goto(mock.url)
  mock.useScenario('empty')
})
