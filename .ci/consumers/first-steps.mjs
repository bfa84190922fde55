// The first steps of the pages that begin with an installation: their line in a fresh folder, then their files and their
// test. A package that the line lacks is missing there.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const { flagdouble } = JSON.parse(readFileSync('package.json', 'utf8')).dependencies
const tarball = resolve(flagdouble.replace('file:', ''))

const RUNNERS = { vitest: ['vitest', 'run'], jest: ['jest'] }

for (const page of ['README.md', 'docs/vitest.md', 'docs/jest.md']) {
  const text = readFileSync(join('node_modules/flagdouble', page), 'utf8')
  const [line, packages] = /^npm install --save-dev (.+)$/m.exec(text) ?? assert.fail(`${page} installs nothing`)
  const following = text.slice(text.indexOf(line))
  const runner = packages.split(' ').some((name) => /^jest\b/.test(name)) ? 'jest' : 'vitest'

  const folder = resolve('..', `first-steps-${page.replaceAll(/\W/g, '-')}`)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  const put = (name, code) => writeFileSync(join(folder, name), code)
  const run = (command, ...args) => execFileSync(command, args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' })

  put('package.json', '{ "private": true }')
  const named = packages.split(' ').map((name) => (/flagdouble(\.tgz)?$/.test(name) ? tarball : name))
  run('npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', '--save-dev', ...named)

  for (const [, name, code] of following.matchAll(/`([\w.]+)`[^\n]*:\n\n((?: {4}.+\n)+)/g)) put(name, code)
  // The code up to the first test; a test imports other code by its file's name.
  const blocks = [...following.matchAll(/^```(ts|js)\n([\s\S]*?)^```$/gm)]
  const at = blocks.findIndex(([, , code]) => /^test\(/m.test(code))
  const [[, language, code], ...others] = blocks.slice(0, at + 1).toReversed()
  const [imported] = /(?<=from '\.\/)[^']+/.exec(code) ?? []
  assert.equal(others.length, imported === undefined ? 0 : 1, page)
  for (const [, , other] of others) put(imported, other)
  put(`first.test.${language}`, code)
  run('npx', ...RUNNERS[runner])
}
