import { expect, it } from 'vitest'
import { CLIENT, EDITOR, NOW } from '../../support/adapters.js'
import { onBothProfiles } from '../../support/both.js'

const FEATURES = '/api/admin/projects/default/features'
const STRATEGIES = `${FEATURES}/legacy-export/environments/development/strategies`

/** JSON text with a field called `__proto__`, which an object literal can't have. */
const withNames = (value: object) => JSON.stringify(value).replaceAll('"PROTO"', '"__proto__"')

onBothProfiles('names of inherited properties in JavaScript', (client) => {
  it.each(['__proto__', 'constructor', 'toString'])('%s is an ordinary name of a record', async (name) => {
    await client.send('POST', FEATURES, { name })
    client.mock.add({ features: [{ name, description: 'Named so' }] })
    expect(client.mock.features.get(name)?.description).toBe('Named so')
    expect({}).not.toHaveProperty('description')
    const before = JSON.stringify(client.mock.state())
    client.mock.restore(JSON.parse(before))
    expect(JSON.stringify(client.mock.state())).toBe(before)
  })

  it('constructor is an ordinary name of a field', async () => {
    const toggles = { constructor: { yes: 1, variants: { toString: 1 } } }
    await client.send('POST', FEATURES, { name: 'constructor' })
    const report = { appName: 'shop', bucket: { start: NOW, stop: NOW, toggles } }
    await client.send('POST', '/api/client/metrics', report, { key: CLIENT })
    expect(client.mock.state().clientMetrics).toMatchObject([{ featureName: 'constructor', variants: { toString: 1 } }])
  })

  it.each([
    ['/body/parameters/__proto__', STRATEGIES, { name: 'default', parameters: { PROTO: 'x' } }],
    ['/body/variants/0/__proto__', STRATEGIES, { name: 'default', variants: [{ PROTO: {} }] }],
    ['/body/__proto__', FEATURES, { name: 'new', PROTO: { archived: true } }],
  ])('no field can be called __proto__: %s', async (path, target, sent) => {
    const { status, body } = await client.send('POST', target, withNames(sent))
    expect([status, body.details]).toEqual([400, [{ message: expect.stringContaining(`"${path}"`), path }]])
    expect(client.mock.features.get('new')).toBeUndefined()
  })

  it('a name that becomes a field of a record is also rejected', async () => {
    expect((await client.send('POST', '/api/admin/splash/__proto__', undefined, { key: EDITOR })).status).toBe(400)
    client.mock.add({ environments: [{ name: '__proto__' }], projects: [{ id: 'p', environments: ['__proto__'] }] })
    const at = '/api/admin/projects/p/environments/__proto__/default-strategy'
    expect((await client.send('POST', at, { name: 'flexibleRollout' })).status).toBe(400)
  })

  it.each([
    ['$.features.__proto__', { features: { PROTO: { description: 'x' } } }],
    ['$.users[0].splash.__proto__', { users: [{ id: 1, splash: { PROTO: true } }] }],
    ['$.__proto__', { PROTO: [] }],
  ])('seed data with a field called __proto__ is rejected with its place: %s', (path, given) => {
    const state = JSON.parse(withNames(given))
    const fault = { path, message: expect.stringContaining('is a reserved name') }
    for (const load of [() => client.mock.add(state), () => client.mock.restore(state)]) {
      expect(load).toThrow(expect.objectContaining({ code: 'INVALID_STATE', faults: [fault] }))
    }
  })
})
