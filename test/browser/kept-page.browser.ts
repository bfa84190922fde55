import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import type { HistoryEntry } from '../../src/index.js'
import { ADMIN } from '../support/adapters.js'
import { launchBrowser, openPage } from '../support/browser.js'
import { openSite } from '../support/site.js'

const browser = await launchBrowser()
const site = await openSite(`
  import { startWorker } from './src/entries/adapters/browser.js'
  const keep = !new URL(location.href).searchParams.has('forgetful')
  window.ready = startWorker({ quiet: true, keep })
`)
afterAll(async () => {
  await browser.close()
  await site[Symbol.asyncDispose]()
})

const FEATURES = '/api/admin/projects/default/features'

/** Sends a request from within the page, when the worker is ready. */
async function ask(page: Page, method: string, path: string, sent?: unknown, key: string | null = ADMIN) {
  return page.evaluate(
    async ([url, init]) => {
      await window.ready
      const response = await fetch(url, init)
      const text = await response.text()
      const isJson = response.headers.get('content-type')?.includes('json')
      return { status: response.status, body: isJson ? JSON.parse(text) : text }
    },
    [
      path,
      {
        method,
        headers: { 'content-type': 'application/json', ...(key === null ? {} : { authorization: key }) },
        ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
      },
    ] as const,
  )
}

async function open(path = '/', context?: BrowserContext) {
  const warnings: string[] = []
  const page = context === undefined ? (await openPage(browser)).page : await context.newPage()
  page.on('console', (message) => {
    if (message.type() === 'warning' && message.text().startsWith('[flagdouble]')) warnings.push(message.text())
  })
  await page.goto(site.url + path)
  return { page, warnings }
}

const create = (page: Page, name: string) => ask(page, 'POST', FEATURES, { name, type: 'release' })

async function names(page: Page): Promise<string[]> {
  const { body } = await ask(page, 'GET', '/__mock/state')
  return body.features.map(({ name }: { name: string }) => name)
}

