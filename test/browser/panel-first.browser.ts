import { exec } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { CORE } from '../../src/engine/mock/session.js'
import { it, openPanel } from '../support/panel.js'

const clonePath = '/api/admin/projects/default/features/checkout-redesign/clone'
const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] }

it('the sentence at the top says who sees which scenario, at which time, who is signed in, and ends sessions', async ({
  browser,
}) => {
  await using panel = await openPanel(browser, {})
  const { page, server } = panel
  const sentence = page.locator('.says')
  const said = async () => (await sentence.innerText()).replaceAll(/\s+/g, ' ')
  expect(await said()).toBe(
    'Session: Everybody sees A small instance Clock: in real time · signed in: Signed in: nobody',
  )
  await panel.goTo('Data')
  await panel.goTo('Users')
  await page.getByRole('button', { name: 'Sign in as Editor' }).click()
  const login = await panel.ask('POST', '/auth/simple/login', { username: 'viewer', password: 'flagdouble' })
  const cookie = login.headers
    .getSetCookie()
    .map((one) => one.split(';', 1)[0])
    .join('; ')
  const asViewer = async () => (await fetch(`${server.url}/api/admin/user`, { headers: { cookie } })).status
  expect(await asViewer()).toBe(200)
  await page.getByRole('button', { name: 'Signed in: Editor' }).click()
  await page.getByText('this browser').waitFor()
  await page.getByRole('button', { name: 'Sign out Viewer' }).click()
  await page.getByText('Viewer is signed out.').waitFor()
  expect(await asViewer()).toBe(401)
  await page.getByRole('button', { name: 'Sign out Editor' }).click()
  await page.getByRole('button', { name: 'Signed in: nobody' }).waitFor()
  const me = () => page.evaluate(async () => (await fetch('/api/admin/user')).status)
  expect(await me()).toBe(401)
  expect(server.mock.requests.all().at(-1)?.status).toBe(401)
  expect(panel.complaints.splice(0)).toHaveLength(1)
})

it('without requests, the panel offers an error, a change and a link, each with one click that can be undone', async ({
  browser,
}) => {
  await using panel = await openPanel(browser, {}, clipboard)
  const { page, server } = panel
  const undo = () => page.locator('.message').getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: '403 for the next request' }).click()
  await page.getByText('The next admin request gets a 403.').waitFor()
  await undo()
  await page.getByText('Undone: The next admin request').waitFor()
  const production = () =>
    server.mock.features.get('checkout-redesign')?.environments.find(({ name }) => name === 'production')
  const before = production()?.enabled
  await page.getByRole('button', { name: /^Switch checkout-redesign/ }).click()
  await expect.poll(() => production()?.enabled).toBe(!before)
  await undo()
  await expect.poll(() => production()?.enabled).toBe(before)
  await page.getByRole('button', { name: 'Save this state and copy its link' }).click()
  await page.getByText(/^Saved as “Shared .*Its link was copied/).waitFor()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  expect((await fetch(link, { redirect: 'manual' })).status).toBe(302)
  await undo()
  await page.getByText(/^Removed the scenario shared-/).waitFor()
})

it('problems with files are shown below the header, and disappear with them', async ({ page, server }) => {
  const { sessions } = server.mock[CORE]
  const live = page.getByRole('status')
  expect(await live.textContent()).toBe('Live')
  sessions.setFileNotice('sources', 'shop.json: comma expected (line 126). The previous files are used.')
  await page.getByText('shop.json: comma expected (line 126). The previous files are used.').waitFor()
  await live.getByText('Live · 1 notice').waitFor()
  sessions.setFileNotice('sources', undefined)
  await live.getByText('Live', { exact: true }).waitFor()
  expect(await page.locator('.banner').count()).toBe(0)
})

it('Ctrl+Z undoes, Ctrl+Shift+Z redoes, and a later change ends the redo', async ({ panel, page, server }) => {
  await panel.ask('POST', clonePath, { name: 'one' })
  await page.getByText('1 request', { exact: true }).waitFor()
  await page.keyboard.press('Control+z')
  await page.getByText(/^Undone: /).waitFor()
  await page.keyboard.press('u')
  await page.keyboard.press('Control+Shift+Z')
  await page.getByText(/^Redone: /).waitFor()
  expect(server.mock.features.get('one')).toBeDefined()
  await page.keyboard.press('Control+z')
  await page.getByText(/^Undone: /).waitFor()
  await panel.ask('POST', clonePath, { name: 'two' })
  await page.getByText('2 requests', { exact: true }).waitFor()
  await page.keyboard.press('Control+Shift+Z')
  await page.getByText('There is nothing to redo.').waitFor()
  expect(server.mock.features.get('one')).toBeUndefined()
  expect(server.mock.features.get('two')).toBeDefined()
})

