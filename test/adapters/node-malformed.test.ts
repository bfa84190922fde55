import { connect } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { startServer } from '../../src/entries/adapters/node.js'

/** The response of a Node server to bytes that no client library would send. */
async function exchange(bytes: string): Promise<{ status: number; code: string | undefined; body: unknown }> {
  const server = await startServer({}, { port: 0 })
  onTestFinished(() => server.close(0))
  const socket = connect(server.port, '127.0.0.1')
  socket.end(bytes)
  let text = ''
  for await (const chunk of socket) text += chunk
  const [head = '', body = ''] = text.split('\r\n\r\n')
  const [, code] = /^x-mock-error: (.*)$/im.exec(head) ?? []
  return { status: Number(head.split(' ')[1]), code, body: JSON.parse(body) }
}

it.each([
  [
    'a backslash in the path',
    'GET /a\\b HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
    400,
    'MALFORMED_REQUEST',
  ],
  ['an invalid Host', 'GET /health HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n', 400, 'MALFORMED_REQUEST'],
  ['no Host', 'GET /health HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'MALFORMED_REQUEST'],
  ['what is not HTTP', 'HELLO\r\n\r\n', 400, 'MALFORMED_REQUEST'],
  [
    'two lengths',
    'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    400,
    'MALFORMED_REQUEST',
  ],
  ['huge headers', `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`, 431, 'HEADERS_TOO_LARGE'],
  ['a foreign Host', 'GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n', 403, 'HOST_NOT_ALLOWED'],
])('the Node server rejects %s with an error object', async (_, bytes, status, code) => {
  expect(await exchange(bytes)).toMatchObject({ status, code, body: { name: 'MockError', code } })
})

it.each(['/health', '/ready'])('a load balancer checks %s over HTTP/1.0, without a Host', async (path) => {
  expect(await exchange(`GET ${path} HTTP/1.0\r\n\r\n`)).toMatchObject({ status: 200 })
})

it('HTTP/1.0 without a Host reaches nothing else', async () => {
  expect(await exchange('GET /api/admin/projects HTTP/1.0\r\n\r\n')).toMatchObject({ status: 400 })
})
