// Lists and counts of 10,000 features, in process: after a change of one feature, and without changes; compared with
// JSON.stringify of the same body, and with a bare Hono app that sends it. The shortest round counts, because noise only
// adds time.
import { Hono } from 'hono'
import { createMock } from '../../dist/index.js'
import { AUTHORIZATION, fixed, table, whole } from '../lib.js'

const FEATURES = 10_000
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 30)
const project = '/api/admin/projects/default'
const requests = [
  ['SDKs’ features', '/api/client/features', '*:development.mock-client'],
  ['features of a project', `${project}/features`, AUTHORIZATION],
  ['flags of a front-end', '/api/frontend?userId=7', '*:development.mock-frontend'],
  ['first page of the search', '/api/admin/search/features', AUTHORIZATION],
  ['overview of a project', `${project}/overview`, AUTHORIZATION],
  ['health report', `${project}/health-report`, AUTHORIZATION],
  ['projects', '/api/admin/projects', AUTHORIZATION],
  ['statistics', '/api/admin/instance-admin/statistics', AUTHORIZATION],
  ['configuration', '/api/admin/ui-config', AUTHORIZATION],
]

const scenario = {
  name: 'bench',
  title: 'Bench',
  promise: 'Many features.',
  extends: 'default',
  generate: { features: FEATURES },
}

async function milliseconds(act) {
  const started = performance.now()
  const result = await act()
  return { took: performance.now() - started, result }
}

async function measure(mock, changed, path, authorization) {
  const url = `http://localhost:4242${path}`
  let body
  const bare = new Hono().get('*', (c) => c.json(body))
  const shortest = { after: Infinity, same: Infinity, written: Infinity, printed: Infinity }
  const note = (kind, { took }) => {
    shortest[kind] = Math.min(shortest[kind], took)
  }
  let text = ''
  for (let round = 0; round < ROUNDS; round++) {
    mock.add({ features: [{ name: changed, description: `Round ${round}` }] })
    const ask = () => mock.fetch(new Request(url, { headers: { authorization } }))
    const first = await milliseconds(ask)
    if (first.result.status !== 200) throw new Error(`${path}: ${first.result.status}`)
    note('after', first)
    text = await first.result.text()
    note('same', await milliseconds(ask))
    body = JSON.parse(text)
    note('written', await milliseconds(() => JSON.stringify(body)))
    note('printed', await milliseconds(() => bare.fetch(new Request(url))))
  }
  return { ...shortest, bytes: Buffer.byteLength(text) }
}

for (const profile of ['documented', 'unleash-8']) {
  const mock = createMock({ scenario, profile })
  await mock.ready
  const changed = mock.features.list()[FEATURES / 2].name
  const rows = []
  for (const [name, path, key] of requests) {
    const { after, same, written, printed, bytes } = await measure(mock, changed, path, key)
    const times = [after, same, written, printed].map((time) => fixed(time))
    rows.push([name, whole(bytes / 1024), ...times, fixed(after / written), fixed(same / written)])
  }
  table(
    `Lists of ${whole(FEATURES)} features, milliseconds (${profile})`,
    [
      '',
      'kB',
      'after a change',
      'unchanged',
      'JSON.stringify',
      'bare Hono',
      'after ÷ stringify',
      'unchanged ÷ stringify',
    ],
    rows,
  )
}
