// The jobs of docs/ci.md without a container run as a pipeline runs them: their commands, in a project with this package.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parse } from 'yaml'

const page = readFileSync('node_modules/flagdouble/docs/ci.md', 'utf8')
const [github, gitlab] = [...page.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, text]) => parse(text))

const { steps } = github.jobs.test
const jobs = {
  'GitHub Actions': {
    commands: steps.flatMap(({ run }) => run ?? []),
    artefacts: steps.at(-1).with.path.trim().split('\n'),
  },
  'GitLab CI': { commands: gitlab.test.script, artefacts: gitlab.test.artifacts.paths },
}
assert.deepEqual(
  steps.flatMap(({ uses }) => uses?.replace(/@v\d+$/, '') ?? []),
  ['actions/checkout', 'actions/setup-node', 'actions/upload-artifact'],
)
// Artefacts are uploaded even if a command failed.
assert.deepEqual([steps.at(-1).if, gitlab.test.artifacts.when], ['always()', 'always'])

// In a folder beside this one, so that the path of the tarball in package.json is right.
const project = resolve('..', 'jobs-project')
rmSync(project, { recursive: true, force: true })
mkdirSync(project)
const put = (name, text) => writeFileSync(join(project, name), text)
const putFlags = (...names) =>
  put('flags.json', JSON.stringify({ features: names.map((name) => ({ name, enabled: true })) }))

const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
put('package.json', JSON.stringify({ ...manifest, scripts: { test: 'vitest run', e2e: 'node e2e.js' } }))
cpSync('package-lock.json', join(project, 'package-lock.json'))
put(
  'vitest.config.js',
  `export default {
  test: { reporters: ['default', ['flagdouble/vitest/reporter', { outputFile: 'flag-coverage.json' }]] },
}`,
)
put(
  'checkout.test.js',
  `import { test } from 'flagdouble/vitest'
import { UnleashClient } from 'unleash-proxy-client'
import { expect } from 'vitest'

test.override({ mockOptions: { fixtures: { features: [{ name: 'new-checkout' }] } } })
test('the new checkout is off', async ({ mock }) => {
  const url = 'http://flags.example.com/api/frontend'
  const sdk = new UnleashClient({ url, clientKey: '*:development.mock-frontend', appName: 'shop' })
  await sdk.start()
  expect([mock.features.get('new-checkout').name, sdk.isEnabled('new-checkout')]).toEqual(['new-checkout', false])
  sdk.stop()
})`,
)
put(
  'e2e.js',
  `const headers = { authorization: '*:development.mock-client', 'content-type': 'application/json' }
const send = (path, init) => fetch(process.env.FLAGDOUBLE_URL + path, { headers, ...init })
await send('/api/client/features')
const bucket = { start: new Date(), stop: new Date(), toggles: { 'new-checkout': { yes: 1, no: 0 } } }
await send('/api/client/metrics', { method: 'POST', body: JSON.stringify({ appName: 'a', instanceId: 'i', bucket }) })
process.exitCode = Number(process.env.E2E_RESULT ?? 0)`,
)

/** Runs commands until one fails, each as a pipeline's shell does. The exit code of the last one, and all output. */
function run(commands, env = {}) {
  const outputs = []
  for (const command of commands) {
    const { status, stdout, stderr } = spawnSync('bash', ['-eo', 'pipefail', '-c', command], {
      cwd: project,
      env: { ...process.env, ...env },
      encoding: 'utf8',
    })
    outputs.push(`$ ${command}\n${stdout}${stderr}`)
    if (status !== 0) return { status, output: outputs.join('\n'), failed: command }
  }
  return { status: 0, output: outputs.join('\n') }
}

for (const [name, { commands, artefacts }] of Object.entries(jobs)) {
  const removeArtefacts = () => {
    for (const file of artefacts) rmSync(join(project, file), { force: true })
  }
  const artefact = (file) => JSON.parse(readFileSync(join(project, file), 'utf8'))

  putFlags('new-checkout')
  const passed = run(commands)
  assert.equal(passed.status, 0, `${name}: ${passed.output}`)
  assert.match(passed.output, /1 of 1 flag seen on and off \(100 %\)/, name)
  for (const file of artefacts) artefact(file)
  const operations = artefact('requests.json').map(({ operation }) => operation)
  assert.deepEqual(operations, ['getAllClientFeatures', 'registerClientMetrics'], name)

  // Installed once.
  const [install, ...tests] = commands
  assert.equal(install, 'npm ci')
  const gate = commands.at(-1)
  putFlags('new-checkout', 'forgotten')
  const below = run(tests)
  assert.deepEqual([below.status, below.failed], [1, gate], `${name}: ${below.output}`)
  assert.match(below.output, /forgotten +never asked/, name)

  removeArtefacts()
  const broken = run(tests, { E2E_RESULT: '3' })
  assert.equal(broken.status, 3, `${name}: ${broken.output}`)
  for (const file of artefacts) artefact(file)
}
