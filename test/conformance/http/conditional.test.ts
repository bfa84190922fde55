import { expect, it } from 'vitest'
import type { OperationId } from '../../../src/service/api/operations.js'
import { paramNames } from '../../../src/service/contract/operation.js'
import { onEveryAdapter } from '../../support/adapters.js'
import { BODIES, exampleName, KEYS, MORE, NOW, QUERIES } from '../../support/example-requests.js'
import { rows } from '../../support/requests.js'
import { someOf } from '../../support/runs.js'

onEveryAdapter(
  'conditional requests',
  (client) => {
    it('a write runs, and gets the same response as without If-None-Match', async () => {
      // A logout redirects to a page, which fetch would follow.
      for (const row of someOf(rows.filter(({ method, id }) => method !== 'GET' && id !== 'logout'))) {
        const id = row.id as OperationId
        const path = paramNames(row.path).reduce(
          (filled, name) => filled.replace(`:${name}`, encodeURIComponent(exampleName(row.path, name))),
          row.path,
        )
        const body = row.body === undefined ? undefined : (BODIES[id] ?? {})
        const send = async (headers: Record<string, string>) => {
          client.mock.reset()
          const options = { key: KEYS[row.access] ?? null, headers }
          const { status, body: answered } = await client.send(row.method, path + (QUERIES[id] ?? ''), body, options)
          return [row.id, status, answered, client.mock.state()]
        }
        expect(await send({ 'if-none-match': '*' })).toEqual(await send({}))
      }
    })

    it('a read that names its entity tag gets a 304, and so does its HEAD', async () => {
      const path = '/api/admin/projects'
      const { headers } = await client.send('GET', path)
      // Without the header, fetch adds `no-cache`.
      const known = { headers: { 'if-none-match': headers.get('etag') ?? '', 'cache-control': 'max-age=0' } }
      expect((await client.send('GET', path, undefined, known)).status).toBe(304)
      expect((await client.send('HEAD', path, undefined, known)).status).toBe(304)
    })
  },
  { profile: 'unleash-8', seed: 'tests', now: NOW, fixtures: [MORE] },
)
