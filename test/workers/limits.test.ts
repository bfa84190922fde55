import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
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

it('a session takes only so many requests per second; others are not affected', async () => {
  await using worker = await startWorker({ options: { limits: { requestsPerSecond: 2 } } })
  const client = clientOf(worker, 'busy')
  const answers = await Promise.all(Array.from({ length: 40 }, () => client.send('GET', FEATURES)))
  const rejected = answers.filter(({ status }) => status === 429)
  expect(rejected.length).toBeGreaterThan(0)
  expect(rejected[0]?.body).toMatchObject({ name: 'MockError', code: 'TOO_MANY_REQUESTS' })
  expect((await clientOf(worker, 'calm').send('GET', FEATURES)).status).toBe(200)
})

it('a change that would make a session too large is rejected and leaves everything as it was, also after an eviction', async () => {
  const storage = newFolder()
  const options = { limits: { stateSize: 40_000 } }
  {
    await using worker = await startWorker({ storage, options })
    const client = clientOf(worker, 'full')
    expect((await create(client, 'small', 'x'.repeat(1000))).status).toBe(201)
    const before = await state(client)
    const { status, body } = await create(client, 'large', 'x'.repeat(30_000))
    expect([status, body.code]).toEqual([507, 'TOO_MUCH_DATA'])
    const added = { features: [{ name: 'large', description: 'x'.repeat(30_000) }] }
    expect((await client.send('PATCH', '/__mock/state', added)).status).toBe(507)
    const other = { projects: [{ id: 'default' }], ...added }
    expect((await client.send('PUT', '/__mock/state', other)).status).toBe(200)
    expect((await client.send('PUT', '/__mock/state', before)).status).toBe(200)
    expect(await state(client)).toEqual(before)
  }
  await using worker = await startWorker({ storage, options })
  const client = clientOf(worker, 'full')
  expect(await hasFeature(client, 'small')).toBe(true)
  expect(await hasFeature(client, 'large')).toBe(false)
  expect((await create(client, 'large', 'x'.repeat(30_000))).status).toBe(507)
  expect((await create(client, 'another')).status).toBe(201)
})

it('what is removed makes room', async () => {
  await using worker = await startWorker({ options: { limits: { stateSize: 40_000 } } })
  const client = clientOf(worker, 'full')
  const put = (description: string) =>
    client.send('PATCH', '/__mock/state', { segments: [{ id: 7, name: 'large', description }] })
  expect((await put('x'.repeat(20_000))).status).toBe(200)
  expect((await put('x'.repeat(30_000))).status).toBe(507)
  expect((await put('x')).status).toBe(200)
  expect((await put('x'.repeat(20_000))).status).toBe(200)
})

it('a force rule that is too large is not in force', async () => {
  await using worker = await startWorker()
  const client = clientOf(worker, 'qa')
  await client.send('POST', '/__mock/forced', { operation: 'cloneFeature', status: 503 })
  const body = 'x'.repeat(500_000)
  const { status, body: answer } = await client.send('POST', '/__mock/forced', { operation: 'getFeature', body })
  expect([status, answer.code]).toEqual([507, 'TOO_MUCH_DATA'])
  expect((await client.send('GET', '/__mock/forced')).body).toMatchObject([{ id: '1', operation: 'cloneFeature' }])
})

it('a commit writes what it changes, and a new session few rows', async () => {
  await using worker = await startWorker()
  const client = clientOf(worker, 'qa')
  await client.send('GET', FEATURES)
  const before = (await stored(client)).kept
  expect(before.length).toBeLessThan(6)
  await client.send('PATCH', `${FEATURES}/legacy-export`, [{ op: 'replace', path: '/stale', value: false }])
  const texts = new Set(before.map((row: object) => JSON.stringify(row)))
  const written = (await stored(client)).kept.filter((row: object) => !texts.has(JSON.stringify(row)))
  expect(written.map(({ list }: { list: string }) => list).toSorted()).toEqual(['events', 'features', 'journal'])
})

it('the journal keeps its last 200 entries, and long bodies only in memory', async () => {
  const storage = newFolder()
  const options = { limits: { requestsPerSecond: 1e6 } }
  {
    await using worker = await startWorker({ storage, options })
    const client = clientOf(worker, 'qa')
    for (let count = 0; count < 205; count++) await client.send('GET', `${FEATURES}/legacy-export`)
    await create(client, 'long', 'x'.repeat(20_000))
    expect((await client.send('GET', '/__mock/requests?operation=createFeature')).text.length).toBeGreaterThan(20_000)
  }
  await using worker = await startWorker({ storage, options })
  const client = clientOf(worker, 'qa')
  const { body } = await client.send('GET', '/__mock/requests')
  expect([body.length, body[0].id, body.at(-1).id]).toEqual([200, 7, 206])
  expect(body.at(-1)).toMatchObject({ status: 201, requestBody: '… (too long to be stored)' })
})

it('a session that nobody has used for a week is deleted by an alarm, and starts over', async () => {
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
