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

const OWN_FLAG = '/api/admin/projects/default/features/acme-new-nav'
const MINE = ['--fixtures', 'flags.json', '--scenarios', 'scenarios', '--state', 'day.json']

test('our first day', async () => {
  // Pull our flags. Another mock stands for Unleash here, with flags that no built-in data has.
  const flags = { features: [{ name: 'acme-new-nav' }, { name: 'acme-search', enabled: true }] }
  writeFileSync(`${folder}/unleash.json`, JSON.stringify(flags))
  const unleash = await serve('--profile', 'unleash-8', '--scenario', 'empty', '--fixtures', 'unleash.json')
  const pulled = await run('flagdouble', 'pull', unleash.url, '--out', 'flags.json')
  assert.match(pulled.stderr, /Read into flags\.json: 2 features/)
  await unleash.stop()

  // Write two scenarios about them.
  cpSync('scenarios', `${folder}/scenarios`, { recursive: true })
  await run('flagdouble', 'validate', 'flags.json', 'scenarios')

  // Start a mock with them. It has no flags but ours. Switch the scenario, as a click in the panel does: the flag is on.
  const today = await serve(...MINE, '--scenario', 'empty')
  const { features } = await (await today.ask('/api/admin/projects/default/features')).json()
  assert.deepEqual(features.map(({ name }) => name).sort(), ['acme-new-nav', 'acme-search'])
  await today.ask('/__mock/scenario', 'PUT', { name: 'new-nav' })
  const { environments } = await (await today.ask(OWN_FLAG)).json()
  assert.ok(environments.find(({ name }) => name === 'production').enabled)

  // In the other scenario, the clone fails.
  await today.ask('/__mock/scenario', 'PUT', { name: 'new-nav-broken' })
  assert.equal((await today.ask(`${OWN_FLAG}/clone`, 'POST', { name: 'new-nav-2' })).status, 503)

  // Copy the failing call as a test. It passes.
  const copied = await (await today.ask('/__mock/requests?operation=cloneFeature&format=vitest')).text()
  writeFileSync(`${folder}/copied.test.ts`, copied)
  await run('vitest', 'run', '--root', '.')

  // Change the data, and save the state as a scenario, in the folder of the others.
  await today.ask('/__mock/state', 'PATCH', { features: [{ name: 'from-today' }] })
  const saved = { name: 'our-bug', title: 'Our bug', promise: 'No flag can be copied.' }
  assert.equal((await today.ask('/__mock/scenarios', 'POST', saved)).status, 201)
  await today.stop()

  // A colleague has the two files, but not our scenarios.
  const file = JSON.parse(readFileSync(`${folder}/scenarios/our-bug.json`, 'utf8'))
  const colleague = await serve('--fixtures', 'flags.json')
  assert.equal((await colleague.ask('/__mock/scenarios/our-bug', 'PUT', file)).status, 201)
  await expectOurBug(colleague)
  await colleague.stop()

  // Tomorrow everything is still here, also the scenario.
  const tomorrow = await serve(...MINE)
  assert.equal((await tomorrow.ask(OWN_FLAG)).headers.get('x-mock-scenario'), 'new-nav-broken')
  assert.equal((await tomorrow.ask('/api/admin/projects/default/features/from-today')).status, 200)
  await expectOurBug(tomorrow)
  await tomorrow.stop()
})

/** Switches to the saved scenario, which has the flag of that day, our flag in production, and the failing clone. */
async function expectOurBug({ ask }) {
  await ask('/__mock/scenario', 'PUT', { name: 'our-bug' })
  assert.equal((await ask('/api/admin/projects/default/features/from-today')).status, 200)
  const { environments } = await (await ask(OWN_FLAG)).json()
  assert.ok(environments.find(({ name }) => name === 'production').enabled)
  assert.equal((await ask(`${OWN_FLAG}/clone`, 'POST', { name: 'new-nav-2' })).status, 503)
}
