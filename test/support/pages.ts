import type { BrowserContext, Frame, Page } from 'playwright-core'
import type { RunningWorker } from '../../src/entries/adapters/browser.js'
import { launchBrowser, openPage } from './browser.js'
import type { Place } from './homes.js'
import { openSite } from './site.js'
import { clientOf, type StateClient } from './state-server.js'

declare global {
  interface Window {
    ready: Promise<RunningWorker>
  }
}

/** A page whose mock keeps its state. */
export interface OpenedPage extends StateClient {
  page: Page
  /** The lines of flagdouble in its console. */
  warnings: string[]
}

/** A site whose pages start a mock with the options in their URL. */
export async function openPages() {
  const browser = await launchBrowser()
  const site = await openSite(`
    import { startWorker } from './src/entries/adapters/browser.js'
    const options = new URL(location.href).searchParams.get('options')
    window.ready = startWorker({ quiet: true, ...JSON.parse(options ?? '{}') })
  `)
  const urlOf = (options: object) => `${site.url}/?options=${encodeURIComponent(JSON.stringify(options))}`
  const open = async (url = site.url, context?: BrowserContext): Promise<OpenedPage> => {
    const warnings: string[] = []
    const page = context === undefined ? (await openPage(browser)).page : await context.newPage()
    page.on('console', (message) => {
      if (message.type() === 'warning' && message.text().startsWith('[flagdouble]')) warnings.push(message.text())
    })
    await page.goto(url)
    return { page, warnings, ...clientOf((path, init) => fetchIn(page, path, init)) }
  }
  return {
    browser,
    url: site.url,
    urlOf,
    open,
    async openPlace(): Promise<Place> {
      // An open page, with its worker, slows down later pages.
      await Promise.all(browser.contexts().map((context) => context.close()))
      const { page, warnings } = await open('about:blank')
      return {
        async start(options) {
          warnings.length = 0
          const url = urlOf(options)
          if (page.url() === 'about:blank') {
            await page.goto(url)
            return
          }
          // msw loads a page again that is reloaded before its worker is ready. A reload keeps a switch; a URL that a
          // user types would end it.
          await page.evaluate(async (url) => {
            await window.ready.catch(() => undefined)
            history.replaceState(history.state, '', url)
          }, url)
          await page.reload()
        },
        fetch: (path, init) => fetchIn(page, path, init),
        messages: () => warnings.join('\n'),
      }
    },
    async [Symbol.asyncDispose]() {
      await browser.close()
      await site[Symbol.asyncDispose]()
    },
  }
}

/** Sends a request from the page, after the worker has started. */
export async function fetchIn(
  page: Page | Frame,
  path: string,
  { method, headers, body }: RequestInit,
): Promise<Response> {
  const { status, text, type } = await page.evaluate(
    async ([url, init]) => {
      await window.ready
      const response = await fetch(url, init as RequestInit)
      return { status: response.status, text: await response.text(), type: response.headers.get('content-type') }
    },
    [path, { method, headers, body }] as const,
  )
  return new Response(text === '' ? null : text, { status, headers: type === null ? {} : { 'content-type': type } })
}
