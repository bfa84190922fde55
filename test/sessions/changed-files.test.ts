import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createMockOf } from '../../src/engine/mock/mock.js'
import { CORE } from '../../src/engine/mock/session.js'
import { StateFile } from '../../src/entries/files/state-file/state-file.js'
import { createMock, defineScenario, type Mock } from '../../src/index.js'
import { CLIENT } from '../support/adapters.js'
import { scratchFolder } from '../support/cli.js'
import { root } from '../support/markdown.js'

/** The notice, as the documentation quotes it. */
const page = readFileSync(join(root, 'docs/persistence.md'), 'utf8')
const [, quoted = 'no quote'] = /The notice is "(.+?)"/.exec(page) ?? []
const NOTICE = new RegExp(`^${quoted.replaceAll(/[.()]/g, '\\$&')}$`)
const NOTHING = 'nothing'

const sources = (name: string) => ({
  fixtures: { features: [{ name: `fixture-${name}` }] },
  scenarios: [
    defineScenario({ name: 'mine', title: 'Mine', promise: 'Its own.', extends: 'default' }),
    defineScenario({ name: 'alone', title: 'Alone', promise: 'No fixtures.', extends: 'default', fixtures: false }),
  ],
})

/** A mock with a state file, and a function that starts it again with other files. Messages go to `told`. */
async function startKept() {
  const file = join(scratchFolder().path, 'state.json')
  const told: string[] = []
  const open = async (name: string) => {
    const mock = createMock(sources(name))
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

/** The notice about changed files: the same in the control API and in the hint of every response. */
async function noticeOf(mock: Mock, headers: Record<string, string> = {}): Promise<string> {
  const { notice, filesChanged } = await control(mock, 'GET', 'scenario', headers)
  const authorization = '*:*.mock-admin'
  const request = new Request('http://localhost/api/admin/projects', { headers: { ...headers, authorization } })
  expect((await mock.fetch(request)).headers.get('x-mock-hint')).toBe(notice ?? null)
  expect(filesChanged ?? false).toBe(notice !== undefined)
  return notice ?? NOTHING
}

const names = (mock: Mock) => mock.features.list().map(({ name }) => name)
const change = (mock: Pick<Mock, 'add'>) => mock.add({ features: [{ name: 'added' }] })

it('after a restart with other files, a scenario without changes starts from the new ones, and a changed one keeps its data and says so', async () => {
  const { mock, restart, told } = await startKept()
  change(mock)
  change(mock.session('other'))
  const again = await restart('new')
  expect(told).toEqual([expect.stringMatching(NOTICE), `The session "other": ${quoted}`])
  expect(names(again)).toEqual(expect.arrayContaining(['fixture-old', 'added']))
  expect(await noticeOf(again)).toMatch(NOTICE)
  expect(await noticeOf(again, { 'x-mock-session': 'other' })).toMatch(NOTICE)
  expect(await noticeOf(again, { 'x-mock-session': 'third' })).toBe(NOTHING)
  expect(await noticeOf(again, { 'x-mock-scenario': 'mine' })).toBe(NOTHING)
  again.useScenario('mine')
  expect(names(again)).toContain('fixture-new')
  expect(await noticeOf(again)).toBe(NOTHING)
  expect(await noticeOf(again, { 'x-mock-scenario': 'default' })).toMatch(NOTICE)
  again.useScenario('default')
  expect(await noticeOf(again)).toMatch(NOTICE)
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

it('changes that need a record that is gone from the files keep the data, and a notice names the file and the record', async () => {
  const { path } = scratchFolder()
  const file = join(path, 'shop.json')
  const fixtures = (id: string) => [{ state: { projects: [{ id }] }, source: file, file: 'shop.json' }]
  const mock = createMockOf({}, fixtures('gone'))
  mock.add({ features: [{ name: 'added', project: 'gone' }] })
  mock[CORE].reload({}, fixtures('other'))
  expect(names(mock)).toContain('added')
  expect(mock.projects.list().map(({ id }) => id)).not.toContain('other')
  expect(await noticeOf(mock)).toBe(
    'shop.json changed, but your changes don\'t fit: $.features.added.project: must be a project that exists, but is "gone"; there are "default", "mobile-app", "other". Your data stays until you start over.',
  )
  await control(mock, 'POST', 'history/undo')
  expect(await noticeOf(mock)).toBe(NOTHING)
  mock[CORE].reload({}, fixtures('another'))
  mock.reset()
  expect(await noticeOf(mock)).toBe(NOTHING)
  expect(mock.projects.list().map(({ id }) => id)).toContain('another')
})

it('the history names the file or the scenario that changed', async () => {
  const fixtures = (name: string) => [{ state: { features: [{ name }] }, source: 'shop.json' }]
  const mock = createMockOf({}, fixtures('old'))
  const lastTitle = () => mock.history.list().at(-1)?.title
  change(mock)
  mock[CORE].reload({}, fixtures('new'))
  expect(lastTitle()).toBe('shop.json changed; 1 of your changes stayed')
  mock[CORE].reload({ scenarios: sources('x').scenarios }, fixtures('new'))
  expect(lastTitle()).toBe('"mine", "alone" changed: the scenarios were reloaded')
})

it('reports of SDKs and sign-ins are saved, but other files win over them', async () => {
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
  expect([names(again).includes('fixture-new'), reported(again)]).toEqual([true, 0])
  await report(again)
  again.reload(sources('newest'))
  expect([names(again).includes('fixture-newest'), reported(again)]).toEqual([true, 0])
  expect(told).toEqual([])
})

it('starting over loads the new files, and its undo restores the data and the notice', async () => {
  const { mock, restart } = await startKept()
  change(mock)
  const again = await restart('new')
  again.reset()
  expect(names(again)).toEqual(expect.arrayContaining(['fixture-new']))
  expect(await noticeOf(again)).toBe(NOTHING)
  await control(again, 'POST', 'history/undo')
  expect(names(again)).toContain('added')
  expect(await noticeOf(again)).toMatch(NOTICE)
  await control(again, 'POST', 'history/redo')
  expect(await noticeOf(again)).toBe(NOTHING)
})

it('the notice survives another restart, until everything starts over', async () => {
  const { mock, restart } = await startKept()
  change(mock)
  await restart('new')
  const third = await restart('new')
  expect(await noticeOf(third)).toMatch(NOTICE)
  third.reset()
  expect(await noticeOf(await restart('new'))).toBe(NOTHING)
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
