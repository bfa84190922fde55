import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { startServer } from '../../src/doors/node.js'
import { ADMIN } from '../support/doors.js'

const head = `POST /api/admin/projects/default/features/legacy-export/clone HTTP/1.1
Host: localhost
Authorization: ${ADMIN}
Content-Type: application/json
Transfer-Encoding: chunked

`.replaceAll('\n', '\r\n')
const piece = `10000\r\n${'x'.repeat(0x10000)}\r\n`
const next = 'GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'

it('an upload that is too large is answered before the connection ends, which stays usable', async () => {
  await using server = await startServer({}, { port: 0 })
  const socket = connect(server.port, '127.0.0.1').setEncoding('utf8')
  socket.write(head + piece.repeat(50))
  let received = ''
  let isSent = false
  for await (const text of socket) {
    received += text
    if (!isSent) socket.write(`${piece.repeat(20)}0\r\n\r\n${next}`)
    isSent = true
  }
  expect(received.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200'])
})

it('an idle connection is kept for a minute, and clients are told', async () => {
  await using server = await startServer({}, { port: 0 })
  const { headers } = await fetch(`${server.url}/health`)
  expect(headers.get('keep-alive')).toBe('timeout=65')
})
