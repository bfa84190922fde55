import { describe, expect, it, vi } from 'vitest'
import { CORE } from '../../src/engine/mock/session.js'
import { READERS_KEPT } from '../../src/engine/sessions/event-readers.js'
import { startServer } from '../../src/entries/adapters/node.js'
import { createMock, type Mock } from '../../src/index.js'
import { onEveryAdapter } from '../support/adapters.js'
import { heapUsed } from '../support/collect.js'
import { readEvents } from '../support/events.js'

onEveryAdapter('Server-sent events', (client) => {
  const connect = async (headers: Record<string, string> = {}) => {
    const abort = new AbortController()
    const response = await client.adapter.fetch('/__mock/events', { headers, signal: abort.signal })
    return { response, events: readEvents(response), abort }
  }

  it('each journal entry of the session is sent as an event, with its ID', async () => {
    const { response, events, abort } = await connect()
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    // A compressing dev server would hold the events back.
    expect(response.headers.get('cache-control')).toBe('no-cache, no-transform')
    expect(response.headers.get('x-mock-scenario')).toBe('default')
    await client.send('GET', '/api/admin/projects')
    const { value } = await events.next()
    const [entry] = client.mock.requests.all()
    expect(value).toEqual({ event: 'request', id: String(entry?.id), data: entry })
    abort.abort()
  })

  it('each switch and each reset is sent as an event', async () => {
    const { events, abort } = await connect()
    await client.send('PUT', '/__mock/scenario', { names: ['expired-token', 'slow'] })
    expect((await events.next()).value).toEqual({ event: 'scenario', data: { names: ['expired-token', 'slow'] } })
    client.mock.reset()
    expect((await events.next()).value).toEqual({ event: 'scenario', data: { names: ['default'] } })
    abort.abort()
  })

  it('nothing is left behind when the client of a stream disconnects', async () => {
    const warnings: Error[] = []
    const note = (warning: Error) => warnings.push(warning)
    process.on('warning', note)
    for (let i = 0; i < 20; i++) {
      const { events, abort } = await connect()
      await client.send('GET', '/api/admin/projects')
      await events.next()
      abort.abort()
    }
    await new Promise(setImmediate)
    process.off('warning', note)
    expect(warnings).toEqual([])
  })

  it('a stream has only the events of the session that the request names', async () => {
    const { events, abort } = await connect({ 'x-mock-session': 'ada' })
    await client.send('GET', '/api/admin/projects')
    await client.send('GET', '/health', undefined, { headers: { 'x-mock-session': 'ada' } })
    expect((await events.next()).value).toMatchObject({ event: 'request', data: { path: '/health' } })
    abort.abort()
  })

  it('a client that reconnects first gets the missed events', async () => {
    await client.send('GET', '/health')
    await client.send('GET', '/api/admin/projects')
    const { events, abort } = await connect({ 'last-event-id': '1' })
    expect((await events.next()).value).toMatchObject({ id: '2', data: { path: '/api/admin/projects' } })
    abort.abort()
  })

  it('a client that starts to read late gets the events since its request', async () => {
    const { events, abort } = await connect()
    await client.send('GET', '/health')
    await client.send('PUT', '/__mock/scenario', { name: 'slow' })
    expect((await events.next()).value).toMatchObject({ id: '1', data: { path: '/health' } })
    expect((await events.next()).value).toEqual({ event: 'scenario', data: { names: ['slow'] } })
    abort.abort()
  })

  it('no reader stays after its client has left, whether it read or not', async () => {
    const readers = () => client.mock[CORE].sessions.eventReaders.count
    const reading = await connect()
    await client.send('GET', '/health')
    await reading.events.next()
    expect(readers()).toBe(1)
    const { response, abort } = await connect()
    reading.abort.abort()
    abort.abort()
    response.body?.cancel().catch(() => undefined)
    await vi.waitFor(() => expect(readers()).toBe(0), { timeout: 10_000 })
  })

  it('event streams end when the mock is disposed', async () => {
    const { events } = await connect()
    await client.mock[Symbol.asyncDispose]()
    const rest = []
    for await (const event of events) rest.push(event)
    expect(rest.filter(({ event }) => event !== 'scenario')).toEqual([])
  })
})

