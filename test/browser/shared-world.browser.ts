import { afterAll, expect, it, onTestFinished } from 'vitest'
import { pack } from '../../src/engine/control/fragment.js'
import { startServer } from '../../src/entries/adapters/node.js'
import { launchBrowser, openPage } from '../support/browser.js'

const browser = await launchBrowser()
afterAll(() => browser.close())

async function start() {
  const server = await startServer({ seed: 'tests' }, { port: 0 })
  onTestFinished(() => server.close(0))
  return server
}

it('a link opens the same world on another server, after it was asked for and not before', async () => {
  const [from, to] = [await start(), await start()]
  from.mock.add({ features: { 'dark-mode': { name: 'dark-mode' }, 'archived-banner': null } })
  from.mock.force({ operation: 'cloneFeature', status: 503 })
  from.mock.clock.set('2031-05-06T07:08:09Z')
  const { url } = await (await fetch(`${from.url}/__mock/share`)).json()
  const { page, complaints } = await openPage(browser)
  await page.goto(url.replace(from.url, to.url))
  await page.getByRole('heading', { name: 'Open “default, as it was shared”?' }).waitFor()
  expect(await page.getByRole('listitem').allTextContents()).toEqual([
    'features: dark-mode; removed: archived-banner',
    'cloneFeature is answered with 503.',
    'The clock stands still at 2031-05-06T07:08:09.000Z.',
  ])
  await page.getByText('It is the scenario “default” with:').waitFor()
  expect([to.mock.activeScenarios, to.mock.features.get('dark-mode')]).toEqual([['default'], undefined])
  await page.getByRole('button', { name: 'Open it' }).click()
  await page.getByRole('status').getByText('Live').waitFor()
  const without = (state: object) => JSON.stringify(state).replaceAll(/"01[0-9A-Z]{24}"/g, '"an id"')
  expect(without(to.mock.state())).toBe(without(from.mock.state()))
  expect(to.mock.clock.now()).toEqual(from.mock.clock.now())
  expect(to.mock.activeScenarios).toEqual(['shared'])
  expect(complaints).toEqual([])
})

it.each([
  ['is cut off', async () => 'x8Yz', 'The link is broken'],
  ['is of another version', () => pack({ version: '0.0.1', scenario: {} }), 'The link is from version 0.0.1'],
  ['is too long', async () => 'x'.repeat(20_000), 'The link is longer than 16384 characters'],
  ['holds no world', async () => '', 'The link holds nothing'],
])('a link that %s says so and changes nothing', async (_, fragment, reason) => {
  const server = await start()
  const { page } = await openPage(browser)
  await page.goto(`${server.url}/__mock/use#${await fragment()}`)
  await page.getByRole('alert').getByText(reason).waitFor()
  expect(await page.getByRole('button').count()).toBe(0)
  expect(server.mock.activeScenarios).toEqual(['default'])
})
