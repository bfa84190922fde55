import { describe, expect, test as plainTest } from 'vitest'
import { type ReceivedRequest, test, useMock } from '../../src/entries/adapters/vitest.js'
import { createMock, type OperationId } from '../../src/index.js'
import { ADMIN } from '../support/adapters.js'

const features = 'https://flags.example.com/api/admin/projects/default/features'

async function clone(name: string) {
  return fetch(`${features}/checkout-redesign/clone`, {
    method: 'POST',
    headers: { authorization: ADMIN, 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  })
}

function failureOf(act: () => unknown): { message: string; actual?: unknown; expected?: unknown } {
  try {
    act()
  } catch (error) {
    return error as Error
  }
  throw new Error('Nothing failed.')
}

describe('toHaveReceived', () => {
  const mock = useMock()

  plainTest('toHaveReceived counts the requests for an operation', async () => {
    expect(mock).not.toHaveReceived('cloneFeature')
    expect(mock).toHaveReceived('cloneFeature', 0)
    await clone('one')
    expect(mock).toHaveReceived('cloneFeature')
    await clone('one')
    expect(mock).toHaveReceived('cloneFeature', 2)
    expect(mock).not.toHaveReceived('cloneFeature', 1)
    expect(mock).not.toHaveReceived('getFeatures')
  })

  plainTest('toHaveReceived compares the request and the response', async () => {
    await clone('one')
    await clone('one')
    const likes: ReceivedRequest[] = [
      { body: { name: 'one' } },
      { status: 409 },
      { status: 200, times: 1 },
      { path: expect.stringContaining('/checkout-redesign/') },
      { response: { name: 'NameExistsError', message: expect.stringMatching('one') } },
      { scenario: 'default', times: 2 },
      { body: { name: expect.any(String) }, times: 2 },
    ]
    for (const like of likes) expect(mock).toHaveReceived('cloneFeature', like)
    expect(mock).not.toHaveReceived('cloneFeature', { body: { name: 'two' } })
    expect(mock).not.toHaveReceived('cloneFeature', { body: { name: 'one', replaceGroupId: true } })
    expect(mock).not.toHaveReceived('cloneFeature', { status: 200, times: 2 })
  })

  plainTest.each<[OperationId, number | ReceivedRequest | undefined, string]>([
    ['getFeatures', undefined, 'expected the mock to receive getFeatures, but it never did'],
    ['cloneFeature', 1, 'expected the mock to receive cloneFeature once, but it did 2 times'],
    [
      'cloneFeature',
      { status: 500 },
      'expected the mock to receive cloneFeature with these values, but all 2 requests differ',
    ],
  ])('a failure of toHaveReceived lists the requests: %s, %j', async (operation, expected, fault) => {
    await clone('one')
    await clone('one')
    const { message } = failureOf(() => expect(mock).toHaveReceived(operation, expected))
    const [first, ...lines] = message.split('\n')
    expect(first).toBe(fault)
    expect(lines).toEqual([
      '',
      'Requests to the mock:',
      expect.stringMatching(/^ {2}POST \/api\/admin\/projects\/\S+\/clone {2}cloneFeature {2}200$/),
      expect.stringMatching(/cloneFeature {2}409 {2}A feature named "one" already exists\.$/),
    ])
  })

  plainTest('a failure of toHaveReceived has a diff of only the parts that are expected', async () => {
    await clone('one')
    const failure = failureOf(() =>
      expect(mock).toHaveReceived('cloneFeature', { body: { name: 'two' }, response: { stale: false } }),
    )
    expect(failure).toMatchObject({
      actual: { body: { name: 'one' }, response: { stale: false } },
      expected: { body: { name: 'two' }, response: { stale: false } },
    })
    expect(failureOf(() => expect(mock).toHaveReceived('cloneFeature', 3))).toMatchObject({ actual: 1, expected: 3 })
  })

  plainTest('a failure of not.toHaveReceived says how often it was asked', async () => {
    await clone('one')
    const { message } = failureOf(() => expect(mock).not.toHaveReceived('cloneFeature'))
    expect(message).toContain('expected the mock not to receive cloneFeature, but it did once')
  })

  plainTest('a failure of toHaveReceived lists the last 20 of many requests', async () => {
    for (let i = 0; i < 25; i++) await clone('one')
    const { message } = failureOf(() => expect(mock).toHaveReceived('cloneFeature', 1))
    expect(message).toContain('The last 20 of 25 requests to the mock:')
    expect(message.split('\n')).toHaveLength(23)
  })

  plainTest.each<[string, () => unknown, string]>([
    ['an unknown operation', () => expect(mock).not.toHaveReceived('clonFeature' as never), '"cloneFeature"'],
    ['no mock', () => expect({}).toHaveReceived('cloneFeature'), 'a mock, not an object'],
    ['an unknown part', () => expect(mock).toHaveReceived('cloneFeature', { bdy: 1 } as never), '"bdy"'],
    ['a negative number', () => expect(mock).toHaveReceived('cloneFeature', -1), 'a whole number of times'],
    ['a text', () => expect(mock).not.toHaveReceived('cloneFeature', 'x' as never), 'a number or an object'],
  ])('toHaveReceived rejects %s', (_, act, fault) => {
    expect(failureOf(act)).toMatchObject({ name: 'MockError', message: expect.stringContaining(fault) })
  })
})

plainTest('toHaveReceived takes any mock and any of its sessions', async () => {
  const mock = createMock()
  await mock.fetch(new Request('http://localhost/health', { headers: { 'x-mock-session': 'a' } }))
  expect(mock).not.toHaveReceived('getHealth')
  expect(mock.session('a')).toHaveReceived('getHealth', { status: 200 })
})

test('toHaveReceived works with the fixture', async ({ mock }) => {
  await clone('one')
  expect(mock).toHaveReceived('cloneFeature')
})

plainTest('expect of flagdouble/playwright has toHaveReceived', async () => {
  const { expect: own } = await import('../../src/entries/adapters/playwright.js')
  const mock = createMock()
  own(mock).not.toHaveReceived('cloneFeature')
  const body = JSON.stringify({ name: 'one' })
  const headers = { authorization: ADMIN, 'content-type': 'application/json' }
  const path = '/api/admin/projects/default/features/checkout-redesign/clone'
  await mock.fetch(path, { method: 'POST', headers, body })
  own(mock).toHaveReceived('cloneFeature', { times: 1, body: { name: own.any(String) }, status: 200 })
  own(mock).not.toHaveReceived('cloneFeature', { body: { name: 'two' } })
  const { message } = failureOf(() => own(mock).toHaveReceived('cloneFeature', 2))
  expect(message).toContain('expected the mock to receive cloneFeature 2 times, but it did once')
  expect(message).toContain('Requests to the mock:')
})
