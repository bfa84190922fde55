import { expect, it } from 'vitest'
import { controlRows } from '../../src/engine/control/rows.js'
import { createMock, type ForceRule, type Mock, type PartialState } from '../../src/index.js'
import { ADMIN, FIXED } from '../support/adapters.js'
import { SIZES, squareOfWork, workOf } from '../support/work.js'
import { many, words, worldOf } from '../support/work-world.js'

// As requests.work.ts, for the control API: each row with n items in its body and in the state of the mock, and with n
// wrong items.

/** Four environments: a project and a feature are in all of them, so the work grows with the product. */
const stateOf = (n: number): PartialState => {
  const { environments, projects } = worldOf(4)
  const { features, ...world } = worldOf(n)
  const [own, many] = projects as object[]
  const others = (world.projects as object[]).slice(2)
  const inFew = (features as { name: string }[]).filter(({ name }) => name !== 'wide')
  return {
    ...world,
    environments,
    projects: [{ ...own, members: [] }, many, ...others],
    features: inFew,
  } as PartialState
}
const worlds = new Map(SIZES.map((n) => [n, stateOf(n)]))
const rulesOf = (n: number): ForceRule[] => [
  ...many(n, (i) => ({ operation: 'getFeature' as const, status: 503, match: { params: { featureName: `f${i}` } } })),
  ...many(n, (i) => ({ operation: '*' as const, delay: 0, headers: { [`x-${i}`]: 'a' }, match: { body: { a: i } } })),
  ...many(n, (i) => ({ operation: 'cloneFeature' as const, body: i, match: { query: { a: 1, b: i } } })),
]
const scenario = (n: number, more: object = {}) => ({
  ...{ name: 'mine', extends: 'default', title: words(n), promise: words(n), force: rulesOf(n), seed: stateOf(n) },
  ...more,
})

/** The body of a call, and bodies with n errors. */
interface Bodies {
  fits?: (n: number, mock: Mock) => unknown
  wrong?: Record<string, (n: number) => unknown>
}

const unknownKeys = (n: number) => Object.fromEntries(many(n, (i) => [`k${i}`, 1]))
const empty = (n: number) => many(n, () => ({}))
const wrongState: Bodies['wrong'] = {
  records: (n) => ({ features: empty(n), users: empty(n), segments: unknownKeys(n) }),
  'inner lists': (n) => ({ features: [{ name: 'f0', environments: [{ name: 'development', strategies: empty(n) }] }] }),
  keys: unknownKeys,
}

const BODIES: Readonly<Record<string, Bodies>> = {
  'POST /scenarios': { fits: (n) => ({ name: 'new', title: words(n), promise: words(n) }) },
  'PUT /scenarios/:name': {
    fits: (n) => scenario(n),
    wrong: {
      rules: (n) => scenario(n, { force: many(n, (i) => ({ operation: `x${i}` })) }),
      records: (n) => scenario(n, { seed: { features: empty(n) } }),
    },
  },
  'PUT /scenario': { fits: () => ({ name: 'rules' }), wrong: { names: (n) => ({ names: many(n, () => '') }) } },
  'PUT /state': { fits: (_, mock) => mock.state(), wrong: wrongState },
  'PATCH /state': { fits: stateOf, wrong: wrongState },
  'PUT /history': { fits: (_, mock) => ({ at: mock.history.list().at(-2)?.id }) },
  'PUT /clock': { fits: () => ({ now: '2027-01-01T00:00:00.000Z' }) },
  'POST /clock/advance': { fits: () => ({ days: 1 }) },
  'POST /forced': {
    fits: (n) => ({ operation: '*', status: 503, match: { body: many(n, (i) => ({ a: i })) } }),
    wrong: { headers: (n) => ({ operation: '*', headers: Object.fromEntries(many(n, (i) => [`x ${i}`, 1])) }) },
  },
  'PUT /forced/:id': { fits: (n) => ({ operation: '*', status: 503, headers: unknownHeaders(n) }) },
  'POST /login': { fits: () => ({ user: 1 }) },
}

function unknownHeaders(n: number) {
  return Object.fromEntries(many(n, (i) => [`x-${i}`, 'a']))
}

const QUERIES: Readonly<Record<string, (n: number) => string>> = {
  'GET /requests': (n) => `?ids=${words(n, (i) => `${i}`)}`,
  'GET /export': (n) => `?${words(n, (i) => `project=p${i}`, '&')}`,
}

