import { expect, it } from 'vitest'
import { createMock, type PartialState } from '../../src/index.js'
import { type TableName, tables } from '../../src/service/resources/tables.js'
import { startStopwatch } from '../../src/support/clock.js'
import { ADMIN, FIXED } from '../support/adapters.js'
import { someOf } from '../support/runs.js'

/** Lists of each kind, as long as is said, whose records refer to each other as far as they can. */
const lists: Readonly<Record<TableName | 'circle' | 'members' | 'inOneRecord', (length: number) => object>> = {
  projects: (length) => ({ projects: many(length, (i) => ({ id: `p${i}` })) }),
  environments: (length) => ({ environments: many(length / 20, (i) => ({ name: `e${i}` })) }),
  features: (length) => ({
    features: many(length, (i) => ({
      name: `f${i}`,
      tags: [{ type: 'simple', value: `t${i}` }],
      ...(i > 0 && { dependencies: [{ feature: `f${i - 1}` }] }),
    })),
  }),
  signupTokens: (length) => ({ signupTokens: many(length, (i) => ({ secret: `s${i}`, role: 'Viewer' })) }),
  users: (length) => ({ users: many(length, (i) => ({ id: i + 10, email: `u${i}@example.com`, rootRole: 'Editor' })) }),
  roles: (length) => ({
    roles: many(length, (i) => ({ id: i + 100, name: `r${i}` })),
    users: many(length, (i) => ({ id: i + 10, rootRole: `r${i}` })),
  }),
  apiTokens: (length) => ({ apiTokens: many(length, (i) => ({ secret: `*:*.k${i}` })) }),
  logins: (length) => ({ logins: many(length, (i) => ({ secret: `l${i}`, userId: 1 })) }),
  resetTokens: (length) => ({ resetTokens: many(length, (i) => ({ secret: `r${i}`, userId: 1 })) }),
  settings: (length) => ({ settings: many(length && 1, () => ({ name: 'maintenance' })) }),
  featureTypes: (length) => ({ featureTypes: many(length, (i) => ({ id: `t${i}` })) }),
  strategyTypes: (length) => ({ strategyTypes: many(length, (i) => ({ name: `s${i}` })) }),
  segments: (length) => ({ segments: many(length, (i) => ({ id: i + 10, name: `s${i}` })) }),
  contextFields: (length) => ({ contextFields: many(length, (i) => ({ name: `c${i}` })) }),
  tagTypes: (length) => ({ tagTypes: many(length, (i) => ({ name: `t${i}` })) }),
  tags: (length) => ({ tags: many(length, (i) => ({ type: 'simple', value: `v${i}` })) }),
  favorites: (length) => ({
    features: many(length, (i) => ({ name: `f${i}`, favorite: true })),
    favorites: many(length, (i) => ({ userId: 1, kind: 'feature', name: `f${i}` })),
  }),
  clientMetrics: (length) => ({
    clientMetrics: many(length, (i) => ({ featureName: `f${i}`, environment: 'development' })),
    features: many(length, (i) => ({ name: `f${i}` })),
  }),
  clientInstances: (length) => ({
    clientInstances: many(length, (i) => ({ appName: 'a', instanceId: `i${i}`, environment: 'development' })),
  }),
  applications: (length) => ({ applications: many(length, (i) => ({ appName: `a${i}` })) }),
  unknownFlags: (length) => ({ unknownFlags: many(length, (i) => ({ name: `u${i}`, reports: [] })) }),
  impactMetrics: (length) => ({
    impactMetrics: many(length, (i) => ({ name: `m${i}`, help: '', type: 'counter', samples: [] })),
  }),
  addons: (length) => ({
    addons: many(length, (i) => ({ id: i + 1, provider: 'webhook', parameters: { url: 'http://localhost' } })),
  }),
  integrationEvents: (length) => ({
    addons: [{ id: 1, provider: 'webhook', parameters: { url: 'http://localhost' } }],
    integrationEvents: many(length, (i) => ({
      id: String(i + 1),
      integrationId: 1,
      createdAt: 'now',
      state: 'success',
      stateDetails: '',
      event: { id: 1, type: 'x' },
      details: {},
    })),
  }),
  sequences: (length) => ({ sequences: many(length && 1, () => ({ name: 'users', last: 7 })) }),
  events: (length) => ({ events: many(length, (i) => ({ id: i + 100, type: 'x' })) }),
  circle: (length) => ({
    features: many(length, (i) => ({ name: `f${i}`, dependencies: [{ feature: `f${(i + 1) % length}` }] })),
  }),
  members: (length) => ({
    users: many(length, (i) => ({ id: i + 10, username: `u${i}` })),
    projects: [{ id: 'p', members: many(length, (i) => ({ user: `u${i}`, role: 'Member' })) }],
  }),
  inOneRecord: (length) => ({
    features: [{ name: 'x', dependencies: many(length, (i) => ({ feature: `nowhere${i}` })) }],
  }),
}

