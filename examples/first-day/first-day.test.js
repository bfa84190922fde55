// A team's first day with flagdouble, as in docs/flag-to-bug-report.md.
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { promisify } from 'node:util'

const folder = mkdtempSync('.day-')
const running = new Set()
after(() => {
  for (const child of running) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

const run = (program, ...args) =>
  promisify(execFile)(`${import.meta.dirname}/node_modules/.bin/${program}`, args, {
    cwd: folder,
    env: { ...process.env, FLAGDOUBLE_KEY: 'user:mock-admin' },
  })

/** Starts a server on a free port. Stopping it writes its state. */
async function serve(...args) {
  const child = spawn(
    process.execPath,
    [`${import.meta.dirname}/node_modules/flagdouble/dist/cli.js`, ...['start', '--port', '0', '--json', ...args]],
    { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] },
  )
  running.add(child)
  const [line] = await once(child.stdout, 'data')
  const { url } = JSON.parse(line)
  const ask = (path, method = 'GET', body = undefined) =>
    fetch(url + path, {
      method,
      headers: { authorization: '*:*.mock-admin', 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
    })
  const stop = async () => {
    child.kill()
    await once(child, 'exit')
    running.delete(child)
  }
  return { url, ask, stop }
}

const CHECKOUT = '/api/admin/projects/default/features/checkout-redesign'
const MINE = ['--fixtures', 'flags.json', '--scenarios', 'scenarios', '--state', 'day.json']

test('our first day', async () => {
  // Pull our flags. Another mock stands for Unleash here.
  const service = await serve('--profile', 'unleash-8')
  const pulled = await run('flagdouble', 'pull', service.url, '--out', 'flags.json')
  assert.match(pulled.stderr, /Read into flags\.json: 3 features/)
  await service.stop()

  // Write two scenarios about them.
  cpSync('scenarios', `${folder}/scenarios`, { recursive: true })
  await run('flagdouble', 'validate', 'flags.json', 'scenarios')

  // Start the app with them, and switch in the page by this call: the flag is on.
  const today = await serve(...MINE)
  await today.ask('/__mock/scenario', 'PUT', { name: 'sale' })
  const { environments } = await (await today.ask(CHECKOUT)).json()
  assert.ok(environments.find(({ name }) => name === 'production').enabled)

  // In the other scenario, the clone fails.
  await today.ask('/__mock/scenario', 'PUT', { name: 'sale-broken' })
  assert.equal((await today.ask(`${CHECKOUT}/clone`, 'POST', { name: 'checkout-2' })).status, 503)

  // Copy the failing call as a test. It passes.
  const copied = await (await today.ask('/__mock/requests?operation=cloneFeature&format=vitest')).text()
  writeFileSync(`${folder}/copied.test.ts`, copied)
  await run('vitest', 'run', '--root', '.')

  // Save the current state as a scenario, in the folder of the others, and share it.
  await today.ask('/__mock/state', 'PATCH', { features: [{ name: 'from-today' }] })
  const saved = { name: 'our-bug', title: 'Our bug', promise: 'Flags can not be copied.' }
  assert.equal((await today.ask('/__mock/scenarios', 'POST', saved)).status, 201)
  assert.equal(JSON.parse(readFileSync(`${folder}/scenarios/our-bug.json`, 'utf8')).name, 'our-bug')
  const file = await (await today.ask('/__mock/scenarios/our-bug')).json()
  assert.equal((await today.ask('/__mock/scenarios/for-you', 'PUT', { ...file, name: 'for-you' })).status, 201)
  await today.stop()

  // Tomorrow everything is still here.
  const tomorrow = await serve(...MINE)
  assert.equal((await tomorrow.ask(CHECKOUT)).headers.get('x-mock-scenario'), 'sale-broken')
  const found = await tomorrow.ask('/api/admin/projects/default/features/from-today')
  assert.equal(found.status, 200)
  await tomorrow.ask('/__mock/scenario', 'PUT', { name: 'our-bug' })
  assert.equal((await tomorrow.ask(`${CHECKOUT}/clone`, 'POST', { name: 'checkout-2' })).status, 503)
  await tomorrow.stop()
})