describe('a reload of the tab', () => {
  it('keeps records, also those that were undone and redone', async () => {
    const { page, warnings } = await open()
    for (const name of ['one', 'two', 'three']) expect((await create(page, name)).status).toBe(201)
    for (const step of ['undo', 'undo', 'redo']) await ask(page, 'POST', `/__mock/history/${step}`)
    const before = (await ask(page, 'GET', '/__mock/state')).body
    await page.reload()
    expect((await ask(page, 'GET', '/__mock/state')).body).toEqual(before)
    expect(await names(page)).toEqual(expect.arrayContaining(['one', 'two']))
    expect(await names(page)).not.toContain('three')
    await create(page, 'four')
    await page.reload()
    expect(await names(page)).toEqual(expect.arrayContaining(['one', 'two', 'four']))
    expect(warnings).toEqual([])
  })

  it('keeps the history: what was done before it can be undone, redone and gone back to', async () => {
    const { page, warnings } = await open()
    await create(page, 'one')
    await ask(page, 'PUT', '/__mock/clock', { now: '2031-05-06T07:08:09.000Z' })
    await create(page, 'two')
    await ask(page, 'POST', '/__mock/history/undo')
    const titles = async () =>
      (await ask(page, 'GET', '/__mock/history')).body.map(({ title, current }: HistoryEntry) => [title, current])
    const before = await titles()
    await page.reload()
    expect(await titles()).toEqual(before)
    await ask(page, 'POST', '/__mock/history/redo')
    expect(await names(page)).toEqual(expect.arrayContaining(['one', 'two']))
    await page.reload()
    for (const _ of ['two', 'the clock', 'one']) await ask(page, 'POST', '/__mock/history/undo')
    expect(await names(page)).not.toContain('one')
    expect((await ask(page, 'GET', '/__mock/clock')).body.now).not.toContain('2031')
    await create(page, 'three')
    await page.reload()
    await ask(page, 'POST', '/__mock/history/undo')
    expect(await names(page)).not.toContain('three')
    expect(warnings).toEqual([])
  })

  it('keeps the way back from a switch', async () => {
    const { page } = await open()
    await create(page, 'mine')
    await ask(page, 'PUT', '/__mock/scenario', { name: 'empty' })
    await page.reload()
    await ask(page, 'POST', '/__mock/history/undo')
    expect(await page.evaluate(async () => (await window.ready).scenario)).toBe('default')
    expect(await names(page)).toContain('mine')
  })

  it('keeps force rules, and how often they may still answer', async () => {
    const { page } = await open()
    await ask(page, 'POST', '/__mock/forced', { operation: 'createFeature', status: 503, times: 2 })
    expect((await create(page, 'one')).status).toBe(503)
    await page.reload()
    expect([(await create(page, 'one')).status, (await create(page, 'one')).status]).toEqual([503, 201])
  })

  it('keeps the clock', async () => {
    const { page } = await open()
    await ask(page, 'PUT', '/__mock/clock', { now: '2031-05-06T07:08:09.000Z' })
    await page.reload()
    expect((await ask(page, 'GET', '/__mock/clock')).body).toMatchObject({ now: '2031-05-06T07:08:09.000Z' })
  })

  it('keeps the switch, and the worlds of other scenarios', async () => {
    const { page } = await open()
    await create(page, 'in-default')
    await ask(page, 'PUT', '/__mock/scenario', { name: 'empty' })
    await ask(page, 'PATCH', '/__mock/state', { projects: [{ id: 'only' }] })
    await page.reload()
    expect(await page.evaluate(async () => (await window.ready).scenario)).toBe('empty')
    expect((await ask(page, 'GET', '/__mock/state')).body.projects).toContainEqual(
      expect.objectContaining({ id: 'only' }),
    )
    const inDefault = await ask(page, 'GET', '/__mock/state?scenario=default')
    expect(inDefault.body.features.map(({ name }: { name: string }) => name)).toContain('in-default')
  })

  it('keeps a scenario that was saved', async () => {
    const { page } = await open()
    await create(page, 'mine')
    expect(
      (
        await ask(page, 'POST', '/__mock/scenarios', {
          name: 'as-i-left-it',
          title: 'As I left it',
          promise: 'A feature of mine.',
        })
      ).status,
    ).toBe(201)
    await ask(page, 'PUT', '/__mock/scenario', { name: 'as-i-left-it' })
    await page.reload()
    expect(await page.evaluate(async () => (await window.ready).scenario)).toBe('as-i-left-it')
    expect(await names(page)).toContain('mine')
  })

  it('ends the switch where the address says so', async () => {
    const { page } = await open()
    await ask(page, 'PUT', '/__mock/scenario', { name: 'empty' })
    await page.goto(`${site.url}/?scenario=`)
    expect(await page.evaluate(async () => (await window.ready).scenario)).toBe('default')
  })

  it('keeps the world of the scenario in the address', async () => {
    const { page } = await open('/?scenario=default')
    await create(page, 'mine')
    await page.reload()
    expect(await names(page)).toContain('mine')
  })

  it('keeps a login, and a logout', async () => {
    const { page } = await open()
    const account = { username: 'admin@example.com', password: 'flagdouble' }
    expect((await ask(page, 'POST', '/auth/simple/login', account, null)).status).toBe(200)
    await page.reload()
    expect((await ask(page, 'GET', '/api/admin/user', undefined, null)).status).toBe(200)
    await ask(page, 'POST', '/logout', undefined, null)
    await page.reload()
    expect((await ask(page, 'GET', '/api/admin/user', undefined, null)).status).toBe(401)
  })

  it('keeps what the page itself did to the mock', async () => {
    const { page } = await open()
    await page.evaluate(async () => {
      const { mock } = await window.ready
      mock.add({ features: [{ name: 'added' }] })
      mock.clock.set('2031-01-01T00:00:00Z')
    })
    await page.reload()
    expect(await names(page)).toContain('added')
    expect((await ask(page, 'GET', '/__mock/clock')).body.now).toContain('2031-01-01')
  })

  it('keeps nothing from before everything started over', async () => {
    const { page } = await open()
    await create(page, 'mine')
    await ask(page, 'PUT', '/__mock/clock', { now: '2031-05-06T07:08:09.000Z' })
    await ask(page, 'POST', '/__mock/reset')
    await page.reload()
    expect(await names(page)).not.toContain('mine')
    expect((await ask(page, 'GET', '/__mock/clock')).body.now).not.toContain('2031')
    await create(page, 'again')
    await page.reload()
    expect(await names(page)).toContain('again')
  })

  it('keeps nothing with keep: false', async () => {
    const { page } = await open('/?forgetful')
    await create(page, 'mine')
    await page.reload()
    expect(await names(page)).not.toContain('mine')
  })
})

