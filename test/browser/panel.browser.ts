import { readFile } from 'node:fs/promises'
import { expect } from 'vitest'
import { scenarios as builtIn } from '../../scenarios/index.js'
import { ADMIN, NOW } from '../support/adapters.js'
import { scratchFolder } from '../support/cli.js'
import { it, openPanel } from '../support/panel.js'

const clonePath = '/api/admin/projects/default/features/checkout-redesign/clone'
const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] }

it('the panel shows all scenarios with their promises, and switches with one click', async ({ page, server }) => {
  const scenarios = page.getByRole('complementary', { name: 'Scenarios' })
  for (const { title, promise } of builtIn) {
    const choose = scenarios.getByRole('button', { name: `${title} ${promise}`, exact: true })
    await choose.hover()
    await expect.poll(() => choose.locator('.promise').evaluate((told) => getComputedStyle(told).clipPath)).toBe('none')
  }
  const card = scenarios.getByRole('listitem').filter({ hasText: 'The signup token has expired' })
  const row = await card.locator('.choose').boundingBox()
  await page.mouse.click((row?.x ?? 0) + (row?.width ?? 0) - 3, (row?.y ?? 0) + (row?.height ?? 0) - 3)
  await scenarios.getByRole('button', { name: /^The signup token has expired/, pressed: true }).waitFor()
  expect(server.mock.activeScenarios).toEqual(['expired-token'])
  await scenarios.getByRole('button', { name: 'More about A slow network' }).click()
  await page.getByRole('button', { name: 'Combine with the active scenario' }).click()
  await scenarios.getByRole('button', { name: /^A slow network/, pressed: true }).waitFor()
  expect(server.mock.activeScenarios).toEqual(['expired-token', 'slow'])
  await page.getByRole('button', { name: 'Scenario: The signup token has expired + A slow network' }).waitFor()
  await scenarios.getByRole('button', { name: 'More about The signup token has expired' }).click()
  await page.getByRole('button', { name: 'Remove from the combination' }).click()
  await scenarios.getByRole('button', { name: /^The signup token has expired/, pressed: false }).waitFor()
  expect(server.mock.activeScenarios).toEqual(['slow'])
})

it('the panel follows a switch made elsewhere', async ({ panel, page, server }) => {
  server.mock.useScenario('empty')
  await page.getByRole('button', { name: /Only your own data/, pressed: true }).waitFor()
  await panel.goTo('Data')
  await page.getByText('No flags.', { exact: true }).waitFor()
})

it('with an app, a QA link leads to the app, and the panel opens it', async ({ browser }) => {
  const app = scratchFolder()
  app.put('index.html', '<!doctype html><html lang="en"><title>The app</title><h1>The app</h1>')
  await using panel = await openPanel(browser, {}, clipboard, app.path)
  const { page, server } = panel
  await page.getByRole('button', { name: 'Share' }).click()
  await page.getByRole('button', { name: 'Copy the QA link' }).click()
  await page.getByText('Copied: a link that opens A small instance.').waitFor()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  expect(link).toBe(`${server.url}/__mock/use/default?redirect=%2F`)
  await page.goto(link)
  await page.getByRole('heading', { name: 'The app' }).waitFor()
  await page.goto(`${server.url}/__mock/`)
  await page.getByText('A link switched this browser to A small instance').waitFor()
  await page.getByRole('button', { name: 'Open the app' }).click()
  await page.getByRole('heading', { name: 'The app' }).waitFor()
  await page.goto(`${server.url}/__mock/`)
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('link', { name: 'Open the app' }).click()
  await page.getByRole('heading', { name: 'The app' }).waitFor()
})

