import { readFile } from 'node:fs/promises'
import { expect } from 'vitest'
import { CORE } from '../../src/engine/mock/session.js'
import { it, openPanel } from '../support/panel.js'

it('a flag is switched, edited, cloned, archived and revived by Unleash’s own operations', async ({
  panel,
  page,
  server,
}) => {
  const feature = (name: string) => server.mock.features.get(name)
  await panel.goTo('Data')
  await page.getByRole('switch', { name: 'legacy-export in production' }).click()
  await page.getByRole('switch', { name: 'legacy-export in production', checked: false }).waitFor()
  await page.getByRole('button', { name: 'legacy-export', expanded: false }).click()
  const edit = page.getByRole('form', { name: 'Edit legacy-export' })
  await edit.getByLabel('Description').fill('The old way')
  await edit.getByLabel('Type').selectOption('operational')
  await edit.getByRole('button', { name: 'Save' }).click()
  await page.locator('.message').waitFor()
  await expect.poll(() => feature('legacy-export')?.type).toBe('operational')
  expect(feature('legacy-export')).toMatchObject({ description: 'The old way', type: 'operational', stale: true })
  const clone = page.getByRole('form', { name: 'Clone legacy-export' })
  await clone.getByLabel('Copy as').fill('push-opt-in')
  await clone.getByRole('button', { name: 'Clone' }).click()
  const refused = page.getByRole('listitem').filter({ hasText: 'legacy-export' }).getByRole('alert')
  await refused.getByText('push-opt-in').waitFor()
  await clone.getByLabel('Copy as').fill('new-export')
  await clone.getByRole('button', { name: 'Clone' }).click()
  await page.getByRole('button', { name: 'new-export', expanded: false }).waitFor()
  await refused.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Archive legacy-export' }).click()
  await expect.poll(() => feature('legacy-export')?.archived).toBe(true)
  await page.getByRole('button', { name: 'Revive' }).click()
  await expect.poll(() => feature('legacy-export')?.archived).toBe(false)
  const sent = server.mock.requests
    .all()
    .map(({ operation, requestHeaders }) => [operation, requestHeaders['x-mock-client']])
  expect(sent).toEqual(
    [
      'toggleFeatureEnvironmentOff',
      'updateFeature',
      'cloneFeature',
      'cloneFeature',
      'archiveFeature',
      'reviveFeatures',
    ].map((operation) => [operation, 'panel']),
  )
  await panel.goTo('Requests')
  expect(await page.getByRole('tab', { name: 'Requests' }).textContent()).toBe('Requests ')
  await page.getByText('No requests yet.').waitFor()
  await panel.ask('GET', '/api/admin/projects')
  await page.getByText('1 request', { exact: true }).waitFor()
  expect(await page.locator('.entry').getByText('from the panel').count()).toBe(0)
  await page.getByLabel('Show').selectOption("All, with polls and the panel's own")
  await page.getByText('7 requests').waitFor()
  expect(await page.locator('.entry').getByText('from the panel').count()).toBe(6)
  expect(panel.complaints.splice(0)).toHaveLength(1)
})

it('the columns of environments are in Unleash’s order', async ({ browser }) => {
  const environments = [
    { name: 'acceptance', sortOrder: 9000 },
    { name: 'testing', sortOrder: 0 },
  ]
  const features = [{ name: 'sale', environments: environments.map(({ name }) => ({ name, enabled: true })) }]
  await using panel = await openPanel(browser, { fixtures: { environments, features } })
  await panel.goTo('Data')
  await panel.page.getByRole('switch', { name: 'sale in acceptance' }).waitFor()
  const columns = await panel.page.locator('.column[title]').allInnerTexts()
  expect(columns).toEqual(['testing', 'development', 'production', 'acceptance'])
})