describe('tabs', () => {
  it('each tab has its own, also one that was duplicated', async () => {
    const { page } = await open()
    await create(page, 'mine')
    const other = await open('/', page.context())
    expect(await names(other.page)).not.toContain('mine')
    await create(other.page, 'theirs')
    const [duplicate] = await Promise.all([
      page.context().waitForEvent('page'),
      page.evaluate(() => void window.open(location.href)),
    ])
    await duplicate.waitForLoadState()
    expect((await create(duplicate, 'copied')).status).toBe(201)
    for (const one of [page, other.page, duplicate]) await one.reload()
    expect(await names(page)).toContain('mine')
    expect(await names(page)).not.toContain('copied')
    expect(await names(other.page)).toContain('theirs')
    expect(await names(other.page)).not.toContain('mine')
    expect(await names(duplicate)).toContain('copied')
  })

  it('of tabs that were closed, the newest twenty are kept', async () => {
    const { page } = await open()
    await create(page, 'mine')
    const rows = () =>
      page.evaluate(async () => {
        const request = indexedDB.open('flagdouble')
        const database: IDBDatabase = await new Promise((resolve) => {
          request.onsuccess = () => resolve(request.result)
        })
        const store = database.transaction('log', 'readwrite').objectStore('log')
        for (let old = 0; old < 30; old++) store.put('old', [`0000000000000000000000${old}`, 0])
        const all = store.getAllKeys()
        await new Promise((resolve) => {
          all.onsuccess = resolve
        })
        database.close()
        return all.result.filter((key) => String(key).startsWith('0')).length
      })
    expect(await rows()).toBeGreaterThanOrEqual(30)
    await page.reload()
    expect(await names(page)).toContain('mine')
    const left = await page.evaluate(async () => {
      const request = indexedDB.open('flagdouble')
      const database: IDBDatabase = await new Promise((resolve) => {
        request.onsuccess = () => resolve(request.result)
      })
      const all = database.transaction('log').objectStore('log').getAllKeys()
      await new Promise((resolve) => {
        all.onsuccess = resolve
      })
      return new Set(all.result.map((key) => (Array.isArray(key) ? String(key[0]) : ''))).size
    })
    expect(left).toBeLessThanOrEqual(21)
  })
})

describe('what is stored in a shape that can’t be read', () => {
  it.each([
    ['no header', 'this is no log\n'],
    ['a header of another format', '{"flagdouble":"state","format":99,"version":"9.0.0"}\n'],
    ['a broken line', '{"flagdouble":"state","format":1,"version":"0.1.0"}\n{"begin":"x"\n'],
  ])('is dropped with a line in the console: %s', async (_, text) => {
    const { page, warnings } = await open()
    await create(page, 'mine')
    await page.evaluate(async (broken) => {
      const request = indexedDB.open('flagdouble')
      const database: IDBDatabase = await new Promise((resolve) => {
        request.onsuccess = () => resolve(request.result)
      })
      const transaction = database.transaction('log', 'readwrite')
      const store = transaction.objectStore('log')
      const keys = store.getAllKeys()
      keys.onsuccess = () => {
        const [first, ...others] = keys.result
        for (const key of others) store.delete(key)
        if (first !== undefined) store.put(broken, first)
      }
      await new Promise((resolve) => {
        transaction.oncomplete = resolve
      })
    }, text)
    await page.reload()
    expect(await names(page)).not.toContain('mine')
    expect(warnings).toEqual([expect.stringContaining('can’t be read'.replace('’', "'"))])
    await create(page, 'again')
    await page.reload()
    expect(await names(page)).toContain('again')
    expect(warnings).toHaveLength(1)
  })
})
