import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createMockOf } from '../../src/engine/mock/mock.js'
import { CORE } from '../../src/engine/mock/session.js'
import { StateFile } from '../../src/entries/files/state-file/state-file.js'
import { createMock, defineScenario, type Mock, type MockOptions, type PartialState } from '../../src/index.js'
import { CLIENT } from '../support/adapters.js'
import { scratchFolder } from '../support/cli.js'

const NOTHING = 'nothing'

const sources = (name: string): Pick<MockOptions, 'scenarios'> & { fixtures: PartialState } => ({
  fixtures: { features: [{ name: `fixture-${name}` }] },
  scenarios: [
    defineScenario({ name: 'mine', title: 'Mine', promise: 'Its own.', extends: 'default' }),
    defineScenario({ name: 'alone', title: 'Alone', promise: 'No fixtures.', extends: 'default', fixtures: false }),
  ],
})

/** A mock with a state file, and a function that starts it again with other files. Messages go to `told`. */
async function startKept(of = sources) {
  const file = join(scratchFolder().path, 'state.json')
  const told: string[] = []
  const open = async (name: string) => {
    const mock = createMock(of(name))
    const warn = (message: string) => void told.push(message)
    const opened = await StateFile.open(file, { mock, sync: false, startsInScenario: false, warn })
    const close = async () => void (await opened.close())
    return { mock, close }
  }
  let running = await open('old')
  onTestFinished(() => running.close())
  return {
    told,
    mock: running.mock,
    restart: async (name: string) => {
      await running.close()
      running = await open(name)
      return running.mock
    },
  }
}

async function control(mock: Mock, method: string, path: string, headers: Record<string, string> = {}) {
  const response = await mock.fetch(new Request(`http://localhost/__mock/${path}`, { method, headers }))
  expect(response.ok, `${method} ${path}`).toBe(true)
  return response.status === 204 ? {} : response.json()
}

/** The notice about changes that don't fit the files: the same in the control API and in the hint of every response. */
async function noticeOf(mock: Mock, headers: Record<string, string> = {}): Promise<string> {
  const { notice } = await control(mock, 'GET', 'scenario', headers)
  const authorization = '*:*.mock-admin'
  const request = new Request('http://localhost/api/admin/projects', { headers: { ...headers, authorization } })
  expect((await mock.fetch(request)).headers.get('x-mock-hint')).toBe(notice ?? null)
  return notice ?? NOTHING
}

const names = (mock: Mock) => mock.features.list().map(({ name }) => name)
const change = (mock: Pick<Mock, 'add'>) => mock.add({ features: [{ name: 'added' }] })

it('after a restart with other files, changes are on top of the new files, without a notice', async () => {
  const { mock, restart, told } = await startKept()
  change(mock)
  mock.add({ features: [{ name: 'checkout-redesign', description: 'mine' }] })
  change(mock.session('other'))
  const again = await restart('new')
  for (const session of [again, again.session('other')]) {
    expect(session.features.list().map(({ name }) => name)).toEqual(expect.arrayContaining(['fixture-new', 'added']))
    expect(session.features.get('fixture-old')).toBeUndefined()
  }
  expect(again.features.get('checkout-redesign')?.description).toBe('mine')
  expect(await noticeOf(again)).toBe(NOTHING)
  expect(told).toEqual([])
})

it('a reload of other files keeps changes on top of them, as one step that undo takes back', async () => {
  const { mock } = await startKept()
  change(mock)
  mock.add({ features: [{ name: 'checkout-redesign', description: 'mine' }] })
  mock.session('other')
  const before = mock.state()
  mock.reload(sources('new'))
  expect(names(mock)).toEqual(expect.arrayContaining(['fixture-new', 'added']))
  expect(names(mock)).not.toContain('fixture-old')
  expect(mock.features.get('checkout-redesign')?.description).toBe('mine')
  expect(names(mock.session('other') as Mock)).toContain('fixture-new')
  expect(await noticeOf(mock)).toBe(NOTHING)
  expect(mock.history.list().at(-1)).toMatchObject({
    what: 'reload',
    title: 'The files changed; 2 of your changes stayed',
  })
  await control(mock, 'POST', 'history/undo')
  expect(mock.state()).toEqual(before)
  expect(await noticeOf(mock)).toBe(NOTHING)
  await control(mock, 'POST', 'history/redo')
  expect(names(mock)).toEqual(expect.arrayContaining(['fixture-new', 'added']))
  mock.reload(sources('newest'))
  expect(names(mock)).toEqual(expect.arrayContaining(['fixture-newest', 'added']))
  expect(mock.features.get('checkout-redesign')?.description).toBe('mine')
})

