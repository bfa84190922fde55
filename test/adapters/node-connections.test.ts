import { once } from 'node:events'
import { Agent, createServer, request } from 'node:http'
import { connect as connectHttp2, createServer as createHttp2Server } from 'node:http2'
import { type AddressInfo, connect } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createListener } from '../../src/entries/adapters/node/listener.js'
import { startServer } from '../../src/entries/adapters/node.js'
import { createMock } from '../../src/index.js'
import { ADMIN } from '../support/adapters.js'

const head = `POST /api/admin/projects/default/features/legacy-export/clone HTTP/1.1
Host: localhost
Authorization: ${ADMIN}
Content-Type: application/json
Transfer-Encoding: chunked

`.replaceAll('\n', '\r\n')
const piece = `10000\r\n${'x'.repeat(0x10000)}\r\n`

it('an upload that is too large gets its response before it ends, and then the connection ends', async () => {
  await using server = await startServer({}, { port: 0 })
  const socket = connect(server.port, '127.0.0.1').setEncoding('utf8')
  socket.write(head + piece.repeat(50))
  let received = ''
  let isSent = false
  for await (const text of socket) {
    received += text
    if (!isSent) socket.write(`${piece.repeat(20)}0\r\n\r\n`)
    isSent = true
  }
  expect(received.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 413'])
  expect(received).toMatch(/connection: close/i)
  expect(received).toContain('PayloadTooLargeError')
})

// Each waits until the server stops reading the rest of the body.
it.concurrent.each([
  ['of the service', '/api/admin/tags', ''],
  ['of a page', '/api/admin/tags', 'Origin: http://localhost:3000\r\n'],
  ['of the control API', '/__mock/state', ''],
])('a request %s that announces too much gets a response at once, and the connection ends', async (_, path, origin) => {
  await using server = await startServer({}, { port: 0 })
  const socket = connect(server.port, '127.0.0.1').setEncoding('utf8')
  const lines = [
    'POST',
    path,
    'HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99999999\r\n',
  ]
  const method = path.startsWith('/__mock') ? 'PUT' : 'POST'
  socket.write(`${lines.join(' ').replace('POST', method)}Authorization: ${ADMIN}\r\n${origin}\r\n{"name":`)
  let received = ''
  for await (const text of socket) received += text
  expect(received).toMatch(/^HTTP\/1.1 413/)
  expect(received.slice(received.indexOf('\r\n\r\n') + 4)).toMatch(/^\{"/)
})

it.each([
  ['an unmodelled path', 501, {}, '/api/admin/unmodelled'],
  ['an unknown path', 501, {}, '/nothing'],
  ['a missing token', 401, { authorization: '' }, '/api/admin/tags'],
  ['another media type', 415, { 'content-type': 'text/plain' }, '/api/admin/tags'],
  ['a page of another site', 403, { origin: 'http://evil.example' }, '/api/admin/tags'],
])('a rejected upload ends in words, and so does the next request: %s', async (_, status, headers, path) => {
  await using server = await startServer({}, { port: 0 })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  const send = async (path: string, body: Buffer, isChunked = false) => {
    const length = isChunked ? {} : { 'content-length': body.length }
    const all = { authorization: ADMIN, 'content-type': 'application/json', ...headers, ...length }
    const sending = request(server.url + path, { method: 'POST', agent, headers: all })
    if (isChunked) for (let at = 0; at < body.length; at += 0x10000) sending.write(body.subarray(at, at + 0x10000))
    sending.end(isChunked ? undefined : body)
    const [response] = await once(sending, 'response')
    response.resume()
    await once(response, 'close')
    return response.statusCode
  }
  for (const isChunked of [false, true]) {
    const next = () => send('/api/admin/unmodelled/next', Buffer.alloc(2))
    expect([await send(path, Buffer.alloc(3_000_000, 'x'), isChunked), await next()]).toEqual([
      status,
      status === 403 ? 403 : 501,
    ])
  }
})

it('a body is read only up to its limit, in process and over HTTP/2', async () => {
  const mock = createMock()
  let given = 0
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      given++
      controller.enqueue(new Uint8Array(0x10000))
    },
  })
  const headers = { authorization: ADMIN, 'content-type': 'application/json' }
  const init: RequestInit & { duplex: 'half' } = { method: 'POST', headers, body, duplex: 'half' }
  expect((await mock.fetch(new Request('http://localhost/api/admin/tags', init))).status).toBe(413)
  expect(given).toBeLessThan(10)

  const server = createHttp2Server(createListener(mock)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connectHttp2(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  onTestFinished(() => {
    client.destroy()
    server.close()
  })
  const stream = client.request({ ':method': 'POST', ':path': '/api/admin/tags', ...headers }, { endStream: false })
  let sent = 0
  stream.on('error', () => undefined)
  const send = () => {
    while (sent < 5000 && !stream.closed && stream.write(Buffer.alloc(0x10000))) sent++
  }
  stream.on('drain', send)
  send()
  const [answered] = await once(stream, 'response')
  expect(answered[':status']).toBe(413)
  expect(sent).toBeLessThan(5000)
})

it('an idle connection stays open for a minute, and clients are told', async () => {
  await using server = await startServer({}, { port: 0 })
  const { headers } = await fetch(`${server.url}/health`)
  expect(headers.get('keep-alive')).toBe('timeout=65')
})

it('a client that gives up while it waits is not reported as a bug', async () => {
  const print = vi.spyOn(console, 'error').mockReturnValue()
  onTestFinished(() => print.mockRestore())
  const mock = createMock()
  mock.force({ operation: 'getHealth', delay: 3_600_000 })
  const listener = createListener(mock)
  const abort = new AbortController()
  let answered: Promise<void> | undefined
  const server = createServer((incoming, outgoing) => {
    answered = listener(incoming, outgoing)
    abort.abort()
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await expect(fetch(`http://127.0.0.1:${port}/health`, { signal: abort.signal })).rejects.toThrow('aborted')
  await answered
  expect(answered).toBeDefined()
  expect(print).not.toHaveBeenCalled()
})

it("a server reports a taken port, with Node's error code", async () => {
  await using first = await startServer({}, { port: 0 })
  const { port } = first
  await expect(startServer({}, { port })).rejects.toMatchObject({
    code: 'EADDRINUSE',
    message: `Port ${port} on 127.0.0.1 is already in use. Stop the other server, or use another port, such as ${port + 1} (--port ${port + 1}). 0 picks a free one (--port 0).`,
  })
})
