// Checks Vite's dev server with the plugin.
import assert from 'node:assert/strict'
import flagdouble from 'flagdouble/vite'
import { createServer } from 'vite'

const server = await createServer({
  configFile: false,
  logLevel: 'error',
  plugins: [flagdouble({ scenario: 'empty' })],
})
await server.listen(0)
const [url] = server.resolvedUrls.local
const answer = await fetch(`${url}api/admin/projects/default/features`, {
  headers: { authorization: '*:*.mock-admin' },
})
assert.deepEqual((await answer.json()).features, [])
const link = await fetch(`${url}__mock/use/offline?redirect=/`, { redirect: 'manual' })
const cookie = link.headers.get('set-cookie').split(';')[0]
await assert.rejects(fetch(`${url}api/admin/projects`, { headers: { cookie } }))
await server.close()