it('the rollout of a strategy is saved when the slider is released', async ({ panel, page, server }) => {
  await panel.goTo('Data')
  await page.getByRole('button', { name: 'checkout-redesign', expanded: false }).click()
  const rollout = page.getByRole('slider', { name: /Half of everybody in development/ })
  const percent = () =>
    server.mock.features.get('checkout-redesign')?.environments[0]?.strategies[0]?.parameters.rollout
  const saved = () => server.mock.requests.count({ operation: 'patchFeatureStrategy' })
  const { x = 0, y = 0, width = 0, height = 0 } = (await rollout.boundingBox()) ?? {}
  await page.mouse.move(x + width / 2, y + height / 2)
  await page.mouse.down()
  await page.mouse.move(x + width - 1, y + height / 2, { steps: 5 })
  await page.locator('output').first().getByText('100 %').waitFor()
  expect([percent(), saved()]).toEqual(['50', 0])
  await page.mouse.up()
  await expect.poll(percent).toBe('100')
  await page.locator('.message').getByRole('button', { name: 'Undo' }).click()
  await page.locator('output').first().getByText('50 %').waitFor()
  await rollout.focus()
  await page.keyboard.down('ArrowRight')
  await page.keyboard.down('ArrowRight')
  await page.locator('output').first().getByText('52 %').waitFor()
  expect(saved()).toBe(1)
  await page.keyboard.up('ArrowRight')
  await expect.poll(percent).toBe('52')
  expect(saved()).toBe(2)
})

it('of 1,000 features, only the visible ones are drawn', async ({ panel, page, server }) => {
  const names = Array.from({ length: 1000 }, (_, i) => `flag-${String(i).padStart(4, '0')}`)
  server.mock.add({ features: names.map((name) => ({ name })) })
  await panel.goTo('Data')
  await page.getByText('1,004 flags').waitFor()
  const last = page.getByRole('switch', { name: 'flag-0999 in development' })
  expect(await page.getByRole('switch').count()).toBeLessThan(200)
  expect(await last.count()).toBe(0)
  await page.locator('.unseen').last().scrollIntoViewIfNeeded()
  await last.waitFor()
  expect(await page.getByRole('switch').count()).toBeLessThan(300)
})

it('the fields of a flag show its state, also after an undo', async ({ panel, page, server }) => {
  const flag = () => server.mock.features.get('legacy-export')
  const { type, description: words, stale } = flag() ?? {}
  await panel.goTo('Data')
  await page.getByRole('button', { name: 'legacy-export', expanded: false }).click()
  const edit = page.getByRole('form', { name: 'Edit legacy-export' })
  const description = edit.getByLabel('Description')
  await edit.getByLabel('Type').selectOption('operational')
  await edit.getByLabel('stale').uncheck()
  await description.fill('The old way')
  await description.press('Enter')
  await expect.poll(() => flag()?.description).toBe('The old way')
  expect(flag()).toMatchObject({ description: 'The old way', type: 'operational', stale: false })
  expect(await description.evaluate((field) => field.matches(':focus'))).toBe(true)
  await page.locator('.message').getByRole('button', { name: 'Undo' }).click()
  await page.getByText(/^Undone: /).waitFor()
  await edit.getByRole('button', { name: 'Save' }).click()
  await page.getByText(/^Undone: /).waitFor({ state: 'detached' })
  expect(flag()).toMatchObject({ type, description: words, stale })
})

it('a signup token is created, expires now, is extended by a week, and is disabled', async ({
  panel,
  page,
  server,
}) => {
  await panel.goTo('Data')
  await panel.goTo('Signup tokens')
  const row = page.locator('.row', { hasText: 'live-invite' })
  await page.getByRole('button', { name: 'Expire now: Live invite' }).click()
  await row.getByText('expired', { exact: true }).waitFor()
  await page.getByRole('button', { name: '+7 days: Live invite' }).click()
  await row.getByText('Expires in 7 days').waitFor()
  await page.getByRole('switch', { name: 'Live invite is enabled' }).click()
  await row.getByText('disabled', { exact: true }).waitFor()
  expect(server.mock.signupTokens.get('live-invite')).toMatchObject({ enabled: false })
  const form = page.getByRole('form', { name: 'New signup token' })
  await form.getByLabel('New signup token').fill('For the team')
  await form.getByLabel('Days').fill('3')
  await form.getByRole('button', { name: 'Create' }).click()
  await page.locator('.row', { hasText: 'For the team' }).getByText('Expires in 3 days').waitFor()
})

it('a user gets another role', async ({ panel, page, server }) => {
  await panel.goTo('Data')
  await panel.goTo('Users')
  await page.getByLabel('Role of Viewer').selectOption('Editor')
  await expect.poll(() => server.mock.users.get(3)?.rootRole).toBe(2)
})

