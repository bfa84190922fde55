// Compares the profile `unleash-8` with a running Unleash. CONTRIBUTING.md and lab/README.md say how.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { firstUnexplained, recordSmallest, runSeed } from './campaign.js'
import { compareEvaluations } from './evaluations.js'
import { Flagdouble } from './flagdouble.js'
import packageJson from './package.json' with { type: 'json' }
import { isUnexplained, type Observed, type Servers } from './pair.js'
import { Postgres } from './postgres.js'
import { recordAgain } from './record.js'
import { changesBetween, namesOf, type ReleaseNames } from './releases.js'
import { counted, report, shown } from './report.js'
import { installRelease, Unleash } from './unleash.js'

const { release: usual, node } = packageJson.config
const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1-40' },
    minutes: { type: 'string', default: '10' },
    only: { type: 'string', default: '' },
    sdk: { type: 'boolean', default: false },
    release: { type: 'string', default: usual },
    record: { type: 'boolean', default: false },
  },
})
const root = process.cwd()
const lab = join(root, 'lab')
const recordings = join(root, 'test/fidelity/recorded')
const end = Date.now() + Number(values.minutes) * 60_000
const isOver = () => Date.now() > end
const print = (text: string) => process.stdout.write(`${text}\n`)

function seeds(): number[] {
  const [first = Number.NaN, last = first] = values.seeds.split('-').map(Number)
  if (!Number.isInteger(first) || !Number.isInteger(last) || last < first) {
    throw new Error(`--seeds must be a number or a range such as 1-40, but is "${values.seeds}"`)
  }
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

/** Returns whether each difference is explained. */
async function compareRequests(servers: Servers): Promise<boolean> {
  const all: Observed[] = []
  const known = new Set<string>()
  const ran: number[] = []
  for (const seed of seeds()) {
    if (isOver()) break
    ran.push(seed)
    const observed = await runSeed(seed, values.only, servers, isOver)
    all.push(...observed)
    print(`seed ${seed}: ${observed.length} exchanges, ${observed.filter(isUnexplained).length} unexplained`)
    for (const index of firstUnexplained(observed, known)) {
      const sequence = observed.slice(0, index + 1)
      print(sequence.slice(-1).map(shown).join('\n'))
      const name = isOver() ? undefined : await recordSmallest(sequence, servers, recordings, isOver)
      print(name === undefined ? '    not shrunk' : `    the smallest sequence: test/fidelity/recorded/${name}.json`)
    }
  }
  print(report(all))
  if (values.only === '' && values.release === usual) {
    const path = join(root, 'test/fidelity/compared.json')
    const before = JSON.parse(readFileSync(path, 'utf8'))
    const isSame = before.release === usual
    const seedsOf = `${isSame ? `${before.seeds}, ` : ''}${ran[0]}-${ran.at(-1)}`
    const operations = counted(isSame ? before.operations : {}, all)
    writeFileSync(path, `${JSON.stringify({ release: usual, seeds: seedsOf, operations }, null, 2)}\n`)
  }
  return !all.some(isUnexplained)
}

async function compareSdks(servers: Servers): Promise<boolean> {
  let [evaluations, byChance, different] = [0, 0, 0]
  for (const seed of seeds()) {
    if (isOver()) break
    const figures = await compareEvaluations(seed, servers)
    evaluations += figures.evaluations
    byChance += figures.byChance
    different += figures.different.length
    for (const line of figures.different) print(`≠ seed ${seed}, ${line}`)
  }
  print(`${evaluations} evaluations, ${different} different, ${byChance} decided by chance in both`)
  return different === 0
}

async function namesOfRelease(release: string, postgres: Postgres): Promise<ReleaseNames> {
  const folder = installRelease(lab, release, node)
  const unleash = await Unleash.start(folder, join(lab, 'unleash-process.mjs'), postgres)
  try {
    return await namesOf((await unleash.fresh()).url, folder)
  } finally {
    unleash.stop()
  }
}

async function run(servers: Servers): Promise<boolean> {
  if (!values.record) return await (values.sdk ? compareSdks(servers) : compareRequests(servers))
  await recordAgain(recordings, servers.unleash, values.only)
  return true
}

// All servers stop when this process exits.
for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1))
const postgres = await Postgres.start()
if (values.release !== usual) {
  const [before, after] = [await namesOfRelease(usual, postgres), await namesOfRelease(values.release, postgres)]
  print([`From ${usual} to ${values.release}:`, ...changesBetween(before, after)].join('\n'))
}
const folder = installRelease(lab, values.release, node)
const unleash = await Unleash.start(folder, join(lab, 'unleash-process.mjs'), postgres)
const flagdouble = new Flagdouble(join(root, 'dist/cli.js'))
process.exit((await run({ unleash, flagdouble })) ? 0 : 1)
