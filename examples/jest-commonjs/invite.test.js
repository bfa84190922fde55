import { createMock } from 'flagdouble'
import { createHandlers, listenOptions } from 'flagdouble/msw'
import { setupServer } from 'msw/node'
import { readInvite, switchInvite } from './invite.js'

const mock = createMock()
const server = setupServer(...createHandlers(mock))

beforeAll(() => server.listen(listenOptions()))
afterEach(() => mock.reset())
afterAll(() => server.close())

test('switches an invite link off', async () => {
  expect(await switchInvite('live-invite', false)).toMatchObject({ enabled: false })
  expect(mock.signupTokens.get('live-invite')).toMatchObject({ enabled: false })
  expect(mock).toHaveReceived('updatePublicSignupToken', { body: { enabled: false }, times: 1 })
})

test('an expired link is off, whatever was set; no fake timers are needed', async () => {
  expect(await readInvite('live-invite')).toMatchObject({ enabled: true })
  mock.clock.advance({ days: 31 })
  expect(await readInvite('live-invite')).toMatchObject({ enabled: false })
  expect(await switchInvite('live-invite', true)).toMatchObject({ enabled: false })
})