it('the panel copies a QA link that leads to the scenario', async ({ browser }) => {
  await using panel = await openPanel(browser, {}, clipboard)
  const { page, server } = panel
  await page.getByRole('button', { name: 'More about The signup token has expired' }).click()
  await page.getByRole('button', { name: 'Copy a QA link' }).click()
  await page.getByText('Copied: a link to expired-token.').waitFor()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  expect(link).toBe(`${server.url}/__mock/use/expired-token`)
  await page.goto(link)
  await page.getByText('A link switched this browser to The signup token has expired').waitFor()
  await page.getByRole('button', { name: /^The signup token has expired/, pressed: true }).waitFor()
  await page.getByRole('status').getByText('Live · 1 notice').waitFor()
  await panel.goTo('Data')
  await panel.goTo('Signup tokens')
  await page.locator('.row', { hasText: 'live-invite' }).getByText('expired', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Go back' }).click()
  await page.getByText('A link switched this browser').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: /^A small instance/, pressed: true }).waitFor()
  expect(await page.context().cookies()).toEqual([])
})

it('the panel shows each request as it comes, with its bodies, and copies it as curl', async ({ browser }) => {
  await using panel = await openPanel(browser, { seed: 1, now: NOW }, clipboard)
  const { page } = panel
  await page.getByText('No requests yet.').waitFor()
  await panel.ask('POST', clonePath, { name: "it's-new" })
  const entry = page.locator('.entry').first()
  expect(await entry.locator('summary > *').allTextContents()).toEqual([
    ...['POST', clonePath, expect.anything(), '200'],
    expect.stringMatching(/^\d+ ms$/),
    '12:00:00',
  ])
  await entry.locator('summary').click()
  expect(JSON.parse((await entry.locator('pre').first().textContent()) ?? '')).toEqual({ name: "it's-new" })
  expect(JSON.parse((await entry.locator('pre').last().textContent()) ?? '')).toMatchObject({
    name: "it's-new",
    project: 'default',
  })
  await panel.ask('GET', '/health')
  await page.locator('.entry', { hasText: '/health' }).waitFor()
  expect(await page.locator('details[open] summary .path').allTextContents()).toEqual([clonePath])
  await page.getByRole('button', { name: 'Copy as curl' }).click()
  await page.getByText(/^Copied: POST/).waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    [
      `curl --globoff -X POST '${panel.server.url}${clonePath}'`,
      `-H 'Authorization: ${ADMIN}'`,
      "-H 'x-mock-scenario: default'",
      "-H 'Content-Type: application/json'",
      `--data-raw '{"name":"it'\\''s-new"}'`,
    ].join(' \\\n  '),
  )
})

it('the panel filters the requests, and empties the journal', async ({ panel, page, server }) => {
  await panel.ask('GET', '/api/admin/projects')
  await panel.ask('POST', clonePath, { name: 'push-opt-in' })
  await panel.ask('GET', '/api/admin/nothing-of-ours')
  const entries = page.locator('.entry')
  await page.getByText('3 requests').waitFor()
  const [show, find] = [page.getByLabel('Show'), page.getByLabel('Find a request')]
  await show.selectOption('Failed')
  await page.getByText('2 of 3 requests').waitFor()
  expect(await entries.allTextContents()).toEqual([expect.stringContaining('501'), expect.stringContaining('409')])
  await show.selectOption('No operation')
  await page.locator('.entry').getByText('no operation').waitFor()
  expect(await entries.count()).toBe(1)
  await show.selectOption('Changed something')
  await page.getByText('No request matches the filter.').waitFor()
  await show.selectOption('All')
  for (const text of ['getProjects', 'nameexists']) {
    await find.fill(text)
    await page.getByText('1 of 3 requests').waitFor()
  }
  await page.getByRole('button', { name: 'More actions for the requests' }).click()
  await page.getByRole('button', { name: 'Clear' }).click()
  await page.getByText('No requests yet.').waitFor()
  expect(server.mock.requests.all()).toEqual([])
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('3 requests').waitFor()
})

