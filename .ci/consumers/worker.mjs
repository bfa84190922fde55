// flagdouble/browser in Chromium: the worker responds, and with `unhandled: 'error'` no request reaches the network.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { build } from 'esbuild'
import { chromium } from 'playwright-core'

const reached = []
const network = createServer(({ method, url }, response) => {
  reached.push(`${method} ${url}`)
  response.writeHead(200, { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' }).end('real')
})

const { outputFiles } = await build({
  stdin: { contents: `export { startWorker } from 'flagdouble/browser'`, resolveDir: import.meta.dirname },
  bundle: true,
  format: 'esm',
  write: false,
})
const scripts = {
  '/app.js': outputFiles[0].text,
  '/mockServiceWorker.js': readFileSync('node_modules/msw/lib/mockServiceWorker.js', 'utf8'),
}
const site = createServer(({ url }, response) => {
  const script = scripts[url]
  if (script === undefined && url !== '/') reached.push(`the page's own ${url}`)
  response
    .writeHead(200, { 'content-type': script ? 'text/javascript' : 'text/html' })
    .end(script ?? '<!doctype html><body>')
})

async function listen(server) {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return `http://127.0.0.1:${server.address().port}`
}

const elsewhere = await listen(network)
const page = await listen(site)
const flags = ['--no-sandbox', '--disable-background-networking', '--disable-component-update', '--disable-sync']
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium', args: flags })
try {
  const tab = await browser.newPage()
  await tab.route('**/favicon.ico', (route) => route.fulfill({ status: 204 }))
  await tab.goto(page)
  const answers = await tab.evaluate(
    async (urls) => {
      const { startWorker } = await import('/app.js')
      await startWorker({ unhandled: 'error', quiet: true })
      const headers = { authorization: '*:*.mock-admin' }
      const sends = urls.flatMap((url) => [
        fetch(url, { headers }),
        fetch(url, { method: 'POST', headers, body: 'secret' }),
      ])
      const settled = await Promise.allSettled([fetch('/api/admin/projects', { headers }), ...sends])
      return settled.map(({ value }) => value?.status ?? 'rejected')
    },
    [`${elsewhere}/elsewhere`, `${elsewhere}/api/admin/projcts`, '/elsewhere', '/api/admin/projcts'],
  )
  assert.deepEqual(answers, [200, ...Array(8).fill('rejected')])
  assert.deepEqual(reached, [])
} finally {
  await browser.close()
  network.close()
  site.close()
}
