// The same requests with 4, 1,000 and 100,000 features from a file; the duration of a start with the file, and its memory
// afterwards.
import { readFileSync, statSync } from 'node:fs'
import { writeFeatures } from '../features.js'
import { fixed, rate, ratio, start, table, whole } from '../lib.js'

const KINDS = ['read', 'update', 'clone']
const command = ['node', '../dist/cli.js', 'start', '--quiet', '--port', '{port}']
const megabytes = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024

const few = await start(command)
const rates = []
const sizes = []
for (const features of [1000, 100_000]) {
  const file = writeFeatures(features)
  const many = await start([...command, '--fixtures', file])
  const size = [whole(features), fixed(statSync(file).size / 1e6, 1), whole(many.ready), whole(megabytes(many.pid))]
  for (const kind of KINDS) {
    const measured = await ratio(
      3,
      () => rate(many.url, kind),
      () => rate(few.url, kind),
    )
    rates.push([kind, whole(features), whole(measured.a), whole(measured.b), fixed(measured.ratio)])
  }
  sizes.push([...size, whole(megabytes(many.pid))])
  await many.stop()
}
await few.stop()
table('Many features against 4', ['request', 'features', 'rate', 'rate with 4', 'ratio'], rates)
table(
  'Features from a file',
  ['features', 'file, MB', 'ready, ms', 'memory then, MB', 'after reads, updates, clones'],
  sizes,
)