it('the panel shows features with their strategies, tokens with their expiry in words, and users', async ({
  panel,
  page,
}) => {
  await panel.goTo('Data')
  const feature = page.getByRole('listitem').filter({ hasText: 'checkout-redesign' })
  await feature.getByRole('switch', { name: 'checkout-redesign in development', checked: true }).waitFor()
  await feature.getByRole('button', { name: 'checkout-redesign', expanded: false }).click()
  await feature.getByText('checkout-cohort').waitFor()
  await feature.getByText('one-page 50 %, two-pages 50 %').waitFor()
  await panel.ask('POST', clonePath, { name: 'just-cloned' })
  await page.getByRole('button', { name: 'just-cloned', expanded: false }).waitFor()
  await page.getByLabel('Find a flag').pressSequentially('push-o')
  await page.getByText('1 of 5 flags').waitFor()
  expect(await page.locator('.opens').allInnerTexts()).toEqual([expect.stringContaining('push-opt-in')])
  await page.getByLabel('Find a flag').fill('')
  await page.getByLabel('Project', { exact: true }).selectOption('Mobile app')
  await page.getByText('1 of 5 flags').waitFor()
  await panel.goTo('Signup tokens')
  await page.locator('.row', { hasText: 'live-invite' }).getByText('Expires in 30 days').waitFor()
  await page.locator('.row', { hasText: 'disabled-invite' }).getByText('disabled', { exact: true }).waitFor()
  await page.getByText('Expired 1 day ago, though stored as enabled').waitFor()
  await panel.goTo('Users')
  await page.getByText('editor@example.com').waitFor()
  await panel.goTo('Projects')
  await page.locator('.row', { hasText: 'Mobile app' }).getByText('1 flag').waitFor()
})

