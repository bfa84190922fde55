import { connect as connectTo } from 'node:net'
import { describe, expect, it, vi } from 'vitest'
import { startServer } from '../../src/adapters/node.js'
import { createMock, type Mock } from '../../src/index.js'
import { CORE } from '../../src/mock/session.js'
import { BACKLOG, BYTES_WAITING, READERS_KEPT } from '../../src/sessions/event-readers.js'
import { onEveryAdapter } from '../support/adapters.js'
import { readEvents } from '../support/events.js'

onEveryAdapter('Server-sent events', (client) => {
  const connect = async (headers: Record<string, string> = {}) => {
    const abort = new AbortController()
    const response = await client.adapter.fetch('/__mock/events', { headers, signal: abort.signal })
    return { response, events: readEvents(response), abort }
  }

  it('each journal entry of the session is sent as an event, with its id', async () => {
    const { response, events, abort } = await connect()
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('text/event-stream')
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

  it('a stream has the events of the session that the request names, and of no other', async () => {
    const { events, abort } = await connect({ 'x-mock-session': 'ada' })
    await client.send('GET', '/api/admin/projects')
    await client.send('GET', '/health', undefined, { headers: { 'x-mock-session': 'ada' } })
    expect((await events.next()).value).toMatchObject({ event: 'request', data: { path: '/health' } })
    abort.abort()
  })

  it('a client that reconnects first gets the events that it missed', async () => {
    await client.send('GET', '/health')
    await client.send('GET', '/api/admin/projects')
    const { events, abort } = await connect({ 'last-event-id': '1' })
    expect((await events.next()).value).toMatchObject({ id: '2', data: { path: '/api/admin/projects' } })
    abort.abort()
  })

  it('a client that begins to read late gets what has happened since it asked', async () => {
    const { events, abort } = await connect()
    await client.send('GET', '/health')
    await client.send('PUT', '/__mock/scenario', { name: 'slow' })
    expect((await events.next()).value).toMatchObject({ id: '1', data: { path: '/health' } })
    expect((await events.next()).value).toEqual({ event: 'scenario', data: { names: ['slow'] } })
    abort.abort()
  })

  it('nobody follows events whose client has left, whether it read them or not', async () => {
    const readers = () => client.mock[CORE].sessions.eventReaders.count
    const reading = await connect()
    await client.send('GET', '/health')
    await reading.events.next()
    expect(readers()).toBe(1)
    const { response, abort } = await connect()
    reading.abort.abort()
    abort.abort()
    response.body?.cancel().catch(() => undefined)
    await vi.waitFor(() => expect(readers()).toBe(0))
  })

  it('streams of events end when the mock is disposed', async () => {
    const { events } = await connect()
    await client.mock[Symbol.asyncDispose]()
    const rest = []
    for await (const event of events) rest.push(event)
    expect(rest.filter(({ event }) => event !== 'scenario')).toEqual([])
  })
})

describe('limits of event streams', () => {
  const follow = (mock: Mock) => mock.fetch(new Request('http://localhost/__mock/events'))
  const readers = (mock: Mock) => mock[CORE].sessions.eventReaders.count
  /** Follows events, and has read that it is connected. */
  const connected = async (mock: Mock) => {
    const reader = (await follow(mock)).body?.getReader()
    await reader?.read()
    return reader
  }
  const large = (mock: Mock) =>
    mock.fetch(
      new Request('http://localhost/auth/simple/login', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: 'x'.repeat(100_000), password: '' }),
      }),
    )

  it('a stream that nobody reads takes up nothing', async () => {
    const mock = createMock()
    const unread = []
    for (let asked = 0; asked < 2 * READERS_KEPT; asked++) unread.push(await follow(mock))
    expect([unread.every(({ ok }) => ok), readers(mock)]).toEqual([true, 0])
  })

  it('beyond the limit of readers, further ones are rejected until one has left', async () => {
    const mock = createMock()
    const streams = []
    for (let asked = 0; asked < READERS_KEPT; asked++) streams.push(await connected(mock))
    const rejected = await follow(mock)
    expect([rejected.status, rejected.headers.get('x-mock-error')]).toEqual([503, 'TOO_MANY_READERS'])
    await streams[0]?.cancel()
    expect((await follow(mock)).status).toBe(200)
  })

  it('what waits for all readers together is limited, and those furthest behind are cut off', async () => {
    const mock = createMock()
    await connected(mock)
    const reading = await connected(mock)
    for (let sent = 0; sent < BYTES_WAITING / 100_000 + 10; sent++) {
      await large(mock)
      await reading?.read()
    }
    expect(readers(mock)).toBe(1)
    await mock.fetch(new Request('http://localhost/health'))
    expect(new TextDecoder().decode((await reading?.read())?.value)).toContain('/health')
  })

  it('a client that catches up from the journal has no more waiting than others', async () => {
    const mock = createMock()
    for (let sent = 0; sent < 5; sent++) await large(mock)
    const { body } = await mock.fetch(
      new Request('http://localhost/__mock/events', { headers: { 'last-event-id': '1' } }),
    )
    const reader = body?.getReader()
    await reader?.read()
    await mock.fetch(new Request('http://localhost/health'))
    const ids = []
    for (let read = 0; read < 5; read++) {
      ids.push(/id: (\d+)/.exec(new TextDecoder().decode((await reader?.read())?.value))?.[1])
    }
    expect(ids).toEqual(['2', '3', '4', '5', '6'])
    for (let sent = 0; sent <= BACKLOG; sent++) await mock.fetch(new Request('http://localhost/health'))
    expect(readers(mock)).toBe(0)
  })

  it('without a journal, readers get events as well', async () => {
    const mock = createMock({ journalSize: 0 })
    const reader = await connected(mock)
    for (let sent = 0; sent < 3; sent++) await mock.fetch(new Request('http://localhost/health'))
    for (const id of ['1', '2', '3']) {
      expect(new TextDecoder().decode((await reader?.read())?.value)).toContain(`id: ${id}`)
    }
  })

  it('a server cuts the connection of a client that does not read', async () => {
    await using server = await startServer({}, { port: 0 })
    const socket = connectTo(server.port, '127.0.0.1')
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.on('error', () => undefined)
    socket.write('GET /__mock/events HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await vi.waitFor(() => expect(readers(server.mock)).toBe(1))
    socket.pause()
    for (let sent = 0; readers(server.mock) > 0 && sent < 2000; sent++) await large(server.mock)
    expect(readers(server.mock)).toBe(0)
    socket.resume()
    await closed
  })
})

it('streams of events end when the server closes', async () => {
  const server = await startServer({}, { port: 0 })
  const events = readEvents(await fetch(`${server.url}/__mock/events`))
  const rest = events.next().catch(() => ({ done: true }))
  await server.close()
  expect(await rest).toMatchObject({ done: true })
})
