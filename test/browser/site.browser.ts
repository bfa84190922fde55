import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import axe from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser, openPage } from '../support/browser.js'

/** The folder of the built site: `npm run site`. */
const folder = process.env.FLAGDOUBLE_SITE

const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

describe.runIf(folder !== undefined)('the documentation as a website', () => {
  const root = folder ?? ''
  const pages = readdirSync(root || '.', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.html') && file !== '404.html')
    .map((file) => file.replaceAll('\\', '/'))
  const server = createServer(({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://site.invalid')
    const path = pathname.endsWith('/')
      ? `${pathname}index.html`
      : extname(pathname) === ''
        ? `${pathname}.html`
        : pathname
    const file = join(root, path)
    if (!existsSync(file)) return void response.writeHead(404).end()
    response
      .writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' })
      .end(readFileSync(file))
  })
  let browser: Browser
  let base: string

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    browser = await launchBrowser()
  })

  async function open(page: Page, path: string): Promise<void> {
    await page.goto(`${base}/${path}`)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
  }

  afterAll(async () => {
    await browser.close()
    await new Promise((resolve) => server.close(resolve))
  })

  it('every page opens, with a heading and without an error', async () => {
    expect(pages).toContain('docs/qa.html')
    const { page, complaints } = await openPage(browser)
    for (const file of pages) await open(page, file)
    expect(complaints).toEqual([])
  }, 120_000)

  it('every link to a heading leads to its anchor, which is the same as on GitHub', () => {
    const html = new Map(pages.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
    expect(html.get('docs/fidelity.html')).toContain('id="what-isnt-modelled"')
    const links = [...html].flatMap(([file, text]) =>
      [...text.matchAll(/<a [^>]*href="(?![a-z]+:)([^"#]*)#([^"]+)"/g)].map(([, path = '', anchor = '']) => {
        const { pathname } = new URL(path, `http://site.invalid/${file}`)
        const target = pathname
          .replace(/\/$/, '/index')
          .replace(/^\//, '')
          .replace(/\.html$/, '')
        return { file, target: `${target}.html`, anchor: decodeURIComponent(anchor) }
      }),
    )
    expect(links.length).toBeGreaterThan(300)
    const isDead = ({ target, anchor }: (typeof links)[number]) => !html.get(target)?.includes(`id="${anchor}"`)
    expect(links.filter(isDead)).toEqual([])
  })

  it('the files for coding assistants exist, and their links open', async () => {
    const list = await (await fetch(`${base}/llms.txt`)).text()
    const links = [...list.matchAll(/^- \[.+?\]\((.+?)\): /gm)].map(([, link = '']) => link)
    expect(links).toContain('docs/vitest.md')
    const answers = await Promise.all(links.map((link) => fetch(`${base}/${link}`)))
    expect(answers.filter(({ ok }) => !ok).map(({ url }) => url)).toEqual([])
    expect(await (await fetch(`${base}/llms-full.txt`)).text()).toContain('# Test with Vitest')
  })

  it('on the home page, a mock in the page responds to a request', async () => {
    const { page, complaints } = await openPage(browser)
    await page.goto(`${base}/`)
    const live = page.getByRole('region', { name: 'Live request' })
    await live.getByRole('button', { name: 'Turn a flag on', exact: true }).click()
    await live.getByRole('status').getByText('"name": "checkout-redesign"').waitFor()
    await live.getByRole('button', { name: 'Clone a flag', exact: true }).click()
    await live.getByRole('status').getByText('"name": "my-copy"').waitFor()
    const top = (element: Element) => element.getBoundingClientRect().top
    const name = await page.getByRole('heading', { level: 1 }).evaluate(top)
    expect(await live.evaluate(top)).toBeGreaterThan(name)
    expect(await page.getByText("isn't published yet").count()).toBe(0)
    await page.getByText('Ask for the flags, as an SDK does:').waitFor()
    expect(complaints).toEqual([])
  })

  it('no page scrolls sideways on a phone, nor does a line of code', async () => {
    const { page } = await openPage(browser)
    await page.setViewportSize({ width: 390, height: 844 })
    for (const path of ['', 'docs/', 'docs/vitest', 'docs/command-line', 'docs/profiles', 'docs/workers']) {
      await open(page, path)
      const wide = page.locator('html, .vp-doc pre, .vp-doc table')
      expect(await wide.evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1).length)).toBe(0)
    }
  }, 60_000)

  it('no page scrolls sideways at 1280 pixels', async () => {
    const { page } = await openPage(browser)
    await page.setViewportSize({ width: 1280, height: 800 })
    const wide: string[] = []
    for (const file of pages) {
      await open(page, file)
      if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)) wide.push(file)
    }
    expect(wide).toEqual([])
  }, 120_000)

  it.each(['light', 'dark'] as const)(
    'text has enough contrast in the %s theme',
    async (colorScheme) => {
      const { page } = await openPage(browser, { colorScheme })
      const faint: unknown[] = []
      for (const path of ['', 'try', 'docs/', 'docs/sdks', 'docs/create-mock', 'docs/replace-unleash']) {
        await open(page, path)
        if (path === 'try') await page.getByRole('region', { name: 'Control panel' }).getByRole('tab').first().waitFor()
        await page.evaluate(axe.source)
        faint.push(
          ...((await page.evaluate(`axe.run({ runOnly: 'color-contrast' }).then(({ violations }) =>
          violations.flatMap(({ nodes }) => nodes.map(({ html, any }) => html.slice(0, 80) + any[0].message)))`)) as string[]),
        )
      }
      expect(faint).toEqual([])
    },
    120_000,
  )

  it('on a phone, "Try it" scrolls to the response', async () => {
    const { page } = await openPage(browser, { viewport: { width: 390, height: 844 } })
    await open(page, 'try')
    await page.getByRole('button', { name: 'Clone a flag', exact: true }).click()
    await page.getByRole('status').getByText('"name": "my-copy"').waitFor()
    const { top = 0 } = await page.locator('output').evaluate((element) => element.getBoundingClientRect())
    expect(top).toBeLessThan(200)
    expect(top).toBeGreaterThanOrEqual(0)
  })

  it.each([
    ['delay a response', 'simulate-errors'],
    ['reset', 'persistence'],
    ['stub', 'simulate-errors'],
    ['exit code', 'command-line'],
    ['environment variables', 'command-line'],
    ['clientKey', 'sdks'],
    ['seed data', 'seed-data'],
    ['cypress', 'end-to-end'],
    ['CORS error', 'proxy-and-https'],
    ['import flags', 'seed-data'],
    ['retry', 'simulate-errors'],
    ['streaming', 'sdks'],
    ['MCP', 'control-api'],
    ['audit log', 'undo-and-share'],
    ['OpenFeature', 'sdks'],
  ])('the search for "%s" shows the page %s among its first three pages', async (words, expected) => {
    const { page } = await openPage(browser)
    await page.goto(`${base}/docs/`)
    await page.waitForFunction(() => '__vue_app__' in (document.querySelector('#app') ?? {}))
    await page.keyboard.press('/')
    await page.locator('.VPLocalSearchBox input').fill(words)
    await page.locator('.VPLocalSearchBox .result').first().waitFor()
    const links = page.locator('.VPLocalSearchBox a.result')
    const found = await links.evaluateAll((all) => all.map((one) => one.getAttribute('href')?.split(/[#/]/)[2]))
    expect([...new Set(found)].slice(0, 3)).toContain(expected)
  })

  it('on "Try it", a mock in the page responds', async () => {
    const { page, complaints } = await openPage(browser)
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.goto(`${base}/try`)
    const send = (example: string) => page.getByRole('button', { name: example, exact: true }).click()
    const answer = page.getByRole('status')
    await send('Clone a flag')
    await answer.getByText('"name": "my-copy"').waitFor()
    await send('Clone it without the permission')
    await answer.getByText('403', { exact: true }).waitFor()
    await answer.getByText('scenario: missing-permission').waitFor()
    const panel = page.getByRole('region', { name: 'Control panel' })
    await panel.getByText('2 requests', { exact: true }).waitFor()
    await panel.getByText('mock-admin cloned checkout-redesign as my-copy').waitFor()
    expect(await answer.locator('pre').evaluate((text) => text.scrollHeight - text.clientHeight)).toBe(0)
    expect(await page.locator('link[rel=icon]').getAttribute('href')).toMatch(/^data:image\/svg/)
    expect(asked.filter((path) => path.startsWith('/api/'))).toEqual([])
    expect(complaints).toEqual([])
  })
})
