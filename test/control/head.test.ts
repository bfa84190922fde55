import { describe, expect, it } from 'vitest'
import { controlRoutes } from '../../src/engine/control/control-routes.js'
import { CORE } from '../../src/engine/mock/session.js'
import { type OperationRow, operations } from '../../src/service/api/operations.js'
import { onEveryAdapter } from '../support/adapters.js'
import { signIn } from '../support/sign-in.js'

/** Every path where GET does more than read records. The root can belong to an app. */
const paths = [...operations.filter((row: OperationRow) => row.writes), ...controlRoutes]
  .filter(({ method, path }) => method === 'GET' && path !== '/')
  .map(({ path }) => path.replaceAll(/:\w+/g, 'default'))

onEveryAdapter('HEAD', (client) => {
  it('HEAD of a path whose GET streams or changes something changes nothing, and starts no stream', async () => {
    const headers = await signIn(client, 'editor')
    await client.send('POST', '/__mock/forced', { operation: 'getHealth', status: 503 })
    const traces = () => ({ state: client.mock.state(), active: client.mock.activeScenarios })
    const before = traces()
    for (const path of paths) {
      const answer = await client.adapter.fetch(path, { method: 'HEAD', headers, redirect: 'manual' })
      expect([path, await answer.text(), answer.headers.get('set-cookie')]).toEqual([path, '', null])
    }
    expect(traces()).toEqual(before)
    expect(client.mock[CORE].sessions.eventReaders.count).toBe(0)
    const forced = await client.send('GET', '/__mock/forced')
    expect(forced.body).toHaveLength(1)
  })

  it('HEAD has the status and the type of GET, even if GET streams or changes something', async () => {
    const head = (path: string) => client.adapter.fetch(path, { method: 'HEAD', redirect: 'manual' })
    const events = await head('/__mock/events')
    expect([events.status, events.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
    const link = await head('/__mock/use/empty?redirect=/flags')
    expect([link.status, link.headers.get('location')]).toEqual([302, '/flags'])
  })
})

describe('the tested paths', () => {
  it('contain those that stream or change something', () => {
    expect(paths).toEqual(expect.arrayContaining(['/auth/reset/validate', '/__mock/events', '/__mock/use/default']))
  })
})
