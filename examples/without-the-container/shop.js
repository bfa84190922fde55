import { once } from 'node:events'
import { createServer } from 'node:http'
import { InMemStorageProvider, Unleash } from 'unleash-client'

/** A back end that polls the flag service. `GET /checkout` returns "old" or "new". */
export async function startShop(serviceUrl, customHeaders) {
  const flags = new Unleash({
    url: `${serviceUrl}/api/`,
    appName: 'shop',
    refreshInterval: 100,
    storageProvider: new InMemStorageProvider(),
    customHeaders,
  })
  await once(flags, 'synchronized')
  const server = createServer((_, response) => response.end(flags.isEnabled('new-checkout') ? 'new' : 'old'))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${server.address().port}`,
    close() {
      flags.destroy()
      server.close()
    },
  }
}
