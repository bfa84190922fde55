import { expect, it, vi } from 'vitest'
import { operate } from '../../../src/engine/http/operation.js'
import { resolve } from '../../../src/engine/http/resolve.js'
import { CORE } from '../../../src/engine/mock/session.js'
import { createMock } from '../../../src/index.js'
import { operations, post } from '../../../src/service/resources/shared/rows.js'
import { onEveryAdapter } from '../../support/adapters.js'

onEveryAdapter('headers of responses', (client) => {
  it.each([
    ['日本語', '%E6%97%A5%E6%9C%AC%E8%AA%9E'],
    ['café', 'caf%C3%A9'],
    ['a\nb\r\nc', 'a%0Ab%0D%0Ac'],
    ['🚀 go', '%F0%9F%9A%80%20go'],
    ['half \ud83d', 'half%20%EF%BF%BD'],
    ['"<{}>"', '%22%3C%7B%7D%3E%22'],
  ])('the URL of a new record is percent-encoded: %j', async (value, encoded) => {
    const tag = await client.send('POST', '/api/admin/tags', { type: 'simple', value })
    expect([tag.status, tag.headers.get('location')]).toEqual([201, `tags/simple/${encoded}`])
  })
})

it("a response with a header that can't be sent stores nothing", () => {
  const told = vi.spyOn(console, 'error').mockImplementation(() => {})
  const core = createMock()[CORE]
  const world = core.sessions.unnamed.world()
  const operation = (header: string) =>
    operations('Tags', {
      test: post('/test', {
        summary: '',
        access: 'public',
        success: { status: 200, description: '' },
        run: ({ tables }) => {
          tables.tags.insert({ type: 'simple', value: 'stored' })
          return { headers: { 'x-header': header } }
        },
      }),
    })[0]
  const run = (header: string) => {
    const request = new Request('http://localhost/test', { method: 'POST' })
    const row = operation(header)
    if (row === undefined) throw new Error('There is no row.')
    const { data: call, failure } = resolve(request, {}, { place: 'other', path: '/test' }, core.service.mock, true)
    if (failure !== undefined) throw failure
    return operate({ ...call, row, world }).answer
  }
  const isStored = () => world.snapshot().tags.some(({ value }) => value === 'stored')
  for (const header of ['a\nb', '日本', '\u0000']) {
    const { status, headers, body } = run(header)
    expect([status, headers['x-mock-error']]).toEqual([500, 'INTERNAL'])
    expect(body).toContain("x-header of the response can't be sent")
    expect(isStored()).toBe(false)
  }
  expect([run('ok').status, isStored()]).toEqual([200, true])
  expect(told).toHaveBeenCalledTimes(3)
  told.mockRestore()
})
