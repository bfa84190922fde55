import { expect, it } from 'vitest'
import { CORE } from '../../src/engine/mock/session.js'
import { ALL_CHANGES_KEPT, CHANGES_KEPT, STEPS_KEPT } from '../../src/engine/sessions/history.js'
import { SESSIONS_KEPT } from '../../src/engine/sessions/sessions.js'
import { createMock, type Mock } from '../../src/index.js'
import { ADMIN, FIXED, NOW, onEveryAdapter } from '../support/adapters.js'
import { collect } from '../support/collect.js'
import { readEvents } from '../support/events.js'

const FEATURES = '/api/admin/projects/default/features'

const names = (mock: Mock) => mock.features.list({ project: 'default' }).map(({ name }) => name)
const whats = (mock: Mock) => mock.history.list().map(({ what }) => what)

onEveryAdapter('The history', (client) => {
  const create = (name: string, headers = {}) => client.send('POST', FEATURES, { name, type: 'release' }, { headers })

  it('lists the changes, each request with its ID in the journal, and its entry there names the commit', async () => {
    await create('one')
    await client.send('GET', FEATURES)
    const [start, commit] = (await client.send('GET', '/__mock/history')).body
    expect(start).toEqual({
      id: 0,
      time: NOW,
      what: 'start',
      title: 'The start of "default"',
      scenario: 'default',
      current: false,
    })
    const [made, read] = client.mock.requests.all()
    expect(commit).toEqual({
      id: made?.commit,
      time: NOW,
      what: 'createFeature',
      title: expect.stringMatching(/./),
      scenario: 'default',
      requestId: made?.id,
      current: true,
    })
    expect(read).not.toHaveProperty('commit')
  })

  it('goes back, forth and to any entry; a new change replaces undone changes', async () => {
    const before = names(client.mock)
    await create('one')
    await create('two')
    const undone = await client.send('POST', '/__mock/history/undo')
    expect(undone.status).toBe(200)
    expect(undone.body.map((entry: { current: boolean }) => entry.current)).toEqual([false, true, false])
    expect(names(client.mock)).toEqual([...before, 'one'])
    await client.send('POST', '/__mock/history/redo')
    expect(names(client.mock)).toEqual([...before, 'one', 'two'])
    const { status } = await client.send('PUT', '/__mock/history', { at: 0 })
    expect(status).toBe(200)
    expect(names(client.mock)).toEqual(before)
    await create('three')
    const redone = await client.send('POST', '/__mock/history/redo')
    expect(redone.headers.get('x-mock-hint')).toBe('There is nothing to redo.')
    expect(names(client.mock)).toEqual([...before, 'three'])
  })

  it('without a change to undo, nothing happens, and a header says so', async () => {
    const { status, headers, body } = await client.send('POST', '/__mock/history/undo')
    expect([status, headers.get('x-mock-hint'), body.length]).toEqual([200, 'There is nothing to undo.', 1])
  })

  it('an unknown entry is an error, and nothing changes', async () => {
    await create('one')
    const unknown = await client.send('PUT', '/__mock/history', { at: 99 })
    expect([unknown.status, unknown.body.code]).toEqual([404, 'UNKNOWN_COMMIT'])
    const misfit = await client.send('PUT', '/__mock/history', { at: 'first' })
    expect([misfit.status, misfit.body.code]).toEqual([400, 'INVALID_REQUEST'])
    expect(names(client.mock)).toContain('one')
  })

  it.each([
    ['a switch', 'PUT', '/__mock/scenario', { name: 'slow' }],
    ['a switch to the active scenario', 'PUT', '/__mock/scenario', { name: 'default' }],
    ['a switch back', 'DELETE', '/__mock/scenario', undefined],
    ['a reset', 'POST', '/__mock/reset', undefined],
    ['a QA link', 'GET', '/__mock/use/default', undefined],
    ['a state that replaces everything', 'PUT', '/__mock/state', { projects: [] }],
    ['a state that is added', 'PATCH', '/__mock/state', { features: [{ name: 'one', description: 'other' }] }],
  ])('%s is undone: data, scenario, clock and rules with their counts are restored', async (_, method, path, body) => {
    client.mock.force({ operation: 'getProjects', status: 503, times: 2 })
    client.mock.clock.advance({ days: 3 })
    await create('one')
    await client.send('GET', '/api/admin/projects')
    const look = async () => [
      client.mock.activeScenarios,
      client.mock.state(),
      (await client.send('GET', '/__mock/forced')).body,
      (await client.send('GET', '/__mock/clock')).body,
    ]
    const before = await look()
    await client.adapter.fetch(path, {
      method,
      redirect: 'manual',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const after = await look()
    await client.send('POST', '/__mock/history/undo')
    expect(await look()).toEqual(before)
    await client.send('POST', '/__mock/history/redo')
    expect(await look()).toEqual(after)
  })

  it("a switch isn't an entry: undo right after it returns to the previous world, unchanged, and redo forth", async () => {
    await create('one')
    const left = await client.send('GET', '/__mock/history')
    await client.send('PUT', '/__mock/scenario', { name: 'empty' })
    const there = await client.send('GET', '/__mock/history')
    expect(there.body.map(({ what }: { what: string }) => what)).toEqual(['start'])
    const back = await client.send('POST', '/__mock/history/undo')
    expect([back.body, client.mock.activeScenarios]).toEqual([left.body, ['default']])
    await client.send('POST', '/__mock/history/redo')
    expect(client.mock.activeScenarios).toEqual(['empty'])
    await create('two')
    await client.send('POST', '/__mock/history/undo')
    expect([client.mock.activeScenarios, names(client.mock)]).toEqual([['empty'], []])
    await client.send('POST', '/__mock/history/undo')
    expect([client.mock.activeScenarios, names(client.mock)]).toEqual([['default'], expect.arrayContaining(['one'])])
    await create('three')
    const { headers } = await client.send('POST', '/__mock/history/redo')
    expect(headers.get('x-mock-hint')).toBe('There is nothing to redo.')
  })

  it('several switches are undone one after another, with the restarts that they made', async () => {
    await create('one')
    const before = await client.send('GET', '/__mock/state')
    for (const name of ['empty', 'slow', 'default']) await client.send('PUT', '/__mock/scenario', { name })
    expect(names(client.mock)).not.toContain('one')
    const undo = async () => {
      await client.send('POST', '/__mock/history/undo')
      return client.mock.activeScenarios
    }
    expect([await undo(), await undo(), await undo()]).toEqual([['slow'], ['empty'], ['default']])
    expect((await client.send('GET', '/__mock/state')).body).toEqual(before.body)
    await undo()
    expect(names(client.mock)).not.toContain('one')
    const redo = async () => {
      await client.send('POST', '/__mock/history/redo')
      return client.mock.activeScenarios
    }
    expect([await redo(), names(client.mock)]).toEqual([['default'], expect.arrayContaining(['one'])])
    expect([await redo(), await redo(), await redo()]).toEqual([['empty'], ['slow'], ['default']])
    expect(names(client.mock)).not.toContain('one')
  })

  it('after an undone reset, a change of one world ends the redo of the others too', async () => {
    await create('one')
    await create('beside', { 'x-mock-scenario': 'empty' })
    await client.send('POST', '/__mock/reset')
    await client.send('POST', '/__mock/history/undo')
    await create('two')
    const { headers } = await client.send('POST', '/__mock/history/redo?scenario=empty')
    expect(headers.get('x-mock-hint')).toBe('There is nothing to redo.')
    const state = await client.send('GET', '/__mock/state?scenario=empty')
    expect(state.body.features.map(({ name }: { name: string }) => name)).toEqual(['beside'])
  })

  it('undo takes back the last change of the session, in whatever scenario it was made', async () => {
    await create('one')
    await create('beside', { 'x-mock-scenario': 'empty' })
    await client.send('POST', '/__mock/reset')
    await create('later', { 'x-mock-scenario': 'empty' })
    const inEmpty = async () => {
      const state = await client.send('GET', '/__mock/state?scenario=empty')
      return state.body.features.map(({ name }: { name: string }) => name)
    }
    const look = async () => [names(client.mock).includes('one'), await inEmpty()]
    const undo = async () => {
      await client.send('POST', '/__mock/history/undo')
      return look()
    }
    expect([await look(), await undo(), await undo(), await undo()]).toEqual([
      [false, ['later']],
      [false, []],
      [true, ['beside']],
      [true, []],
    ])
    for (let step = 0; step < 3; step++) await client.send('POST', '/__mock/history/redo?scenario=empty')
    expect(await look()).toEqual([false, ['later']])
  })

  it('going to an entry takes back later changes of any scenario, and leaves earlier ones', async () => {
    const inEmpty = { 'x-mock-scenario': 'empty' }
    await create('one')
    await create('before', inEmpty)
    await create('two')
    await create('after', inEmpty)
    const state = async () => {
      const empty = await client.send('GET', '/__mock/state', undefined, { headers: inEmpty })
      return [...names(client.mock), ...empty.body.features.map(({ name }: { name: string }) => name)].filter((name) =>
        ['one', 'before', 'two', 'after'].includes(name),
      )
    }
    const [, one, two] = client.mock.history.list()
    client.mock.history.goTo(two?.id ?? -1)
    expect(await state()).toEqual(['one', 'two', 'before', 'after'])
    client.mock.history.goTo(one?.id ?? -1)
    expect(await state()).toEqual(['one', 'before'])
    client.mock.history.goTo(two?.id ?? -1)
    expect(await state()).toEqual(['one', 'two', 'before'])
  })

  it('a reset in another scenario is undone as a whole: the switch, and all worlds', async () => {
    await create('one')
    await client.send('PUT', '/__mock/scenario', { name: 'empty' })
    await create('two')
    await client.send('POST', '/__mock/reset')
    expect([client.mock.activeScenarios, names(client.mock)]).toEqual([
      ['default'],
      expect.not.arrayContaining(['one']),
    ])
    await client.send('POST', '/__mock/history/undo')
    expect([client.mock.activeScenarios, names(client.mock)]).toEqual([['empty'], ['two']])
    const state = await client.send('GET', '/__mock/state?scenario=default')
    expect(state.body.features.map(({ name }: { name: string }) => name)).toContain('one')
    await client.send('POST', '/__mock/history/redo')
    expect([client.mock.activeScenarios, names(client.mock)]).toEqual([
      ['default'],
      expect.not.arrayContaining(['one']),
    ])
  })

  it('no undo signs a user in or out', async () => {
    const signIn = async () => {
      const sent = await client.send('POST', '/__mock/login', { user: 1 }, { key: null })
      return { cookie: String(sent.headers.get('set-cookie')).split(';')[0] ?? '' }
    }
    const who = async (headers: Record<string, string>) =>
      (await client.send('GET', '/api/admin/user', undefined, { key: null, headers })).status
    await create('one')
    const later = await signIn()
    await client.send('POST', '/__mock/history/undo')
    expect(await who(later)).toBe(200)
    await create('two')
    await client.adapter.fetch('/logout?scenario=empty', { method: 'POST', headers: later, redirect: 'manual' })
    await client.send('POST', '/__mock/history/undo')
    expect([await who(later), await who({ ...later, 'x-mock-scenario': 'empty' })]).toEqual([401, 401])
    const during = await signIn()
    await client.send('POST', '/__mock/reset')
    await client.send('POST', '/__mock/history/undo')
    const after = await signIn()
    await client.send('POST', '/__mock/history/redo')
    expect([await who(later), await who(during), await who(after)]).toEqual([401, 401, 200])
  })

  it("a login is valid as long as its user exists, and no login becomes another user's", async () => {
    const signIn = async (user: number) => {
      const sent = await client.send('POST', '/__mock/login', { user }, { key: null })
      return { cookie: String(sent.headers.get('set-cookie')).split(';')[0] ?? '' }
    }
    const who = async (headers: Record<string, string>) =>
      (await client.send('GET', '/api/admin/user', undefined, { key: null, headers })).status
    client.mock.add({ users: [{ id: 50, username: 'new', email: 'new@example.com' }] })
    const login = await signIn(50)
    client.mock.history.undo()
    expect(await who(login)).toBe(401)
    client.mock.history.redo()
    expect(await who(login)).toBe(200)
    const { roles, projects, environments } = client.mock.state()
    const users = [{ id: 1, username: 'somebody', email: 'somebody@example.com' }]
    client.mock.restore({ roles, projects, environments, users })
    const other = await signIn(1)
    client.mock.history.undo()
    expect(await who(other)).toBe(401)
  })

  it('a removed record returns to its place', async () => {
    const whole = () => JSON.stringify(client.mock.state())
    await create('one')
    const before = whole()
    client.mock.add({ features: { 'checkout-redesign': null, 'legacy-export': null } })
    const removed = whole()
    client.mock.history.undo()
    expect(whole()).toBe(before)
    client.mock.history.redo()
    expect(whole()).toBe(removed)
  })

  it('reading the history uses no ID: the next step has the same ID', async () => {
    const ids = async (look: () => unknown) => {
      client.mock.reset()
      client.mock.session('ada').reset()
      look()
      await create('one', { 'x-mock-session': 'ada' })
      return client.mock.session('ada').history.list().at(-1)?.id
    }
    const first = (await ids(() => undefined)) ?? 0
    expect(await ids(() => client.mock.session('ada').history.list())).toBe(first + 2)
  })

  it('the entries of a world are listed apart, and each session has its own history', async () => {
    const before = names(client.mock)
    await create('one')
    await create('other', { 'x-mock-scenario': 'empty' })
    await create('nora', { 'x-mock-session': 'nora' })
    const whatsIn = async (scenario: string) =>
      (await client.send('GET', `/__mock/history?scenario=${scenario}`)).body.map(
        ({ title }: { title: string }) => title,
      )
    expect((await whatsIn('empty')).slice(1)).toEqual([expect.stringContaining('other')])
    expect((await whatsIn('default')).slice(1)).toEqual([expect.stringContaining('one')])
    await client.send('POST', '/__mock/history/undo')
    await client.send('POST', '/__mock/history/undo')
    expect(names(client.mock)).toEqual(before)
    expect(names(client.mock.session('nora') as Mock)).toEqual([...before, 'nora'])
  })

  it('undo and redo are reported like a switch, so that panels refresh', async () => {
    await create('one')
    const abort = new AbortController()
    const events = readEvents(await client.adapter.fetch('/__mock/events', { signal: abort.signal }))
    const first = events.next()
    await client.send('POST', '/__mock/history/undo')
    expect((await first).value).toEqual({ event: 'scenario', data: { names: ['default'] } })
    client.mock.history.redo()
    expect((await events.next()).value).toEqual({ event: 'scenario', data: { names: ['default'] } })
    abort.abort()
  })
})

const create = (mock: Mock, name: string) =>
  mock.fetch(
    new Request(`http://localhost${FEATURES}`, {
      method: 'POST',
      headers: { authorization: ADMIN, 'content-type': 'application/json' },
      body: JSON.stringify({ name, type: 'release' }),
    }),
  )

it('the last 1,000 steps are kept: the oldest of them can be undone, and becomes the start', async () => {
  const mock = createMock(FIXED)
  const before = names(mock)
  for (let made = 0; made < STEPS_KEPT + 5; made++) await create(mock, `f-${made}`)
  const [start, ...steps] = mock.history.list()
  expect(steps).toHaveLength(STEPS_KEPT)
  expect(start?.what).toBe('createFeature')
  mock.history.goTo(start?.id ?? -1)
  expect(names(mock)).toEqual([...before, 'f-0', 'f-1', 'f-2', 'f-3', 'f-4'])
  expect(mock.history.undo()).toBeUndefined()
})

it('the last 50,000 changed records are kept: a larger step leaves no other, and can be undone', () => {
  const mock = createMock(FIXED)
  const tag = (name: string, count: number) =>
    mock.add({ tags: Array.from({ length: count }, (_, at) => ({ type: 'simple', value: `${name}-${at}` })) })
  tag('one', 1)
  tag('two', 1)
  expect(mock.history.list()).toHaveLength(3)
  tag('large', CHANGES_KEPT + 1)
  expect(mock.history.list()).toHaveLength(2)
  expect([mock.history.undo()?.what, mock.history.undo()]).toEqual(['add', undefined])
  expect(mock.state().tags.map(({ value }) => value)).toEqual(['one-0', 'two-0'])
})

it('the histories of all sessions have a common limit: the longest idle ones forget their oldest steps', () => {
  const mock = createMock({ ...FIXED, scenario: 'empty' })
  const session = (name: string) => mock.session(name)
  const tag = (name: string, count: number) =>
    session(name).add({ tags: Array.from({ length: count }, (_, at) => ({ type: 'simple', value: `${name}-${at}` })) })
  const steps = (name: string) => session(name).history.list().length - 1
  tag('idle', 5000)
  tag('idle', 1)
  tag('busy', CHANGES_KEPT - 1)
  expect([steps('idle'), steps('busy')]).toEqual([2, 1])
  tag('late', ALL_CHANGES_KEPT - CHANGES_KEPT - 100)
  expect([steps('idle'), steps('busy'), steps('late')]).toEqual([1, 1, 1])
  expect([session('idle').history.undo()?.what, session('idle').history.undo()]).toEqual(['add', undefined])
  expect(session('idle').state().tags).toHaveLength(5000)
  expect(session('late').history.undo()?.what).toBe('start')
})

it('undo reverts a reset, and disposing of the mock drops everything', async () => {
  const mock = createMock(FIXED)
  await create(mock, 'one')
  mock.reset()
  mock.history.undo()
  expect(names(mock)).toContain('one')
  expect(whats(mock)).toEqual(['start', 'createFeature', 'reset'])
  await mock[Symbol.asyncDispose]()
  const { unnamed } = mock[CORE].sessions
  expect(unnamed.history.list(unnamed.world())).toHaveLength(1)
})

it.each<[what: string, scenarios: string]>([
  ['was written to', 'empty'],
  ['was written to in two worlds, and reset', 'slow'],
])("a session that %s doesn't stay in memory once it is dropped", async (_, scenarios) => {
  const mock = createMock({ ...FIXED, scenario: 'empty' })
  const open = (name: string) => new WeakRef(mock[CORE].sessions.open(name))
  const dropped = open('first')
  await mock.fetch(
    new Request(`http://localhost${FEATURES}`, {
      method: 'POST',
      headers: {
        authorization: ADMIN,
        'content-type': 'application/json',
        'x-mock-session': 'first',
        'x-mock-scenario': scenarios,
      },
      body: JSON.stringify({ name: 'one', type: 'release' }),
    }),
  )
  if (scenarios !== 'empty') mock.session('first').reset()
  for (let opened = 0; opened < SESSIONS_KEPT - 1; opened++) {
    mock[CORE].sessions.open(`other ${opened}`).switchTo({ scenarios: ['slow'], states: new Map() })
  }
  const kept = open('last')
  // The compiler can hold on to the code that it is compiling.
  for (let attempt = 0; attempt < 20 && dropped.deref() !== undefined; attempt++) await collect()
  expect([dropped.deref(), kept.deref()?.name]).toEqual([undefined, 'last'])
})
