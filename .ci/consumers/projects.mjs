// The same tests pass in Node and in Chromium, and fail for the same reasons.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'

cpSync('node_modules/msw/lib/mockServiceWorker.js', 'projects/public/mockServiceWorker.js')

const RESULTS = resolve('projects/results.json')

/** The results of a project's tests, by the file and the title. */
function run(project, ...options) {
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--root', 'projects', '--project', project, ...options]
  rmSync(RESULTS, { force: true })
  spawnSync(process.execPath, [...args, '--reporter=json', `--outputFile.json=${RESULTS}`])
  return JSON.parse(readFileSync(RESULTS, 'utf8')).testResults
}

function titles(results, status) {
  return results.flatMap(({ assertionResults }) =>
    assertionResults.filter((result) => result.status === status).map(({ title }) => title),
  )
}

const REASONS = {
  'an assertion': /expected 401 to be 200.*GET \/api\/admin\/projects {2}getProjects {2}401/s,
  'an unhandled request': /No handler matches.*nearest modelled route is GET \/api\/admin\/projects/s,
  'an unmatched rule': /No request matched the rule \{"operation":"deleteApiToken"/,
  'an unknown flag': /The app asked for chekout, which doesn't exist/,
}

for (const [project, ...options] of [['server'], ['client'], ['client', '--no-isolate']]) {
  const results = run(project, ...options)
  assert.equal(titles(results, 'passed').length, 11)
  assert.deepEqual(titles(results, 'failed').sort(), Object.keys(REASONS).sort())
  const failures = results.flatMap(({ assertionResults }) => assertionResults)
  for (const { title, failureMessages } of failures) {
    if (title in REASONS) assert.match(failureMessages.join('\n'), REASONS[title])
  }
}

const [{ message, assertionResults }] = run('without-script')
assert.match(message, /can't start in the page of the tests.*npx msw init public --save/s)
assert.ok(assertionResults.every(({ status }) => status !== 'passed'))
