import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, it, onTestFinished } from 'vitest'
import { CORE } from '../../src/engine/mock/session.js'
import { startServer } from '../../src/entries/adapters/node.js'
import { ADMIN } from '../support/adapters.js'
import { launchBrowser, openPage } from '../support/browser.js'

// The page belongs to another site on this machine, because Chromium keeps pages of the internet away from it anyway.
const browser = await launchBrowser('--host-resolver-rules=MAP evil.example 127.0.0.1')
afterAll(() => browser.close())

/** A server with its own flag, and a page of another site in Chromium. `$B` in the page is the server's URL. */
async function meet(html = '') {
  const server = await startServer({}, { port: 0 })
  server.mock.add({ features: [{ name: 'mine' }] })
  const site = createServer((_, response) => {
    response.setHeader('content-type', 'text/html').end(`<!doctype html>${html.replaceAll('$B', server.url)}`)
  })
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    site.closeAllConnections()
    site.close()
    await server.close(0)
  })
  const { page } = await openPage(browser)
  // Chromium hides most of these responses from the page, so the server counts them.
  const statuses: number[] = []
  const onFinish = (message: unknown) => {
    const { request, response } = message as { request: IncomingMessage; response: ServerResponse }
    if (server.url === `http://${request.headers.host}`) statuses.push(response.statusCode)
  }
  subscribe('http.server.response.finish', onFinish)
  onTestFinished(() => {
    unsubscribe('http.server.response.finish', onFinish)
  })
  await page.goto(`http://evil.example:${(site.address() as AddressInfo).port}`, { waitUntil: 'networkidle' })
  const isUnchanged = () => {
    const [unnamed, ...others] = server.mock[CORE].sessions.all()
    expect([...(unnamed?.worlds.keys() ?? [])]).toEqual(['default'])
    expect(others).toEqual([])
    expect(server.mock.features.get('mine')).toBeDefined()
  }
  return { server, page, statuses, isUnchanged }
}

it.each([
  ['an image', '<img src="$B/__mock/use/default"><img src="$B/health?scenario=empty,slow">'],
  ['a frame', '<iframe src="$B/__mock/use/default"></iframe>'],
  ['a script', '<script src="$B/__mock/use/default"></script>'],
  ['a style sheet', '<link rel="stylesheet" href="$B/__mock/use/default">'],
  ['a prefetch', '<link rel="prefetch" href="$B/__mock/use/default">'],
  [
    'a form in a frame',
    '<iframe name=f></iframe><form id=x target=f action="$B/__mock/use/default"></form><script>x.submit()</script>',
  ],
  ['fetch with no-cors', '<script>fetch("$B/__mock/use/default", { mode: "no-cors" })</script>'],
  ['a beacon', '<script>navigator.sendBeacon("$B/__mock/reset")</script>'],
])('%s of a foreign page reaches the server in Chromium, and changes nothing', async (_, html) => {
  const { statuses, isUnchanged } = await meet(html)
  expect(new Set(statuses)).toEqual(new Set([403]))
  isUnchanged()
})

it('a foreign page in Chromium reads the frontend API, and why everything else is rejected', async () => {
  const { server, page, isUnchanged } = await meet()
  const read = (path: string) =>
    page.evaluate(
      ([url, key]) =>
        fetch(url ?? '', { headers: { authorization: key ?? '' } }).then(
          (response) => response.status,
          () => 'unreadable',
        ),
      [server.url + path, ADMIN],
    )
  expect(await read('/api/frontend')).toBe(401)
  const control = ['/__mock/state', '//__mock/state', '/__MOCK/state', '/x/../__mock/state', '/__mock/requests']
  for (const path of ['/api/admin/projects', ...control]) expect([path, await read(path)]).toEqual([path, 403])
  isUnchanged()
})

it('a link on a foreign page leads to a QA link in Chromium', async () => {
  const { server, page } = await meet('<a href="$B/__mock/use/empty?redirect=/health">empty</a>')
  await page.getByText('empty').click()
  await page.waitForURL(`${server.url}/health`)
  expect(server.mock[CORE].sessions.unnamed.worlds.has('empty')).toBe(true)
})
