import { describe, expect, it, onTestFinished } from 'vitest'
import { createMock } from '../../../src/engine/mock/mock.js'
import { startServer } from '../../../src/entries/adapters/node.js'
import { onEveryAdapter, read } from '../../support/adapters.js'
import { by, running, tokens } from '../../support/unleash-8.js'

onEveryAdapter(
  "Unleash's paths for SDKs",
  (client) => {
    const get = async (path: string, key: string | null) => {
      const { status, body } = await client.send('GET', path, undefined, by(key))
      return [status, typeof body === 'string' ? 'a page' : Object.keys(body)]
    }

    it.each(['/api/client/features', '/api/frontend'])(
      '%s: an apparent token of an admin or a user is of the wrong kind, known or not',
      async (path) => {
        client.mock.add({ apiTokens: [{ secret: '*:*.sdk', type: 'client' }] })
        for (const key of [tokens.admin, tokens.viewer, '*:*.sdk', '*:*.nobody', 'user:nobody', 'Bearer user:nobody']) {
          expect(await get(path, key), key).toEqual([403, ['message']])
        }
        for (const key of [null, '', 'nobody', '*:development.nobody', 'default:*.nobody']) {
          expect(await get(path, key), String(key)).toEqual([401, ['message']])
        }
      },
    )
  },
  running,
)

describe("Unleash's paths for SDKs, below a prefix", () => {
  // msw leaves unknown paths to other handlers, so the test needs a whole host.
  const open = async () => {
    const mock = createMock(running)
    mock.add({ apiTokens: [{ secret: '*:development.page', type: 'frontend' }] })
    const server = await startServer(mock, { port: 0 })
    onTestFinished(() => server.close())
    return async (path: string, key: string | null) => {
      const answer = await fetch(server.url + path, { headers: key === null ? {} : { authorization: key } })
      const { status, body } = await read(answer)
      return [status, typeof body === 'string' ? 'a page' : Object.keys(body)]
    }
  }

  it.each(['/demo/api/client/features', '/demo///api/client/features', '/a/b/api/frontend', '/x/api/clients'])(
    '%s needs a token',
    async (path) => {
      const get = await open()
      expect(await get(path, null)).toEqual([401, ['message']])
      expect(await get(path, 'nobody')).toEqual([401, ['message']])
      expect(await get(path, `Bearer ${tokens.client}`)).toEqual([401, ['message']])
      const page = '*:development.page'
      const [own, other] = path.includes('client') ? [tokens.client, page] : [page, tokens.client]
      expect(await get(path, other)).toEqual([403, ['message']])
      expect(await get(path, own)).toEqual([200, 'a page'])
      expect(await get(path, tokens.admin)).toEqual([200, 'a page'])
    },
  )

  it.each(['/demo/api/admin/projects', '/demo/API/CLIENT/features', '/demo?of=/api/client'])(
    '%s is a page',
    async (path) => {
      const get = await open()
      expect(await get(path, null)).toEqual([200, 'a page'])
    },
  )

  it.each(['/api/client/nope', '/api/frontend/nope'])('%s requires the right kind of API token', async (path) => {
    const get = await open()
    expect(await get(path, 'user:nobody')).toEqual([403, ['message']])
    expect(await get(path, 'nobody')).toEqual([401, ['message']])
  })
})
