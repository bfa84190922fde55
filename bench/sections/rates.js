// Requests per second: update, clone and read, compared with a bare Hono server, json-server and Prism.
import { fixed, rate, ratio, start, table, whole } from '../lib.js'

const ROUNDS = 4
const flagdouble = await start(['node', 'servers/flagdouble.js'])
const others = {
  'bare Hono': await start(['node', 'servers/bare-hono.js']),
  'json-server': await start(['node', 'servers/json-server.cjs'], {}, '/features'),
  Prism: await start(
    ['node', 'node_modules/.bin/prism', 'mock', process.env.BENCH_OPENAPI, '-p', '{port}'],
    {},
    '/health',
  ),
}
const jsonServerPaths = { read: '/features/checkout-redesign', update: '/tokens/live-invite' }

const rows = []
for (const [name, other] of Object.entries(others)) {
  for (const kind of ['read', 'update', 'clone']) {
    if (name === 'json-server' && kind === 'clone') continue
    const path = name === 'json-server' ? jsonServerPaths[kind] : undefined
    const {
      a,
      b,
      ratio: times,
    } = await ratio(
      name === 'bare Hono' ? ROUNDS : 2,
      () => rate(flagdouble.url, kind),
      () => rate(other.url, kind, { path }),
    )
    rows.push([kind, name, whole(a), whole(b), fixed(times)])
  }
}
table('Requests a second', ['request', 'against', 'flagdouble', 'other', 'ratio'], rows)
for (const server of [flagdouble, ...Object.values(others)]) await server.stop()
