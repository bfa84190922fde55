// The same requests with 4, 1,000 and 100,000 features.
import { fixed, rate, ratio, start, table, whole } from '../lib.js'

const few = await start(['node', 'servers/flagdouble.js'])
const rows = []
for (const features of [1000, 100_000]) {
  const many = await start(['node', 'servers/flagdouble.js'], { BENCH_FEATURES: String(features) })
  for (const kind of ['read', 'update', 'clone']) {
    const {
      a,
      b,
      ratio: times,
    } = await ratio(
      3,
      () => rate(many.url, kind),
      () => rate(few.url, kind),
    )
    rows.push([kind, whole(features), whole(a), whole(b), fixed(times)])
  }
  await many.stop()
}
table('Many features against 4', ['request', 'features', 'rate', 'rate with 4', 'ratio'], rows)
await few.stop()