function many<Item>(length: number, make: (i: number) => Item): Item[] {
  return Array.from({ length }, (_, i) => make(i))
}

function durationOf(given: object): number {
  const mock = createMock(FIXED)
  const since = startStopwatch()
  try {
    mock.add(given as PartialState)
  } catch {
    // Faults are looked for in proportion, too.
  }
  return since()
}

it('every kind of record has a list here', () => {
  expect(Object.keys(lists)).toEqual(expect.arrayContaining(Object.keys(tables)))
})

type Duration = () => number | Promise<number>

/** Expects that something takes at most eight times as long with four times as many. */
async function expectLinear(durationOfFew: Duration, durationOfMore: Duration): Promise<void> {
  let [ofFew, ofMore] = [await durationOfFew(), await durationOfMore()]
  // What else the machine does makes a run longer, never shorter: so the shortest ones count.
  for (let attempt = 0; attempt < 5 && ofMore >= 8 * ofFew; attempt++) {
    ofFew = Math.min(ofFew, await durationOfFew())
    ofMore = Math.min(ofMore, await durationOfMore())
  }
  expect(ofMore / ofFew).toBeLessThan(8)
}

it.each(someOf(Object.keys(lists) as (keyof typeof lists)[]))(
  'four times as long a list of %s takes at most eight times as long',
  { timeout: 60_000 },
  (kind) => {
    // Both are large: small ones are checked in another way. They are made once, so that none is collected meanwhile.
    const [few, more] = [lists[kind](4000), lists[kind](16_000)]
    return expectLinear(
      () => durationOf(few),
      () => durationOf(more),
    )
  },
)

it('a chain of 20,000 parents is loaded, and a circle of as many is told with a few names', { timeout: 60_000 }, () => {
  const mock = createMock(FIXED)
  mock.add(lists.features(20_000) as PartialState)
  expect(mock.features.get('f19999')?.dependencies).toMatchObject([{ feature: 'f19998' }])
  expect(() => createMock(FIXED).add(lists.circle(20_000) as PartialState)).toThrow(
    /\$\.features\[0\]\.dependencies: lead in a circle: f0 → f1 → .* → … → f0; .*and 19990 more/,
  )
})

it('140,000 faults in one list are counted, and a hundred are told', () => {
  const given = lists.inOneRecord(140_000) as PartialState
  expect(() => createMock(FIXED).add(given)).toThrow(
    expect.objectContaining({
      code: 'INVALID_STATE',
      message: expect.stringContaining('and 139990 more'),
      faults: expect.objectContaining({ length: 100 }),
    }),
  )
})

it('a tag more takes at most eight times as long where a feature has four times as many', {
  timeout: 60_000,
}, async () => {
  const durationWith = async (tags: number) => {
    const mock = createMock(FIXED)
    mock.add({ features: [{ name: 'x', tags: many(tags, (i) => ({ type: 'simple', value: `t${i}` })) }] })
    const since = startStopwatch()
    const response = await mock.fetch(
      new Request('http://localhost/api/admin/features/x/tags', {
        method: 'POST',
        headers: { authorization: ADMIN, 'content-type': 'application/json' },
        body: JSON.stringify({ type: 'simple', value: 'one more' }),
      }),
    )
    expect(response.status).toBe(201)
    return since()
  }
  await expectLinear(
    () => durationWith(2000),
    () => durationWith(8000),
  )
})
