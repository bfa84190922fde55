// The heap over a million mixed requests, in process, to measure only our heap. They fill everything that requests can
// grow: logins, links, SDKs, metrics, events, sessions, worlds and the journal. All of it is full after the first
// 100,000.
import { createMock } from '../../dist/index.js'
import { AUTHORIZATION, fixed, table, whole } from '../lib.js'

const REQUESTS = Number(process.env.BENCH_SOAK ?? 1_000_000)
const STEP = 100_000
const CLIENT = '*:development.mock-client'

const mock = createMock()
const flags = mock.features.list().map(({ name }) => name)
let number = 0

function send(method, path, body, headers = {}) {
  return mock.fetch(
    new Request(`http://localhost${path}`, {
      method,
      headers: { authorization: AUTHORIZATION, 'content-type': 'application/json', ...headers },
      body: body === undefined ? undefined : JSON.stringify(body),
    }),
  )
}

const now = () => mock.clock.now().toISOString()
const features = '/api/admin/projects/default/features'
const kinds = [
  () => send('GET', `${features}/legacy-export`),
  () => send('PUT', '/api/admin/invite-link/tokens/live-invite', { enabled: true }),
  () => send('POST', '/auth/simple/login', { username: 'admin', password: 'flagdouble' }),
  () => send('POST', '/api/admin/user-admin/reset-password', { id: 2 }),
  () =>
    send(
      'POST',
      '/api/client/register',
      { appName: `app-${number % 50}`, instanceId: `sdk-${number}`, interval: 10, started: now(), strategies: [] },
      { authorization: CLIENT },
    ),
  () =>
    send(
      'POST',
      '/api/client/metrics',
      {
        appName: `app-${number}`,
        bucket: {
          start: now(),
          stop: now(),
          toggles: Object.fromEntries(flags.map((flag) => [flag, { yes: 1, variants: { [`v-${number}`]: 1 } }])),
        },
      },
      { authorization: CLIENT },
    ),
  async () => {
    await send('POST', `${features}/legacy-export/clone`, { name: `copy-${number}` })
    await send('DELETE', `${features}/copy-${number}`)
    return send('DELETE', `/api/admin/archive/copy-${number}`)
  },
  () => send('GET', '/health', undefined, { 'x-mock-session': `s-${number}` }),
  () =>
    send('GET', `${features}?x=${number}`, undefined, { 'x-mock-scenario': number % 20 < 10 ? 'default' : 'empty' }),
  () => send('POST', `${features}/legacy-export/clone`, '{"password": broken'),
]

const heap = () => {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed / 1024 / 1024
}

const unexpected = new Map()
const heaps = []
const seconds = []
for (let done = 0; done < REQUESTS; done += STEP) {
  const started = performance.now()
  for (let i = 0; i < STEP; i++) {
    number++
    const { status } = await kinds[number % kinds.length]()
    if (status >= 500) unexpected.set(status, (unexpected.get(status) ?? 0) + 1)
  }
  // An hour passes with each hundred thousand requests.
  mock.clock.advance({ hours: 1 })
  seconds.push((performance.now() - started) / 1000)
  heaps.push(heap())
}
if (unexpected.size > 0) throw new Error(`Unexpected answers: ${JSON.stringify([...unexpected])}`)
table(
  'Heap over mixed requests, after each 100,000',
  ['requests', 'megabytes', 'ratio to the first', 'seconds'],
  heaps.map((megabytes, step) => [
    whole((step + 1) * STEP),
    fixed(megabytes, 1),
    fixed(megabytes / heaps[0]),
    fixed(seconds[step], 1),
  ]),
)

// The common limits of all sessions: a thousand sessions that each list a large flag thirty times, or 1.5 GB of journals,
// while three clients follow the first session and never read.
const crowd = createMock()
const memory = () => {
  globalThis.gc?.()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return (heapUsed + arrayBuffers) / 1024 / 1024
}
const listIn = (session) =>
  crowd.fetch(
    new Request(`http://localhost${features}`, {
      headers: { authorization: AUTHORIZATION, 'x-mock-session': session },
    }),
  )
const readers = []
for (let reader = 0; reader < 3; reader++) {
  const events = new Request('http://localhost/__mock/events', { headers: { 'x-mock-session': 'crowd-0' } })
  const stream = (await crowd.fetch(events)).body.getReader()
  await stream.read()
  readers.push(stream)
}
const before = memory()
const held = []
for (let session = 0; session < 1000; session++) {
  const name = `crowd-${session}`
  crowd.session(name).add({ features: [{ name: 'large', description: 'x'.repeat(50_000) }] })
  for (let listed = 0; listed < (session === 0 ? 2000 : 30); listed++) await listIn(name)
  if (session % 250 === 249) held.push([whole(session + 1), fixed(memory() - before, 1)])
}
table(
  'Memory of a thousand sessions with large lists, and three readers that never read',
  ['sessions', 'megabytes'],
  held,
)
