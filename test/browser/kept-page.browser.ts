import type { Page } from 'playwright-core'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { FRAMES_KEPT } from '../../src/entries/adapters/browser/kept-page.js'
import { fetchIn, openPages } from '../support/pages.js'
import { clientOf } from '../support/state-server.js'

const { browser, url, urlOf, open, ...pages } = await openPages()
// An open page, with its worker, slows down later pages.
afterEach(() => Promise.all(browser.contexts().map((context) => context.close())))
afterAll(() => pages[Symbol.asyncDispose]())

const scenarioOf = (page: Page) => page.evaluate(async () => (await window.ready).scenario)

describe('a reload of the tab', () => {
  it('keeps changes that the page made itself, without a warning', async () => {
    const { page, warnings, names, read, switchTo } = await open()
    await switchTo('empty')
    await page.evaluate(async () => {
      const { mock } = await window.ready
      mock.add({ features: [{ name: 'added' }] })
      mock.clock.set('2031-05-06T07:08:09.000Z')
    })
    await page.reload()
    expect(await scenarioOf(page)).toBe('empty')
    expect(await read('/__mock/clock')).toMatchObject({ now: '2031-05-06T07:08:09.000Z' })
    expect([await names(), warnings]).toEqual([['added'], []])
  })

  it('ends the switch if the URL says so', async () => {
    const { page, switchTo } = await open()
    await switchTo('empty')
    await page.goto(`${url}/?scenario=`)
    expect(await scenarioOf(page)).toBe('default')
  })

  it('keeps the world of the scenario in the URL', async () => {
    const { page, create, names } = await open(`${url}/?scenario=default`)
    await create('mine')
    await page.reload()
    expect(await names()).toEqual(['mine'])
  })

  it('keeps nothing with keep: false', async () => {
    const { page, create, names } = await open(urlOf({ keep: false }))
    await create('mine')
    await page.reload()
    expect(await names()).toEqual([])
  })
})

describe('tabs', () => {
  it('starts although the storage never responds, and says that nothing is saved', async () => {
    const context = await browser.newContext()
    await context.addInitScript(() => {
      IDBFactory.prototype.open = () => ({}) as IDBOpenDBRequest
    })
    const { warnings, create } = await open(url, context)
    await create('unkept')
    expect(warnings).toEqual([
      "[flagdouble] Changes in this page can't be stored: the storage of this browser does not respond.",
    ])
    await context.close()
  })

  it('each tab has its own state, even a duplicated tab', async () => {
    const one = await open()
    await one.create('mine')
    const other = await open(url, one.page.context())
    expect(await other.names()).toEqual([])
    await other.create('theirs')
    const [duplicate] = await Promise.all([
      one.page.context().waitForEvent('page'),
      one.page.evaluate(() => void window.open(location.href)),
    ])
    await duplicate.waitForLoadState()
    const copy = clientOf((path, init) => fetchIn(duplicate, path, init))
    await copy.create('copied')
    for (const page of [one.page, other.page, duplicate]) await page.reload()
    expect(await one.names()).toEqual(['mine'])
    expect(await other.names()).toEqual(['theirs'])
    expect(await copy.names()).toContain('copied')
  })

  it('of closed frames, a limited number of documents stays', async () => {
    const { page, create, names } = await open()
    await create('mine')
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
    expect(await names()).toEqual(['mine'])
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
      }, url)
      return page.frames().filter((frame) => frame !== page.mainFrame())
    }
    const clientsOf = async () => {
      const [one, two] = await frames()
      if (one === undefined || two === undefined) throw new Error('There are no frames.')
      return [one, two].map((frame) => clientOf((path, init) => fetchIn(frame, path, init)))
    }
    const [one, two] = await clientsOf()
    await one?.create('in-one')
    await two?.create('in-two')
    for (let reload = 0; reload < 2; reload++) {
      await page.reload()
      const names = await Promise.all((await clientsOf()).map((frame) => frame.names()))
      expect(names).toEqual([['in-one'], ['in-two']])
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
    ['of another format', '{"flagdouble":3,"sessions":{}}'],
  ])('is set aside, and the console says so: %s', async (_, text) => {
    const { page, warnings, create, names, send } = await open()
    await create('mine')
    await page.addInitScript(() => addEventListener('pagehide', (event) => event.stopImmediatePropagation(), true))
    await page.reload()
    // msw reloads a page that the user leaves while its worker starts.
    expect(await names()).toEqual(['mine'])
    await put(page, text)
    await page.reload()
    expect(await names()).toEqual([])
    expect(warnings).toEqual([expect.stringContaining("can't be read")])
    await create('again')
    expect((await send('POST', '/api/admin/projects/default/features', { name: 'again' })).status).toBe(409)
  })
})
