import { expect, it } from 'vitest'
import { ADMIN } from '../support/adapters.js'
import { clientOf, startWorker, type WorkerClient } from '../support/workers.js'

const FEATURES = '/api/admin/projects/default/features'

/** The milliseconds for which requests wait: longer than everything else that a test does. */
const WAIT = 6000

const scenario = { name: 'late', title: 'Late', promise: 'Every response comes late.', latency: WAIT }
const refusals = {
  'a change that is too large': async (client: WorkerClient) => {
    const large = { features: [{ name: 'large', description: 'x'.repeat(9_000_000) }] }
    const { status, body } = await client.send('PATCH', '/__mock/state', large)
    return [status, body.code]
  },
  'an error of the storage': async (client: WorkerClient) => {
    const { status, body } = await client.send('POST', FEATURES, { name: 'refused' })
    return [status, body.code]
  },
}
const storageFails = `CREATE TRIGGER fail BEFORE INSERT ON kept WHEN NEW.text LIKE '%"refused"%'
  BEGIN SELECT RAISE(ABORT, 'no room'); END`

it.each([
  ['a change that is too large', '', [507, 'TOO_MUCH_DATA']],
  ['a change that is too large', 'nora', [507, 'TOO_MUCH_DATA']],
  ['an error of the storage', '', [500, 'STATE_NOT_SAVED']],
  ['an error of the storage', 'nora', [500, 'STATE_NOT_SAVED']],
] as const)(
  'after %s, requests that are still under way store nothing: session %j',
  async (refusal, session, expected) => {
    await using worker = await startWorker({ options: { scenarios: [scenario] } })
    const client = clientOf(worker, session)
    const create = async (name: string, headers = {}) => {
      const { status, body } = await client.send('POST', FEATURES, { name }, headers)
      return { name, status, code: body.code }
    }
    const upload = new TransformStream<Uint8Array, Uint8Array>()
    const writer = upload.writable.getWriter()
    const uploadSlowly = async () => {
      const headers = { authorization: ADMIN, 'content-type': 'application/json' }
      const init = { method: 'POST', headers, body: upload.readable, duplex: 'half' } as const
      const response = await worker.fetch(session, FEATURES, init)
      return { name: 'uploaded', status: response.status, code: (await response.json()).code }
    }
    const wait = async () => {
      const { status, body } = await client.send('GET', `/__mock/requests?operation=getTags&wait=${10 * WAIT}`)
      return { name: '', status, code: body.code }
    }
    const rule = { operation: 'createFeature', match: { body: { name: 'delayed' } }, delay: WAIT }
    expect((await client.send('POST', '/__mock/forced', rule)).status).toBe(201)
    const before = await create('before')
    expect((await client.send('POST', '/test/sql', storageFails)).status).toBe(200)

    const late = [create('delayed'), create('after-latency', { 'x-mock-scenario': 'late' }), uploadSlowly(), wait()]
    await writer.write(new TextEncoder().encode('{ "name": '))
    const underWay = async () => (await client.send('GET', '/test/under-way')).body
    await expect.poll(underWay).toBe(late.length)
    expect(await refusals[refusal](client)).toEqual(expected)
    const after = await create('after')
    await writer.write(new TextEncoder().encode('"uploaded" }'))
    await writer.close()

    const answers = await Promise.all(late)
    for (const { name, status, code } of answers) expect([name, status, code]).toEqual([name, 500, 'STATE_NOT_SAVED'])
    expect([before.status, after.status]).toEqual([201, 201])
    const rows = (await client.send('POST', '/test/sql', 'SELECT text FROM kept')).body as { text: string }[]
    const added = rows.flatMap(({ text }) => JSON.parse(text).added?.features ?? []) as { name: string }[]
    expect(added.map(({ name }) => name)).toEqual(['before', 'after'])
    const { features } = (await client.send('GET', '/__mock/state')).body
    expect(features.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(['before', 'after']))
  },
)
