import { beforeEach, describe, expect, it } from 'vitest'
import { createMock, type Mock } from '../../src/index.js'
import { ADMIN } from '../support/adapters.js'

let mock: Mock

beforeEach(() => {
  mock = createMock()
})

async function send(method: string, path: string, body: string) {
  const response = await mock.fetch(new Request(`http://localhost/__mock${path}`, { method, body }))
  return { status: response.status, body: JSON.parse(await response.text()) as { code: string; message: string } }
}

const list = (item: string, count: number) => `[${Array(count).fill(item).join(',')}]`

describe('a large control body is rejected with its first errors', () => {
  it.each<[string, string, string, string]>([
    ['records without fields', 'PATCH', `{"features":${list('{}', 30_000)}}`, '$.features[0].name'],
    ['records of a wrong type', 'PUT', `{"users":${list('[1]', 30_000)}}`, '$.users[0]'],
    ['a list inside a record', 'PATCH', `{"segments":[{"id":1,"constraints":${list('1', 30_000)}}]}`, 'constraints[0]'],
    ['nested lists', 'PATCH', `{"features":${list('['.repeat(400) + ']'.repeat(400), 3000)}}`, '$.features[0]'],
  ])('%s', async (_, method, body, fact) => {
    const answer = await send(method, '/state', body)
    expect([answer.status, answer.body.code]).toEqual([400, 'INVALID_STATE'])
    expect(answer.body.message).toContain(fact)
    expect(answer.body.message.length).toBeLessThan(2000)
  })

  it.each<[string, string, string]>([
    ['records', 'PATCH /state', `{"features":${list('{}', 500_000)}}`],
    ['records after valid ones', 'PATCH /state', `{"features":[{"name":"a"},${list('{}', 500_000).slice(1)}}`],
    [
      'rules of a scenario',
      'PUT /scenarios/mine',
      `{"name":"mine","title":"t","promise":"p","force":${list('{}', 500_000)}}`,
    ],
    [
      'lists inside a record',
      'PATCH /state',
      `{"features":[{"name":"a","environments":[{"name":"development","strategies":${list('{}', 200_000)}}]}]}`,
    ],
  ])('a hundred wrong items are told, however many there are: %s', async (_, call, body) => {
    const [method = '', path = ''] = call.split(' ')
    const answer = await send(method, path, body)
    expect(answer.status).toBe(400)
    expect(answer.body.message).toMatch(/; and at least 90 more\.$/)
  })

  it('unknown properties: ten are named', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 9000 }, (_, i) => [`k${i}`, 1]))
    const answer = await send('PATCH', '/state', JSON.stringify(unknown))
    expect(answer.body.message).toContain('"k9" is unknown; and 8990 more')
  })

  it('an object with more than 10,000 properties', async () => {
    const headers = Object.fromEntries(Array.from({ length: 10_001 }, (_, i) => [`k${i}`, '']))
    const answer = await send('POST', '/forced', JSON.stringify({ operation: '*', headers }))
    expect([answer.status, answer.body.code]).toEqual([400, 'INVALID_REQUEST'])
    expect(answer.body.message).toContain('more than 10000 properties')
  })
})

describe.each(['documented', 'unleash-8'] as const)('a large body of the mocked API (%s)', (profile) => {
  it.each([
    ['a list', `{"features":${list('{}', 160_000)}}`],
    ['a nested list', `{"features":[],"featureStrategies":[{"name":"x","constraints":${list('{}', 160_000)}}]}`],
    ['unknown properties', `{${Array.from({ length: 30_000 }, (_, i) => `"k${i}":1`).join(',')}}`],
  ])('is rejected with at most a hundred errors: %s', async (_, data) => {
    const request = new Request('http://localhost/api/admin/features-batch/import', {
      method: 'POST',
      headers: { authorization: ADMIN, 'content-type': 'application/json' },
      body: `{"project":"default","environment":"development","data":${data}}`,
    })
    const response = await createMock({ profile }).fetch(request)
    const { details } = (await response.json()) as { details: unknown[] }
    expect([response.status, details.length <= 100]).toEqual([400, true])
  })
})

it('only a state can have more than 1 MiB', async () => {
  const rule = (bytes: number) => `{"operation":"*","body":"`.padEnd(bytes - 2, 'x').concat('"}')
  expect((await send('POST', '/forced', rule(1024 * 1024))).status).toBe(201)
  const answer = await send('POST', '/forced', rule(1024 * 1024 + 1))
  expect([answer.status, answer.body.code]).toEqual([413, 'BODY_TOO_LARGE'])
  expect(answer.body.message).toContain('The body is larger than 1 MiB.')
})