it('a change that does not fit new files sleeps, with those that need it, and comes back with its record', async () => {
  const { path } = scratchFolder()
  const file = join(path, 'shop.json')
  const fixtures = (id: string) => [{ state: { projects: [{ id }] }, source: file, file: 'shop.json' }]
  const mock = createMockOf({}, fixtures('gone'))
  mock.add({ features: [{ name: 'added', project: 'gone' }] })
  mock.add({ features: [{ name: 'child', dependencies: [{ feature: 'added' }], project: 'gone' }, { name: 'free' }] })
  const before = mock.state()
  mock[CORE].reload({}, fixtures('other'))
  expect(names(mock)).toContain('free')
  expect(names(mock)).not.toEqual(expect.arrayContaining(['added']))
  expect(mock.projects.list().map(({ id }) => id)).toContain('other')
  expect(await noticeOf(mock)).toBe(
    '2 of your changes don\'t fit your files: features.added.project must be a project that exists, but is "gone"; there are "default", "mobile-app", "other". They come back when they fit, until you start over.',
  )
  await control(mock, 'POST', 'history/undo')
  expect(mock.state()).toEqual(before)
  expect(await noticeOf(mock)).toBe(NOTHING)
  await control(mock, 'POST', 'history/redo')
  expect(names(mock)).not.toContain('added')
  expect(await noticeOf(mock)).toMatch(/^2 of your changes/)
  mock[CORE].reload({}, fixtures('gone'))
  expect(names(mock)).toEqual(expect.arrayContaining(['added', 'child', 'free']))
  expect(await noticeOf(mock)).toBe(NOTHING)
  mock[CORE].reload({}, fixtures('another'))
  mock.reset()
  expect(await noticeOf(mock)).toBe(NOTHING)
  mock[CORE].reload({}, fixtures('gone'))
  expect(names(mock)).not.toContain('added')
})

it.each<[what: string, before: PartialState, mine: PartialState, after: PartialState, expected: object]>([
  [
    'a flag that the user changed elsewhere',
    { features: [{ name: 'f', description: 'old' }] },
    { features: [{ name: 'f', environments: { development: { enabled: true } } }] },
    { features: [{ name: 'f', description: 'new' }] },
    { description: 'new', environments: [{ name: 'development', enabled: true }, {}] },
  ],
  [
    'a project that the user removed, and that has a flag now',
    { projects: [{ id: 'p' }] },
    { projects: { p: null } },
    { projects: [{ id: 'p' }], features: [{ name: 'f', project: 'p' }] },
    { project: 'p' },
  ],
  [
    'a flag that the user also added',
    {},
    { features: [{ name: 'f', description: 'mine' }] },
    { features: [{ name: 'f', description: 'new', stale: true }] },
    { description: 'mine', stale: false },
  ],
])('a changed file with %s arrives under the changes, and they stay', (_, before, mine, after, expected) => {
  const mock = createMock({ fixtures: before })
  mock.add(mine)
  mock.reload({ fixtures: after })
  expect(mock.features.get('f')).toMatchObject(expected)
})

it('an event of a changed file takes the next free number after the own events, and both stay at each start', async () => {
  const file = join(scratchFolder().path, 'state.json')
  const event = (id: number) => ({ id, type: 'feature-created', createdBy: 'file', featureName: `file-${id}` })
  const open = async (count: number) => {
    const events = Array.from({ length: count }, (_, at) => event(at + 1))
    const mock = createMock({ fixtures: { events } as never })
    const opened = await StateFile.open(file, { mock, sync: false, startsInScenario: false, warn: () => undefined })
    return { mock, close: () => opened.close() }
  }
  const first = await open(2)
  first.mock.enable('own')
  const own = first.mock.state().events.filter(({ createdBy }) => createdBy !== 'file')
  expect(own.length).toBeGreaterThan(0)
  await first.close()
  let before: readonly unknown[] | undefined
  for (let start = 0; start < 3; start++) {
    const { mock, close } = await open(3)
    const { events } = mock.state()
    expect(events).toEqual(before ?? expect.arrayContaining(own))
    expect(events.filter(({ createdBy }) => createdBy === 'file').map(({ featureName }) => featureName)).toEqual([
      'file-1',
      'file-2',
      'file-3',
    ])
    mock.enable(`more-${start}`)
    before = mock.state().events
    await close()
  }
  const oldest = own.slice(0, 1)
  const last = await open(3)
  last.mock.restore({ events: oldest })
  await last.close()
  expect((await open(3)).mock.state().events).toEqual(oldest)
})

it('the history names the file or the scenario that changed', async () => {
  const fixtures = (name: string) => [{ state: { features: [{ name }] }, source: 'shop.json' }]
  const mock = createMockOf({}, fixtures('old'))
  const lastTitle = () => mock.history.list().at(-1)?.title
  change(mock)
  mock[CORE].reload({}, fixtures('new'))
  expect(lastTitle()).toBe('shop.json changed; 1 of your changes stayed')
  mock[CORE].reload({ scenarios: sources('x').scenarios }, fixtures('new'))
  expect(lastTitle()).toBe('"mine", "alone" changed; 1 of your changes stayed')
  mock.history.undo()
  mock.reset()
  mock[CORE].reload({}, fixtures('newest'))
  expect(lastTitle()).toMatch(/ changed: the scenarios were reloaded$/)
})

