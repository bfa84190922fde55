import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser, openPage } from '../support/browser.js'

/** The folder of the built site: `npm run site`. */
const folder = process.env.FLAGDOUBLE_SITE

const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

describe.runIf(folder !== undefined)('the documentation as a website', () => {
  const root = folder ?? ''
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

  afterAll(async () => {
    await browser.close()
    await new Promise((resolve) => server.close(resolve))
  })

  it('every page opens, with a heading and without an error', async () => {
    const pages = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.html'))
    expect(pages).toContain(join('docs', 'qa.html'))
    const { page, complaints } = await openPage(browser)
    for (const file of pages.filter((name) => name !== '404.html')) {
      await page.goto(`${base}/${file.replaceAll('\\', '/')}`)
      await page.getByRole('heading', { level: 1 }).first().waitFor()
    }
    expect(complaints).toEqual([])
  }, 120_000)

  it('the files for coding assistants exist, and their links open', async () => {
    const list = await (await fetch(`${base}/llms.txt`)).text()
    const links = [...list.matchAll(/^- \[.+?\]\((.+?)\): /gm)].map(([, link = '']) => link)
    expect(links).toContain('docs/tests')
    const answers = await Promise.all(links.map((link) => fetch(`${base}/${link}`)))
    expect(answers.filter(({ ok }) => !ok).map(({ url }) => url)).toEqual([])
    expect(await (await fetch(`${base}/llms-full.txt`)).text()).toContain('# Test with Vitest, Jest and msw')
  })

  it('on the home page, a mock in the page responds to a request', async () => {
    const { page, complaints } = await openPage(browser)
    await page.goto(`${base}/`)
    const live = page.getByRole('region', { name: 'Live request' })
    await live.getByRole('button', { name: 'Clone a flag', exact: true }).click()
    await live.getByRole('status').getByText('"name": "my-copy"').waitFor()
    expect(complaints).toEqual([])
  })

  it('no page scrolls sideways on a phone, nor does a line of code', async () => {
    const { page } = await openPage(browser)
    await page.setViewportSize({ width: 390, height: 844 })
    for (const path of ['', 'docs/', 'docs/tests', 'docs/command-line', 'docs/profiles', 'docs/workers']) {
      await page.goto(`${base}/${path}`)
      await page.getByRole('heading', { level: 1 }).first().waitFor()
      const wide = page.locator('html, .vp-doc pre, .vp-doc table')
      expect(await wide.evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1).length)).toBe(0)
    }
  }, 60_000)

  it.each([
    ['delay a response', 'simulate-errors'],
    ['reset', 'persistence'],
    ['stub', 'simulate-errors'],
    ['exit code', 'command-line'],
    ['environment variables', 'command-line'],
    ['clientKey', 'sdks'],
    ['seed data', 'seed-data'],
    ['cypress', 'cypress'],
    ['CORS error', 'proxy-and-https'],
    ['import flags', 'seed-data'],
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