it('after a number or a slash the focus is where the next key goes; after adding a rule keys are shortcuts', async ({
  page,
}) => {
  await page.keyboard.press('3')
  await page.getByRole('tab', { name: 'Rules', selected: true }).and(page.locator(':focus')).waitFor()
  await page.keyboard.press('/')
  const operation = page.getByRole('combobox', { name: 'Operation' })
  await operation.and(page.locator(':focus')).waitFor()
  await page.keyboard.type('clonefeature')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  expect(await operation.inputValue()).toBe('cloneFeature')
  await page.getByText('No rules.').waitFor()
  await page.getByRole('button', { name: 'broken connection', exact: true }).click()
  await page.getByRole('button', { name: 'Add the rule' }).click()
  await page.getByText('reset: the connection breaks').waitFor()
  await page.keyboard.press('1')
  await page.getByRole('tab', { name: 'Requests', selected: true }).waitFor()
  await page.keyboard.press('3')
  await page.getByRole('tab', { name: 'Rules', selected: true }).waitFor()
  await page.keyboard.press('/')
  await operation.and(page.locator(':focus')).waitFor()
  await page.keyboard.type('getprojects')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'slow 2 s', exact: true }).click()
  await page.getByRole('button', { name: '3 times', exact: true }).click()
  await page.getByRole('button', { name: 'Add the rule' }).click()
  await page.getByText('delayed by 2000 ms · for 3 requests').waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('clonefeature')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: '403', exact: true }).click()
  await page.getByRole('button', { name: 'once', exact: true }).click()
  await page.getByRole('button', { name: 'Add the rule' }).click()
  await page.getByText('for 1 request · matched 0 times').waitFor()
  await page.getByRole('tab', { name: 'Settings' }).click()
  await page.keyboard.press('/')
  await page.getByLabel('Find a scenario').and(page.locator(':focus')).waitFor()
})

it('the next request of a kind fails as chosen; the used-up rule is rearmed, and changed', async ({ panel, page }) => {
  const statuses = async (count: number) => {
    const found: number[] = []
    for (let at = 0; at < count; at++) found.push((await panel.ask('GET', '/api/admin/projects')).status)
    return found
  }
  await statuses(1)
  await page.locator('.entry summary').first().click()
  await page.getByRole('button', { name: 'fail', exact: true }).click()
  await page.getByRole('button', { name: /^500/ }).click()
  await page.getByText('The next getProjects fails with 500.').waitFor()
  expect(await statuses(2)).toEqual([500, 200])
  await panel.goTo('Rules')
  await page.getByText('used up').waitFor()
  await page.getByRole('button', { name: /^Arm the rule/ }).click()
  await page.getByText('used up').waitFor({ state: 'detached' })
  expect(await statuses(2)).toEqual([500, 200])
  await page.getByRole('button', { name: /^Edit the rule/ }).click()
  await page.getByRole('combobox', { name: 'Response' }).selectOption('429')
  await page.getByLabel('How many times').selectOption('twice')
  await page.getByText('then work.').waitFor()
  await page.getByRole('button', { name: 'Save the rule' }).click()
  await page.getByText('for 2 requests · matched 0 times').waitFor()
  expect(await statuses(3)).toEqual([429, 429, 200])
})

it('the copied command runs in a shell', async ({ browser }) => {
  await using panel = await openPanel(browser, {}, clipboard)
  const { page, server } = panel
  await panel.ask('GET', '/api/admin/projects', undefined, { authorization: 'user:mock-viewer' })
  await page.getByText('1 request', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  await page.getByRole('button', { name: 'Copy the last request as curl' }).click()
  await page.getByText('Copied: GET /api/admin/projects.').waitFor()
  const { stdout } = await promisify(exec)(await page.evaluate(() => navigator.clipboard.readText()))
  expect(JSON.parse(stdout).projects).toHaveLength(2)
  expect(server.mock.requests.all().at(-1)?.caller).toBe('Viewer')
})
