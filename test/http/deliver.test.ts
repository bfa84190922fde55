import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { type Answer, toWebResponse } from '../../src/engine/http/answer.js'
import type { AppContext } from '../../src/engine/http/app.js'
import { deliverBySocket } from '../../src/entries/adapters/node/delivery.js'

const faulty = (fault: Answer['fault']): Answer => ({
  status: 200,
  headers: { 'x-one': '1' },
  body: '{"name":"checkout-redesign"}',
  cookies: ['a=1', 'b=2'],
  fault,
})

it.each(['truncate', 'malformed'] as const)(
  'an answer with the fault %s keeps its headers and all cookies',
  async (fault) => {
    const { headers } = await toWebResponse(faulty(fault), new Request('http://localhost/'))
    expect([headers.get('x-one'), headers.getSetCookie()]).toEqual(['1', ['a=1', 'b=2']])
  },
)

it('an answer that a Node server truncates keeps its headers and all cookies', async () => {
  const server = createServer((incoming, outgoing) => {
    deliverBySocket(faulty('truncate'), { env: { incoming, outgoing } } as unknown as AppContext)
  })
  onTestFinished(() => void server.close())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const response = await fetch(`http://127.0.0.1:${port}/`)
  expect([response.headers.get('x-one'), response.headers.getSetCookie()]).toEqual(['1', ['a=1', 'b=2']])
  await expect(response.text()).rejects.toThrow()
})
