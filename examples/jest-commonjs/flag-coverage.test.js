import { createMock } from 'flagdouble'
import { createHandlers, listenOptions } from 'flagdouble/msw'
import { setupServer } from 'msw/node'
import { UnleashClient } from 'unleash-proxy-client'

const mock = createMock({ fixtures: { features: [{ name: 'new-checkout', enabled: true }] } })
const server = setupServer(...createHandlers(mock))

beforeAll(() => server.listen(listenOptions()))
afterEach(() => mock.reset())
afterAll(() => server.close())

test.each(['basket', 'invoice'])('the %s asks for a flag', async (appName) => {
  const url = 'http://flags.example.com/api/frontend'
  const sdk = new UnleashClient({ url, clientKey: '*:development.mock-frontend', appName, disableMetrics: true })
  await sdk.start()
  expect(sdk.isEnabled('new-checkout')).toBe(true)
  sdk.stop()
})
