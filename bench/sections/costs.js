// The server's processor time per request, because rates also depend on the client.
import { cost, fixed, ratio, start, table } from '../lib.js'

const flagdouble = await start(['node', 'servers/flagdouble.js'])
const bare = await start(['node', 'servers/bare-hono.js'])
const rows = []
for (const kind of ['read', 'update', 'clone']) {
  const measured = await ratio(
    5,
    () => cost(bare, kind),
    () => cost(flagdouble, kind),
  )
  rows.push([kind, fixed(measured.b, 1), fixed(measured.a, 1), fixed(measured.ratio)])
}
table(
  'Processor time of a request, microseconds',
  ['request', 'flagdouble', 'bare Hono', 'bare Hono / flagdouble'],
  rows,
)
for (const server of [flagdouble, bare]) await server.stop()
