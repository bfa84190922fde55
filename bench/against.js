// Compares this build with the build of another commit: both are installed side by side and measured alternately.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cost, fixed, megabytes, ratio, start, table } from './lib.js'

const ROUNDS = 5
/** Longer rounds would make more clones than a world may hold. */
const DURATION = { seconds: 1 }
const root = join(import.meta.dirname, '..')

/** Builds a commit in a separate folder, and prints a comparison: with a ratio above 1, this build is better. */
export async function compareWith(commit) {
  if (commit === undefined) throw new Error('Name a commit: npm run bench -- --against 673c1cb')
  const dists = { here: join(root, 'dist/'), there: build(commit) }
  const rows = [...(await requests(dists)), ...(await mocks(dists))]
  table(`This build against ${commit}`, ['', 'here', 'there', 'there / here'], rows)
}

function build(commit) {
  const folder = mkdtempSync(join(tmpdir(), 'flagdouble-against-'))
  const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 1e9 })
  execFileSync('tar', ['-x'], { cwd: folder, input: archive })
  const run = (command, ...args) => execFileSync(command, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
  run('npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund')
  run('node', 'tools/build.js')
  return join(folder, 'dist/')
}

/** Processor time per request in microseconds, then resident memory after all requests in megabytes. */
async function requests({ here, there }) {
  const rows = []
  for (const features of ['0', '100000']) {
    const serve = (dist) => start(['node', 'servers/flagdouble.js'], { BENCH_DIST: dist, BENCH_FEATURES: features })
    const servers = { here: await serve(here), there: await serve(there) }
    for (const kind of ['read', 'update', 'clone']) {
      const measured = await ratio(
        ROUNDS,
        () => cost(servers.there, kind, DURATION),
        () => cost(servers.here, kind, DURATION),
      )
      rows.push([`${kind}${features === '0' ? '' : `, ${features} features`}, µs`, ...figures(measured)])
    }
    const [a, b] = [megabytes(servers.there.pid), megabytes(servers.here.pid)]
    rows.push([
      `memory afterwards${features === '0' ? '' : `, ${features} features`}, MB`,
      ...figures({ a, b, ratio: a / b }),
    ])
    for (const server of Object.values(servers)) await server.stop()
  }
  return rows
}

/** Microseconds of `createMock`, each in a separate process. */
async function mocks({ here, there }) {
  const time = (dist, options) => {
    const code = `
      const { createMock } = await import(${JSON.stringify(`file://${dist}index.js`)})
      for (let i = 0; i < 300; i++) createMock(${options})
      const started = performance.now()
      for (let i = 0; i < 1000; i++) createMock(${options})
      console.log(performance.now() - started)`
    return Number(spawnSync('node', ['--input-type=module', '-e', code], { encoding: 'utf8' }).stdout)
  }
  const rows = []
  for (const options of ['', "{ scenario: 'expired-token' }"]) {
    const measured = await ratio(
      ROUNDS,
      async () => time(there, options),
      async () => time(here, options),
    )
    rows.push([`createMock(${options}), µs`, ...figures(measured)])
  }
  return rows
}

function figures({ a, b, ratio: better }) {
  return [fixed(b, 1), fixed(a, 1), fixed(better)]
}
