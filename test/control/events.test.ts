import { expect, it } from 'vitest'
import { startServer } from '../../src/doors/node.js'
import { onEveryDoor } from '../support/doors.js'
import { readEvents } from '../support/events.js'

onEveryDoor('Server-sent events', (client) => {
  const connect = async (headers: Record<string, string> = {}) => {
    const abort = new AbortController()
    const response = await client.door.fetch('/__mock/events', { headers, signal: abort.signal })
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

  it('streams of events end when the mock is disposed', async () => {
    const { events } = await connect()
    await client.mock[Symbol.asyncDispose]()
    const rest = []
    for await (const event of events) rest.push(event)
    expect(rest.filter(({ event }) => event !== 'scenario')).toEqual([])
  })
})

it('streams of events end when the server closes', async () => {
  const server = await startServer({}, { port: 0 })
  const events = readEvents(await fetch(`${server.url}/__mock/events`))
  const rest = events.next().catch(() => ({ done: true }))
  await server.close()
  expect(await rest).toMatchObject({ done: true })
})