it('the panel sets, advances and releases the clock, and jumps past the expiry of a token', async ({
  page,
  server,
}) => {
  const clock = page.getByRole('button', { name: 'Clock' })
  const shown = page.locator('.menu:popover-open')
  await clock.click()
  await page.getByRole('button', { name: 'A day ahead' }).click()
  await shown.getByText('21 Nov 2026, 12:00:00 UTC').waitFor()
  expect(server.mock.clock.now().toISOString()).toBe('2026-11-21T12:00:00.000Z')
  await page.getByLabel('A date (UTC)').fill('2026-12-02T03:04:05')
  await page.getByRole('button', { name: 'Set and freeze' }).click()
  await clock.getByText('2 Dec 2026, 03:04:05 UTC').waitFor()
  await clock.click()
  await page.getByRole('button', { name: 'Jump past the expiry of Live invite' }).click()
  await expect.poll(() => server.mock.signupTokens.get('live-invite')?.enabled).toBe(false)
  await clock.click()
  expect(await page.getByRole('button', { name: 'Jump past the expiry of Live invite' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Real time' }).click()
  await page.getByRole('button', { name: 'Freeze now' }).click()
  await expect.poll(() => server.mock.clock.frozen).toBe(true)
  await page.keyboard.press('Escape')
  await shown.waitFor({ state: 'hidden' })
})

it('the panel makes an operation fail in a documented way, and undoes it', async ({ panel, page }) => {
  await panel.goTo('Rules')
  const operation = page.getByRole('combobox', { name: 'Operation' })
  await operation.fill('cloneFeature')
  const documented = page.locator('optgroup[label="Documented for cloneFeature"] option')
  expect((await documented.allTextContents()).map((text) => text.slice(0, 3))).toContain('409')
  await page.getByRole('combobox', { name: 'Response' }).selectOption('409')
  await page.getByText('only for …').click()
  await page.getByLabel('Error message').fill('Taken <b>already</b>')
  await page.getByLabel('How many times').selectOption('once')
  await page.getByRole('button', { name: 'Add the rule' }).click()
  await page.getByText('for 1 request · matched 0 times').waitFor()
  const refused = await panel.ask('POST', clonePath, { name: 'a-copy' })
  expect(refused.status).toBe(409)
  expect(await refused.json()).toMatchObject({ message: 'Taken <b>already</b>' })
  await page.getByText('for 1 request · matched 1 time').waitFor()
  await page.getByRole('button', { name: /^Remove the rule/ }).click()
  await page.getByText('No rules.').waitFor()
  await operation.fill('every')
  await operation.press('Enter')
  await page.getByRole('combobox', { name: 'Response' }).selectOption('reset')
  await page.getByRole('button', { name: 'Add the rule for every operation' }).click()
  await page.getByText('reset: the connection breaks').waitFor()
  await expect(panel.ask('GET', '/health')).rejects.toThrow('fetch failed')
})

it('the panel shows one session at a time', async ({ panel, page, server }) => {
  await panel.ask('GET', '/health', undefined, { 'x-mock-session': 'ada' })
  const session = page.getByRole('button', { name: 'Session: ' })
  await session.click()
  await page.getByLabel('Another session').fill('ada')
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  await page.locator('.entry', { hasText: '/health' }).waitFor()
  await page.getByText('Only your own data').click()
  await page.getByRole('button', { name: /Only your own data/, pressed: true }).waitFor()
  expect(server.mock.session('ada').activeScenarios).toEqual(['empty'])
  expect(server.mock.activeScenarios).toEqual(['default'])
  await session.click()
  await page.getByRole('button', { name: /^shared/ }).click()
  await page.getByText('No requests yet.').waitFor()
  await page.getByRole('button', { name: 'Switch back' }).click()
  await page.getByText('Switched back.').waitFor()
  expect(server.mock.session('ada').activeScenarios).toEqual(['default'])
})

it("the panel saves the features as Unleash's export file", async ({ panel, page }) => {
  await panel.goTo('Settings')
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export for Unleash' }).click()
  const file = JSON.parse(await readFile(await (await downloading).path(), 'utf8'))
  expect(file.features.map(({ name }: { name: string }) => name)).toContain('checkout-redesign')
})

it('the panel downloads and uploads a snapshot, and lists the errors of a broken one', async ({
  panel,
  page,
  server,
}) => {
  await panel.goTo('Settings')
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download the data' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe('flagdouble-default.json')
  const snapshot = JSON.parse(await readFile(await download.path(), 'utf8'))
  expect(snapshot).toEqual(JSON.parse(JSON.stringify(server.mock.state())))
  const upload = async (state: unknown) => {
    const buffer = Buffer.from(typeof state === 'string' ? state : JSON.stringify(state))
    await page
      .getByLabel('Snapshot, fixture or scenario')
      .setInputFiles({ name: 's.json', mimeType: 'application/json', buffer })
    await page.getByRole('button', { name: 'Import', exact: true }).click()
  }
  await upload({ features: [{ name: 'lost', project: 'nowhere' }] })
  await page.getByText("That didn't work.").waitFor()
  expect(await page.locator('.message').textContent()).toMatch(/nowhere/)
  expect(await page.locator('.message .hint').textContent()).not.toBe('')
  await upload('{"features": ')
  await page.locator('.message', { hasText: 'not well-formed JSON' }).waitFor()
  expect(server.mock.state()).toEqual(snapshot)
  await page.getByLabel('Add its records').check()
  await upload({ features: [{ name: 'added' }] })
  await expect.poll(() => server.mock.features.get('added')?.name).toBe('added')
  expect(panel.complaints.splice(0)).toHaveLength(2)
})

it('a session starts over with a click, which can be undone', async ({ page, server }) => {
  server.mock.useScenario('slow')
  server.mock.add({ features: [{ name: 'added' }] })
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('button', { name: 'Start over' }).click()
  await page.getByText('Started over: data, rules and clock are reset').waitFor()
  expect(server.mock.activeScenarios).toEqual(['default'])
  expect(server.mock.features.get('added')).toBeUndefined()
  await page.locator('.message').getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Data, rules, clock and scenario are back. The requests stay cleared.').waitFor()
  expect(server.mock.features.get('added')).toBeDefined()
  expect(server.mock.activeScenarios).toEqual(['slow'])
})

it('the panel offers API tokens to copy, with their permissions', async ({ browser }) => {
  await using panel = await openPanel(browser, {}, clipboard)
  const { page } = panel
  await panel.goTo('Settings')
  await page.locator('.row', { hasText: '*:*.mock-admin' }).getByText('everything').waitFor()
  await page.getByRole('button', { name: 'Copy: user:mock-viewer' }).click()
  await page.getByText('Copied: user:mock-viewer.').waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('user:mock-viewer')
})