it('a rejection is shown at the place of the action, until the action works', async ({ panel, page, server }) => {
  await panel.goTo('Data')
  const unforce = server.mock.force({ operation: 'toggleFeatureEnvironmentOff', status: 403 })
  const [one, other] = ['legacy-export', 'checkout-redesign'].map((name) =>
    page.getByRole('listitem').filter({ hasText: name }),
  )
  const toggle = page.getByRole('switch', { name: 'legacy-export in production' })
  await toggle.click()
  await one?.getByRole('alert').getByText('A rule responded.').waitFor()
  expect(await other?.getByRole('alert').count()).toBe(0)
  unforce()
  await toggle.click()
  await one?.getByRole('alert').waitFor({ state: 'detached' })
  expect(panel.complaints.splice(0)).toHaveLength(1)
})

it('a click signs this browser in to the app as a user of the data', async ({ panel, page }) => {
  await panel.goTo('Data')
  await panel.goTo('Users')
  await page.getByRole('button', { name: 'Sign in as Viewer' }).click()
  await page.getByText('Signed in as Viewer.').waitFor()
  const me = await page.evaluate(async () => (await fetch('/api/admin/user')).json())
  expect(me.user.email).toBe('viewer@example.com')
})

it('the address names the session, which survives a reload, and each tab shows its data', async ({
  panel,
  page,
  server,
}) => {
  server.mock.session('nora').add({ signupTokens: [{ secret: 'noras', name: 'Nora’s invite' }] })
  await panel.goTo('Data')
  await panel.goTo('Signup tokens')
  await panel.goTo('Settings')
  await page.getByRole('button', { name: 'Session: ' }).click()
  await page.getByRole('button', { name: /^nora/ }).click()
  await page.getByRole('button', { name: 'Session: nora' }).waitFor()
  await page.getByRole('status').getByText('Live').waitFor()
  expect(page.url()).toBe(`${server.url}/__mock/?session=nora#settings`)
  await page.goBack()
  await page.goBack()
  expect(page.url()).toBe(`${server.url}/__mock/#data/signup-tokens`)
  await page.getByText('Live invite').waitFor()
  await page.goForward()
  await page.goForward()
  await panel.goTo('Data')
  await panel.goTo('Signup tokens')
  await page.getByText('Nora’s invite').waitFor()
  expect(await page.getByText('Live invite').count()).toBe(1)
  await page.reload()
  await page.getByText('Nora’s invite').waitFor()
  await page.getByRole('button', { name: 'Session: nora' }).waitFor()
})

it('this browser joins a session with a click, and leaves it again', async ({ page, server }) => {
  server.mock.session('nora')
  const session = page.getByRole('button', { name: 'Session: ' })
  await session.click()
  await page.getByRole('button', { name: /^nora/ }).click()
  await session.click()
  await page.getByRole('link', { name: 'Use this session in my browser' }).click()
  await page.waitForURL(/session=nora/)
  await page.getByRole('status').getByText('Live').waitFor()
  expect(new URL(page.url()).search).toBe('?session=nora')
  await page.evaluate(() => fetch('/health'))
  expect(server.mock.session('nora').requests.count()).toBe(1)
  await session.click()
  await page.getByText('used by this browser').waitFor()
  await page.getByRole('button', { name: /^shared/ }).click()
  await session.click()
  await page.getByRole('link', { name: 'Use it in my browser' }).click()
  await page.waitForURL((url) => url.search === '')
  await page.getByRole('status').getByText('Live').waitFor()
  expect(await page.context().cookies()).toEqual([])
})

it('the session menu says which session this browser uses, and its link opens the app', async ({ page, server }) => {
  server.mock[CORE].appPath = '/shop'
  server.mock.session('nora')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(`${server.url}/__mock/?session=nora`)
  await page.getByText("This browser's pages use the shared session; you are looking at the session nora.").waitFor()
  expect(await page.getByRole('button', { name: 'Remove the cookie' }).count()).toBe(0)
  const session = page.getByRole('button', { name: 'Session: nora' })
  await session.click()
  await page.getByRole('button', { name: 'Copy link' }).click()
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toBe(`${server.url}/__mock/use?session=nora&redirect=%2Fshop`)
  await session.click()
  await page.getByRole('button', { name: 'Open the shared session' }).click()
  await page.waitForURL((url) => url.search === '')
})

