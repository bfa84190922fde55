// The heap over a million requests, half reads, half updates; in process, so that only our heap counts.
import { createMock } from '../../dist/index.js'
import { AUTHORIZATION, fixed, table } from '../lib.js'

const REQUESTS = 1_000_000
const STEPS = 10
const mock = createMock()
const headers = { authorization: AUTHORIZATION, 'content-type': 'application/json' }
const rows = []
for (let step = 0; step <= STEPS; step++) {
  globalThis.gc?.()
  rows.push([((step * REQUESTS) / STEPS).toLocaleString('en'), fixed(process.memoryUsage().heapUsed / 1024 / 1024, 1)])
  if (step === STEPS) break
  for (let i = 0; i < REQUESTS / STEPS / 2; i++) {
    await mock.fetch(new Request('http://localhost/api/admin/projects/default/features/legacy-export', { headers }))
    await mock.fetch(
      new Request('http://localhost/api/admin/invite-link/tokens/live-invite', {
        method: 'PUT',
        headers,
        body: '{"enabled":true}',
      }),
    )
  }
}
table('Heap over a million requests, megabytes', ['requests', 'heap'], rows)
