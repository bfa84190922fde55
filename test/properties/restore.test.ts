import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scenarios } from '../../scenarios/index.js'
import { sessionOf } from '../../src/engine/mock/session.js'
import { createMock, type Mock } from '../../src/index.js'
import { tables as declarations, type TableName } from '../../src/service/resources/tables.js'
import { FIXED } from '../support/adapters.js'
import { ADMIN_USER, type AnyRequest, anyWrite, MEETING } from '../support/any-request.js'
import { AMPLE, RUNS } from '../support/runs.js'

function send(mock: Mock, { method, path, key, body }: AnyRequest): Promise<Response> {
  const headers = { ...(key === undefined ? {} : { authorization: key }), 'content-type': 'application/json' }
  const init = { method, headers, ...(body === undefined ? {} : { body }) }
  return mock.fetch(new Request(`http://localhost${path}`, init))
}

/** Checked records. They never change: a change replaces them by others. */
const checked = new WeakSet<object>()

/** Checks that every record has the shape of a readable state file. */
function expectStorable(mock: Mock): void {
  const { tables } = sessionOf(mock).world().data
  for (const [name, { record }] of Object.entries(declarations)) {
    for (const one of tables[name as TableName].list()) {
      if (checked.has(one)) continue
      expect(record.safeParse(one).error?.issues ?? [], name).toEqual([])
      checked.add(one)
    }
  }
}

it.each(scenarios.map(({ name }) => name))(
  'the scenario %s, restored from a snapshot, is the same',
  async (scenario) => {
    const mock = createMock({ ...FIXED, scenario })
    await mock.ready
    const snapshot = JSON.stringify(mock.state())
    mock.restore(JSON.parse(snapshot))
    expect(JSON.stringify(mock.state())).toBe(snapshot)
  },
)

it('a snapshot, restored, keeps the order of free names', async () => {
  const mock = createMock(FIXED)
  const path = '/api/admin/projects/default/features/checkout-redesign/environments/development/strategies'
  const body = '{"name":"flexibleRollout","parameters":{"b":"1","a":"3"}}'
  const { status } = await send(mock, { id: 'addFeatureStrategy', method: 'POST', path, key: '*:*.mock-admin', body })
  expect(status).toBe(200)
  const snapshot = JSON.stringify(mock.state())
  expect(snapshot).toContain('"b":"1","a":"3"')
  mock.restore(JSON.parse(snapshot))
  expect(JSON.stringify(mock.state())).toBe(snapshot)
})

it('a user who was mailed a link and then got a new password is the same, restored', async () => {
  const mock = createMock({ ...FIXED, profile: 'unleash-8' })
  const key = '*:*.mock-admin'
  const write = (id: string, path: string, body: object) =>
    send(mock, { id, method: 'POST', path, key, body: JSON.stringify(body) })
  const user = mock.state().users.find(({ passwordHash }) => passwordHash !== null)
  await write('sendResetPasswordEmail', '/auth/reset/password-email', { email: user?.email })
  await write('changeUserPassword', `/api/admin/user-admin/${user?.id}/change-password`, {
    password: 'A new 1 for them',
  })
  expect(mock.state().users.find(({ id }) => id === user?.id)).toMatchObject({
    earlierPasswords: [user?.passwordHash],
    resetAskedAt: expect.any(String),
  })
  const snapshot = JSON.stringify(mock.state())
  mock.restore(JSON.parse(snapshot))
  expect(JSON.stringify(mock.state())).toBe(snapshot)
})

const feature = fc.constantFrom('new', 'legacy-export')
const word = fc.constantFrom('', ' ', 'a', 'ab', ' ab ', 'a:b', 'x'.repeat(300))
const tagType = fc.constantFrom('simple', 'team', 'squad')
const some = <Item>(item: fc.Arbitrary<Item>) => fc.array(item, { maxLength: 2 })

/** Valid and nearly valid imports. */
const anyImport = fc
  .record(
    {
      features: some(fc.record({ name: feature, type: word, description: word })),
      featureStrategies: some(fc.record({ featureName: feature, name: fc.constant('default'), title: word })),
      featureTags: some(fc.record({ featureName: feature, tagType, tagValue: word })),
      tagTypes: some(fc.record({ name: tagType, description: word })),
      contextFields: some(fc.record({ name: word, description: word, legalValues: some(fc.record({ value: word })) })),
      dependencies: some(fc.record({ feature, dependencies: some(fc.record({ feature })) })),
      links: some(fc.record({ feature, links: some(fc.record({ url: word, title: word })) })),
    },
    { requiredKeys: ['features', 'featureStrategies', 'tagTypes'] },
  )
  .map((data) => JSON.stringify({ project: 'default', environment: 'development', data }))

describe.each(['documented', 'unleash-8'] as const)('in the profile %s', (profile) => {
  it('restore accepts every accepted import', async () => {
    const path = '/api/admin/features-batch/import'
    let accepted = 0
    await fc.assert(
      fc.asyncProperty(anyImport, async (body) => {
        const mock = createMock({ ...FIXED, profile, fixtures: MEETING })
        const { status } = await send(mock, { id: 'importToggles', method: 'POST', path, key: ADMIN_USER, body })
        expect(status, body).not.toBe(500)
        if (status !== 200) return
        accepted++
        expectStorable(mock)
        const snapshot = JSON.stringify(mock.state())
        mock.restore(JSON.parse(snapshot))
        expect(JSON.stringify(mock.state())).toBe(snapshot)
      }),
      { numRuns: 40 * RUNS },
    )
    expect(accepted).toBeGreaterThan(3 * RUNS)
  })

  it('restore accepts everything that the API accepts: a snapshot of it is the same', { timeout: AMPLE }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyWrite, { minLength: 1, maxLength: 12 }), async (requests) => {
        const mock = createMock({ ...FIXED, profile, fixtures: MEETING })
        for (const request of requests) {
          const { status } = await send(mock, request)
          expect(status, `${request.method} ${request.path} ${request.body}`).not.toBe(500)
          if (status < 400) expectStorable(mock)
        }
        const snapshot = JSON.stringify(mock.state())
        const other = createMock({ ...FIXED, profile })
        other.restore(JSON.parse(snapshot))
        expect(JSON.stringify(other.state())).toBe(snapshot)
      }),
      { numRuns: 20 * RUNS },
    )
  })
})
