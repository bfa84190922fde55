import { expect, it } from 'vitest'
import { createMock, type PartialState, type Scenario, scenarios } from '../../src/index.js'
import { type Answer, type Client, EDITOR, expectErrorObject, onEveryAdapter } from '../support/adapters.js'
import { anyRequestFor, rows } from '../support/requests.js'
import { someOf } from '../support/runs.js'
import { inFastTime } from '../support/time.js'

const features = '/api/admin/projects/default/features'
const clone = `${features}/checkout-redesign/clone`
const live = '/api/admin/invite-link/tokens/live-invite'
const ada = { name: 'Ada', email: 'ada@example.com', password: '' }

/** The proof of each promise. A scenario without a proof fails the suite. */
const proofs: Record<string, (client: Client) => Promise<void>> = {
  async default({ mock, send }) {
    expect(mock.projects.list()).toHaveLength(2)
    expect(mock.features.list().map(({ name }) => name)).toEqual([
      'checkout-redesign',
      'legacy-export',
      'archived-banner',
      'push-opt-in',
    ])
    expect(mock.signupTokens.list()).toHaveLength(3)
    expect(mock.users.list()).toHaveLength(3)
    expect(mock.state().apiTokens.map(({ secret }) => secret)).toEqual([
      '*:*.mock-admin',
      'user:mock-admin',
      'user:mock-editor',
      'user:mock-viewer',
      '*:development.mock-client',
      '*:development.mock-frontend',
    ])
    expect((await send('POST', clone, { name: 'copy' }, { key: EDITOR })).status).toBe(200)
    expect((await send('PUT', live, { enabled: false })).status).toBe(200)
  },

  async empty({ mock, send }) {
    expect((await send('GET', features)).body.features).toEqual([])
    expect((await send('GET', '/api/admin/invite-link/tokens')).body.tokens).toEqual([])
    expect(mock.state()).toEqual({ ...mock.session('default').state(), features: [], signupTokens: [] })
    expect((await send('POST', features, { name: 'first' }, { key: EDITOR })).status).toBe(201)
  },

  async 'fresh-server'({ mock, send }) {
    const { users, projects, environments, apiTokens, features, events, contextFields } = mock.state()
    // Like Unleash, it logs its own migrations, which nobody caused, and everything is as old as the instance.
    expect(events.map(({ createdBy, createdByUserId }) => [createdBy, createdByUserId])).toEqual(
      Array(4).fill(['migration', null]),
    )
    expect(contextFields.map(({ createdAt }) => createdAt)).toEqual(Array(5).fill(events[0]?.createdAt))
    expect(users.map(({ username }) => username)).toEqual(['admin'])
    expect(projects.map(({ id }) => id)).toEqual(['default'])
    expect(environments.map(({ name }) => name)).toEqual(['development', 'production'])
    expect([apiTokens, features]).toEqual([[], []])
    mock.add({ apiTokens: [{ secret: '*:*.own', type: 'admin' }] })
    const creators = await send('GET', '/api/admin/event-creators', undefined, { key: '*:*.own' })
    expect(creators.body).toEqual([{ id: 0, name: 'migration' }])
  },

  async 'expired-token'({ mock, send }) {
    const { body } = await send('GET', live)
    expect([body.enabled, body.expiresAt]).toEqual([false, '2026-11-19T12:00:00.000Z'])
    expect(mock.state().signupTokens.find(({ secret }) => secret === 'live-invite')?.enabled).toBe(true)
    expect((await send('POST', '/invite/live-invite/signup', ada, { key: null })).status).toBe(400)
    const revived = await send('PUT', live, { expiresAt: '2026-12-01T00:00:00Z' })
    expect(revived.body.enabled).toBe(true)
  },

  async 'disabled-token'({ send }) {
    const { body } = await send('GET', live)
    expect([body.enabled, Date.parse(body.expiresAt) > Date.parse(body.createdAt)]).toEqual([false, true])
    expect((await send('POST', '/invite/live-invite/signup', ada, { key: null })).status).toBe(400)
    expect((await send('PUT', live, { enabled: true })).body.enabled).toBe(true)
  },

  async 'missing-permission'({ send }) {
    for (const row of someOf(rows.filter(({ method, permission }) => method !== 'GET' && permission !== undefined))) {
      const answer = await send(...anyRequestFor(row))
      expectForced(answer, 403, 'NoAccessError')
      for (const one of [row.permission ?? []].flat()) expect(answer.body.message).toContain(`"${one}"`)
    }
    expect((await send('GET', features)).status).toBe(200)
    const editor = await send('GET', '/api/admin/user', undefined, { key: EDITOR })
    expect([editor.body.user.name, editor.body.permissions]).toEqual(['Editor', []])
  },

  async 'unsupported-content-type'({ send }) {
    for (const row of someOf(rows.filter(({ body, path }) => body !== undefined && path.startsWith('/api/admin/')))) {
      expectForced(await send(...anyRequestFor(row)), 415, 'ContentTypeerror')
    }
    expect((await send('GET', features)).status).toBe(200)
  },

  async unauthenticated({ send }) {
    await expectAllForced(send, 401, 'AuthenticationRequired')
  },

  async 'unknown-feature'({ send }) {
    for (const [method, path, body] of [
      ['GET', `${features}/checkout-redesign`],
      ['DELETE', `${features}/checkout-redesign`],
      ['POST', clone, { name: 'copy' }],
    ] as const) {
      expectForced(await send(method, path, body), 404, 'NotFoundError')
    }
  },

  async 'name-taken'({ send }) {
    expectForced(await send('POST', clone, { name: 'brand-new' }), 409, 'NameExistsError')
    expectForced(await send('POST', features, { name: 'brand-new' }), 409, 'NameExistsError')
  },

  async slow({ mock, send }) {
    await inFastTime(() => Promise.all([send('GET', features), send('POST', clone, { name: 'copy' })]))
    const durations = mock.requests.all().map(({ durationMs }) => durationMs)
    expect(durations).toHaveLength(2)
    for (const duration of durations) expect(duration).toBeGreaterThanOrEqual(1500)
  },

  async flaky({ send }) {
    expectForced(await send('GET', features), 503, 'ServiceUnavailableError')
    expectForced(await send('POST', clone, { name: 'copy' }), 503, 'ServiceUnavailableError')
    expect((await send('POST', clone, { name: 'copy' })).status).toBe(200)
    expect((await send('GET', features)).status).toBe(200)
  },

  async 'rate-limited'({ send }) {
    const answers = await expectAllForced(send, 429, 'TooManyRequestsError')
    for (const { headers } of answers) expect(headers.get('retry-after')).toBe('30')
  },

  async 'server-error'({ send }) {
    await expectAllForced(send, 500, 'InternalServerError')
  },

  async offline({ mock, send }) {
    for (const row of someOf(rows)) await expect(send(...anyRequestFor(row))).rejects.toThrow(TypeError)
    expect(mock.requests.all().map(({ status }) => status)).toEqual(someOf(rows).map(() => 0))
  },

  async 'large-project'({ mock, send }) {
    const { body } = await send('GET', features)
    expect(body.features).toHaveLength(502)
    const again = mock.session('another')
    again.useScenario('large-project')
    await again.ready
    expect(again.features.list({ project: 'default' })).toEqual(mock.features.list({ project: 'default' }))
    expect((await send('POST', clone, { name: 'copy' })).status).toBe(200)
  },
}

