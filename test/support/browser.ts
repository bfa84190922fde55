import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

/** Where Chromium is; another one is named by the environment. */
const CHROMIUM = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'

/** Flags for a browser in a container that speaks to nobody but the pages under test. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

export function launchBrowser(...flags: string[]): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: [...FLAGS, ...flags] })
}

/** A page in a context of its own, and what it complained about: errors thrown and errors on its console. */
export async function openPage(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; complaints: string[] }> {
  const context = await browser.newContext(options)
  // Sooner than a test gives up, so that it says what it waited for.
  context.setDefaultTimeout(20_000)
  // Asked for by Chromium, not by the page.
  await context.route('**/favicon.ico', (route) => route.fulfill({ status: 204 }))
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  return { page, complaints }
}
