// 1,000 Vitest tests of five calls each: with a mock for each test, and with constant, handwritten handlers.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fixed, ratio, table } from '../lib.js'

const root = join(import.meta.dirname, '../..')

/** The duration of a run in seconds, from the start of Vitest to its end. */
function seconds(file) {
  const started = performance.now()
  const args = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--root', join(root, 'bench/vitest'), file]
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${file} failed:\n${stdout}`)
  return (performance.now() - started) / 1000
}

const compared = await ratio(
  3,
  () => seconds('mock.test.js'),
  () => seconds('constant.test.js'),
)
table(
  '1,000 Vitest tests, seconds',
  ['', 'seconds', 'ratio'],
  [
    ['a mock for each test', fixed(compared.a, 1), fixed(compared.ratio)],
    ['constant handlers', fixed(compared.b, 1), ''],
  ],
)
