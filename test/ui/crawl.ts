import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FRONTEND_FOLDER, openWindow, startFrontend, type Visitor } from '../support/ui.js'

/** The frontend's table of pages, from its script, without those of the paid edition. */
function pagesOf(frontend: string): string[] {
  const scripts = readdirSync(frontend, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'))
  const declared = scripts.flatMap((name) => [
    ...readFileSync(join(frontend, name), 'utf8').matchAll(/\{path:["'`](\/[^"'`]*)["'`],[^{}]*?component:[^{}]*/g),
  ])
  const open = declared.filter(([row]) => !row.includes('enterprise:'))
  return [...new Set(open.map(([, path = '']) => path))]
}

/** The values of path parameters in the world of the crawl. */
const VALUES: Readonly<Record<string, string>> = {
  projectId: 'default',
  featureId: 'checkout-redesign',
  addonId: '1',
  providerId: 'webhook',
  segmentId: '1',
  id: 'development',
  splashId: 'operators',
  templateId: '1',
}

/** The value of a `name` parameter, by the part of the frontend. */
const NAMES: Readonly<Record<string, string>> = {
  applications: 'shop',
  context: 'userId',
  'feature-toggle-type': 'release',
  strategies: 'flexibleRollout',
  'tag-types': 'simple',
}

/** Failed requests that also fail in Unleash: it lacks the path, or hides it from viewers. */
const AS_IN_THE_SERVICE = /^(404 GET .*\/api\/admin\/(permissions|feedback)|403 GET .*\/api-tokens)$/

/** Tabs, which the frontend declares within their pages. */
const TABS = [
  '/applications/shop',
  '/applications/shop/instances',
  '/feature-toggle-type/edit/release',
  '/profile/change-password',
  '/profile/personal-api-tokens',
  '/profile/your-api-token',
  '/projects/default/archive',
  '/projects/default/change-requests',
  '/projects/default/features/checkout-redesign/logs',
  '/projects/default/features/checkout-redesign/metrics',
  '/projects/default/features/checkout-redesign/settings',
  '/projects/default/features/checkout-redesign/strategies/create?environmentId=development&strategyName=flexibleRollout',
  '/projects/default/features/checkout-redesign/variants',
  '/projects/default/health',
  '/projects/default/insights',
  '/projects/default/logs',
  '/projects/default/settings',
  '/projects/default/settings/api-access',
  '/projects/default/settings/change-requests',
  '/projects/default/settings/default-strategy',
  '/projects/default/settings/environments',
  '/projects/default/settings/project-access',
  '/strategies/create',
  '/strategies/flexibleRollout',
  '/tag-types/edit/simple',
]

/** Signing out, and the pages for users who aren't signed in. */
const NOT_SIGNED_IN = /^\/(login|logout|signed-out|new-user|invite|forgotten-password|reset-password)/

function pages(): string[] {
  const filled = pagesOf(FRONTEND_FOLDER)
    .filter((path) => !NOT_SIGNED_IN.test(path))
    .map((path) => path.replace(/\/\*$/, '').replaceAll(/:(\w+)/g, (_, name: string) => valueFor(name, path)))
  return [...new Set([...filled, ...TABS])].filter((path) => path !== '')
}

function valueFor(name: string, path: string): string {
  const value = VALUES[name] ?? NAMES[path.split('/')[1] ?? '']
  if (value === undefined) throw new Error(`The crawl has no value for :${name} in ${path}.`)
  return value
}

/** Returns a function that goes to a page like a link, and waits until its requests are done. */
function walker(page: Page): (path: string) => Promise<void> {
  let open = 0
  page.on('request', () => open++)
  page.on('requestfinished', () => open--)
  page.on('requestfailed', () => open--)
  return async (path) => {
    await page.evaluate((to) => {
      history.pushState({}, '', to)
      dispatchEvent(new PopStateEvent('popstate'))
    }, path)
    // A page can send further requests after its first responses.
    for (let quiet = 0; quiet < 3; quiet = open > 0 ? 0 : quiet + 1) await page.waitForTimeout(60)
  }
}

describe("every page of Unleash's own frontend", () => {
  let frontend: Awaited<ReturnType<typeof startFrontend>>

  beforeAll(async () => {
    const fixtures = {
      segments: [{ id: 1, name: 'beta', constraints: [] }],
      applications: [{ appName: 'shop' }],
      addons: [{ id: 1, provider: 'webhook', enabled: true, parameters: { url: 'https://example.com' }, events: [] }],
    }
    frontend = await startFrontend(fixtures)
  })
  afterAll(() => frontend.close())

  it('the pages are found in the frontend', () => {
    expect(pages().length).toBeGreaterThan(60)
  })

  it('errors of scripts count, except for the one that the frontend recovers from', async () => {
    const { page, problems, visit } = await openWindow(frontend.browser, frontend.server.url)
    await visit('/login')
    await page.evaluate(() => {
      const report = (message: string) => reportError(new Error(`error 520: ${message}`, { cause: new Error(message) }))
      report('Missing required query param: environmentId')
      report('broken')
    })
    await expect.poll(() => problems).toContain('Error: error 520: broken')
    expect(problems.filter((problem) => problem.includes('query param'))).toEqual([])
    await page.context().close()
  })

  it.each(['admin', 'editor', 'viewer'])('every page opens without a failed request, for the %s', async (username) => {
    const visitor: Visitor = await openWindow(frontend.browser, frontend.server.url)
    await visitor.signIn(username, 'flagdouble')
    visitor.problems.length = 0
    const walk = walker(visitor.page)
    const found: string[] = []
    for (const path of pages()) {
      await walk(path)
      const unexpected = visitor.problems.splice(0).filter((problem) => !AS_IN_THE_SERVICE.test(problem))
      found.push(...unexpected.map((problem) => `${path}: ${problem}`))
    }
    expect(found).toEqual([])
    await visitor.page.context().close()
  })
})
