// Shared by all benchmarks: servers in their own processes, load, medians.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import autocannon from 'autocannon'

export const AUTHORIZATION = '*:*.mock-admin'
const JSON_HEADERS = { authorization: AUTHORIZATION, 'content-type': 'application/json' }
const here = import.meta.dirname

let nextPort = 4400

/** Starts a server and waits until it responds. `{ url, pid, ready (milliseconds), stop }` */
export async function start(command, env = {}, probe = '/health') {
  const port = nextPort++
  const started = performance.now()
  const [file, ...args] = command.map((part) => part.replaceAll('{port}', String(port)))
  const child = spawn(file, args, { cwd: here, env: { ...process.env, PORT: String(port), ...env }, stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}`
  for (;;) {
    const answered = await fetch(url + probe).then(
      () => true,
      () => false,
    )
    if (answered) break
    if (child.exitCode !== null) throw new Error(`${command.join(' ')} ended with ${child.exitCode}`)
    await sleep(2)
  }
  const ready = performance.now() - started
  const stop = () => new Promise((resolve) => child.once('exit', resolve) && child.kill('SIGKILL'))
  return { url, pid: child.pid, ready, stop }
}

const requests = {
  read: (record) => ({ method: 'GET', path: record ?? '/api/admin/projects/default/features/checkout-redesign' }),
  update: (record) => ({
    method: 'PUT',
    path: record ?? '/api/admin/invite-link/tokens/live-invite',
    body: '{"enabled":true,"expiresAt":"2027-01-31T10:00:00.000Z"}',
  }),
  clone: () => {
    let number = 0
    const run = Math.random().toString(36).slice(2)
    return {
      method: 'POST',
      path: '/api/admin/projects/default/features/checkout-redesign/clone',
      setupRequest: (request) => ({ ...request, body: `{"name":"copy-${run}-${number++}"}` }),
    }
  },
  /** A peer's create: a record as long as a feature, under a new key. */
  create: (path) => {
    let number = 0
    const run = Math.random().toString(36).slice(2)
    const { feature } = JSON.parse(readFileSync(process.env.BENCH_DATA, 'utf8'))
    const rest = `"container":"features","value":${JSON.stringify(feature)}}`
    return {
      method: 'POST',
      path,
      setupRequest: (request) => ({ ...request, body: `{"key":"copy-${run}-${number++}",${rest}` }),
    }
  },
}

/** Requests per second of one kind. */
export async function rate(url, kind, options) {
  return (await load(url, kind, options)).average
}

/** Microseconds of a server's processor time for a request of one kind. */
export async function cost({ url, pid }, kind, options) {
  const before = processorTime(pid)
  const { total } = await load(url, kind, options)
  return (processorTime(pid) - before) / total
}

/** A process's user and system time so far, in microseconds. Linux counts it in hundredths of a second. */
function processorTime(pid) {
  const [, fields] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')
  const [user, system] = fields.split(' ').slice(11, 13).map(Number)
  return (user + system) * 10_000
}

/** Resident memory of a process, in megabytes. */
export function megabytes(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024
}

/** The requests of a load. Throws if any response isn't a 2xx, because the figure would be meaningless. */
async function load(url, kind, { seconds = 2, path, amount } = {}) {
  const result = await autocannon({
    url,
    connections: 10,
    ...(amount === undefined ? { duration: seconds } : { amount }),
    requests: [{ headers: JSON_HEADERS, ...requests[kind](path) }],
  })
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${kind} at ${url}: ${result.non2xx} answers were not 2xx`)
  return result.requests
}

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}

/** Measures A and B alternately, so that a slow machine slows both. The ratio is the median of all pairs. */
export async function ratio(rounds, measureA, measureB) {
  const pairs = []
  for (let round = 0; round < rounds; round++) pairs.push([await measureA(), await measureB()])
  return {
    a: median(pairs.map(([a]) => a)),
    b: median(pairs.map(([, b]) => b)),
    ratio: median(pairs.map(([a, b]) => a / b)),
  }
}

/** Prints a table in Markdown. */
export function table(title, head, rows) {
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
  process.stdout.write(`\n### ${title}\n\n${lines.join('\n')}\n`)
}

export const whole = (value) => Math.round(value).toLocaleString('en')
export const fixed = (value, digits = 2) => value.toFixed(digits)
