import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { startShop } from './shop.js'

const service = process.env.FLAGDOUBLE_URL
const features = '/api/admin/projects/default/features'
const development = `${features}/new-checkout/environments/development`

/** A session of the single server, with its own data: its header selects it. */
function openSession() {
  const session = { 'x-mock-session': randomUUID() }

  async function ask(method, path, body) {
    const response = await fetch(service + path, {
      method,
      headers: {
        ...session,
        authorization: '*:*.unleash-insecure-admin-api-token',
        'content-type': 'application/json',
      },
      body: body && JSON.stringify(body),
    })
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${await response.clone().text()}`)
  }

  return {
    async createFlag() {
      await ask('POST', features, { name: 'new-checkout', type: 'release' })
      await ask('POST', `${development}/strategies`, { name: 'default' })
    },
    flip: (state) => ask('POST', `${development}/${state}`),
    startShop: () =>
      startShop(service, { ...session, Authorization: 'default:development.unleash-insecure-api-token' }),
    // The response is 304 once the SDK has the current flags.
    shopKnows: () => ask('GET', '/__mock/requests?operation=getAllClientFeatures&status=304&wait=5000'),
  }
}

const checkoutOf = async (shop) => (await fetch(`${shop.url}/checkout`)).text()

describe('two tests share a server, and neither sees the flags of the other', { concurrency: true }, () => {
  test('a flag that is switched on brings the new checkout', async (t) => {
    const session = openSession()
    await session.createFlag()
    const shop = await session.startShop()
    t.after(shop.close)
    assert.equal(await checkoutOf(shop), 'old')

    await session.flip('on')
    await session.shopKnows()
    assert.equal(await checkoutOf(shop), 'new')
  })

  test('a flag that is switched off brings the old checkout back', async (t) => {
    const session = openSession()
    await session.createFlag()
    await session.flip('on')
    const shop = await session.startShop()
    t.after(shop.close)
    assert.equal(await checkoutOf(shop), 'new')

    await session.flip('off')
    await session.shopKnows()
    assert.equal(await checkoutOf(shop), 'old')
  })
})
