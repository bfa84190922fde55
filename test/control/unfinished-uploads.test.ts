import { connect } from 'node:net'
import { expect, it, onTestFinished, vi } from 'vitest'
import { CORE } from '../../src/engine/mock/session.js'
import { startServer } from '../../src/entries/adapters/node.js'
import { createMock } from '../../src/index.js'
import { FIXED } from '../support/adapters.js'

const HEAD = 'PATCH /__mock/state HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1000\r\n\r\n{"features'

it('a client that leaves during an upload to the control API changes nothing, without a report of a bug', async () => {
  const complaints = vi.spyOn(console, 'error').mockReturnValue()
  onTestFinished(() => complaints.mockRestore())
  const server = await startServer(createMock(FIXED), { port: 0 })
  const before = server.mock.state()
  const calls = vi.spyOn(server.mock[CORE], 'control')
  const socket = connect(server.port, '127.0.0.1')
  socket.write(HEAD)
  await vi.waitFor(() => expect(calls).toHaveBeenCalled(), { timeout: 10_000 })
  socket.destroy()
  await calls.mock.results[0]?.value.catch(() => undefined)
  await server.close(0)
  expect(complaints).not.toHaveBeenCalled()
  expect(server.mock.state()).toEqual(before)
})

it('in process, fetch rejects with the reason why the body ended', async () => {
  const complaints = vi.spyOn(console, 'error').mockReturnValue()
  onTestFinished(() => complaints.mockRestore())
  const reason = new Error('the disk is gone')
  const body = new ReadableStream({ start: (controller) => controller.error(reason) })
  const request = new Request('http://localhost/__mock/state', { method: 'PATCH', body, duplex: 'half' } as RequestInit)
  await expect(createMock(FIXED).fetch(request)).rejects.toBe(reason)
  expect(complaints).not.toHaveBeenCalled()
})