it('a file is uploaded by dropping it', async ({ panel, page, server }) => {
  await panel.goTo('Settings')
  await page.locator('.drop').evaluate((form) => {
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File(['{"features":[{"name":"dropped"}]}'], 'fixture.json'))
    form.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
  })
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  await expect.poll(() => server.mock.features.get('dropped')?.name).toBe('dropped')
})

it('the data of a session becomes the start of all sessions, until they start with the files again', async ({
  panel,
  page,
  server,
}) => {
  server.mock.enable('seeded')
  await panel.goTo('Settings')
  await page.getByRole('button', { name: 'Start all sessions with this data' }).click()
  await page.getByText('All sessions start with this data.').waitFor()
  expect(server.mock.session('new').features.get('seeded')?.name).toBe('seeded')
  await page.getByRole('button', { name: 'Start them with the files again' }).click()
  await page.getByText('All sessions start with the files.').waitFor()
  expect(server.mock.session('new').features.get('seeded')).toBeUndefined()
})

it('a rule that can never apply says so, and a request names the check that rejected it', async ({
  panel,
  page,
  server,
}) => {
  server.mock.force({ operation: 'getProjects', status: 503 })
  server.mock.force({ operation: '*', status: 500, match: { headers: { 'x-team': 'a' } } })
  server.mock.force({ operation: 'getProjects', status: 429 })
  const body = { name: 'copy' }
  await panel.ask('POST', '/api/admin/projects/default/features/legacy-export/clone', body, {
    authorization: 'user:mock-viewer',
  })
  await panel.goTo('Rules')
  await page.getByText(/^can never apply: the newer rule \S+ handles all of its requests$/).waitFor()
  expect(await page.getByText('can never apply').count()).toBe(1)
  await panel.goTo('Requests')
  await page.locator('.entry summary').first().click()
  await page.getByText('Rejected by the permission check:').waitFor()
  await page.locator('.refusal').getByText('CREATE_FEATURE').waitFor()
})

it('a click on the active scenario does nothing', async ({ panel, page, server }) => {
  server.mock.add({ features: [{ name: 'mine' }] })
  await page.getByRole('button', { name: /A small instance/, pressed: true }).click()
  await panel.goTo('Data')
  await page.getByRole('button', { name: 'mine', expanded: false }).waitFor()
  expect(server.mock.features.get('mine')).toBeDefined()
})

it('a switch, a removed rule and a change of data are undone with a click, and users can return to history entries', async ({
  panel,
  page,
  server,
}) => {
  const undo = () => page.locator('.message').getByRole('button', { name: 'Undo' }).click()
  server.mock.add({ features: [{ name: 'mine' }] })
  await page.getByText('Only your own data').click()
  await page.getByText('Switched to “Only your own data”.').waitFor()
  await page.getByRole('button', { name: 'Switch back' }).click()
  await page.getByRole('button', { name: /A small instance/, pressed: true }).waitFor()
  expect(server.mock.features.get('mine')).toBeDefined()
  server.mock.force({ operation: 'getProjects', status: 503 })
  await panel.goTo('Rules')
  await page.getByRole('button', { name: /^Remove the rule/ }).click()
  await page.getByText('No rules.').waitFor()
  await undo()
  await page.getByRole('heading', { name: 'getProjects' }).waitFor()
  await panel.goTo('History')
  await page.getByRole('button', { name: /^Undo: / }).waitFor()
  await page.getByRole('button', { name: /^Return to this entry: The start of/ }).click()
  await page.getByText(/^Jumped to: The start of/).waitFor()
  expect(server.mock.features.get('mine')).toBeUndefined()
  await undo()
  await expect.poll(() => server.mock.features.get('mine')?.name).toBe('mine')
})