it('reports of SDKs and sign-ins are saved, and stay on other files', async () => {
  const { mock, restart, told } = await startKept()
  const report = async (running: Mock) => {
    const body = JSON.stringify({
      appName: 'shop',
      instanceId: 'i',
      interval: 1,
      started: '2026-11-20T12:00:00Z',
      strategies: [],
    })
    const headers = { authorization: CLIENT, 'content-type': 'application/json' }
    const sent = await running.fetch(
      new Request('http://localhost/api/client/register', { method: 'POST', headers, body }),
    )
    expect(sent.ok).toBe(true)
  }
  const reported = (running: Mock) => running.state().clientInstances.length
  await report(mock)
  const same = await restart('old')
  expect(reported(same)).toBe(1)
  const again = await restart('new')
  expect([names(again).includes('fixture-new'), reported(again)]).toEqual([true, 1])
  again.reload(sources('newest'))
  expect([names(again).includes('fixture-newest'), reported(again)]).toEqual([true, 1])
  expect(told).toEqual([])
})

it('starting over discards the changes, and its undo restores them on the new files, also after a restart', async () => {
  const { mock, restart } = await startKept()
  change(mock)
  const again = await restart('new')
  const before = again.state()
  again.reset()
  expect(names(again)).not.toContain('added')
  await control(again, 'POST', 'history/undo')
  expect(again.state()).toEqual(before)
  const third = await restart('new')
  expect(third.state()).toEqual(before)
  third.reset()
  expect(names(await restart('new'))).not.toContain('added')
})

it('undo of a reload is kept over a restart, even if nothing else changed', async () => {
  const { mock, restart } = await startKept()
  mock.reload(sources('new'))
  await control(mock, 'POST', 'history/undo')
  const before = mock.state()
  expect(names(mock)).toContain('fixture-old')
  expect((await restart('new')).state()).toEqual(before)
})

it('undo and redo of a reload are kept over a restart, with the IDs never used again', async () => {
  const [first, last] = [{ name: 'first' }, { name: 'last' }]
  const of = (name: string) => {
    const { scenarios } = sources(name)
    const middle = name === 'old' ? [] : [{ name: 'middle' }]
    const users = name === 'old' ? [] : [{ id: 40, username: 'new' }]
    return { scenarios, fixtures: { features: [first, ...middle, last], users } }
  }
  const { mock, restart } = await startKept(of)
  mock.reload(of('new'))
  await control(mock, 'POST', 'history/undo')
  const undone = mock.state()
  const again = await restart('new')
  expect(again.state()).toEqual(undone)
  again.reload(of('old'))
  again.reload(of('new'))
  await control(again, 'POST', 'history/undo')
  await control(again, 'POST', 'history/redo')
  const redone = again.state()
  expect((await restart('new')).state()).toEqual(redone)
})

it('a scenario that is away for a while keeps its data, and the session returns to it', async () => {
  const { mock, restart } = await startKept()
  mock.useScenario('mine')
  change(mock)
  mock.reload({ ...sources('old'), scenarios: [] })
  expect(mock.activeScenarios).toEqual(['default'])
  expect(await noticeOf(mock)).toMatch(/^"mine" can't start any more, so this session is in "default": /)
  const again = await restart('old')
  expect([again.activeScenarios, names(again).includes('added')]).toEqual([['mine'], true])
  again.reload({ ...sources('old'), scenarios: [] })
  again.reload(sources('old'))
  expect([again.activeScenarios, names(again).includes('added')]).toEqual([['mine'], true])
  expect(await noticeOf(again)).toBe(NOTHING)
})

it('a scenario with unchanged files has no notice, and neither has a saved scenario', async () => {
  const { mock, restart, told } = await startKept()
  mock.useScenario('alone')
  const saved = { name: 'saved', title: 'Saved', promise: 'It is saved.' }
  const body = JSON.stringify(saved)
  await mock.fetch(new Request('http://localhost/__mock/scenarios', { method: 'POST', body }))
  change(mock)
  mock.useScenario('saved')
  change(mock)
  const again = await restart('new')
  expect(names(again)).toContain('added')
  again.useScenario('alone')
  expect(names(again)).toContain('added')
  expect(await noticeOf(again)).toBe(NOTHING)
  expect(told).toEqual([])
})

it('without a state file, a reload keeps changes too', async () => {
  const mock = createMock(sources('old'))
  change(mock)
  mock.reload(sources('new'))
  expect(names(mock)).toEqual(expect.arrayContaining(['fixture-new', 'added']))
  expect(await noticeOf(mock)).toBe(NOTHING)
})
