import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import type { RunningWorker, startWorker } from '../../src/entries/adapters/browser.js'
import { ADMIN } from '../support/adapters.js'
import { namesOf, openPage } from '../support/browser.js'
import { openSite, siteInBrowser } from '../support/site.js'

const { browser, site } = await siteInBrowser(`
  import { startWorker } from './src/entries/adapters/browser.js'
  window.startWorker = startWorker
  if (location.search !== '?nothing-yet') window.ready = startWorker({ badge: true, quiet: true, now: '2026-11-20T12:00:00Z' })
`)

declare global {
  interface Window {
    ready: Promise<RunningWorker>
    startWorker: typeof startWorker
  }
}

const clonePath = '/api/admin/projects/default/features/checkout-redesign/clone'

/** Sends a request from the page, after the worker has started. */
async function ask(
  page: Page,
  path: string,
  init: Pick<RequestInit, 'credentials' | 'method'> & { headers?: Record<string, string>; body?: string } = {},
) {
  const headers = { authorization: ADMIN, 'content-type': 'application/json' }
  return page.evaluate(
    async ([url, options]) => {
      await window.ready
      const response = await fetch(url, options)
      const text = await response.text()
      return {
        status: response.status,
        scenario: response.headers.get('x-mock-scenario'),
        error: response.headers.get('x-mock-error'),
        body: text === '' ? undefined : JSON.parse(text),
      }
    },
    [path, { headers, ...init }] as const,
  )
}

const clone = (page: Page) => ask(page, clonePath, { method: 'POST', body: JSON.stringify({ name: 'copy' }) })

async function openAt(address: string) {
  const opened = await openPage(browser)
  await opened.page.goto(site.url + address)
  return opened
}

