import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { clientOf, type StartOptions, startWorker, type WorkerClient } from '../support/workers.js'

const FEATURES = '/api/admin/projects/default/features'

/** Runs each part with its own code, on the same storage. */
async function deployments(...parts: [StartOptions, (client: WorkerClient) => Promise<void>][]): Promise<void> {
  const storage = mkdtempSync(join(tmpdir(), 'flagdouble-workers-'))
  onTestFinished(() => rmSync(storage, { recursive: true }))
  for (const [options, part] of parts) {
    await using worker = await startWorker({ ...options, storage })
    await part(clientOf(worker, 'qa'))
  }
}

const create = async (client: WorkerClient) => {
  await client.send('PUT', '/__mock/clock', { now: '2031-01-01T00:00:00Z' })
  expect((await client.send('POST', FEATURES, { name: 'mine' })).status).toBe(201)
}
const sql = async (client: WorkerClient, query: string) => {
  expect((await client.send('POST', '/test/sql', query)).status).toBe(200)
}

it('fields that an older version lacked get their defaults', async () => {
  await deployments(
    [
      {},
      async (client) => {
        await create(client)
        await sql(client, `UPDATE kept SET text = replace(text, '"impressionData":false,', '')`)
      },
    ],
    [{}, async (client) => expect((await client.send('GET', `${FEATURES}/mine`)).body.impressionData).toBe(false)],
  )
})

it('a record that an older version stored in another form sleeps, and stays stored', async () => {
  const stored = async (client: WorkerClient) => (await client.send('GET', '/test/stored')).body.kept[0].text
  await deployments(
    [
      {},
      async (client) => {
        await create(client)
        await sql(client, replaced('"stale":false', '"stale":"no"'))
      },
    ],
    [
      {},
      async (client) => {
        expect((await client.send('GET', `${FEATURES}/mine`)).status).toBe(404)
        const { notice } = (await client.send('GET', '/__mock/scenario')).body
        expect(notice).toContain("1 of your changes doesn't fit your files: features.mine.stale must be true or false")
        expect((await client.send('POST', FEATURES, { name: 'other' })).status).toBe(201)
        expect(await stored(client)).toContain('"stale":"no"')
        await sql(client, replaced('"stale":"no"', '"stale":false'))
      },
    ],
    [{}, async (client) => expect((await client.send('GET', `${FEATURES}/mine`)).status).toBe(200)],
  )
})

const replaced = (from: string, to: string) => `UPDATE kept SET text = replace(text, '${from}', '${to}')`

it.each([
  ["UPDATE kept SET text = 'not JSON'", /can't be read/],
  ["UPDATE kept SET text = ''", /can't be read/],
  ["UPDATE kept SET text = x'ff00'", /can't be read/],
  ['UPDATE kept SET text = NULL', /can't be read/],
  [replaced('"features":[', '"flags":['), /added: "flags" is unknown/],
  [replaced('"added":{', '"added":['), /can't be read/],
  [replaced('"scenario":["slow"]', '"scenario":"slow"'), /scenario/],
  [replaced('"frozenAt":1', '"frozenAt":"x1'), /can't be read/],
  [replaced('"seen":0', '"seen":"often"'), /seen/],
])(
  'an unreadable session is rejected with its reason and stays unchanged, until it is reset: %s',
  async (query, reason) => {
    let rows: unknown
    const expectRejected = async (client: WorkerClient) => {
      for (const path of [FEATURES, '/__mock/state']) {
        const { status, body } = await client.send('GET', path)
        expect([status, body.code]).toEqual([500, 'STATE_UNREADABLE'])
        expect(body.message).toMatch(reason)
        expect(body.hint).toContain('POST /__mock/reset')
      }
      expect((await client.send('POST', FEATURES, { name: 'other' })).body.code).toBe('STATE_UNREADABLE')
      expect((await client.send('GET', '/test/stored')).body.kept).toEqual(rows)
    }
    await deployments(
      [
        {},
        async (client) => {
          await create(client)
          await client.send('PUT', '/__mock/scenario', { name: 'slow' })
          await client.send('POST', '/__mock/forced', { operation: 'cloneFeature', status: 503 })
          await sql(client, query)
          rows = (await client.send('GET', '/test/stored')).body.kept
        },
      ],
      [{}, expectRejected],
      [
        {},
        async (client) => {
          await expectRejected(client)
          expect((await client.send('POST', '/__mock/reset')).status).toBe(204)
          expect((await client.send('GET', `${FEATURES}/mine`)).status).toBe(404)
          await create(client)
        },
      ],
      [{}, async (client) => expect((await client.send('GET', `${FEATURES}/mine`)).status).toBe(200)],
    )
  },
)
