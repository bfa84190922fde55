// `node bench.js [section …]`, `node bench.js --peers`, or `node bench.js --against COMMIT`. Compare ratios, not absolute figures: the same run
// measures both sides.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMock } from '../dist/index.js'
import { operationsDocument } from './openapi.js'

const folder = mkdtempSync(join(tmpdir(), 'flagdouble-bench-'))
const mock = createMock()
process.env.BENCH_DATA = join(folder, 'data.json')
process.env.BENCH_OPENAPI = join(folder, 'openapi.json')
writeFileSync(
  process.env.BENCH_DATA,
  JSON.stringify({
    feature: mock.features.get('checkout-redesign'),
    token: mock.signupTokens.get('live-invite'),
  }),
)
writeFileSync(process.env.BENCH_OPENAPI, JSON.stringify(await operationsDocument(mock)))

const sections = [
  'rates',
  'costs',
  'sizes',
  'start',
  'in-process',
  'lists',
  'msw',
  'vitest',
  'memory',
  'worst-cases',
  'soak',
  'state',
]
const [first, commit] = process.argv.slice(2)
if (first === '--against') {
  const { compareWith } = await import('./against.js')
  await compareWith(commit)
} else if (first === '--peers') {
  await import('./sections/peers.js')
} else {
  const wanted = process.argv.slice(2)
  for (const section of wanted.length > 0 ? wanted : sections) await import(`./sections/${section}.js`)
}
