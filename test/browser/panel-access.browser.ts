import axe from 'axe-core'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { ADMIN, NOW } from '../support/adapters.js'
import { openPage } from '../support/browser.js'
import { it, openPanel, titles } from '../support/panel.js'
import { openSite } from '../support/site.js'

const clonePath = '/api/admin/projects/default/features/checkout-redesign/clone'

/** The findings of axe, each with its elements. */
async function findings(page: Page, within = 'document'): Promise<string[]> {
  return page.evaluate(`axe.run(${within}).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ target, failureSummary }) => target + ' ' + failureSummary).join(' | ')))`)
}

/** Goes through all parts of the panel, and returns their names. */
async function* everything(panel: Page | Locator, page: Page): AsyncGenerator<string> {
  const menus = ['Session: Everybody', 'Signed in: nobody', 'Share', 'Clock: ', 'More', 'More about Only your own data']
  const opener = panel.getByRole('button', { name: 'Scenario: ' })
  const isNarrow = (await opener.getAttribute('aria-expanded')) !== null
  if (isNarrow && (await opener.getAttribute('aria-expanded')) === 'false') await opener.click()
  for (const name of menus) {
    await panel.getByRole('button', { name, exact: name !== 'Clock: ' }).click()
    await panel.locator('.menu:popover-open').waitFor()
    yield `the menu ${name}`
    await page.keyboard.press('Escape')
  }
  for (const title of titles) {
    await panel.getByRole('tab', { name: title }).click()
    await panel.getByRole('tab', { name: title, selected: true }).waitFor()
    if (title === 'Requests') await panel.locator('.entry summary').first().click()
    if (title === 'Rules') await panel.getByRole('combobox', { name: 'Operation' }).fill('cloneFeature')
    if (title === 'History') await panel.locator('.row .opens').first().click()
    yield title
    if (title !== 'Data') continue
    await panel.getByRole('button', { name: 'checkout-redesign', expanded: false }).click()
    yield 'a feature'
    for (const kind of ['Signup tokens', 'Users', 'Projects']) {
      await panel.getByRole('tab', { name: kind }).click()
      yield kind
    }
  }
}

const widths = [1280, 800, 375]

it.for(widths)(
  'axe finds nothing in any part of the panel at %i pixels, in both themes',
  { timeout: 240_000 },
  async (width, { browser }) => {
    const context = { viewport: { width, height: 800 }, reducedMotion: 'reduce' } as const
    await using panel = await openPanel(browser, { seed: 1, now: NOW }, context)
    const { page, server } = panel
    server.mock.force({ operation: 'getProjects', status: 503 })
    await panel.ask('POST', clonePath, { name: 'a-copy' })
    await panel.ask('POST', clonePath, { name: 'checkout-redesign' })
    await page.evaluate(axe.source)
    const found: string[] = []
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      for await (const place of everything(page, page)) {
        for (const finding of await findings(page)) found.push(`${colorScheme}, ${place}: ${finding}`)
      }
      await page.reload()
      await page.evaluate(axe.source)
    }
    expect(found).toEqual([])
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    expect(await findings(page)).toEqual([])
  },
)

it('axe finds nothing in the drawer, in both themes, at the side and at the bottom', { timeout: 240_000 }, async ({
  browser,
}) => {
  await using site = await openSite(`
    import { startWorker } from './src/entries/adapters/browser.js'
    document.documentElement.lang = 'en'
    document.body.innerHTML = '<main><h1>The app</h1></main>'
    window.ready = startWorker({ badge: true, quiet: true, now: '2026-11-20T12:00:00Z' })
  `)
  const { page } = await openPage(browser, { reducedMotion: 'reduce' })
  const drawer = page.locator('flagdouble-panel')
  const found: string[] = []
  for (const [width, colorScheme, side] of [
    [1280, 'light', 'right'],
    [800, 'dark', 'bottom'],
    [375, 'dark', 'left'],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 800 })
    await page.goto(site.url)
    await page.evaluate('window.ready.then(() => undefined)')
    await page.evaluate(
      ([path, authorization]) =>
        fetch(path, {
          method: 'POST',
          body: '{"name":"a-copy"}',
          headers: { authorization, 'content-type': 'application/json' },
        }).then(() => undefined),
      [clonePath, ADMIN] as const,
    )
    // After that, the drawer is open when the page is loaded again.
    if (width === 1280) await page.keyboard.press('Control+Alt+KeyM')
    await drawer.getByRole('status').getByText('Live').waitFor()
    await drawer.getByRole('button', { name: 'More', exact: true }).click()
    await drawer.getByRole('button', { name: `Panel at the ${side}` }).click()
    await page.keyboard.press('Escape')
    await page.evaluate(axe.source)
    for await (const place of everything(drawer, page)) {
      for (const finding of await findings(page)) found.push(`${width}, ${place}: ${finding}`)
    }
  }
  expect(found).toEqual([])
})

it.for(['/__mock/use/checkout-redesign:offf', '/api/admin/projects?scenario=slow&scenario=empty'])(
  'axe finds nothing in the page for the names in %s, in both themes',
  async (path, { browser, server }) => {
    const { page } = await openPage(browser)
    await page.goto(server.url + path)
    await page.getByRole('main').getByRole('heading', { name: 'Unknown scenario' }).waitFor()
    await page.evaluate(axe.source)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await findings(page)).toEqual([])
    }
  },
)

