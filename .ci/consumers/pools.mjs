// Runs the tests in each of Vitest's pools, several files in one worker.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const vitest = fileURLToPath(new URL('node_modules/vitest/vitest.mjs', import.meta.url))
const POOLS = [
  ['--pool=forks'],
  ['--pool=forks', '--no-isolate'],
  ['--pool=threads', '--no-isolate'],
  ['--pool=vmThreads'],
]

for (const pool of POOLS) {
  const args = [vitest, 'run', '--root', 'tests', '--maxWorkers=1', ...pool]
  process.stdout.write(`vitest ${args.slice(1).join(' ')}\n`)
  const { status } = spawnSync(process.execPath, args, { cwd: import.meta.dirname, stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}
