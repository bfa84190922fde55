import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import type { RunningWorker } from '../../src/entries/adapters/browser.js'
import { ADMIN } from '../support/adapters.js'
import { namesOf, openPage } from '../support/browser.js'
import { openSite, siteInBrowser } from '../support/site.js'

const { browser, site } = await siteInBrowser(`
  import { startWorker } from './src/entries/adapters/browser.js'
  document.body.innerHTML = '<style>* { color: red } button { display: none !important }</style><h1>The app</h1>'
  const fixture = new URL(location.href).searchParams.get('fixture')
  const given = fixture && { fixtures: { features: [{ name: fixture }] } }
  window.ready = startWorker({ badge: true, quiet: true, now: '2026-11-20T12:00:00Z', ...given })
  const press = () => dispatchEvent(new KeyboardEvent('keydown', { ctrlKey: true, altKey: true, code: 'KeyM' }))
  if (location.search === '?press') window.ready.then(press)
`)

declare global {
  interface Window {
    ready: Promise<RunningWorker>
    followed: Request[]
  }
}

async function openApp(address = '/') {
  const opened = await openPage(browser, { viewport: { width: 1200, height: 800 } })
  await opened.page.goto(site.url + address)
  await opened.page.evaluate(async () => void (await window.ready))
  const drawer = opened.page.locator('flagdouble-panel')
  const open = async () => {
    await opened.page.keyboard.press('Control+Alt+KeyM')
    await drawer.getByRole('status').getByText('Live').waitFor()
  }
  return { ...opened, drawer, open }
}

/** The screen reader's text for the badge, which opens the drawer. */
async function badgeOf(page: Page) {
  return (await namesOf(page))('button').find((name) => /^(Mock|The address)/.test(name))
}

const ask = (
  page: Page,
  path: string,
  init: Pick<RequestInit, 'method'> & { headers?: Record<string, string>; body?: string } = {},
) =>
  page.evaluate(
    async ([url, options]) => {
      const response = await fetch(url, options)
      return { status: response.status, body: await response.json().catch(() => undefined) }
    },
    [path, { headers: { authorization: ADMIN }, ...init }] as const,
  )

it('Ctrl+Alt+M opens and closes the panel of a page without a server, and loads its code only then', async () => {
  const { page, drawer, open, complaints } = await openApp()
  const loaded: string[] = []
  page.on('request', (request) => loaded.push(request.url()))
  await ask(page, '/api/admin/projects')
  expect(loaded.filter((url) => url.endsWith('.js'))).toEqual([])
  await open()
  expect(loaded.filter((url) => url.endsWith('.js')).length).toBeGreaterThan(0)
  await drawer.getByRole('tab', { name: 'Requests' }).click()
  await drawer.locator('.entry', { hasText: 'getProjects' }).waitFor()
  await ask(page, '/api/admin/projects/default/features')
  await drawer.locator('.entry', { hasText: 'getFeatures' }).locator('summary').first().click()
  await drawer.getByRole('button', { name: 'Copy as test' }).waitFor()
  expect(await drawer.getByRole('button', { name: 'curl' }).count()).toBe(0)
  await page.keyboard.press('Control+Alt+KeyM')
  expect(await drawer.count()).toBe(0)
  expect(complaints).toEqual([])
})

it('the badge opens the panel, and shows the scenario that was selected there', async () => {
  const { page, drawer } = await openApp('/?scenario=empty&page=2')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await drawer.getByRole('status').getByText('Live').waitFor()
  await drawer.getByText('The permission is missing').click()
  await expect.poll(() => new URL(page.url()).search).toBe('?scenario=missing-permission&page=2')
  const clone = { method: 'POST', body: '{"name":"copy"}' }
  const headers = { authorization: ADMIN, 'content-type': 'application/json' }
  const path = '/api/admin/projects/default/features/checkout-redesign/clone'
  expect((await ask(page, path, { ...clone, headers })).status).toBe(403)
  await page.reload()
  await page.evaluate(async () => void (await window.ready))
  expect(await page.evaluate(async () => (await window.ready).scenario)).toBe('missing-permission')
})

it('the panel stays open after a reload, at its place and in its size', async () => {
  const { page, drawer, open } = await openApp()
  await open()
  const width = async () => (await drawer.boundingBox())?.width
  expect(await width()).toBe(560)
  const handle = drawer.getByRole('separator')
  await handle.focus()
  await page.keyboard.press('ArrowLeft')
  expect(await width()).toBe(600)
  await handle.hover()
  await page.mouse.down()
  await page.mouse.move(500, 300)
  await page.mouse.up()
  expect(await width()).toBe(700)
  await drawer.getByRole('tab', { name: 'History' }).click()
  await page.reload()
  await drawer.getByRole('tab', { name: 'History', selected: true }).waitFor()
  expect(await width()).toBe(700)
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY')
  await page.keyboard.type('1u')
  await drawer.getByRole('tab', { name: 'History', selected: true }).waitFor()
  await page.addInitScript(() =>
    addEventListener('DOMContentLoaded', () => document.body.appendChild(document.createElement('input')).focus()),
  )
  await page.reload()
  await drawer.getByRole('tab', { name: 'History', selected: true }).waitFor()
  await page.keyboard.type('user1')
  expect(await page.locator('body > input').inputValue()).toBe('user1')
  await drawer.getByRole('tab', { name: 'History', selected: true }).waitFor()
  await drawer.getByRole('button', { name: 'More', exact: true }).click()
  await drawer.getByRole('button', { name: 'Panel at the bottom' }).click()
  expect(await drawer.boundingBox()).toEqual({ x: 0, y: 440, width: 1200, height: 360 })
})