describe('startWorker', () => {
  it('the worker handles the requests of the page', async () => {
    const { page, complaints } = await openAt('/')
    expect(await clone(page)).toMatchObject({ status: 200, scenario: 'default', body: { name: 'copy' } })
    expect(
      await page.evaluate(async () => (await window.ready).mock.requests.count({ operation: 'cloneFeature' })),
    ).toBe(1)
    expect(complaints).toEqual([])
  })

  it('called twice, it returns the running worker, with one badge; after a stop it starts another', async () => {
    const { page, complaints } = await openAt('/')
    const warnings: string[] = []
    page.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()))
    const found = await page.evaluate(async () => {
      const first = await window.ready
      const again = await window.startWorker({ badge: true })
      const badges = document.querySelectorAll('flagdouble-badge').length
      await first.stop()
      const later = await window.startWorker({ quiet: true })
      return { isSame: again === first, badges, isNew: later.mock !== first.mock }
    })
    expect(found).toEqual({ isSame: true, badges: 1, isNew: true })
    expect(warnings).toEqual([expect.stringContaining('startWorker was called again with other options')])
    expect(complaints).toEqual([])
  })

  it('a worker that cannot start leaves no badge and no panel, gives the reason, and can be started again', async () => {
    const { page } = await openAt('/?nothing-yet')
    const found = await page.evaluate(async () => {
      const options = { badge: true, quiet: true }
      sessionStorage.setItem('flagdouble:panel-open', '{"open":"yes"}')
      const reason = await window
        .startWorker({ ...options, serviceWorker: { url: '/api/missing.js' } })
        .catch((error: Error) => error.message)
      const left = document.querySelectorAll('flagdouble-badge, flagdouble-panel').length
      await window.startWorker(options)
      return { reason, left, badges: document.querySelectorAll('flagdouble-badge').length }
    })
    expect(found).toEqual({
      reason: expect.stringMatching(/^The page's worker can't start: .*missing\.js[\s\S]*msw init/),
      left: 0,
      badges: 1,
    })
  })

  it('the worker builds links with the origin of the page', async () => {
    const { page } = await openAt('/')
    const { body } = await ask(page, '/api/admin/invite-link/tokens/live-invite')
    expect(body.url).toBe(`${site.url}/new-user?invite=live-invite`)
  })

  it.each([
    ['unauthenticated', 401],
    ['missing-permission', 403],
    ['unknown-feature', 404],
    ['name-taken', 409],
    ['unsupported-content-type', 415],
    ['server-error', 500],
  ])('the worker reads the scenario from the URL: %s', async (scenario, status) => {
    const { page } = await openAt(`/?scenario=${scenario}`)
    const answer =
      scenario === 'name-taken'
        ? await ask(page, clonePath, { method: 'POST', body: JSON.stringify({ name: 'legacy-export' }) })
        : await clone(page)
    expect(answer).toMatchObject({ status, scenario })
  })

  it('the worker reads several scenarios from the URL', async () => {
    const { page } = await openAt('/?scenario=empty,missing-permission')
    expect((await clone(page)).scenario).toBe('empty,missing-permission')
  })

  it('the worker reads the state of a flag from the URL, and keeps it after a reload', async () => {
    const { page } = await openAt('/?scenario=checkout-redesign:gone,legacy-export:off')
    const flag = async (name: string) => {
      const headers = { authorization: '*:development.mock-client' }
      const { status, body } = await ask(page, `/api/client/features/${name}`, { headers })
      return [status, body.enabled]
    }
    for (const _ of ['first', 'reloaded']) {
      expect(await flag('checkout-redesign')).toEqual([404, undefined])
      expect(await flag('legacy-export')).toEqual([200, false])
      await page.evaluate(() => history.replaceState(null, '', '/'))
      await page.reload()
    }
  })

  it('the worker breaks the connection in a scenario that does', async () => {
    const { page } = await openAt('/?scenario=offline')
    await expect(clone(page)).rejects.toThrow('Failed to fetch')
  })

  it('the scenario persists when the app navigates, and after a reload', async () => {
    const { page } = await openAt('/?scenario=unauthenticated')
    expect((await clone(page)).status).toBe(401)
    await page.evaluate(() => history.pushState(null, '', '/flags'))
    expect((await clone(page)).status).toBe(401)
    await page.reload()
    expect((await clone(page)).status).toBe(401)
    await page.evaluate(() => {
      location.href = '/elsewhere'
    })
    await page.waitForURL('**/elsewhere')
    expect((await clone(page)).status).toBe(401)
  })

  it('the scenario follows the URL without a reload', async () => {
    const { page } = await openAt('/')
    expect((await clone(page)).status).toBe(200)
    await page.evaluate(() => history.pushState(null, '', '/?scenario=missing-permission'))
    expect((await clone(page)).status).toBe(403)
    await page.evaluate(() => history.pushState(null, '', '/?scenario='))
    expect(await clone(page)).toMatchObject({ status: 200, scenario: 'default' })
    await page.evaluate(() => history.pushState(null, '', '/'))
    expect(await clone(page)).toMatchObject({ status: 409, scenario: 'default' })
  })

  it('the scenario ends when a URL without it is opened', async () => {
    const { page } = await openAt('/?scenario=unauthenticated')
    expect((await clone(page)).status).toBe(401)
    await page.goto(`${site.url}/`)
    expect(await clone(page)).toMatchObject({ status: 200, scenario: 'default' })
    await page.reload()
    expect((await clone(page)).scenario).toBe('default')
  })

  it('the scenario applies to this tab only', async () => {
    const { page } = await openAt('/?scenario=unauthenticated')
    expect((await clone(page)).status).toBe(401)
    const other = await page.context().newPage()
    await other.goto(site.url)
    expect((await clone(other)).status).toBe(200)
    expect((await clone(page)).status).toBe(401)
  })

  it('an unknown scenario is reported on the console and in the response', async () => {
    const { page, complaints } = await openAt('/?scenario=expired-tokn')
    expect(await clone(page)).toMatchObject({ status: 400, error: 'UNKNOWN_SCENARIO' })
    expect((await clone(page)).body.message).toContain('"expired-token"')
    expect(complaints.filter((text) => text.includes('[flagdouble]'))).toHaveLength(1)
    expect(complaints[0]).toContain('There is no scenario "expired-tokn". Did you mean "expired-token"?')
  })

  it('a misspelt parameter in the URL is reported on the console', async () => {
    const { page } = await openAt('/')
    const warnings: string[] = []
    page.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()))
    await page.goto(`${site.url}/?scenaro=empty`)
    expect((await clone(page)).status).toBe(200)
    const message = 'The parameter "scenaro" in the page\'s address has no effect. Did you mean "scenario"?'
    expect(warnings.filter((text) => text.includes(message))).toHaveLength(1)
  })

  it('two scenarios in the URL are reported, and stay an error after a navigation and a reload', async () => {
    const { page, complaints } = await openAt('/?scenario=slow&scenario=empty')
    const message = 'The address has the parameter "scenario" more than once.'
    expect(await clone(page)).toMatchObject({ status: 400, error: 'INVALID_REQUEST', body: { message } })
    expect(complaints.filter((text) => text.includes(message))).toHaveLength(1)
    expect(await badgeOf(page)).toBe(`${message.slice(0, -1)} · Choose another`)
    await page.evaluate(() => history.pushState(null, '', '/elsewhere'))
    await page.reload()
    expect(await clone(page)).toMatchObject({ status: 400, error: 'INVALID_REQUEST', body: { message } })
    await page.evaluate(() => history.pushState(null, '', '/?scenario=empty'))
    expect(await ask(page, '/api/admin/projects')).toMatchObject({ status: 200, scenario: 'empty' })
  })

  it('a scenario in the URL with any name is reported', async () => {
    const { page } = await openAt('/?scenario=zły,100%25')
    const { status, body } = await clone(page)
    expect([status, body.message]).toEqual([400, expect.stringContaining('There is no scenario "zły"')])
  })

  it('a request can name its own scenario', async () => {
    const { page } = await openAt('/?scenario=unauthenticated')
    const headers = { authorization: ADMIN, 'x-mock-scenario': 'empty' }
    expect(await ask(page, '/api/admin/projects', { headers })).toMatchObject({ status: 200, scenario: 'empty' })
    expect(await ask(page, '/api/admin/projects?scenario=slow')).toMatchObject({ status: 200, scenario: 'slow' })
  })

  it('the scenario in the URL takes precedence over a cookie of an earlier visit', async () => {
    const { page } = await openAt('/?scenario=empty')
    await page.evaluate(() => {
      // biome-ignore lint/suspicious/noDocumentCookie: the very cookie that a QA link sets
      document.cookie = 'mock-scenario=unauthenticated'
    })
    expect(await ask(page, '/api/admin/projects')).toMatchObject({ status: 200, scenario: 'empty' })
  })

  it('the worker stops, and can be stopped again', async () => {
    const { page } = await openAt('/')
    await clone(page)
    await page.evaluate(async () => {
      const worker = await window.ready
      await Promise.all([worker.stop(), worker.stop()])
    })
    expect(await page.evaluate(async (path) => (await fetch(path)).status, clonePath)).toBe(404)
    expect(await page.locator('flagdouble-badge').count()).toBe(0)
  })
})

