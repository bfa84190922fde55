import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

/** The path of Chromium, which the environment can change. */
const CHROMIUM = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'

/** Flags for a browser in a container that only opens the pages under test. */
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

/** A page in its own context, with its errors: thrown errors, and errors on its console. */
export async function openPage(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; complaints: string[] }> {
  const context = await browser.newContext(options)
  // Shorter than a test's timeout, so that the error names the action.
  context.setDefaultTimeout(20_000)
  // Requested by Chromium, not by the page.
  await context.route('**/favicon.ico', (route) => route.fulfill({ status: 204 }))
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  return { page, complaints }
}

/** The screen reader's names of a role in a page, also in closed shadow roots, which scripts can't access. */
export async function namesOf(page: Page): Promise<(role: string) => string[]> {
  const session = await page.context().newCDPSession(page)
  const { nodes } = await session.send('Accessibility.getFullAXTree')
  return (role) =>
    nodes.filter((node) => !node.ignored && node.role?.value === role).map((node) => String(node.name?.value))
}
