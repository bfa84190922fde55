import type { Route } from 'playwright-core'
import { expect } from 'vitest'
import { startServer } from '../../src/entries/adapters/node.js'
import { NOW } from '../support/adapters.js'
import { openPage } from '../support/browser.js'
import { it, openPanel, titles } from '../support/panel.js'

const clonePath = '/api/admin/projects/default/features/checkout-redesign/clone'

it('the panel shows markup in the data as plain text', async ({ browser }) => {
  const markup = '<img src=x onerror="document.title=\'hacked\'">'
  const scenario = { name: 'markup', title: markup, promise: `${markup} promised` }
  const fixtures = {
    features: [{ name: 'plain', description: markup }],
    signupTokens: [{ secret: markup, name: markup }],
    users: [{ id: 9, name: markup, email: 'markup@example.com' }],
    projects: [{ id: 'markup', name: markup, description: markup }],
  }
  await using panel = await openPanel(browser, { scenarios: [scenario], fixtures })
  const { page } = panel
  await panel.ask('POST', clonePath, { name: markup })
  await page.locator('.entry').first().locator('summary').click()
  await page.locator('.entry pre', { hasText: 'onerror' }).first().waitFor()
  await page.getByText(`${markup} promised`).first().waitFor({ state: 'attached' })
  await panel.goTo('Data')
  await page.getByRole('button', { name: 'plain', expanded: false }).click()
  await panel.goTo('Projects')
  await page.locator('.row').getByText(markup, { exact: true }).last().waitFor()
  expect(await page.locator('img').count()).toBe(0)
  expect(await page.title()).toBe('flagdouble · control panel')
})

it('the panel says that it is live only once it shows the data', async ({ browser }) => {
  await using server = await startServer({}, { port: 0 })
  const { page } = await openPage(browser)
  const reading = new Promise<Route>((resolve) => page.route('**/__mock/scenarios', resolve))
  const following = page.waitForResponse('**/__mock/events')
  await page.goto(`${server.url}/__mock/`)
  await following
  const held = await reading
  await page.getByRole('status').getByText('Connecting').waitFor()
  expect(await page.getByText('Live').count()).toBe(0)
  await held.continue()
  await page.getByRole('status').getByText('Live').waitFor()
  expect(await page.getByText('Only your own data').isVisible()).toBe(true)
  await page.context().close()
})

it('the panel works at a URL without a trailing slash, which Next.js removes', async ({ browser }) => {
  await using server = await startServer({}, { port: 0 })
  const { page } = await openPage(browser)
  await page.goto(`${server.url}/__mock`)
  await page.getByRole('status').getByText('Live').waitFor()
  await page.getByText('Only your own data').click()
  await page.getByText('Switched to “Only your own data”.').waitFor()
  expect(new URL(page.url()).pathname).toMatch(/^\/__mock\/?$/)
  await page.context().close()
})

it('the panel says that a proxy is buffering the events, and still shows the data', async ({ browser }) => {
  await using server = await startServer({}, { port: 0 })
  const { page } = await openPage(browser)
  await page.clock.install()
  const asked = new Promise<Route>((resolve) => page.route('**/__mock/events', resolve))
  await page.goto(`${server.url}/__mock/`)
  await asked
  await page.clock.fastForward(5000)
  await page.getByRole('alert').getByText('is buffering').waitFor()
  await page.getByText('Only your own data').waitFor()
  await page.context().close()
})

it('the panel says that the server is gone, and reconnects', async ({ browser }) => {
  const first = await startServer({}, { port: 0 })
  const { page } = await openPage(browser)
  await page.goto(`${first.url}/__mock/`)
  await page.getByRole('status').getByText('Live').waitFor()
  await first.close()
  await page.getByRole('alert').getByText("The mock isn't responding.").waitFor()
  await page.getByText('Only your own data').click()
  await page.getByText('Is it still running?').waitFor()
  await using again = await startServer({ scenario: 'empty' }, { port: first.port })
  await page.getByRole('button', { name: /Only your own data/, pressed: true }).waitFor()
  await page.getByRole('alert').waitFor({ state: 'detached' })
  expect(again.mock.activeScenarios).toEqual(['empty'])
  await page.context().close()
})

it('a session can have any name', async ({ page, server }) => {
  const name = 'Łukasz, 100% “ready” %41'
  await page.goto(`${server.url}/__mock/?session=${encodeURIComponent(name)}`)
  await page.getByText('Only your own data').click()
  await page.getByText('Switched to “Only your own data”.').waitFor()
  expect(server.mock.session(name).activeScenarios).toEqual(['empty'])
})

it('the panel reads a malformed cookie like the mock', async ({ page, server }) => {
  await page.context().addCookies([{ name: 'mock-session', value: '50%', url: server.url }])
  await page.reload()
  await page.getByText('Pages on this host use the session 50% in this browser.').waitFor()
  await page.evaluate(() => fetch('/health'))
  expect(server.mock.session('50%').requests.count()).toBe(1)
})

it('a panel whose event stream is rejected gives the reason, and recovers', async ({ page, server }) => {
  const others = new AbortController()
  const follow = () => fetch(`${server.url}/__mock/events`, { signal: others.signal })
  while ((await follow()).ok);
  const another = await page.context().newPage()
  await another.goto(`${server.url}/__mock/`)
  await another.getByRole('alert').getByText('Close some of them. Each open panel is a subscriber.').waitFor()
  others.abort()
  await another.getByRole('status').getByText('Live').waitFor()
})