it('the keyboard reaches every control of every part, and each shows the focus', {
  timeout: 120_000,
}, async ({ panel, page }) => {
  await panel.ask('POST', clonePath, { name: 'a-copy' })
  const controls = ':is(a[href], button, input, select, summary, [tabindex]):not(:disabled, [tabindex="-1"])'
  const walk = async () => {
    await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
    await page.evaluate((selector) => {
      for (const one of document.querySelectorAll(selector)) one.toggleAttribute('data-missed', one.checkVisibility())
    }, controls)
    // Once around, from any start.
    for (let presses = 0, rounds = 0; presses < 300 && rounds < 2; presses++) {
      await page.keyboard.press('Tab')
      const ring = await page.evaluate(() => {
        const { activeElement: element } = document
        if (element === null || element === document.body) return undefined
        element.removeAttribute('data-missed')
        return `${getComputedStyle(element).outlineStyle} ${element.outerHTML.slice(0, 60)}`
      })
      if (ring === undefined) rounds++
      else expect(ring).not.toMatch(/^none/)
    }
    return page.locator('[data-missed]:not([type=radio])').evaluateAll((all) => all.map((one) => one.outerHTML))
  }
  for await (const place of everything(page, page)) {
    if (!place.startsWith('the menu')) expect([place, await walk()]).toEqual([place, []])
  }
})

it('menus open with Enter, close with Escape, and return the focus', async ({ page, server }) => {
  const clock = page.getByRole('button', { name: 'Clock: ' })
  await clock.focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page
    .getByRole('button', { name: /^Jump past the expiry/ })
    .first()
    .and(page.locator(':focus'))
    .waitFor()
  await page.keyboard.press('Escape')
  await clock.and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Jump past the expiry of Live invite' }).focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => server.mock.signupTokens.get('live-invite')?.enabled).toBe(false)
  await clock.and(page.locator(':focus')).waitFor()
})

it('the content of every part is at most ten key presses away, and every control shows the focus', async ({ page }) => {
  const focused = () =>
    page.evaluate(() => {
      const { activeElement: element } = document
      if (element === null) return { isContent: false, ring: '' }
      return { isContent: element.closest('.part') !== null, ring: getComputedStyle(element).outlineStyle }
    })
  for (const [at, title] of titles.entries()) {
    await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
    await page.keyboard.press(String(at + 1))
    await page.getByRole('tab', { name: title, selected: true }).waitFor()
    let presses = 1
    while (!(await focused()).isContent && presses < 20) {
      await page.keyboard.press('Tab')
      presses += 1
      expect((await focused()).ring).not.toBe('none')
    }
    expect([title, presses <= 10 ? 'at most ten' : presses]).toEqual([title, 'at most ten'])
  }
})

it('where the panel is narrow, a key leads to the search for scenarios, and Enter to the first match', async ({
  browser,
}) => {
  await using panel = await openPanel(browser, { now: NOW }, { viewport: { width: 375, height: 800 } })
  const { page, server } = panel
  await page.keyboard.press('s')
  await page.getByLabel('Find a scenario').and(page.locator(':focus')).waitFor()
  await page.keyboard.type('expired')
  await page.keyboard.press('Enter')
  await expect.poll(() => server.mock.activeScenarios).toEqual(['expired-token'])
})

it('in the search for scenarios, Enter switches to the best match and leaves; the arrow keys go through the matches', async ({
  page,
  server,
}) => {
  await page.keyboard.press('s')
  await page.keyboard.type('invite')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /^The signup token has expired/, pressed: true }).waitFor()
  expect(await page.getByLabel('Find a scenario').inputValue()).toBe('')
  await page.keyboard.press('3')
  await page.getByRole('tab', { name: 'Rules', selected: true }).waitFor()
  await page.keyboard.press('s')
  await page.keyboard.type('invite')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /^The signup token is disabled/, pressed: true }).waitFor()
  expect(server.mock.activeScenarios).toEqual(['disabled-token'])
  await page.keyboard.press('s')
  // Found in the name, though an earlier scenario has it in its promise.
  await page.keyboard.type('slow')
  await page.keyboard.press('Enter')
  await expect.poll(() => server.mock.activeScenarios).toEqual(['slow'])
})

it('keys open parts, find scenarios and list themselves, but not during typing; Escape leaves a field', async ({
  page,
}) => {
  await page.keyboard.press('3')
  await page.getByRole('tab', { name: 'Rules', selected: true }).waitFor()
  await page.keyboard.press('s')
  await page.keyboard.type('2')
  expect(await page.getByLabel('Find a scenario').inputValue()).toBe('2')
  await page.getByRole('tab', { name: 'Rules', selected: true }).waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('2')
  await page.getByRole('tab', { name: 'Data', selected: true }).waitFor()
  await page.getByRole('tab', { name: 'Rules' }).click()
  await page.keyboard.press('?')
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await list.getByText('Find a scenario').waitFor()
  await page.keyboard.press('2')
  await page.keyboard.press('?')
  await list.waitFor({ state: 'detached' })
  expect(new URL(page.url()).hash).toBe('#rules')
  await page.keyboard.press('2')
  await page.getByRole('tab', { name: 'Data', selected: true }).waitFor()
})
