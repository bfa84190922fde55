import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { startServer } from '../../src/entries/adapters/node.js'
import type { PartialState } from '../../src/index.js'

/** A user of the frontend, with all visible errors. */
export interface Visitor {
  page: Page
  /** Failed responses, errors on the console and of scripts. */
  problems: string[]
  signIn(username: string, password: string): Promise<void>
  visit(path: string): Promise<void>
}

/** Before a login, the frontend asks for the user, and gets a 401. */
const NOT_SIGNED_IN = /^401 GET .*\/api\/admin\/(ui-config|user|projects)$/

export function unexpected({ problems }: Visitor): string[] {
  return problems.filter((problem) => !NOT_SIGNED_IN.test(problem))
}

function launchChromium(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'
  return chromium.launch({ executablePath, args: ['--no-sandbox'] })
}

/** The folder of Unleash's own frontend. */
export const FRONTEND_FOLDER = process.env.FLAGDOUBLE_UI ?? ''

/** A browser, a mock with Unleash's own frontend, and the called operations. */
export async function startFrontend(fixtures: PartialState = {}) {
  const browser = await launchChromium()
  const server = await startServer({ profile: 'unleash-8', fixtures }, { port: 0, ui: FRONTEND_FOLDER })
  const called = new Set<string>()
  server.mock.onRequest(({ operation }) => operation !== null && called.add(operation))
  const close = async () => {
    await browser.close()
    await server.close(0)
  }
  return { browser, server, called, close }
}

/** Opens a separate window for another user. It reaches only this machine. */
export async function openWindow(browser: Browser, base: string): Promise<Visitor> {
  const context = await browser.newContext({ viewport: { width: 1500, height: 1000 } })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await keepAtHome(context)
  const page = await context.newPage()
  // Long, because the pages take a while to settle on busy machines.
  page.setDefaultTimeout(100_000)
  await ignoreRecovery(page)
  const problems: string[] = []
  // Chromium also reports every failed response on its console.
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('response', (response) => {
    if (response.status() >= 400) problems.push(`${response.status()} ${response.request().method()} ${response.url()}`)
  })
  const visit = async (path: string) => {
    await page.goto(base + path)
  }
  return {
    page,
    problems,
    visit,
    async signIn(username, password) {
      await visit('/login')
      await page.locator('input[name=username]').fill(username)
      await page.locator('input[type=password]').fill(password)
      await page.locator('button[type=submit]').first().click()
      await page.waitForURL(/\/(personal|projects)/)
    },
  }
}

/**
 * Leaving the page of a new strategy while it is drawn makes the frontend look for the page's parameter in the next URL.
 * React draws again, with success, and reports its error 520. This is the frontend's own error; others count.
 */
async function ignoreRecovery(page: Page): Promise<void> {
  await page.addInitScript(() =>
    addEventListener('error', (event) => {
      const { cause } = (event.error ?? {}) as Error
      if (cause instanceof Error && cause.message.startsWith('Missing required query param:')) event.preventDefault()
    }),
  )
}

/** Fonts and pictures of other sites are empty. */
async function keepAtHome(context: BrowserContext): Promise<void> {
  await context.route(/^https?:\/\/(?!localhost|127\.0\.0\.1)/, (route) => {
    const contentType = route.request().resourceType() === 'stylesheet' ? 'text/css' : 'text/plain'
    return route.fulfill({ status: 200, contentType, body: '' })
  })
}
