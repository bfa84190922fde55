import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { readEvents } from '../support/events.js'
import { clientOf, startWorker, type WorkerClient } from '../support/workers.js'

const FEATURES = '/api/admin/projects/default/features'
const DAY = 24 * 3600 * 1000

const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'flagdouble-workers-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}
const state = async (client: WorkerClient) => (await client.send('GET', '/__mock/state')).body
const stored = async (client: WorkerClient) => (await client.send('GET', '/test/stored')).body
const create = (client: WorkerClient, name: string, description = '') =>
  client.send('POST', FEATURES, { name, description })
const hasFeature = async (client: WorkerClient, wanted: string) =>
  (await state(client)).features.some(({ name }: { name: string }) => name === wanted)

it('a change that would make a session too large is rejected and changes nothing', async () => {
  await using worker = await startWorker()
  const client = clientOf(worker, 'full')
  expect((await create(client, 'small')).status).toBe(201)
  const large = { features: [{ name: 'large', description: 'x'.repeat(9_000_000) }] }
  const { status, body } = await client.send('PATCH', '/__mock/state', large)
  expect([status, body.code]).toEqual([507, 'TOO_MUCH_DATA'])
  expect([await hasFeature(client, 'small'), await hasFeature(client, 'large')]).toEqual([true, false])
  expect((await create(client, 'another')).status).toBe(201)
})

it('a world is a row, and only changed rows are written', async () => {
  await using worker = await startWorker()
  const client = clientOf(worker, 'qa')
  await client.send('GET', FEATURES)
  expect((await stored(client)).kept).toEqual([])
  await create(client, 'one')
  const log = `CREATE TABLE written (key TEXT);
    CREATE TRIGGER log AFTER INSERT ON kept BEGIN INSERT INTO written VALUES (NEW.key); END`
  expect((await client.send('POST', '/test/sql', log)).status).toBe(200)
  await client.send('POST', FEATURES, { name: 'two' }, { 'x-mock-scenario': 'empty' })
  await client.send('GET', FEATURES)
  expect((await client.send('POST', '/test/sql', 'SELECT key FROM written')).body).toEqual([{ key: 'empty' }])
  const rows = (await stored(client)).kept as { key: string; text: string }[]
  expect(rows.map(({ key }) => key).toSorted()).toEqual(['default', 'empty'])
  expect((await client.send('POST', '/__mock/reset')).status).toBe(204)
  expect((await stored(client)).kept).toEqual([])
})

it('a record that is larger than a row is stored, with any characters', async () => {
  const storage = newFolder()
  const description = `x${'😀'.repeat(400_000)}`
  {
    await using worker = await startWorker({ storage })
    const added = { features: [{ name: 'huge', description }] }
    expect((await clientOf(worker, 'qa').send('PATCH', '/__mock/state', added)).status).toBe(200)
  }
  await using worker = await startWorker({ storage })
  const { body } = await clientOf(worker, 'qa').send('GET', `${FEATURES}/huge`)
  expect(body.description === description).toBe(true)
})

it('a session that is unused for a week is deleted by an alarm, and starts over', async () => {
  await using worker = await startWorker()
  const client = clientOf(worker, 'old')
  await create(client, 'mine')
  const { alarm, now } = await stored(client)
  expect(alarm - now).toBeGreaterThan(7 * DAY)
  expect(alarm - now).toBeLessThan(8 * DAY)
  await client.send('POST', '/test/alarm')
  expect(await stored(client)).toMatchObject({ alarm: null, kept: [] })
  expect(await hasFeature(client, 'mine')).toBe(false)
  expect((await stored(client)).alarm).toBeGreaterThan(0)
})

it('a request in progress at the alarm gets its response, and its session stays', async () => {
  await using worker = await startWorker()
  const client = clientOf(worker, 'busy')
  await client.send('POST', '/__mock/forced', { operation: 'createFeature', delay: 1000 })
  const creating = create(client, 'mine')
  await expect.poll(async () => (await client.send('GET', '/__mock/forced')).body[0].seen).toBe(1)
  await client.send('POST', '/test/alarm')
  expect((await creating).status).toBe(201)
  expect(await hasFeature(client, 'mine')).toBe(true)
  const { alarm, now } = await stored(client)
  expect(alarm - now).toBeGreaterThan(7 * DAY)
})

it('event streams end when their session is deleted', async () => {
  await using worker = await startWorker()
  const events = readEvents(await worker.fetch('old', '/__mock/events'))
  await clientOf(worker, 'old').send('POST', '/test/alarm')
  expect((await events.next()).done).toBe(true)
})
