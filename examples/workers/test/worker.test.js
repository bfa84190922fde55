import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { build } from 'esbuild'
import { Miniflare } from 'miniflare'

const KEY = 'only-for-this-test'
const config = JSON.parse(readFileSync('wrangler.jsonc', 'utf8'))
const storage = mkdtempSync(join(tmpdir(), 'example-workers-'))
after(() => rmSync(storage, { recursive: true }))

// As bundled by wrangler.
const { outputFiles } = await build({
  entryPoints: [config.main],
  bundle: true,
  write: false,
  format: 'esm',
  target: 'es2022',
  conditions: ['workerd', 'worker', 'browser'],
})

/** Starts the worker as described in wrangler.jsonc. */
async function start(secrets = { FLAGDOUBLE_ACCESS: KEY }) {
  const [{ name, class_name: className }] = config.durable_objects.bindings
  const useSQLite = config.migrations.some((step) => step.new_sqlite_classes?.includes(className))
  const worker = new Miniflare({
    modules: true,
    script: outputFiles[0].text,
    compatibilityDate: config.compatibility_date,
    bindings: { ...config.vars, ...secrets },
    durableObjects: { [name]: { className, useSQLite } },
    durableObjectsPersist: storage,
  })
  const url = await worker.ready
  const request = (session, path, { method = 'GET', body, ...headers } = {}) =>
    fetch(new URL(path, url), {
      method,
      redirect: 'manual',
      headers: {
        authorization: 'user:mock-editor',
        'content-type': 'application/json',
        'x-flagdouble-access': KEY,
        'x-mock-session': session,
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    })
  return { request, stop: () => worker.dispose() }
}

const clone = ({ request }, session, name) =>
  request(session, '/api/admin/projects/default/features/new-pricing/clone', { method: 'POST', body: { name } })

const names = async ({ request }, session) => {
  const { features } = await (await request(session, '/api/admin/projects/default/features')).json()
  return features.map(({ name }) => name)
}

test('without an access key, it serves only a page on how to set one', async () => {
  const worker = await start({})
  const response = await worker.request('ada', '/__mock/state', { accept: 'text/html' })
  assert.equal(response.status, 503)
  assert.match(await response.text(), /wrangler secret put FLAGDOUBLE_ACCESS/)
  await worker.stop()
})

test('each tester has a session, which survives a deployment', async () => {
  const before = await start()
  assert.equal((await clone(before, 'ada', 'copy')).status, 200)
  await before.stop()
  const after = await start()
  assert.ok((await names(after, 'ada')).includes('copy'))
  assert.ok(!(await names(after, 'bob')).includes('copy'))
  await after.stop()
})

test('a link switches to a scenario of the project', async () => {
  const worker = await start()
  const link = await worker.request('ada', '/__mock/use/cloning-fails?redirect=/')
  assert.equal(link.status, 302)
  const cookie = link.headers.get('set-cookie').split(';')[0]
  const path = '/api/admin/projects/default/features/new-pricing/clone'
  const response = await worker.request('ada', path, { method: 'POST', body: { name: 'x' }, cookie })
  assert.equal(response.status, 503)
  await worker.stop()
})
