import { describe, expect, it } from 'vitest'
import { operationIds } from '../../src/service/api/operations.js'
import { compare, factsOf, Pairs } from './compare.js'
import { differences, explainedBy, isKnownFault } from './differences.js'
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

  it('pairs the IDs of personal access tokens, from those of the callers on', () => {
    const pairs = new Pairs([701, 702, 703])
    expect(pairs.translate('/api/admin/user/tokens/2')).toBe('/api/admin/user/tokens/702')
    const token = (id: number) => response({ id, description: 'mine', expiresAt: null })
    expect(compare(token(4), token(999), pairs)).toEqual([])
    expect(pairs.translate('/api/admin/user/tokens/4')).toBe('/api/admin/user/tokens/999')
    expect(compare(token(1), token(702), pairs)).toMatchObject([{ place: '.id' }])
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
    const [there, here] = [
      [a, b, { name: 'c' }],
      [{ name: 'd' }, b, a],
    ]
    expect(compare(response(there), response(here), new Pairs())).toMatchObject([
      { place: 'body', kind: 'order' },
      { place: '[].name', expected: 'c', actual: 'd' },
    ])
  })

  it('finds the partner of an item whose description has other words', () => {
    const type = (id: string, words: string) => ({ id, description: words })
    const there = response([type('a', 'The first.'), type('b', 'The second.')])
    const here = response([type('b', 'Number two.'), type('a', 'Number one.')])
    expect(compare(there, here, new Pairs())).toMatchObject([{ kind: 'order' }])
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
    const toggles = (enabled: boolean) => response({ toggles: [{ name: 'a', enabled }] })
    expect(rowsOf('getFrontendFeatures', toggles(true), toggles(false))).toEqual([undefined])
    expect(rowsOf('getFrontendFeatures', toggles(true), response({ toggles: [] }))).not.toEqual([])
    expect(rowsOf('getFeature', response({ enabled: true }), response({ enabled: false }))).toEqual([undefined])
  })

  it('explains another fault of a request, but no other words about the same one', () => {
    const fault = (path: string, message: string) => response({ details: [{ path, message }] }, 400)
    const [there, here] = [fault('/body/name', 'The "name" is long'), fault('/body/type', 'There is no type.')]
    expect(rowsOf('createFeature', there, here)).toEqual(['order of faults', 'order of faults'])
    expect(rowsOf('createFeature', there, fault('/body/name', 'It is long.'))).toEqual([undefined])
    const message = (status: number, text: string) => response({ message: text }, status)
    expect(rowsOf('createFeature', message(404, 'No "a"'), message(404, 'It is unknown.'))).toEqual([undefined])
  })

  it('explains the order of the events of one request, and nothing else about events', () => {
    const list = (...events: [string, string][]) =>
      response({ events: events.map(([type, groupId]) => ({ type, groupId })) })
    const there = list(['feature-created', ULIDS[0]], ['feature-tagged', ULIDS[0]], ['user-created', ULIDS[1]])
    const mixed = list(['feature-tagged', OURS[0]], ['feature-created', OURS[0]], ['user-created', OURS[1]])
    expect(rowsOf('getEvents', there, mixed)).toEqual(['order of events'])
    const early = list(['user-created', OURS[1]], ['feature-created', OURS[0]], ['feature-tagged', OURS[0]])
    expect(rowsOf('getEvents', there, early)).toEqual([undefined])
    const freed = list(['feature-dependencies-removed', ULIDS[0]], ['feature-archived', ULIDS[0]])
    const late = list(['feature-archived', OURS[0]], ['feature-dependencies-removed', OURS[0]])
    expect(rowsOf('getEvents', freed, late)).toEqual([undefined])
    const other = list(['feature-created', OURS[0]], ['feature-tagged', OURS[0]], ['user-deleted', OURS[1]])
    expect(rowsOf('getEvents', there, other)).toEqual([undefined])
    const fewer = list(['feature-created', OURS[0]], ['feature-tagged', OURS[0]])
    expect(rowsOf('getEvents', there, fewer)).toEqual([undefined])
  })

  it('explains events of records that do not exist, and no other missing event', () => {
    const event = (type: string, featureName: string) => ({ type, featureName })
    const list = (...events: object[]) => response({ events })
    const [added, removed] = [event('feature-link-added', 'a'), event('feature-link-removed', 'b')]
    expect(rowsOf('searchEvents', list(removed, added), list(added))).toEqual(['events of records that do not exist'])
    const own = event('feature-link-removed', 'a')
    expect(rowsOf('searchEvents', list(own, added), list(added))).toEqual([undefined])
    expect(rowsOf('searchEvents', list(removed, added), list())).toEqual([undefined])
    const completed = event('feature-completed', 'b')
    const older = event('feature-created', 'c')
    const path = '/api/admin/search/events?limit=2'
    const row = 'events of records that do not exist'
    expect(new Set(rowsOf('searchEvents', list(completed, added), list(added, older), path))).toEqual(new Set([row]))
    expect(new Set(rowsOf('searchEvents', list(added, older), list(added, own), path))).toEqual(new Set([undefined]))
  })

  it('explains no fault of a flag that resembles a known difference', () => {
    const environments = (...enabled: boolean[]) => response({ environments: enabled.map((one) => ({ enabled: one })) })
    expect(rowsOf('getFeature', environments(true), environments(false))).toEqual([undefined])
    expect(rowsOf('getFeature', environments(true), environments())).toEqual(['current stage and collaborators'])
    const users = (...ids: number[]) => response({ collaborators: { users: ids.map((id) => ({ id })) } })
    expect(rowsOf('getFeature', users(1, 2), users(1))).toEqual(['current stage and collaborators'])
    expect(rowsOf('getFeature', users(1), users(1, 2))).toEqual([undefined])
    const counts = (enabledToggleCount: number) => response({ environments: [{ enabledToggleCount }] })
    expect(rowsOf('getAllEnvironments', counts(2), counts(1))).toEqual(['archived flags that are on'])
    expect(rowsOf('getAllEnvironments', counts(1), counts(2))).toEqual([undefined])
    const overview = (content: object) => response({ environments: [content] })
    expect(rowsOf('getProjectOverview', overview({ environment: 'a' }), overview({}))).toEqual([undefined])
    const denied = response({ name: 'BadDataError', message: 'The title is wrong.' }, 400)
    expect(rowsOf('updateFeatureStrategy', response({ title: 'a' }), denied)).toEqual([undefined])
    const unknown = response({ name: 'NotFoundError' }, 404)
    expect(rowsOf('getFeatureStrategies', response([]), unknown)).toEqual(['records that do not exist'])
    expect(rowsOf('getFeatureStrategies', response([{ id: 'a' }]), unknown)).toEqual([undefined])
  })

  it('names the requests that campaigns send seldom', () => {
    expect(isKnownFault('createTag', '/api/admin/tags {"type":"simple"}')).toBe(true)
    expect(isKnownFault('createFeature', '/api/admin/projects/default/features {"__proto__":1}')).toBe(true)
    expect(isKnownFault('createFeature', '/api/admin/projects/default/features {"name":"a"}')).toBe(false)
    expect(isKnownFault('deleteUser', '/api/admin/user-admin/1 undefined')).toBe(true)
    expect(isKnownFault('deleteUser', '/api/admin/user-admin/2 undefined')).toBe(false)
  })

  it('explains the order of lists only where Unleash defines none', () => {
    const [there, here] = [['a', 'b'] as const, ['b', 'a'] as const].map((names) => {
      return response({ features: names.map((name) => ({ name })) })
    })
    expect(rowsOf('getFeatures', there, here)).toEqual(['order of lists'])
    expect(rowsOf('searchFeatures', there, here)).toEqual([undefined])
    const strategies = (...orders: number[]) => response(orders.map((sortOrder, title) => ({ title, sortOrder })))
    expect(
      rowsOf('getFeatureStrategies', strategies(0, 1), response([...(strategies(0, 1).body as [])].reverse())),
    ).toEqual([undefined])
  })
})

const request = { method: 'POST', path: '/api/admin/projects/default/features', actor: 'admin', body: {} }

/** The rows that explain the differences between two responses. */
function rowsOf(
  operation: string,
  there = response({}),
  here = response({}),
  path = request.path,
): (string | undefined)[] {
  return compare(there, here, new Pairs()).map((difference) => {
    return explainedBy({ operation, request: { ...request, path }, response: there, actual: here, difference })?.name
  })
}

function found(operation: string, expected: number, actual: string): Parameters<typeof explainedBy>[0] {
  const difference = { place: 'status', kind: 'status', expected, actual } as const
  return { operation, request, difference, response: response({}, expected), actual: response({}) }
}
