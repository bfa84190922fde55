import { describe, expect, it } from 'vitest'
import { operationIds } from '../../src/service/api/operations.js'
import { compare, factsOf, Pairs } from './compare.js'
import { differences, explainedBy } from './differences.js'
import type { FidelityResponse } from './exchange.js'

const ULIDS = ['01M8HG5WFCVSP9T6ERN5XYSR9H', '01M8HG5WFCVSP9T6ERN5XYSR9J'] as const
const OURS = ['01M8HA7FP1SJ3GTC8N4CED636P', '01M8HA7FP1SJ3GTC8N4CED636Q'] as const

function response(body: unknown, status = 200): FidelityResponse {
  return { status, headers: {}, cookies: [], body }
}

describe('a comparison', () => {
  it('pairs an ID when it is first met, and keeps to it', () => {
    const pairs = new Pairs()
    expect(compare(response({ id: ULIDS[0] }), response({ id: OURS[0] }), pairs)).toEqual([])
    expect(compare(response({ id: ULIDS[0] }), response({ id: OURS[1] }), pairs)).toMatchObject([{ place: '.id' }])
    expect(compare(response({ id: ULIDS[1] }), response({ id: OURS[0] }), pairs)).toMatchObject([{ place: '.id' }])
    expect(pairs.translate(`/strategies/${ULIDS[0]}`)).toBe(`/strategies/${OURS[0]}`)
  })

  it('pairs the IDs of users and segments, and translates them in paths and bodies', () => {
    const pairs = new Pairs()
    const segment = (id: number) => response({ segments: [{ id, name: 'staff', constraints: [] }] })
    expect(compare(segment(7), segment(1), pairs)).toEqual([])
    expect(pairs.translate('/api/admin/segments/7')).toBe('/api/admin/segments/1')
    expect(pairs.translate('{"segmentIds":[7,9]}')).toBe('{"segmentIds":[1,9]}')
    expect(compare(segment(7), segment(2), pairs)).toMatchObject([{ kind: 'value' }])
  })

  it('takes a date for a date, unless a request sent it', () => {
    const [there, here] = ['2026-11-28T10:00:00.000Z', '2026-11-28T10:00:01.000Z']
    const pairs = new Pairs()
    expect(compare(response({ at: there }), response({ at: here }), pairs)).toEqual([])
    expect(compare(response({ at: there }), response({ at: null }), pairs)).toHaveLength(1)
    pairs.remember({ method: 'PUT', path: '/', actor: 'admin', body: { expiresAt: there } })
    expect(compare(response({ at: there }), response({ at: here }), pairs)).toHaveLength(1)
  })

  it('tells another order of a list from other items', () => {
    const [a, b] = [{ name: 'a' }, { name: 'b' }]
    expect(compare(response([a, b]), response([b, a]), new Pairs())).toMatchObject([{ kind: 'order' }])
    expect(compare(response([a, b]), response([a, a]), new Pairs())).toMatchObject([
      { place: '[].name', kind: 'value' },
    ])
    expect(compare(response([a, b]), response([a]), new Pairs())).toMatchObject([{ kind: 'value' }])
  })

  it('finds the partner of an item by its paired ID', () => {
    const pairs = new Pairs()
    compare(response({ id: ULIDS[0] }), response({ id: OURS[0] }), pairs)
    const there = response([{ id: ULIDS[0] }, { id: ULIDS[1] }])
    expect(compare(there, response([{ id: OURS[1] }, { id: OURS[0] }]), pairs)).toMatchObject([{ kind: 'order' }])
  })

  it('compares the names in a message, not its words', () => {
    const there = response({ message: factsOf('Could not find the flag "a" in "default"') })
    expect(
      compare(there, response({ message: 'There is no flag "a" in the project "default".' }), new Pairs()),
    ).toEqual([])
    expect(compare(there, response({ message: 'There is no flag "a".' }), new Pairs())).toHaveLength(1)
  })

  it('finds missing properties, headers and cookies', () => {
    const there: FidelityResponse = { ...response({ a: null }), headers: { etag: true }, cookies: ['unleash-session'] }
    const found = compare(there, response({}), new Pairs())
    expect(found.map(({ place }) => place)).toEqual(['etag', 'cookies', '.a'])
  })
})

describe('the table of differences', () => {
  it('names each row and each of its operations once', () => {
    const names = differences.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    for (const { operations = [] } of differences) {
      expect(new Set(operations).size).toBe(operations.length)
      for (const id of operations) expect(operationIds).toContain(id)
    }
  })

  it.each<[string, Parameters<typeof explainedBy>[0] | undefined]>([
    ['errors of Unleash itself', found('createFeature', 500, '400 BadDataError')],
    ['accepted instead of a 500', found('updateFeatureLink', 500, '204')],
    ['', found('createFeature', 201, '400 BadDataError')],
    ['', found('createFeature', 400, '500')],
    ['', found('cloneFeature', 404, '403 PermissionError')],
  ])('“%s” explains its case', (name, example) => {
    expect(example && (explainedBy(example)?.name ?? '')).toBe(name)
  })

  it('explains no other value of a flag', () => {
    const difference = { place: '.toggles[].enabled', kind: 'value', expected: true, actual: false } as const
    const request = { method: 'GET', path: '/api/frontend', actor: 'frontend' }
    expect(explainedBy({ operation: 'getFrontendFeatures', request, difference })).toBeUndefined()
    expect(
      explainedBy({ operation: 'getFeature', request, difference: { ...difference, place: '.enabled' } }),
    ).toBeUndefined()
  })
})

function found(operation: string, expected: number, actual: string): Parameters<typeof explainedBy>[0] {
  const request = { method: 'POST', path: '/api/admin/projects/default/features', actor: 'admin', body: {} }
  return { operation, request, difference: { place: 'status', kind: 'status', expected, actual } }
}