describe('signing in', () => {
  const me = async (page: Page, init: { credentials?: RequestCredentials } = {}) => {
    const { status, body } = await ask(page, '/api/admin/user', { headers: {}, ...init })
    return status === 200 ? body.user.email : status
  }
  const signIn = (page: Page, username: string) =>
    ask(page, '/auth/simple/login', { method: 'POST', body: JSON.stringify({ username, password: 'flagdouble' }) })

  it('users are signed in, with any credentials mode of a request to the page’s origin', async () => {
    const { page } = await openAt('/')
    expect(await me(page)).toBe(401)
    expect(await signIn(page, 'editor')).toMatchObject({ status: 200, body: { email: 'editor@example.com' } })
    expect(await me(page)).toBe('editor@example.com')
    expect(await me(page, { credentials: 'include' })).toBe('editor@example.com')
    expect(await me(page, { credentials: 'omit' })).toBe(401)
    await signIn(page, 'viewer')
    expect(await me(page)).toBe('viewer@example.com')
  })

  it('a login survives a change of scenario, in the URL and by a reload', async () => {
    const { page } = await openAt('/')
    await signIn(page, 'editor')
    await page.evaluate(() => history.pushState(null, '', '/?scenario=missing-permission'))
    expect(await me(page)).toBe('editor@example.com')
    await page.goto(`${site.url}/?scenario=name-taken`)
    expect(await me(page)).toBe('editor@example.com')
    const body = JSON.stringify({ name: 'copy' })
    const answer = await ask(page, clonePath, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
    expect(answer).toMatchObject({ status: 409, scenario: 'name-taken' })
    await page.reload()
    expect(await me(page)).toBe('editor@example.com')
  })

  it('a logout and a reset end the login, including after a reload', async () => {
    const { page } = await openAt('/')
    await signIn(page, 'editor')
    await ask(page, '/logout', { method: 'POST' }).catch(() => 'it leads to a page, which is no JSON')
    expect(await me(page)).toBe(401)
    await page.reload()
    expect(await me(page)).toBe(401)
    await signIn(page, 'editor')
    await page.evaluate(async () => (await window.ready).mock.reset())
    expect(await me(page)).toBe(401)
    await page.reload()
    expect(await me(page)).toBe(401)
  })

  it('a login is stored in this tab only, without its user’s secrets', async () => {
    const { page } = await openAt('/')
    await signIn(page, 'admin')
    const stored = await page.evaluate(() => sessionStorage.getItem('flagdouble:login'))
    expect(Object.keys(JSON.parse(stored ?? '').user)).toEqual(['id', 'name', 'email', 'username'])
    const other = await page.context().newPage()
    await other.goto(site.url)
    expect(await me(other)).toBe(401)
  })

  it('a custom worker with the mock’s handlers also signs in', async () => {
    await using own = await openSite(`
      import { setupWorker } from 'msw/browser'
      import { createMock } from './src/index.js'
      import { createHandlers } from './src/entries/adapters/msw.js'
      window.ready = setupWorker(...createHandlers(createMock())).start({ quiet: true })
    `)
    const { page } = await openPage(browser)
    await page.goto(own.url)
    expect(await me(page)).toBe(401)
    await signIn(page, 'editor')
    expect(await me(page)).toBe('editor@example.com')
  })
})

describe('the badge', () => {
  it('the badge shows the active scenario', async () => {
    const { page, complaints } = await openAt('/?scenario=empty&page=2')
    await clone(page)
    expect(await badgeOf(page)).toBe('Mock: empty')
    await page.evaluate(() => history.pushState(null, '', '/?scenario='))
    expect((await clone(page)).status).toBe(200)
    expect(await badgeOf(page)).toBe('Mock: default')
    expect(await page.locator('flagdouble-panel').count()).toBe(0)
    expect(complaints.filter((text) => !text.includes('status of'))).toEqual([])
  })

  it('the badge changes nothing else on the page', async () => {
    const { page } = await openAt('/')
    await clone(page)
    expect(await page.evaluate(() => document.querySelector('flagdouble-badge')?.shadowRoot)).toBeNull()
    expect(await page.evaluate(() => document.head.querySelectorAll('style, link').length)).toBe(0)
  })

  it('the badge marks an unknown scenario', async () => {
    const { page } = await openAt('/?scenario=expired-tokn')
    await clone(page)
    expect(await badgeOf(page)).toBe("The address names expired-tokn, which doesn't exist · Choose another")
  })
})

/** The screen reader's text for the badge, the only button of the page. */
async function badgeOf(page: Page) {
  return (await namesOf(page))('button')[0]
}
