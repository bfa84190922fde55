// With --state and 100,000 features: reads during the save of the first change, and the rate of updates after it.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AUTHORIZATION, fixed, median, rate, ratio, start, table, whole } from '../lib.js'

const FEATURES = 100_000
const ROUNDS = 3
/** The milliseconds of reads in a round; the save begins with the first read. */
const WATCHED = 4000

const folder = mkdtempSync(join(tmpdir(), 'flagdouble-bench-state-'))
const scenario = { name: 'bench', title: 'Bench', promise: 'Many features.', generate: { features: FEATURES } }
const scenarios = join(folder, 'scenarios')
mkdirSync(scenarios)
writeFileSync(join(scenarios, 'bench.json'), JSON.stringify(scenario))
const command = [
  'node',
  '../dist/cli.js',
  '--port',
  '{port}',
  '--quiet',
  '--scenarios',
  scenarios,
  '--scenario',
  'bench',
]
const headers = { authorization: AUTHORIZATION, 'content-type': 'application/json' }

/** Makes a change. Then reads repeatedly, and returns the duration of the longest read in milliseconds. */
async function longestRead({ url }) {
  const feature = `${url}/api/admin/projects/default/features/checkout-redesign`
  for (let i = 0; i < 200; i++) await (await fetch(feature, { headers })).text()
  const changed = fetch(`${url}/api/admin/invite-link/tokens/live-invite`, {
    method: 'PUT',
    headers,
    body: '{"enabled":true}',
  })
  let longest = 0
  for (const end = performance.now() + WATCHED; performance.now() < end; ) {
    const begun = performance.now()
    await (await fetch(feature, { headers })).text()
    longest = Math.max(longest, performance.now() - begun)
  }
  await changed
  return longest
}

const without = await start(command)
const pairs = []
const rows = []
for (const flags of [[], ['--state-sync']]) {
  const kept = await start([...command, '--state', join(folder, `state${flags}.json`), ...flags])
  pairs.push([await longestRead(kept), await longestRead(without)])
  const measured = await ratio(
    ROUNDS,
    () => rate(kept.url, 'update'),
    () => rate(without.url, 'update'),
  )
  rows.push([`updates a second ${flags}`.trim(), whole(measured.a), whole(measured.b), fixed(measured.ratio)])
  await kept.stop()
}
await without.stop()
rmSync(folder, { recursive: true })
rows.unshift([
  'longest read while everything is saved, ms',
  fixed(median(pairs.map(([kept]) => kept))),
  fixed(median(pairs.map(([, other]) => other))),
  fixed(median(pairs.map(([kept, other]) => kept / other))),
])
table('With --state, 100,000 features', ['what', 'with --state', 'without', 'ratio'], rows)
