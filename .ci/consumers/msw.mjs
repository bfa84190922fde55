// Uses the package with several versions of Node and msw, by every subpath that works in plain Node.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import http, { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { createMock, defineScenario, scenarios } from 'flagdouble'
import { createHandlers, listenOptions } from 'flagdouble/msw'
import { startServer } from 'flagdouble/node'
import { setupServer } from 'msw/node'

// CommonJS packages get the same module.
assert.equal(createRequire(import.meta.url)('flagdouble').createMock, createMock)

const path = '/api/admin/projects/default/features/checkout-redesign/clone'
const clone = (origin, name, headers = { 'content-type': 'application/json' }) =>
  fetch(origin + path, {
    method: 'POST',
    headers: { authorization: '*:*.mock-admin', ...headers },
    body: JSON.stringify({ name }),
  })

async function checkAnswers(origin, mock) {
  const { status, headers } = await clone(origin, 'copy')
  assert.deepEqual([status, headers.get('x-mock-scenario')], [200, 'default'])
  assert.equal((await clone(origin, 'copy')).status, 409)
  assert.equal((await (await clone(origin, 'other', { 'content-type': 'text/plain' })).json()).name, 'ContentTypeerror')
  assert.equal(mock.requests.count({ operation: 'cloneFeature' }), 3)
  mock.useScenario('offline')
  await assert.rejects(clone(origin, 'other'))
  mock.useScenario('large-project')
  await mock.ready
  assert.equal(mock.features.list().length >= 500, true)
}

const own = defineScenario({ name: 'own', title: 'Own', promise: 'It is known.', extends: 'default' })
assert.equal(createMock({ scenarios: [own], scenario: 'own' }).activeScenarios[0], 'own')
assert.equal(scenarios.length >= 15, true)

/** Sends requests that no handler matches to a running server. All must fail, and none must arrive. */
async function checkNothingLeaves() {
  const reached = []
  const network = createServer(({ method, url }, response) => {
    reached.push(`${method} ${url}`)
    response.end()
  })
  await once(network.listen(0, '127.0.0.1'), 'listening')
  const origin = `http://127.0.0.1:${network.address().port}`
  const headers = { authorization: '*:*.mock-admin' }
  for (const path of ['/api/admin/projcts', '/api/admin/projcts/a.json', '/elsewhere', '/']) {
    await assert.rejects(fetch(origin + path, { headers }), path)
    await assert.rejects(fetch(origin + path, { method: 'POST', headers, body: 'secret' }), path)
    // msw 2.0 emits the error twice.
    const sent = http.get(origin + path, { headers }).on('error', () => undefined)
    await assert.rejects(once(sent, 'response'), path)
  }
  assert.deepEqual(reached, [])
  network.close()
}

const mock = createMock()
const server = setupServer(...createHandlers(mock))
server.listen(listenOptions())
await checkAnswers('https://flags.example.com', mock)
await checkNothingLeaves()
server.resetHandlers()
server.close()

const running = await startServer({}, { port: 0 })
await checkAnswers(running.url, running.mock)
await running.close()