it('the key opens a drawer that is still being loaded after a reload, and gives it the focus', async () => {
  const { page, drawer, open } = await openApp()
  await open()
  await page.goto(`${site.url}/?press`)
  await drawer.getByRole('status').getByText('Live').waitFor()
  await drawer.locator('[role=tab]:focus').waitFor()
})

it('after a reload with other files, the changes are on top; the drawer tells one that does not fit, and starts over', async () => {
  const { page, drawer, open } = await openApp('/?fixture=old')
  const names = async () => {
    const { body } = await ask(page, '/__mock/state')
    return body.features
      .map(({ name }: { name: string }) => name)
      .filter((name: string) => /^(old|mine|new)/.test(name))
  }
  const changes = { features: [{ name: 'mine' }, { name: 'old', description: 'mine' }] }
  await ask(page, '/__mock/state', { method: 'PATCH', body: JSON.stringify(changes) })
  await page.goto(`${site.url}/?fixture=new`)
  await page.evaluate(async () => void (await window.ready))
  await open()
  const told = drawer.getByText("1 of your changes doesn't fit your files: features.old is gone.")
  await told.waitFor()
  expect(await names()).toEqual(['new', 'mine'])
  await drawer.getByRole('button', { name: 'Start over' }).click()
  await told.waitFor({ state: 'detached' })
  expect(await names()).toEqual(['new'])
})

it('an unknown scenario in the address is a notice in the drawer, until another one is chosen', async () => {
  const { page, drawer } = await openApp('/?scenario=blackfriday')
  await page.keyboard.press('Control+Alt+KeyM')
  await drawer.getByText("The address names blackfriday, which doesn't exist.").waitFor()
  expect(await badgeOf(page)).toBe("The address names blackfriday, which doesn't exist · Choose another")
  expect(await drawer.getByRole('status').getByText('Live').count()).toBe(0)
  expect(await drawer.getByText('✓').count()).toBe(0)
  await drawer.getByRole('button', { name: 'Choose another' }).click()
  await drawer.getByRole('button', { name: /^A small instance/ }).click()
  await drawer.getByRole('status').getByText('Live').waitFor()
  expect(await badgeOf(page)).toBe('Mock: default')
  expect((await ask(page, '/api/admin/projects')).status).toBe(200)
})

it('the drawer stays inside a window that gets smaller', async () => {
  const { page, drawer, open } = await openApp()
  await open()
  const handle = drawer.getByRole('separator')
  await handle.hover()
  await page.mouse.down()
  await page.mouse.move(100, 300)
  await page.mouse.up()
  expect(await drawer.boundingBox()).toEqual({ x: 100, y: 0, width: 1100, height: 800 })
  await page.setViewportSize({ width: 600, height: 800 })
  expect(await drawer.boundingBox()).toEqual({ x: 20, y: 0, width: 580, height: 800 })
  await drawer.getByRole('button', { name: 'More', exact: true }).click()
  await drawer.getByRole('button', { name: 'Panel at the bottom' }).click()
  await page.setViewportSize({ width: 600, height: 300 })
  expect(await drawer.boundingBox()).toEqual({ x: 0, y: 20, width: 600, height: 280 })
})

it('the page makes room for the panel at every side, until the panel is closed', async () => {
  const { page, drawer, open } = await openApp()
  const room = () =>
    page.evaluate(() => {
      const { left, right } = document.body.getBoundingClientRect()
      return [left, right, getComputedStyle(document.documentElement).paddingBottom]
    })
  const before = await room()
  await open()
  await drawer.getByRole('button', { name: 'Scenario: ', expanded: true }).waitFor()
  expect(await room()).toEqual([8, 1200 - 560 - 8, '0px'])
  const moveTo = async (side: string) => {
    await drawer.getByRole('button', { name: 'More', exact: true }).click()
    await drawer.getByRole('button', { name: `Panel at the ${side}` }).click()
    await page.keyboard.press('Escape')
  }
  await moveTo('left')
  expect(await room()).toEqual([568, 1192, '0px'])
  await moveTo('bottom')
  expect(await room()).toEqual([8, 1192, '360px'])
  await drawer.getByRole('button', { name: 'Close the panel' }).click()
  expect(await room()).toEqual(before)
  await page.reload()
  await page.evaluate(async () => void (await window.ready))
  await open()
  expect(await room()).toEqual([8, 1192, '360px'])
  await moveTo('right')
  await page.setViewportSize({ width: 600, height: 800 })
  await expect.poll(room).toEqual([8, 592, '0px'])
})

