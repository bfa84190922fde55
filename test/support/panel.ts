import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { test as base, expect } from 'vitest'
import type { MockOptions } from '../../src/engine/mock/mock.js'
import { type RunningServer, startServer } from '../../src/entries/adapters/node.js'
import { parts } from '../../src/panel/parts.js'
import { ADMIN, NOW } from './adapters.js'
import { launchBrowser, openPage } from './browser.js'

/** The titles of the parts. */
export const titles = parts.map(({ title }) => title)

export interface OpenPanel extends AsyncDisposable {
  server: RunningServer
  page: Page
  complaints: string[]
  /** Sends a request like an app. */
  ask(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>
  /** Opens a part of the panel, or a kind of data, by its tab. */
  goTo(title: string): Promise<void>
}

/** A server, and its panel in a page that can't reach anything else. */
export async function openPanel(
  browser: Browser,
  options: MockOptions = { seed: 'tests', now: NOW },
  context: BrowserContextOptions = {},
  ui?: string,
): Promise<OpenPanel> {
  const server = await startServer(options, { port: 0, ui })
  const { page, complaints } = await openPage(browser, context)
  page.on('request', (request) => {
    const url = request.url()
    if (!/^(data|blob):/.test(url) && !url.startsWith(server.url)) complaints.push(`asked for ${url}`)
  })
  // The first page of a run waits until the panel is bundled.
  await page.goto(`${server.url}/__mock/`, { timeout: 25_000 })
  await page.getByRole('status').getByText('Live').waitFor()
  return {
    server,
    page,
    complaints,
    ask: (method, path, body, headers = {}) =>
      fetch(server.url + path, {
        method,
        headers: { authorization: ADMIN, 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    goTo: (title) => page.getByRole('tab', { name: title }).click(),
    async [Symbol.asyncDispose]() {
      await page.context().close()
      await server.close()
      expect(complaints).toEqual([])
    },
  }
}

/** A test with a browser, which the tests of a file share, and with its own panel on request. */
export const it = base
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern what a fixture needs
  .extend('browser', { scope: 'file' }, async ({}, { onCleanup }) => {
    const browser = await launchBrowser()
    onCleanup(() => browser.close())
    return browser
  })
  .extend('panel', async ({ browser }, { onCleanup }) => {
    const panel = await openPanel(browser)
    onCleanup(() => panel[Symbol.asyncDispose]())
    return panel
  })
  .extend('page', ({ panel }) => panel.page)
  .extend('server', ({ panel }) => panel.server)
