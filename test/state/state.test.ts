import { expect, it } from 'vitest'
import { createMock, type PartialState } from '../../src/index.js'
import { ADMIN, FIXED, NOW } from '../support/adapters.js'
import { errorOf } from '../support/errors.js'

async function livedIn() {
  const mock = createMock(FIXED)
  const send = async (method: string, path: string, body?: unknown) => {
    const answer = await mock.fetch(
      new Request(`http://localhost${path}`, {
        method,
        headers: { authorization: ADMIN, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    )
    expect([path, answer.ok]).toEqual([path, true])
  }
  const features = '/api/admin/projects/default/features'
  await send('POST', `${features}/checkout-redesign/clone`, { name: '__proto__' })
  await send('POST', features, { name: 'constructor' })
  await send('DELETE', `${features}/legacy-export`)
  const ada = { email: 'ada@example.com', name: 'Ada', password: 'Correct-horse-7' }
  await send('POST', '/invite/live-invite/signup', ada)
  await send('PUT', '/api/admin/invite-link/tokens/live-invite', { expiresAt: '2026-11-20T11:00:00Z' })
  await send('POST', '/api/admin/invite-link/tokens', { name: 'x', expiresAt: NOW })
  return { mock, send }
}

it('means the same in another instance, at another time', async () => {
  const { mock } = await livedIn()
  const other = createMock({ scenario: 'empty', now: '2030-01-01T00:00:00Z' })
  other.restore(mock.state())
  expect(other.state()).toEqual(mock.state())
  const read = (from: typeof mock) =>
    from.fetch(
      new Request('http://localhost/api/admin/projects/default/features', { headers: { authorization: ADMIN } }),
    )
  expect(await (await read(other)).text()).toBe(await (await read(mock)).text())
})

it('continues its numbers', async () => {
  const { mock, send } = await livedIn()
  const last = mock.state().events.at(-1)?.id ?? 0
  mock.restore(mock.state())
  await send('PUT', '/api/admin/invite-link/tokens/live-invite', { enabled: false })
  expect(mock.state().events.at(-1)?.id).toBe(last + 1)
})

it('events given newest first are listed oldest first, and the next has its own ID', async () => {
  const mock = createMock({ ...FIXED, scenario: 'empty' })
  mock.add({ events: [3, 2].map((id) => ({ id, type: 'given' })) })
  await mock.fetch(
    new Request('http://localhost/api/admin/projects/default/features', {
      method: 'POST',
      headers: { authorization: ADMIN, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'one', type: 'release' }),
    }),
  )
  expect(mock.events.list().map(({ id, type }) => [id, type])).toEqual([
    [2, 'given'],
    [3, 'given'],
    [4, 'feature-created'],
  ])
})

it('is replaced by restore, and changed by key by add', () => {
  const mock = createMock(FIXED)
  mock.add({ features: [{ name: 'legacy-export', description: 'Changed' }, { name: 'added' }] })
  expect(mock.features.list().map(({ name }) => name)).toEqual([
    'checkout-redesign',
    'legacy-export',
    'archived-banner',
    'push-opt-in',
    'added',
  ])
  expect(mock.features.get('legacy-export')).toMatchObject({ description: 'Changed', stale: true, type: 'kill-switch' })
  mock.restore({ environments: [{ name: 'only' }], projects: [{ id: 'default' }], features: [{ name: 'alone' }] })
  expect(mock.features.list()).toMatchObject([{ name: 'alone', environments: [{ name: 'only' }] }])
  expect(mock.users.list()).toEqual([])
})

it('completes omitted fields', () => {
  const mock = createMock(FIXED)
  mock.add({ features: [{ name: 'bare' }], signupTokens: [{ secret: 'bare' }], users: [{ id: 9 }] })
  expect(mock.features.get('bare')).toMatchObject({
    project: 'default',
    type: 'release',
    enabled: false,
    archived: false,
    createdAt: NOW,
    lifecycle: { stage: 'initial', enteredStageAt: NOW },
    environments: [
      { name: 'development', enabled: false, strategies: [], variants: [] },
      { name: 'production', enabled: false, strategies: [], variants: [] },
    ],
  })
  expect(mock.signupTokens.get('bare')).toMatchObject({
    name: 'bare',
    enabled: true,
    expiresAt: '2026-12-20T12:00:00.000Z',
    createdAt: NOW,
    users: [],
    role: { id: 3, name: 'Viewer' },
  })
  expect(mock.users.get(9)).toMatchObject({ rootRole: 3, accountType: 'User', createdAt: NOW })
})

it('completes variants and roles', () => {
  const mock = createMock(FIXED)
  const variants = [{ name: 'a' }, { name: 'b', weight: 100, weightType: 'fix' as const }, { name: 'c' }, { name: 'd' }]
  const environment = {
    name: 'production',
    variants,
    strategies: [{ name: 'flexibleRollout', variants: [{ name: 'e' }] }],
  }
  mock.add({
    features: [{ name: 'varied', environments: [environment] }],
    roles: [
      { id: 40, permissions: ['CREATE_FEATURE', { name: 'CREATE_FEATURE_STRATEGY', environment: 'production' }] },
    ],
  })
  expect(mock.features.get('varied')?.environments[1]).toMatchObject({
    variants: [
      { name: 'a', weight: 300, weightType: 'variable', stickiness: 'default' },
      { name: 'b', weight: 100, weightType: 'fix', stickiness: 'default' },
      { name: 'c', weight: 300 },
      { name: 'd', weight: 300 },
    ],
    strategies: [{ variants: [{ name: 'e', weight: 1000, weightType: 'variable' }] }],
  })
  expect(mock.state().roles.find(({ id }) => id === 40)?.permissions).toEqual([
    { name: 'CREATE_FEATURE' },
    { name: 'CREATE_FEATURE_STRATEGY', environment: 'production' },
  ])
})

it('belongs to the caller: later changes to it change nothing', () => {
  const fixture = { features: [{ name: 'mine' }] }
  const mock = createMock({ ...FIXED, fixtures: fixture })
  for (const feature of fixture.features) feature.name = 'changed'
  mock.reset()
  expect([mock.features.get('mine')?.name, mock.features.get('changed')]).toEqual(['mine', undefined])
  const notData = { features: [{ name: 'mine', description: () => '' }] } as unknown as PartialState
  expect(() => createMock({ fixtures: notData })).toThrow(expect.objectContaining({ code: 'INVALID_STATE' }))
})

it('can be restored at the end of all time', async () => {
  const mock = createMock({ seed: 1, now: '9999-12-31T23:59:59.999Z' })
  const body = JSON.stringify({ email: 'late@example.com', rootRole: 3 })
  const headers = { authorization: ADMIN, 'content-type': 'application/json' }
  const request = new Request('http://localhost/api/admin/user-admin', { method: 'POST', headers, body })
  expect((await mock.fetch(request)).status).toBe(201)
  const snapshot = mock.state()
  mock.restore(snapshot)
  expect(mock.state()).toEqual(snapshot)
})

const broken: [string, unknown, string, string[]][] = [
  ['no object', 'features', '$', ['must be an object', 'but is "features"']],
  ['another version', { version: 2 }, '$.version', ['must be 1', 'but is 2']],
  ['an unknown list', { flags: [] }, '$', ['"flags"']],
  ['a list that is none', { features: 4 }, '$.features', ['must be an array or an object', 'but is 4']],
  ['an unknown property', { features: [{ name: 'x', foo: 1 }] }, '$.features[0]', ['"foo"']],
  ['a missing key', { features: [{}] }, '$.features[0].name', ['is required']],
  ['an empty key', { signupTokens: [{ secret: '' }] }, '$.signupTokens[0].secret', ['must not be empty']],
  [
    'a wrong type',
    { features: [{ name: 'x', stale: 'no' }] },
    '$.features[0].stale',
    ['must be true or false', '"no"'],
  ],
  ['a fraction for an id', { users: [{ id: 1.5 }] }, '$.users[0].id', ['must be a whole number', '1.5']],
  ['what is no date', { features: [{ name: 'x', createdAt: 'then' }] }, '$.features[0].createdAt', ['"then"']],
  [
    'what is wrong deep inside',
    { features: [{ name: 'x', environments: [{ name: 'production', strategies: [{ name: 'd', segments: ['1'] }] }] }] },
    '$.features[0].environments[0].strategies[0].segments[0]',
    ['"1"'],
  ],
  ['a feature twice', { features: [{ name: 'x' }, { name: 'x' }] }, '$.features[1]', ['"x"', '[0]']],
  [
    'an environment of a feature twice',
    { features: [{ name: 'x', environments: [{ name: 'production' }, { name: 'production' }] }] },
    '$.features[0].environments[1]',
    ['"production"', '[0]'],
  ],
  ['a token twice', { signupTokens: [{ secret: 'x' }, { secret: 'x' }] }, '$.signupTokens[1]', ['"x"']],
  ['a user twice', { users: [{ id: 7 }, { id: 8 }, { id: 7 }] }, '$.users[2]', ['7', '[0]']],
  ['an event twice', { events: [1, 1].map((id) => ({ id, type: 'x' })) }, '$.events[1]', ['1']],
  ['no such project', { features: [{ name: 'x', project: 'defualt' }] }, '$.features[0].project', ['"default"?']],
  ['no such role', { signupTokens: [{ secret: 'x', role: { id: 7 } }] }, '$.signupTokens[0].role.id', ['but is 7']],
  ['no such user', { signupTokens: [{ secret: 'x', users: [{ id: 7 }] }] }, '$.signupTokens[0].users[0].id', ['7']],
  ['no such root role', { users: [{ id: 7, rootRole: 9 }] }, '$.users[0].rootRole', ['but is 9']],
  ['no such user of a key', { apiTokens: [{ secret: 'x', userId: 9 }] }, '$.apiTokens[0].userId', ['but is 9']],
  [
    'no such parent',
    { features: [{ name: 'x', dependencies: [{ feature: 'nothing' }] }] },
    '$.features[0].dependencies[0].feature',
    ['"nothing"'],
  ],
  [
    'no such environment',
    { features: [{ name: 'x', environments: [{ name: 'test' }] }] },
    '$.features[0].environments[0].name',
    ['"test"'],
  ],
  [
    'no such environment of a project',
    { projects: [{ id: 'x', environments: ['test'] }] },
    '$.projects[0].environments[0]',
    ['"test"'],
  ],
]

it.each(broken)('is rejected as a whole: %s', (_, given, path, facts) => {
  const mock = createMock(FIXED)
  const before = mock.state()
  const error = errorOf(() => mock.add(given as PartialState))
  expect(error.message).toContain(`${path}: `)
  for (const fact of facts) expect(error.message).toContain(fact)
  const whole = typeof given === 'string' ? given : { ...before, ...(given as object) }
  expect(errorOf(() => mock.restore(whole as PartialState)).code).toBe('INVALID_STATE')
  expect(mock.state()).toEqual(before)
  const code = typeof given === 'string' ? 'INVALID_OPTION' : 'INVALID_STATE'
  expect(errorOf(() => createMock({ fixtures: given as PartialState })).code).toBe(code)
})
