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

it('a session that is nearly full goes on, whatever is looked at, and what makes it smaller is stored', async () => {
  const storage = newFolder()
  const options = { limits: { stateSize: 60_000, requestsPerSecond: 1e6 } }
  const large = { 'x-mock-scenario': 'large-project' }
  {
    await using worker = await startWorker({ storage, options })
    const client = clientOf(worker, 'full')
    let count = 0
    while ((await create(client, `f${count}`, 'x'.repeat(5000))).status === 201) count++
    expect(count).toBeGreaterThan(1)
    const expectOpen = async () => {
      for (const path of [FEATURES, '/__mock/state', '/__mock/health', '/__mock/requests', '/__mock/']) {
        expect([path, (await client.send('GET', path)).status]).toEqual([path, 200])
      }
    }
    expect((await client.send('GET', FEATURES, undefined, large)).status).toBe(200)
    await expectOpen()
    const rejected = await client.send('POST', FEATURES, { name: 'mine' }, large)
    expect([rejected.status, rejected.body.code]).toEqual([507, 'TOO_MUCH_DATA'])
    const clock = { now: '2031-01-01T00:00:00Z' }
    expect((await client.send('PUT', '/__mock/clock', clock, large)).status).toBe(507)
    expect((await client.send('GET', '/__mock/clock', undefined, large)).body).toMatchObject({ frozen: false })
    await expectOpen()
    const emptied = { description: '', type: 'release' }
    expect((await client.send('PUT', `${FEATURES}/f0`, emptied)).status).toBe(200)
    expect((await client.send('PATCH', '/__mock/state', { features: { f1: null } })).status).toBe(200)
    expect((await client.send('PUT', '/__mock/clock', clock)).status).toBe(200)
    await expectOpen()
  }
  await using worker = await startWorker({ storage, options })
  const client = clientOf(worker, 'full')
  expect((await client.send('GET', `${FEATURES}/f0`)).body.description ?? '').toBe('')
  expect(await hasFeature(client, 'f1')).toBe(false)
  expect((await client.send('GET', '/__mock/clock')).body).toMatchObject({ frozen: true })
  expect((await client.send('POST', '/__mock/reset')).status).toBe(204)
  expect((await create(client, 'f0', 'x'.repeat(5000))).status).toBe(201)
})

it('a change that was rejected because the session is full is not there, also after an eviction', async () => {
  const storage = newFolder()
  const options = { limits: { stateSize: 30_000 } }
  const expectUnchanged = async (client: WorkerClient) => {
    expect(await hasFeature(client, 'large')).toBe(false)
    expect((await client.send('GET', `${FEATURES}/legacy-export`)).body.description).not.toContain('xxx')
  }
  {
    await using worker = await startWorker({ storage, options })
    const client = clientOf(worker, 'full')
    const description = 'x'.repeat(40_000)
    expect((await create(client, 'large', description)).status).toBe(507)
    const changed = { description, type: 'release' }
    expect((await client.send('PUT', `${FEATURES}/legacy-export`, changed)).status).toBe(507)
    await expectUnchanged(client)
  }
  await using worker = await startWorker({ storage, options })
  await expectUnchanged(clientOf(worker, 'full'))
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
  const after = (await stored(client)).kept
  expect(after.slice(0, before.length)).toEqual(before)
  const written = after.slice(before.length).map(({ text }: { text: string }) => JSON.parse(text))
  expect(written).toEqual([
    { change: 1, put: { features: [expect.anything()], events: [expect.anything(), expect.anything()] } },
    { entry: expect.anything() },
  ])
})

it('what is stored does not grow without end', async () => {
  await using worker = await startWorker()
  const client = clientOf(worker, 'qa')
  for (let count = 0; count < 30; count++) {
    const features = [{ name: 'large', description: 'x'.repeat(100_000) + count }]
    expect((await client.send('PATCH', '/__mock/state', { features })).status).toBe(200)
  }
  const { kept } = await stored(client)
  const size = kept.reduce((sum: number, { text }: { text: string }) => sum + text.length, 0)
  expect(size).toBeLessThan(1_500_000)
})

it('a record that is larger than a row is kept, whatever its characters', async () => {
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

it('a request that is under way when the alarm comes is answered, and its session stays', async () => {
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

it('streams of events end when their session is deleted', async () => {
  await using worker = await startWorker()
  const events = readEvents(await worker.fetch('old', '/__mock/events'))
  await clientOf(worker, 'old').send('POST', '/test/alarm')
  expect((await events.next()).done).toBe(true)
})
