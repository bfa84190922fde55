import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { build } from 'esbuild'
import type { Browser } from 'playwright-core'
import { afterAll, afterEach } from 'vitest'
import { panelAssets } from '../../tools/panel-assets.js'
import { launchBrowser } from './browser.js'

/** The package in place of msw: msw 3 with FLAGDOUBLE_MSW=3, as in vitest.config.ts. */
const msw = process.env.FLAGDOUBLE_MSW === '3' ? 'msw3' : 'msw'

const root = join(import.meta.dirname, '../..')

export interface Site extends AsyncDisposable {
  url: string
}

/** A site whose pages all run a script, and a browser, for the tests of a file. */
export async function siteInBrowser(script: string): Promise<{ browser: Browser; site: Site }> {
  const browser = await launchBrowser()
  const site = await openSite(script)
  // An open page, with its worker, slows down later pages.
  afterEach(() => Promise.all(browser.contexts().map((context) => context.close())))
  afterAll(async () => {
    await browser.close()
    await site[Symbol.asyncDispose]()
  })
  return { browser, site }
}

/** A site whose pages all run our script, bundled for browsers, with msw's worker script next to it. */
export async function openSite(script: string): Promise<Site> {
  const files = new Map<string, string>()
  const bundle = await build({
    stdin: { contents: script, resolveDir: root, loader: 'ts' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    plugins: [panelAssets],
    alias: { msw },
    outdir: '/',
    entryNames: 'app',
    write: false,
  })
  for (const { path, text } of bundle.outputFiles) files.set(path, text)
  files.set('/mockServiceWorker.js', readFileSync(join(root, 'node_modules', msw, 'lib/mockServiceWorker.js'), 'utf8'))
  const page = '<!doctype html><title>site</title><body><script type="module" src="/app.js"></script>'
  const server = createServer(({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://site.invalid')
    const type = pathname.endsWith('.js') ? 'text/javascript' : 'text/html'
    const found = files.get(pathname) ?? (pathname.startsWith('/api/') ? undefined : page)
    response.writeHead(found === undefined ? 404 : 200, { 'content-type': type }).end(found)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
