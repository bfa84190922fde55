import { expect, it } from 'vitest'
import { CLIENT, EDITOR, NOW } from '../../support/adapters.js'
import { onBothProfiles } from '../../support/both.js'

const FEATURES = '/api/admin/projects/default/features'

/** JSON text in which a field is called `__proto__`, which an object literal can't have. */
const withNames = (value: object) => JSON.stringify(value).replaceAll('"PROTO"', '"__proto__"')
const entriesOf = (value: object | undefined) => Object.entries(value ?? {})

onBothProfiles('names that every object of JavaScript has', (client) => {
  const restored = () => {
    const before = JSON.stringify(client.mock.state())
    client.mock.restore(JSON.parse(before))
    return [before, JSON.stringify(client.mock.state())]
  }

  it('a feature and a variant called __proto__ are counted like any other', async () => {
    await client.send('POST', FEATURES, { name: '__proto__' })
    const toggles = { PROTO: { yes: 1, variants: { PROTO: 1, constructor: 1 } } }
    const report = withNames({ appName: 'shop', bucket: { start: NOW, stop: NOW, toggles } })
    for (let i = 0; i < 2; i++) await client.send('POST', '/api/client/metrics', report, { key: CLIENT })
    const [metrics] = client.mock.state().clientMetrics
    expect(metrics).toMatchObject({ featureName: '__proto__', yes: 2 })
    expect(entriesOf(metrics?.variants).toSorted()).toEqual(
      [
        ['__proto__', 2],
        ['constructor', 2],
      ].toSorted(),
    )
    const [before, after] = restored()
    expect(after).toBe(before)
  })

  it('a parameter called __proto__ is kept, and must be a text like any other', async () => {
    const strategies = `${FEATURES}/legacy-export/environments/development/strategies`
    const sent = withNames({ name: 'default', parameters: { PROTO: 'x', toString: 'y' } })
    expect((await client.send('POST', strategies, sent)).status).toBe(200)
    const strategy = client.mock.features.get('legacy-export')?.environments[0]?.strategies.at(-1)
    expect(entriesOf(strategy?.parameters)).toEqual(
      expect.arrayContaining([
        ['__proto__', 'x'],
        ['toString', 'y'],
      ]),
    )
    const wrong = withNames({ name: 'default', parameters: { PROTO: ['x'] } })
    expect((await client.send('POST', strategies, wrong)).status).toBe(400)
    const [before, after] = restored()
    expect(after).toBe(before)
  })

  it('a screen called __proto__ can be seen', async () => {
    expect((await client.send('POST', '/api/admin/splash/__proto__', undefined, { key: EDITOR })).status).toBe(200)
    const { splash } = client.mock.state().users.find(({ id }) => id === 2) ?? {}
    expect(entriesOf(splash)).toContainEqual(['__proto__', true])
  })

  it('records can be given under the name __proto__', () => {
    client.mock.add({ features: [{ name: '__proto__' }] })
    client.mock.add(JSON.parse('{"features":{"__proto__":{"description":"Named so"}}}'))
    expect(client.mock.features.get('__proto__')?.description).toBe('Named so')
    expect({}).not.toHaveProperty('description')
  })
})
