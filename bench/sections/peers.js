// Processor time of a read and a create, start and memory: flagdouble beside other test doubles, on one version of Node.
import { execFileSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cost, fixed, median, megabytes, start, table, whole } from '../lib.js'

const ROUNDS = 3
const CREATES = 6_500
const peers = fileURLToPath(new URL('../peers/', import.meta.url))
execFileSync('npm', ['install', '--no-audit', '--no-fund', '--silent'], { cwd: peers, stdio: 'inherit' })
const node = join(peers, 'node_modules/node/bin/node')
const folder = dirname(process.env.BENCH_DATA)

/** Writes a server's configuration for the port that `start` chooses. */
const written = (script, file, command) => [
  'sh',
  '-c',
  `PORT={port} "${node}" peers/${script} "${join(folder, file)}" && exec "${node}" ${command}`,
]
const read = { read: '/features/first', create: '/features' }
const servers = {
  flagdouble: { command: [node, 'servers/flagdouble.js'] },
  'bare Hono': { command: [node, 'servers/bare-hono.js'] },
  'commercetools-mock': {
    command: [node, 'peers/commercetools.js'],
    probe: '/bench/custom-objects/features/first',
    paths: { read: '/bench/custom-objects/features/first', create: '/bench/custom-objects' },
  },
  emulate: { command: [node, 'peers/emulate.js'], paths: read },
  'json-server': {
    // It writes its whole file for each record.
    creates: 500,
    command: written(
      'json-server.js',
      'db.json',
      `peers/node_modules/json-server/lib/bin.js ${join(folder, 'db.json')} --port {port} --host 127.0.0.1`,
    ),
    paths: read,
  },
  Mockoon: {
    command: written(
      'mockoon.js',
      'mockoon.json',
      `peers/node_modules/@mockoon/cli/bin/run.js start --data ${join(folder, 'mockoon.json')} --disable-log-to-file`,
    ),
    paths: read,
  },
}

const found = Object.fromEntries(
  Object.keys(servers).map((name) => [name, { read: [], create: [], ready: [], memory: [] }]),
)
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, { command, probe = '/health', paths, creates = CREATES }] of Object.entries(servers)) {
    const server = await start(command, {}, probe)
    const kind = paths === undefined ? 'clone' : 'create'
    await cost(server, 'read', { path: paths?.read, seconds: 1 })
    found[name].ready.push(server.ready)
    found[name].read.push(await cost(server, 'read', { path: paths?.read }))
    found[name].create.push(await cost(server, kind, { path: paths?.create, amount: creates }))
    found[name].memory.push(megabytes(server.pid))
    await server.stop()
  }
}
const ours = found.flagdouble
const rows = Object.entries(found).map(([name, figures]) => {
  const cells = ['read', 'create', 'ready', 'memory'].map(
    (what) =>
      `${whole(median(figures[what]))} (${fixed(median(ours[what].map((own, at) => own / figures[what][at])))})`,
  )
  return [name, ...cells]
})
table(
  'Peers; in brackets flagdouble divided by the peer',
  ['server', 'read, µs', 'create, µs', 'ready, ms', 'memory, MB'],
  rows,
)