it('a request shows its changes, and leads back to the state before it', async ({ panel, page, server }) => {
  const path = '/api/admin/projects/default/features'
  await panel.ask('PATCH', `${path}/legacy-export`, [{ op: 'replace', path: '/description', value: 'Changed' }])
  await panel.ask('POST', `${path}/legacy-export/clone`, { name: 'copy' })
  await page.locator('.entry', { hasText: 'patchFeature' }).locator('summary').first().click()
  const changed = page.getByRole('table', { name: 'features legacy-export changed' })
  await changed
    .getByRole('row', { name: /^description/ })
    .getByText('"Changed"')
    .waitFor()
  expect(await changed.textContent()).not.toContain('gravatar')
  await page.getByRole('button', { name: 'Back to the state before this request' }).click()
  await page.getByText(/^Back to the state before PATCH/).waitFor()
  expect(server.mock.features.get('copy')).toBeUndefined()
  expect(server.mock.features.get('legacy-export')?.description).not.toBe('Changed')
})

it('the current state is saved as a scenario, listed first, and downloaded as a file', async ({ page, server }) => {
  server.mock.add({ features: [{ name: 'mine' }] })
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  const form = page.getByRole('form', { name: 'Save as scenario' })
  await form.getByLabel('Title').fill('My Monday')
  await form.getByLabel('Promise').fill('There is a feature of mine.')
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved as “My Monday”.').waitFor()
  expect(await page.locator('.scenario .name').first().textContent()).toBe('My Monday')
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'More about My Monday' }).click()
  await page.getByRole('button', { name: 'Download my-monday.json' }).click()
  const file = JSON.parse(await readFile(await (await downloading).path(), 'utf8'))
  expect(file).toMatchObject({ name: 'my-monday', title: 'My Monday' })
  await page.getByRole('button', { name: /^My Monday/ }).click()
  await page.getByRole('button', { name: /^My Monday/, pressed: true }).waitFor()
  expect(server.mock.features.get('mine')).toBeDefined()
})

it('a flag shows the states that SDKs saw, and makes links that change it for one browser', async ({
  panel,
  page,
  server,
}) => {
  const authorization = '*:development.mock-client'
  await panel.goTo('Data')
  const row = (name: string) => page.locator('.row', { has: page.getByRole('button', { name }) })
  await row('legacy-export').waitFor()
  expect(await page.getByText('seen by SDKs').count()).toBe(0)
  await panel.ask('GET', '/api/client/features', undefined, { authorization })
  await page.reload()
  await row('legacy-export').getByText('unknown').waitFor()
  const bucket = {
    start: '2026-11-20T11:00:00.000Z',
    stop: '2026-11-20T12:00:00.000Z',
    toggles: {
      'checkout-redesign': { yes: 1, no: 2, variants: { 'one-page': 1 } },
      'legacy-export': { yes: 0, no: 1 },
      baner: { yes: 0, no: 3 },
    },
  }
  const report = { appName: 'shop', instanceId: 'i', bucket }
  expect((await panel.ask('POST', '/api/client/metrics', report, { authorization })).status).toBe(202)
  await page.reload()
  await row('legacy-export').getByText('only off').waitFor()
  await row('checkout-redesign').getByText('variant two-pages never').waitFor()
  await row('push-opt-in').getByText('never').waitFor()
  const toggles = { 'checkout-redesign': { yes: 1, no: 0, variants: { 'two-pages': 1 } } }
  const second = { ...report, bucket: { ...bucket, toggles } }
  expect((await panel.ask('POST', '/api/client/metrics', second, { authorization })).status).toBe(202)
  await page.reload()
  await row('checkout-redesign').getByText('on · off').waitFor()
  await page.getByLabel('not fully tested').check()
  await expect.poll(() => row('checkout-redesign').count()).toBe(0)
  await row('push-opt-in').waitFor()
  await page.getByLabel('not fully tested').uncheck()
  await row('checkout-redesign').waitFor()
  await page.getByText("SDKs asked for flags that don't exist, or are archived: baner (3 times)").waitFor()
  await page.getByRole('button', { name: /^legacy-export/ }).click()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'off: a link with legacy-export off' }).click()
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toBe(`${server.url}/__mock/use/legacy-export%3Aoff`)
  server.mock.useScenario('default', 'legacy-export:off')
  await row('legacy-export').getByText('SDKs are told: off (by this session)').waitFor()
  await page.getByRole('button', { name: 'Remove legacy-export off' }).click()
  await expect.poll(() => server.mock.toldFlags).toEqual({})
})