describe('limits of event streams', () => {
  const follow = (mock: Mock, headers = {}) => mock.fetch(new Request('http://localhost/__mock/events', { headers }))
  /** Follows events, and reads the first comment. */
  const connected = async (mock: Mock, headers = {}) => {
    const reader = (await follow(mock, headers)).body?.getReader()
    await reader?.read()
    return reader
  }
  const next = async (reader: ReadableStreamDefaultReader<Uint8Array> | undefined) =>
    new TextDecoder().decode((await reader?.read())?.value)
  const large = (mock: Mock, number: number) =>
    mock.fetch(
      new Request('http://localhost/auth/simple/login', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: `${number}`.repeat(50_000), password: '' }),
      }),
    )

  it('beyond the limit of readers, further ones are rejected until one has left', async () => {
    const mock = createMock()
    const streams = []
    for (let asked = 0; asked < READERS_KEPT; asked++) streams.push(await connected(mock))
    const rejected = await follow(mock)
    expect([rejected.status, rejected.headers.get('x-mock-error')]).toEqual([503, 'TOO_MANY_READERS'])
    await streams[0]?.cancel()
    expect((await follow(mock)).status).toBe(200)
  })

  it('a reader that falls behind the journal is told so, and gets the remaining entries', async () => {
    const mock = createMock({ journalSize: 3 })
    const reader = await connected(mock)
    for (let sent = 0; sent < 10; sent++) await mock.fetch(new Request('http://localhost/health'))
    expect(await next(reader)).toBe('event: missed\nid: 7\ndata: {"from":1,"until":7}\n\n')
    for (const id of [8, 9, 10]) expect(await next(reader)).toContain(`event: request\nid: ${id}\n`)
  })

  it('a reader that reconnects is told which entries are gone from the journal', async () => {
    const mock = createMock({ journalSize: 3 })
    for (let sent = 0; sent < 10; sent++) await mock.fetch(new Request('http://localhost/health'))
    const reader = await connected(mock, { 'last-event-id': '2' })
    expect(await next(reader)).toContain('{"from":3,"until":7}')
    expect(await next(reader)).toContain('id: 8\n')
  })

  it("a reader from a mock with more requests gets this mock's next request", async () => {
    const mock = createMock()
    const reader = await connected(mock, { 'last-event-id': '500' })
    await mock.fetch(new Request('http://localhost/health'))
    expect(await next(reader)).toContain('event: request\nid: 1\n')
  })

  it('entries that a reset removed are reported as missed, after the switch', async () => {
    const mock = createMock()
    const reader = await connected(mock)
    for (let sent = 0; sent < 2; sent++) await mock.fetch(new Request('http://localhost/health'))
    mock.reset()
    expect([await next(reader), await next(reader)]).toEqual([
      expect.stringContaining('event: scenario'),
      expect.stringContaining('{"from":1,"until":2}'),
    ])
    await mock.fetch(new Request('http://localhost/health'))
    expect(await next(reader)).toContain('event: request\nid: 3\n')
  })

  it('a switch is reported between the requests before and after it', async () => {
    const mock = createMock()
    const reader = await connected(mock)
    await mock.fetch(new Request('http://localhost/health'))
    mock.useScenario('slow')
    await mock.fetch(new Request('http://localhost/__mock/health'))
    await mock.fetch(new Request('http://localhost/api/admin/projects'))
    expect([await next(reader), await next(reader), await next(reader)]).toEqual([
      expect.stringContaining('"path":"/health"'),
      expect.stringContaining('event: scenario'),
      expect.stringContaining('"path":"/api/admin/projects"'),
    ])
  })

  it('however slow a reader is, no more events wait for it than the journal has', async () => {
    const mock = createMock({ journalSize: 5 })
    const slow = await Promise.all(Array.from({ length: 20 }, () => connected(mock)))
    const before = await heapUsed()
    for (let sent = 0; sent < 200; sent++) await large(mock, sent)
    expect((await heapUsed()) - before).toBeLessThan(10_000_000)
    expect(await next(slow[0])).toContain('{"from":1,"until":195}')
  })

  it('without a journal, a reader gets the newest event, and the numbers of missed ones', async () => {
    const mock = createMock({ journalSize: 0 })
    const reader = await connected(mock)
    for (let sent = 0; sent < 3; sent++) {
      const following = next(reader)
      await mock.fetch(new Request('http://localhost/health'))
      expect(await following).toContain(`event: request\nid: ${sent + 1}\n`)
    }
    for (let sent = 0; sent < 3; sent++) await mock.fetch(new Request('http://localhost/health'))
    expect([await next(reader), await next(reader)]).toEqual([
      expect.stringContaining('{"from":4,"until":5}'),
      expect.stringContaining('id: 6\n'),
    ])
  })
})

it('event streams end when the server closes', async () => {
  const server = await startServer({}, { port: 0 })
  const events = readEvents(await fetch(`${server.url}/__mock/events`))
  const rest = events.next().catch(() => ({ done: true }))
  await server.close()
  expect(await rest).toMatchObject({ done: true })
})