async function expectAllForced(send: Client['send'], status: number, name: string): Promise<Answer[]> {
  const answers: Answer[] = []
  for (const row of someOf(rows)) {
    const answer = await send(...anyRequestFor(row))
    expectForced(answer, status, name)
    answers.push(answer)
  }
  return answers
}

function expectForced(answer: Answer, status: number, name: string): void {
  expect([answer.status, answer.body.name, answer.headers.has('x-mock-forced')]).toEqual([status, name, true])
  expectErrorObject(answer)
}

onEveryAdapter('the scenario', (client) => {
  it.each(scenarios)('$name keeps its promise: $promise', async ({ name }) => {
    client.mock.useScenario(name)
    await client.mock.ready
    await proofs[name]?.(client)
  })
})

it('has a proof for each promise', () => {
  expect(Object.keys(proofs).toSorted()).toEqual(scenarios.map(({ name }) => name).toSorted())
})

it.each(['documented', 'unleash-8'] as const)('promises name the errors of the profile %s', async (profile) => {
  for (const { name, promise, force = [] } of scenarios) {
    if (force[0]?.status === undefined) continue
    const mock = createMock({ profile, scenario: name })
    const headers = { authorization: '*:*.mock-admin', 'content-type': 'application/json' }
    const request = new Request(`http://localhost${clone}`, { method: 'POST', headers, body: '{"name":"copy"}' })
    const { name: error = 'without a name' } = await (await mock.fetch(request)).json()
    expect(promise).toContain(error)
  }
  const { signupTokens } = createMock({ profile, scenario: 'expired-token' })
  expect(signupTokens.get('live-invite')?.enabled).toBe(profile === 'unleash-8')
})

/** A scenario of one's own with the data of another. Its data is checked when a world starts from it. */
function copyOf(scenario: Scenario, change: PartialState = {}): Scenario {
  const seed = { ...structuredClone(scenario.seed), ...change }
  return { name: 'copy', title: 'A copy', promise: 'The same data.', seed }
}

it.each(scenarios.filter((one) => one.extends === undefined))('the data of $name has no error', (scenario) => {
  expect(() => createMock({ scenario: copyOf(scenario) })).not.toThrow()
  const projects = [{ id: 'lost', environments: ['nowhere'] }]
  expect(() => createMock({ scenario: copyOf(scenario, { projects }) })).toThrow('nowhere')
})
