import { afterAll, expect, it } from 'vitest'
import { startServer } from '../../src/entries/adapters/node.js'
import { launchBrowser, openPage } from '../support/browser.js'

const browser = await launchBrowser()
afterAll(() => browser.close())

it('a page in Chromium reads the API across origins', async () => {
  await using server = await startServer({}, { port: 0 })
  await using other = await startServer({}, { port: 0 })
  const { page, complaints } = await openPage(browser)
  await page.goto(`${other.url}/health`)
  const health = await page.evaluate(async (url) => (await fetch(url)).json(), `${server.url}/health`)
  expect(health).toEqual({ health: 'GOOD' })
  expect(complaints).toEqual([])
})