/** Values of path parameters, by call; the others take those of the mock. */
const ids = (call: string, mock: Mock): string => {
  if (call.includes('/scenarios/')) return call.startsWith('PUT') ? 'mine' : 'saved'
  if (call.includes('/history/')) return String(mock.history.list().at(-1)?.id)
  return call.includes('/login/') ? '1' : '1'
}

const saved = { method: 'POST', body: JSON.stringify({ name: 'saved', title: 'Saved', promise: 'It was saved.' }) }

/** A mock with n of everything: records, rules, requests, and records of one change. */
async function mockWith(n: number): Promise<Mock> {
  const rules = { ...{ name: 'rules', title: 'Rules', promise: 'It has rules.', force: rulesOf(n) } }
  const mock = createMock({ ...FIXED, scenarios: [rules], fixtures: worlds.get(n) })
  for (const rule of rulesOf(n)) mock.force(rule)
  for (let i = 0; i < n; i++) await mock.fetch(new Request('http://localhost/api/admin/projects/default'))
  await mock.fetch(new Request('http://localhost/__mock/scenarios', saved))
  mock.add({ features: many(n, (i) => ({ name: `added${i}`, description: 'd' })) })
  return mock
}

const short = ({ method, path }: { method: string; path: string }) => `${method} ${path.replace('/__mock', '')}`

it.each(Object.keys(BODIES))('the control API has the row %s', (call) => {
  expect(controlRows.map(short)).toContain(call)
})

it.each(controlRows.map((row) => [short(row), row] as const))('%s', async (call, row) => {
  const { fits, wrong = {} } = BODIES[call] ?? {}
  expect(row.body === undefined || fits !== undefined).toBe(true)
  for (const [mode, bodyOf] of Object.entries({ fits: fits ?? (() => undefined), ...wrong })) {
    const works: Map<string, number>[] = []
    for (const n of SIZES) {
      const mock = await mockWith(n)
      const body = bodyOf(n, mock)
      const path = row.path.replace(/:\w+/, ids(call, mock)) + (QUERIES[call]?.(n) ?? '')
      const request = new Request(`http://localhost${path}`, {
        method: row.method,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const [response, work] = await workOf(async () => {
        const got = await mock.fetch(request)
        return { status: got.status, text: await got.text() }
      })
      expect([mode, response.status < 400, response.status < 500, response.text]).toEqual([
        ...[mode, mode === 'fits', true],
        expect.any(String),
      ])
      works.push(work)
    }
    const found = squareOfWork(works)
    expect([mode, found.work < 0.5 ? [] : found.where]).toEqual([mode, []])
  }
})

it('a request that n rules can match, and n readers of its event', async () => {
  const works: Map<string, number>[] = []
  for (const n of SIZES) {
    const mock = await mockWith(n)
    const abort = new AbortController()
    const readers = await Promise.all(
      many(n, async () => {
        const { body } = await mock.fetch(new Request('http://localhost/__mock/events', { signal: abort.signal }))
        const reader = body?.getReader()
        await reader?.read()
        return reader
      }),
    )
    const request = new Request('http://localhost/api/admin/projects/default/features/f0/clone?a=2', {
      method: 'POST',
      headers: { authorization: ADMIN, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'c', list: many(n, (i) => i) }),
    })
    const [, work] = await workOf(async () => {
      await mock.fetch(request)
      await Promise.all(readers.map((reader) => reader?.read()))
    })
    abort.abort()
    works.push(work)
  }
  const { work, where } = squareOfWork(works)
  expect(work < 0.5 ? [] : where).toEqual([])
})

/** Comparing a path with the paths of all operations takes 300,000 steps and more. */
const STEPS_OF_HINT = 64_000

it.each([
  ...['/api/admin/projcts/default/feature', '/api/admin/change-requests/5/approve', '/nothing/like/it'],
  ...[`/api/admin/projects/default/features/${'a'.repeat(100)}/x`, `/api/${'a/'.repeat(50)}`],
])('the hint of an unmodelled path is found in a few steps: %s', async (path) => {
  const mock = createMock(FIXED)
  const request = new Request(`http://localhost${path}`, { headers: { authorization: ADMIN } })
  const [{ status }, work] = await workOf(() => mock.fetch(request))
  const steps = [...work.values()].reduce((sum, count) => sum + count, 0)
  expect([status, Math.max(steps, STEPS_OF_HINT)]).toEqual([501, STEPS_OF_HINT])
})