it('a closed panel follows nothing, and is up to date when it is opened', async () => {
  const { page, drawer, open } = await openApp()
  await page.evaluate(() => {
    window.followed = []
    window.Request = class extends Request {
      constructor(input: RequestInfo | URL, init?: RequestInit) {
        super(input, init)
        if (this.url.endsWith('/__mock/events')) window.followed.push(this)
      }
    }
  })
  const endings = () => page.evaluate(() => window.followed.map(({ signal }) => signal.aborted))
  await open()
  await drawer.getByRole('tab', { name: 'Requests' }).click()
  await ask(page, '/api/admin/projects/default/features')
  await drawer.getByRole('searchbox', { name: 'Find a request' }).fill('features')
  expect(await endings()).toEqual([false])
  await page.keyboard.press('Control+Alt+KeyM')
  expect(await endings()).toEqual([true])
  await ask(page, '/api/admin/projects/mobile-app/features')
  await open()
  await drawer.locator('.entry', { hasText: 'mobile-app' }).waitFor()
  expect(await drawer.getByRole('searchbox', { name: 'Find a request' }).inputValue()).toBe('features')
  await ask(page, '/api/admin/projects/default/features/legacy-export')
  await drawer.locator('.entry', { hasText: 'legacy-export' }).waitFor()
  expect(await endings()).toEqual([true, false])
})

it('the panel is usable above a modal dialog, and so is the dialog below it', async () => {
  const { page, drawer, open } = await openApp()
  await open()
  await page.evaluate(() => {
    const dialog = document.createElement('dialog')
    dialog.innerHTML = '<input aria-label="Name">'
    document.body.append(dialog)
    dialog.showModal()
  })
  await drawer.getByRole('tab', { name: 'Data' }).click()
  await drawer.getByRole('switch', { name: 'legacy-export in production' }).click()
  await drawer.getByRole('button', { name: 'Undo' }).waitFor()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('typed')
  await page.evaluate(() => document.querySelector('dialog')?.remove())
  await drawer.getByRole('button', { name: 'Clock' }).click()
  await drawer.getByRole('button', { name: 'A day ahead' }).waitFor()
})

it('neither styles nor keys pass between the page and the panel', async () => {
  const { page, drawer, open } = await openApp()
  await page.evaluate(() => addEventListener('keydown', ({ key }) => (document.title += key)))
  await open()
  await page.evaluate(() => (document.title = ''))
  await drawer.getByRole('searchbox', { name: 'Find a scenario' }).fill('x')
  await page.keyboard.type('yz')
  expect(await page.title()).toBe('')
  const colour = (selector: string) =>
    drawer
      .locator(selector)
      .first()
      .evaluate((found) => getComputedStyle(found).color)
  expect(await colour('.scenario, p')).not.toBe('rgb(255, 0, 0)')
  expect(
    await page
      .locator('h1')
      .first()
      .evaluate((heading) => getComputedStyle(heading).fontSize),
  ).toBe('32px')
  expect(await page.evaluate(() => document.head.querySelectorAll('style, link').length)).toBe(0)
})

it('a click in the panel signs the page in as one of the users', async () => {
  const { page, drawer, open } = await openApp()
  await open()
  await drawer.getByRole('tab', { name: 'Data' }).click()
  await drawer.getByRole('tab', { name: 'Users' }).click()
  await drawer.getByRole('button', { name: 'Sign in as Editor' }).click()
  await drawer.getByText('Signed in as').waitFor()
  const me = await ask(page, '/api/admin/user', { headers: {} })
  expect(me.body.user.email).toBe('editor@example.com')
})

it('a worker that stops removes its panel', async () => {
  const { page, drawer, open } = await openApp()
  await open()
  await page.evaluate(async () => (await window.ready).stop())
  expect(await drawer.count()).toBe(0)
  await page.keyboard.press('Control+Alt+KeyM')
  expect(await drawer.count()).toBe(0)
})

it('mountPanel shows the panel of a mock in an element', async () => {
  await using own = await openSite(`
    import { createMock } from './src/index.js'
    import { mountPanel } from './src/entries/adapters/browser.js'
    document.body.innerHTML = '<div id="here"></div>'
    window.mock = createMock({ scenario: 'empty' })
    window.mounted = mountPanel(document.getElementById('here'), window.mock.session('nora'))
    window.wrong = mountPanel('#here', window.mock).catch(({ message }) => message)
  `)
  const { page } = await openPage(browser)
  await page.goto(own.url)
  await page.getByRole('status').getByText('Live').waitFor()
  await page.locator('.choose', { hasText: 'The signup token has expired' }).click()
  const scenarios = () =>
    page.evaluate(() => {
      const { mock } = Object.assign({ mock: undefined as never }, window) as never as { mock: RunningWorker['mock'] }
      return [mock.activeScenarios, mock.session('nora').activeScenarios]
    })
  await expect.poll(scenarios).toEqual([['empty'], ['expired-token']])
  expect(await page.evaluate('wrong')).toContain('an element of the page')
  await page.evaluate('mounted.then((panel) => panel.remove())')
  expect(await page.locator('#here').innerHTML()).toBe('')
})
