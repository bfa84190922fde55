import type { BrowserContext, Frame, Page } from 'playwright-core'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { FRAMES_KEPT } from '../../src/entries/adapters/browser/kept-page.js'
import { ADMIN } from '../support/adapters.js'
import { launchBrowser, openPage } from '../support/browser.js'
import { openSite } from '../support/site.js'

const browser = await launchBrowser()
const site = await openSite(`
  import { startWorker } from './src/entries/adapters/browser.js'
  const { searchParams } = new URL(location.href)
  const keep = !searchParams.has('forgetful')
  const fixture = searchParams.get('fixture')
  const base = searchParams.get('base')
  window.ready = startWorker({
    quiet: true,
    keep,
    ...(fixture && { fixtures: { features: [{ name: fixture }] } }),
    ...(base && { scenarios: [{ name: base, title: 'Base', promise: 'A base.', extends: 'default' }] }),
  })
`)
// An open page, with its worker, slows down later pages.
afterEach(() => Promise.all(browser.contexts().map((context) => context.close())))
afterAll(async () => {
  await browser.close()
  await site[Symbol.asyncDispose]()
})

const FEATURES = '/api/admin/projects/default/features'

/** Sends a request from the page, after the worker has started. */
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
  it('keeps records, including undone and redone ones, and empties the history', async () => {
    const { page, warnings } = await open()
    for (const name of ['one', 'two', 'three']) expect((await create(page, name)).status).toBe(201)
    for (const step of ['undo', 'undo', 'redo']) await ask(page, 'POST', `/__mock/history/${step}`)
    const before = (await ask(page, 'GET', '/__mock/state')).body
    await page.reload()
    expect((await ask(page, 'GET', '/__mock/state')).body).toEqual(before)
    expect(await names(page)).toEqual(expect.arrayContaining(['one', 'two']))
    expect(await names(page)).not.toContain('three')
    expect((await ask(page, 'GET', '/__mock/history')).body).toHaveLength(1)
    await create(page, 'four')
    await page.reload()
    expect(await names(page)).toEqual(expect.arrayContaining(['one', 'two', 'four']))
    expect(warnings).toEqual([])
  })

  it("keeps the clock, response overrides with their counts, and the page's own changes", async () => {
    const { page } = await open()
    await page.evaluate(async () => {
      const { mock } = await window.ready
      mock.add({ features: [{ name: 'added' }] })
      mock.clock.set('2031-05-06T07:08:09.000Z')
    })
    await ask(page, 'POST', '/__mock/forced', { operation: 'createFeature', status: 503, times: 2 })
    expect((await create(page, 'one')).status).toBe(503)
    await page.reload()
    expect((await ask(page, 'GET', '/__mock/clock')).body).toMatchObject({ now: '2031-05-06T07:08:09.000Z' })
    expect(await names(page)).toContain('added')
    expect([(await create(page, 'one')).status, (await create(page, 'one')).status]).toEqual([503, 201])
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

  it('keeps a saved scenario', async () => {
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

  it('is in the default scenario, and says so, if the base of its saved scenario is gone', async () => {
    const { page } = await open('/?base=shop')
    const saved = { name: 'saved', title: 'Saved', promise: 'It stands on the shop.', extends: 'shop' }
    expect((await ask(page, 'PUT', '/__mock/scenarios/saved', saved)).status).toBe(201)
    await ask(page, 'PUT', '/__mock/scenario', { name: 'saved' })
    await create(page, 'mine')
    await page.goto(site.url)
    expect((await ask(page, 'GET', '/__mock/scenario')).body).toMatchObject({
      names: ['default'],
      notice: expect.stringContaining('saved'),
    })
    expect((await create(page, 'another')).status).toBe(201)
    expect((await ask(page, 'POST', '/__mock/reset')).status).toBe(204)
  })

  it('ends the switch if the URL says so', async () => {
    const { page } = await open()
    await ask(page, 'PUT', '/__mock/scenario', { name: 'empty' })
    await page.goto(`${site.url}/?scenario=`)
    expect(await page.evaluate(async () => (await window.ready).scenario)).toBe('default')
  })

  it('keeps the world of the scenario in the URL', async () => {
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

  it('keeps changed data after changes of files, and says so', async () => {
    const { page, warnings } = await open('/?fixture=old')
    await create(page, 'mine')
    await page.goto(`${site.url}/?fixture=new`)
    expect(await names(page)).toEqual(expect.arrayContaining(['old', 'mine']))
    expect((await ask(page, 'GET', '/__mock/scenario')).body.notice).toMatch(/^Your files changed/)
    expect(warnings).toEqual([expect.stringMatching(/Your files changed/)])
    await ask(page, 'POST', '/__mock/reset')
    expect(await names(page)).toContain('new')
    expect((await ask(page, 'GET', '/__mock/scenario')).body.notice).toBeUndefined()
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
  it('starts although the storage never responds, and says that nothing is saved', async () => {
    const context = await browser.newContext()
    await context.addInitScript(() => {
      IDBFactory.prototype.open = () => ({}) as IDBOpenDBRequest
    })
    const { page, warnings } = await open('/', context)
    expect((await create(page, 'unkept')).status).toBe(201)
    expect(warnings).toEqual([
      "[flagdouble] Changes in this page can't be stored: the storage of this browser does not respond.",
    ])
    await context.close()
  })

  it('each tab has its own state, even a duplicated tab', async () => {
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

  it('of closed frames, a limited number of documents stays', async () => {
    const { page } = await open()
    await create(page, 'mine')
    const inStore = (act: 'add' | 'list', count = 0) =>
      page.evaluate(
        async ([act, count]) => {
          const request = indexedDB.open('flagdouble')
          await new Promise((resolve) => request.addEventListener('success', resolve))
          const store = request.result.transaction('documents', 'readwrite').objectStore('documents')
          for (let i = 0; act === 'add' && i < count; i++) store.put('{}', `0-${String(i).padStart(3, '0')}`)
          const keys = store.getAllKeys()
          await new Promise((resolve) => keys.addEventListener('success', resolve))
          request.result.close()
          return keys.result.map(String)
        },
        [act, count] as const,
      )
    await inStore('add', FRAMES_KEPT + 5)
    await page.reload()
    expect(await names(page)).toContain('mine')
    const closed = (await inStore('list')).filter((key) => key.startsWith('0-'))
    expect([closed.length, closed[0]]).toEqual([FRAMES_KEPT, '0-005'])
  })

  it('two frames of a page have their own state, after every reload', async () => {
    const { page } = await open()
    const frames = async () => {
      await page.evaluate(async (url) => {
        await window.ready
        const load = (frame: HTMLIFrameElement) => new Promise((resolve) => frame.addEventListener('load', resolve))
        for (const _ of [0, 1]) {
          const frame = document.createElement('iframe')
          frame.src = url
          document.body.append(frame)
          await load(frame)
        }
      }, site.url)
      return page.frames().filter((frame) => frame !== page.mainFrame())
    }
    const send = (frame: Frame, name: string) =>
      frame.evaluate(
        async ([path, body, authorization]) => {
          await window.ready
          const headers = { 'content-type': 'application/json', authorization }
          return (await fetch(path, { method: 'POST', headers, body })).status
        },
        [FEATURES, JSON.stringify({ name, type: 'release' }), ADMIN] as const,
      )
    const inFrame = (frame: Frame) =>
      frame.evaluate(async () => (await window.ready).mock.features.list().map(({ name }) => name))
    const [one, two] = await frames()
    if (one === undefined || two === undefined) throw new Error('There are no frames.')
    expect([await send(one, 'in-one'), await send(two, 'in-two')]).toEqual([201, 201])
    for (let reload = 0; reload < 2; reload++) {
      await page.reload()
      const [first, second] = await frames()
      if (first === undefined || second === undefined) throw new Error('There are no frames.')
      expect(await inFrame(first)).toEqual(expect.arrayContaining(['in-one']))
      expect(await inFrame(second)).toEqual(expect.arrayContaining(['in-two']))
      expect(await inFrame(second)).not.toContain('in-one')
    }
  })
})

/** Changes the documents of a page like another program. */
function put(page: Page, text: string) {
  return page.evaluate(async (text) => {
    const request = indexedDB.open('flagdouble')
    const database: IDBDatabase = await new Promise((resolve) => {
      request.onsuccess = () => resolve(request.result)
    })
    const transaction = database.transaction('documents', 'readwrite')
    const store = transaction.objectStore('documents')
    const keys = store.getAllKeys()
    keys.onsuccess = () => {
      for (const key of keys.result) store.put(text, key)
    }
    await new Promise((resolve) => {
      transaction.oncomplete = resolve
    })
    database.close()
  }, text)
}

describe('a document that can’t be read', () => {
  it.each([
    ['not JSON', '{"flagdouble":1'],
    ['of another format', '{"flagdouble":2,"sessions":{}}'],
  ])('is set aside, and the console says so: %s', async (_, text) => {
    const { page, warnings } = await open()
    await create(page, 'mine')
    await page.addInitScript(() => addEventListener('pagehide', (event) => event.stopImmediatePropagation(), true))
    await page.reload()
    // msw reloads a page that the user leaves while its worker starts.
    expect(await names(page)).toContain('mine')
    await put(page, text)
    await page.reload()
    expect(await names(page)).not.toContain('mine')
    expect(warnings).toEqual([expect.stringContaining("can't be read")])
    await create(page, 'again')
    expect((await create(page, 'again')).status).toBe(409)
  })
})
