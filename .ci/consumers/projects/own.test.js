// The project's own server of msw or, in a page, its own worker.
import { useMock } from 'flagdouble/vitest'
import { HttpResponse, http } from 'msw'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'

const handlers = [http.get('http://other.example.com/x', () => HttpResponse.text('theirs'))]
const isInPage = 'document' in globalThis
const server = isInPage
  ? (await import('msw/browser')).setupWorker(...handlers)
  : (await import('msw/node')).setupServer(...handlers)
beforeAll(() => (isInPage ? server.start({ quiet: true }) : server.listen()))
afterEach(() => server.resetHandlers())
afterAll(() => (isInPage ? server.stop() : server.close()))

const mock = useMock({ server })

test.each([1, 2])('both respond, %s', async () => {
  expect(await (await fetch('http://other.example.com/x')).text()).toBe('theirs')
  await fetch('http://flags.example.com/api/admin/projects', { headers: { authorization: '*:*.mock-admin' } })
  expect(mock).toHaveReceived('getProjects', 1)
})
