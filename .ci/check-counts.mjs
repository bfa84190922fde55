// Counts the work of requests, of a start and of an import in the built package, each with a limit: a change that makes
// these heavier fails here, on any machine. Times are in bench/. Raise a limit only in a commit that says why.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { Session } from 'node:inspector'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const LIMITS = {
  'calls of a read': 190,
  'calls of an update': 440,
  'calls of a clone': 1_120,
  'bytes allocated by a read': 42_000,
  'bytes allocated by an update': 65_500,
  'bytes allocated by a clone': 99_000,
  'files of a start': 4,
  'kB of a start': 1_250,
  'files of a test with msw handlers': 260,
  'kB of a test with msw handlers': 2_950,
  'kB of heap after 3,000 clones': 25_700,
}

/** Without optimized code and without collections in between, the same code allocates the same bytes on each run. */
const COUNTABLE = ['--expose-gc', '--single-threaded', '--no-opt', '--no-maglev', '--no-sparkplug']
COUNTABLE.push('--min-semi-space-size=64', '--max-semi-space-size=64')

const dist = new URL('../dist/', import.meta.url)
const self = fileURLToPath(import.meta.url)
const PATH = 'http://localhost/api/admin/projects/default/features/checkout-redesign'
const TOKEN = 'http://localhost/api/admin/invite-link/tokens/live-invite'
const HEADERS = { authorization: '*:*.mock-admin', 'content-type': 'application/json' }

if (process.argv[2] === 'memory') await printMemory()
else await main()

async function main() {
  const test = `await import('${dist}msw.js'); (await import('${dist}index.js')).createMock()`
  const start = [fileURLToPath(new URL('cli.js', dist)), 'exec', '--port', '0', '--quiet', '--', 'true']
  const counts = {
    ...(await calls()),
    ...loaded('a start', start),
    ...loaded('a test with msw handlers', ['--input-type=module', '--eval', test]),
    ...JSON.parse(execFileSync(process.execPath, [...COUNTABLE, self, 'memory'], { encoding: 'utf8' })),
  }
  for (const [name, count] of Object.entries(counts)) {
    const isMore = count > LIMITS[name]
    if (isMore) process.exitCode = 1
    process.stdout.write(`${name}: ${count}, at most ${LIMITS[name]}${isMore ? ' (TOO MUCH)' : ''}\n`)
  }
}

async function createSender() {
  const { createMock } = await import(new URL('index.js', dist).href)
  const mock = createMock({ seed: 'counts', now: '2026-11-20T12:00:00.000Z' })
  let copies = 0
  const send = async (url, method, body) => {
    const response = await mock.fetch(new Request(url, { method, headers: HEADERS, body: JSON.stringify(body) }))
    if (!response.ok) throw new Error(`${method} ${url}: ${await response.text()}`)
    await response.text()
  }
  return {
    'a read': () => send(PATH, 'GET'),
    'an update': () => send(TOKEN, 'PUT', { enabled: true }),
    'a clone': () => send(`${PATH}/clone`, 'POST', { name: `copy-${++copies}` }),
  }
}

/** The calls of functions in the package during a warm request. */
async function calls() {
  const senders = await createSender()
  const inspector = new Session()
  inspector.connect()
  const ask = (method, params) => {
    let reply
    inspector.post(method, params, (_, result) => {
      reply = result
    })
    return reply
  }
  const counts = {}
  ask('Profiler.enable')
  ask('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  for (const [name, run] of Object.entries(senders)) {
    for (let i = 0; i < 20; i++) await run()
    ask('Profiler.takePreciseCoverage')
    await run()
    const scripts = ask('Profiler.takePreciseCoverage').result.filter(({ url }) => url.startsWith(dist.href))
    const functions = scripts.flatMap((script) => script.functions)
    counts[`calls of ${name}`] = functions.reduce((sum, { ranges: [{ count }] }) => sum + count, 0)
  }
  inspector.disconnect()
  return counts
}

/** The files that a program loads, from any package, and their size. */
function loaded(name, args) {
  const folder = mkdtempSync(join(tmpdir(), 'flagdouble-loaded-'))
  try {
    const { status, stderr } = spawnSync(process.execPath, args, {
      env: { ...process.env, NODE_V8_COVERAGE: folder, NODE_DISABLE_COMPILE_CACHE: '1' },
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(stderr)
    const [report] = readdirSync(folder)
    const { result } = JSON.parse(readFileSync(join(folder, report), 'utf8'))
    const paths = result.filter(({ url }) => url.startsWith('file:')).map(({ url }) => fileURLToPath(url))
    // Code of the command line isn't in a file.
    const files = paths.filter((path) => existsSync(path))
    const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0)
    return { [`files of ${name}`]: files.length, [`kB of ${name}`]: Math.round(bytes / 1000) }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function printMemory() {
  const senders = await createSender()
  const counts = {}
  const heap = () => process.memoryUsage().heapUsed
  for (const [name, run] of Object.entries(senders)) {
    for (let i = 0; i < 100; i++) await run()
    globalThis.gc()
    const before = heap()
    for (let i = 0; i < 500; i++) await run()
    counts[`bytes allocated by ${name}`] = Math.round((heap() - before) / 500)
  }
  const { 'a clone': clone } = senders
  for (let i = 0; i < 2_400; i++) await clone()
  globalThis.gc()
  globalThis.gc()
  counts['kB of heap after 3,000 clones'] = Math.round(heap() / 1000)
  // Until here, the mock is in use, so its records are in the heap.
  await clone()
  process.stdout.write(JSON.stringify(counts))
}
