// Resident memory after the same requests, and with 100,000 features.
import { fixed, megabytes, rate, start, table } from '../lib.js'

async function afterLoad(server) {
  for (const kind of ['read', 'update']) await rate(server.url, kind, { seconds: 2 })
  return megabytes(server.pid)
}

const rows = []
const bare = await start(['node', 'servers/bare-hono.js'])
const flagdouble = await start(['node', 'servers/flagdouble.js'])
const fresh = [megabytes(flagdouble.pid), megabytes(bare.pid)]
const used = [await afterLoad(flagdouble), await afterLoad(bare)]
rows.push(['started', fixed(fresh[0], 0), fixed(fresh[1], 0), fixed(fresh[0] / fresh[1])])
rows.push(['after reads and updates', fixed(used[0], 0), fixed(used[1], 0), fixed(used[0] / used[1])])
const large = await start(['node', 'servers/flagdouble.js'], { BENCH_FEATURES: '100000' })
rows.push(['with 100,000 features', fixed(megabytes(large.pid), 0), '', ''])
table('Resident memory, megabytes', ['', 'flagdouble', 'bare Hono', 'ratio'], rows)
for (const server of [bare, flagdouble, large]) await server.stop()
