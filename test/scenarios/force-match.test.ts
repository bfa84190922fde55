import { expect, it } from 'vitest'
import { createMock, defineScenario, type ForceRule } from '../../src/index.js'
import { onEveryAdapter } from '../support/adapters.js'
import { errorOf } from '../support/errors.js'

const features = '/api/admin/projects/default/features'
const cloneOf = (name: string) => `${features}/${name}/clone`

onEveryAdapter('rules with a match', (client) => {
  const statusOf = async (...request: Parameters<typeof client.send>) => (await client.send(...request)).status

  it('a rule can apply to one feature only', async () => {
    client.mock.force({
      operation: 'cloneFeature',
      match: { params: { featureName: 'checkout-redesign' } },
      status: 503,
    })
    expect(await statusOf('POST', cloneOf('checkout-redesign'), { name: 'a' })).toBe(503)
    expect(await statusOf('POST', cloneOf('legacy-export'), { name: 'b' })).toBe(200)
  })

  it('a rule compares decoded parameters', async () => {
    client.mock.force({ operation: 'getFeature', match: { params: { featureName: 'a b' } }, status: 503 })
    expect(await statusOf('GET', `${features}/a%20b`)).toBe(503)
    expect(await statusOf('GET', `${features}/a%2520b`)).toBe(404)
  })

  it('a rule can match a query, headers and a part of the body', async () => {
    client.mock.force({ operation: 'getFeatures', match: { query: { archived: true } }, status: 500 })
    expect(await statusOf('GET', `${features}?x=1&archived=true`)).toBe(500)
    expect(await statusOf('GET', `${features}?archived=false`)).toBe(200)
    expect(await statusOf('GET', features)).toBe(200)
    client.mock.force({ operation: 'getProjects', match: { headers: { 'X-Tenant': 'b' } }, status: 500 })
    expect(await statusOf('GET', '/api/admin/projects', undefined, { headers: { 'x-tenant': 'b' } })).toBe(500)
    expect(await statusOf('GET', '/api/admin/projects', undefined, { headers: { 'x-tenant': 'c' } })).toBe(200)
    client.mock.force({ operation: 'cloneFeature', match: { body: { replaceGroupId: false } }, status: 500 })
    expect(await statusOf('POST', cloneOf('legacy-export'), { name: 'a', replaceGroupId: false })).toBe(500)
    expect(await statusOf('POST', cloneOf('legacy-export'), { name: 'a' })).toBe(200)
  })

  it('a rule that matches a body precedes every check, and the journal has the body', async () => {
    client.mock.force({ operation: 'cloneFeature', match: { body: { name: 'a' } }, status: 409 })
    expect(await statusOf('POST', cloneOf('legacy-export'), { name: 'a' }, { key: null })).toBe(409)
    expect(await statusOf('POST', cloneOf('legacy-export'), { name: 'b' }, { key: null })).toBe(401)
    expect(client.mock.requests.all()[0]).toMatchObject({ status: 409, requestBody: { name: 'a' } })
  })

  it.each(['{', '[]', '"a"', 'null', `{"name":"${'x'.repeat(200_000)}"}`])(
    'a rule that matches a body leaves other bodies to the operation',
    async (body) => {
      client.mock.force({ operation: 'cloneFeature', match: { body: { name: 'a' } }, status: 503 })
      expect(await statusOf('POST', cloneOf('legacy-export'), body)).toBeOneOf([400, 413])
    },
  )

  it('only matching requests count for after and times', async () => {
    const match = { params: { featureName: 'checkout-redesign' } }
    client.mock.force({ operation: 'getFeature', match, status: 503, after: 1, times: 1 })
    const names = ['legacy-export', 'checkout-redesign', 'legacy-export', 'checkout-redesign', 'checkout-redesign']
    const statuses: number[] = []
    for (const name of names) statuses.push(await statusOf('GET', `${features}/${name}`))
    expect(statuses).toEqual([200, 200, 200, 503, 200])
  })

  it('the control API accepts and returns a match', async () => {
    const rule = { operation: 'getFeature', match: { params: { featureName: 'legacy-export' } }, status: 404 }
    const made = await client.send('POST', '/__mock/forced', rule)
    expect([made.status, made.body]).toMatchObject([201, rule])
    expect((await client.send('GET', '/__mock/forced')).body).toMatchObject([rule])
    expect(await statusOf('GET', `${features}/checkout-redesign`)).toBe(200)
    expect(await statusOf('GET', `${features}/legacy-export`)).toBe(404)
  })

  it.each<[string, unknown, string]>([
    ['only an operation', { operation: 'getFeature' }, '$.status: is required, unless the rule has error, body'],
    ['no delay and no headers', { operation: '*', delay: 0, headers: {} }, '$.status: is required'],
    ['only when, not what', { operation: '*', after: 1, times: 2 }, '$.status: is required'],
    ['status 200 and nothing else', { operation: '*', status: 200 }, '$.status: must come with a body'],
    ['an empty match', { operation: '*', status: 500, match: {} }, '$.match: must contain params'],
    ['an unknown part', { operation: '*', status: 500, match: { path: '/x' } }, '"path"'],
    [
      'an unknown parameter',
      { operation: 'getFeature', status: 500, match: { params: { featurName: 'x' } } },
      'Did you mean "featureName"?',
    ],
    [
      'a parameter that is an object',
      { operation: '*', status: 500, match: { params: { featureName: {} } } },
      '$.match',
    ],
  ])('a rule without an effect is rejected: %s', async (_, rule, fact) => {
    const error = errorOf(() => client.mock.force(rule as ForceRule))
    expect([error.code, error.message]).toEqual(['INVALID_RULE', expect.stringContaining(fact)])
    const posted = await client.send('POST', '/__mock/forced', JSON.stringify(rule))
    expect([posted.status, posted.body.code]).toEqual([400, 'INVALID_RULE'])
  })
})

it('a rule rejects a cyclic body, with the place', () => {
  const circular: Record<string, unknown> = {}
  circular.self = circular
  const { code, message } = errorOf(() => createMock().force({ operation: '*', body: circular }))
  expect([code, message]).toEqual(['INVALID_RULE', expect.stringContaining('$.body.self.self')])
})

it.each([() => 1, Symbol('x'), 5n, { price: 5n }, { run() {} }])("a rule rejects a body that isn't JSON", (body) => {
  const force = () => createMock().force({ operation: '*', body })
  expect(errorOf(force)).toMatchObject({
    code: 'INVALID_RULE',
    problem: expect.stringContaining('$.body: must be JSON'),
  })
})

it('a scenario rejects a rule without an effect', () => {
  const scenario = { name: 'mine', title: 'Mine', promise: 'Nothing.', force: [{ operation: 'getFeature' as const }] }
  expect(errorOf(() => defineScenario(scenario)).message).toContain('$.force[0].status: is required')
})
