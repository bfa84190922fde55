import axe from 'axe-core'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'
import { NOW } from '../support/adapters.js'
import { openPage } from '../support/browser.js'
import { it, openPanel, titles } from '../support/panel.js'
import { openSite } from '../support/site.js'

const clonePath = '/api/admin/projects/default/features/checkout-redesign/clone'

/** What axe finds, each with the elements. */
async function findings(page: Page, within = 'document'): Promise<string[]> {
  return page.evaluate(`axe.run(${within}).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ target, failureSummary }) => target + ' ' + failureSummary).join(' | ')))`)
}

it.for<[string, BrowserContextOptions]>([
  ['light', { colorScheme: 'light' }],
  ['dark', { colorScheme: 'dark' }],
  ['at 390 pixels', { viewport: { width: 390, height: 844 } }],
])('axe finds nothing in any part of the panel, %s', { timeout: 120_000 }, async ([, context], { browser }) => {
  await using panel = await openPanel(browser, { seed: 1, now: NOW }, context)
  const { page, server } = panel
  server.mock.force({ operation: 'getProjects', status: 503 })
  await panel.ask('POST', clonePath, { name: 'checkout-redesign' })
  await page.evaluate(axe.source)
  await page.locator('.entry summary').first().click()
  const found: string[] = []
  for (const title of titles) {
    await panel.goTo(title)
    if (title === 'Data') await page.getByRole('button', { name: 'checkout-redesign', expanded: false }).click()
    if (title === 'Rules') await page.getByRole('combobox', { name: 'Operation' }).fill('clone')
    for (const finding of await findings(page)) found.push(`${title}: ${finding}`)
  }
  expect(found).toEqual([])
  await page.getByRole('tab', { selected: true }).focus()
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  expect(await findings(page)).toEqual([])
})

it('axe finds nothing in the drawer', async ({ browser }) => {
  await using site = await openSite(`
    import { startWorker } from './src/adapters/browser.js'
    document.documentElement.lang = 'en'
    document.body.innerHTML = '<main><h1>The app</h1></main>'
    window.ready = startWorker({ panel: true, quiet: true })
  `)
  const { page } = await openPage(browser)
  await page.goto(site.url)
  await page.evaluate('window.ready.then(() => undefined)')
  await page.keyboard.press('Control+Alt+KeyM')
  await page.getByRole('status').getByText('Live').waitFor()
  await page.evaluate(axe.source)
  expect(await findings(page)).toEqual([])
})

it('the content of every part is at most ten presses away, and every control shows the focus', async ({ page }) => {
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

it('in the search for scenarios, Enter switches to the first match, and the arrow keys go on from there', async ({
  page,
  server,
}) => {
  await page.keyboard.press('s')
  await page.keyboard.type('invite')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /^The invite has expired/, pressed: true }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: /^The invite is switched off/, pressed: true }).waitFor()
  expect(server.mock.activeScenarios).toEqual(['disabled-token'])
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.type(' is')
  expect(await page.getByLabel('Find a scenario').inputValue()).toBe('invite is')
})

it('keys go to parts, find scenarios and list themselves, but not while somebody types', async ({ page }) => {
  await page.keyboard.press('3')
  await page.getByRole('tab', { name: 'Rules', selected: true }).waitFor()
  await page.keyboard.press('s')
  await page.keyboard.type('2')
  expect(await page.getByLabel('Find a scenario').inputValue()).toBe('2')
  await page.getByRole('tab', { name: 'Rules', selected: true }).waitFor()
  await page.getByRole('tab', { name: 'Rules' }).focus()
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