it('the cookie of a page below a base path is also removed', async ({ browser }) => {
  await using panel = await openPanel(browser, { baseUrl: 'http://localhost/deep/down', now: NOW })
  const { page, server } = panel
  const { hostname } = new URL(server.url)
  const cookie = { name: 'mock-scenario', value: 'empty', domain: hostname }
  await page.context().addCookies(['/', '/deep/down'].map((path) => ({ ...cookie, path })))
  await page.reload()
  await page.getByRole('button', { name: 'Go back' }).click()
  await page.getByText('A link switched this browser').waitFor({ state: 'detached' })
  expect(await page.context().cookies()).toEqual([])
})

it('the panel works below a base path', async ({ browser }) => {
  await using panel = await openPanel(browser, { baseUrl: 'http://localhost/deep/down', now: NOW })
  expect(panel.server.url).toMatch(/\/deep\/down$/)
  await panel.page.getByText('Only your own data').click()
  await panel.page.getByRole('button', { name: /Only your own data/, pressed: true }).waitFor()
})

it.for([1400, 1000, 360])(
  'at %i pixels, no part is cut off, and no control covers another',
  async (width, { browser }) => {
    const options = { now: NOW, scenario: 'missing-permission' }
    await using panel = await openPanel(browser, options, { viewport: { width, height: 800 } })
    const { page, server } = panel
    server.mock.force({ operation: 'getProjects', status: 503 })
    server.mock.force({ operation: '*', status: 500 })
    const covered = () =>
      page.evaluate(() => {
        const top = document.querySelector('.main')?.getBoundingClientRect().top ?? 0
        const isScrolledAway = (control: Element) =>
          control.closest('.part') !== null && control.getBoundingClientRect().top < top
        const shown = [...document.querySelectorAll('.part :is(button, input, select, a), .status :is(button, p)')]
        const boxes = shown
          .filter((control) => control.checkVisibility() && !isScrolledAway(control))
          .map((control) => ({
            name: control.ariaLabel || control.textContent || control.outerHTML,
            ...control.getBoundingClientRect().toJSON(),
          }))
        return boxes.flatMap((one, i) =>
          boxes
            .slice(i + 1)
            .filter(({ left, top }) => left < one.right - 1 && top < one.bottom - 1)
            .filter(({ right, bottom }) => right > one.left + 1 && bottom > one.top + 1)
            .map(({ name }) => `${one.name} and ${name}`),
        )
      })
    for (const { title, opener } of [
      { title: 'Data', opener: page.getByRole('button', { name: 'checkout-redesign', expanded: false }) },
      { title: 'Signup tokens' },
      { title: 'Users' },
      { title: 'Projects' },
      { title: 'Rules', opener: page.getByText(/rules? from the scenario/) },
      { title: 'History', opener: page.locator('.row .opens').first() },
      { title: 'Settings' },
    ]) {
      await panel.goTo(title)
      await opener?.click()
      const widest = await page.evaluate(() =>
        Math.max(
          ...[...document.querySelectorAll(':root, .top, .main')].map((box) => box.scrollWidth - box.clientWidth),
        ),
      )
      expect({ title, widest, covered: await covered() }).toEqual({ title, widest: 0, covered: [] })
    }
  },
)

it('all titles of the history begin at the same edge', async ({ panel, page, server }) => {
  server.mock.clock.advance({ days: 1 })
  server.mock.force({ operation: 'cloneFeature', status: 503 })
  await panel.goTo('History')
  const titles = page.locator('.row .name')
  await titles.nth(2).waitFor()
  const edges = await titles.evaluateAll((names) => names.map((name) => name.getBoundingClientRect().left))
  expect([edges.length, new Set(edges).size]).toEqual([3, 1])
})

it('on a phone the panel fits, and shows one part at a time', async ({ browser }) => {
  await using panel = await openPanel(browser, { now: NOW }, { viewport: { width: 360, height: 740 } })
  const { page } = panel
  await panel.ask('POST', clonePath, { name: 'a-copy-with-a-rather-long-name-that-nobody-would-give-a-feature' })
  await page.locator('.entry').first().locator('summary').click()
  const widest = () => page.locator('.main').evaluate((main) => main.scrollWidth)
  for (const title of titles) {
    await panel.goTo(title)
    await page.getByRole('tab', { name: title, selected: true }).waitFor()
    expect(await widest()).toBeLessThanOrEqual(360)
  }
  const opener = page.getByRole('button', { name: 'Scenario: A small instance' })
  await opener.click()
  expect(await page.getByRole('tabpanel').isVisible()).toBe(false)
  expect(await page.locator('.status').evaluate((line) => line.scrollWidth)).toBe(360)
  await page.getByRole('button', { name: 'Skip to Scenarios' }).press('Enter')
  expect(await page.getByRole('main', { name: 'Scenarios' }).evaluate((side) => side.matches(':focus'))).toBe(true)
})

it('the panel is usable with the keyboard alone', async ({ page, server }) => {
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  expect(await page.evaluate(() => document.activeElement?.localName)).toBe('main')
  await page.getByRole('tab', { selected: true }).focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await page.getByRole('tab', { name: 'Rules', selected: true }).waitFor()
  await page.getByRole('button', { name: /^Only your own data/ }).focus()
  await page.keyboard.press('Space')
  await page.getByRole('button', { name: /Only your own data/, pressed: true }).waitFor()
  expect(server.mock.activeScenarios).toEqual(['empty'])
})
