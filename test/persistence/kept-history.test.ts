import fc from 'fast-check'
import { expect, it } from 'vitest'
import { CORE } from '../../src/engine/mock/session.js'
import { type Entry, headerLine, textsOf } from '../../src/engine/persistence/format.js'
import { type CommitLog, KeptSessions } from '../../src/engine/persistence/kept-sessions.js'
import { readHeader, replay } from '../../src/engine/persistence/replay.js'
import { STEPS_KEPT } from '../../src/engine/sessions/history.js'
import { createMock, type Mock } from '../../src/index.js'
import { FIXED } from '../support/adapters.js'
import { AMPLE, RUNS } from '../support/runs.js'

/** A log in memory, as a page has one in its storage. */
class TextLog implements CommitLog {
  text = headerLine()

  add(entries: readonly Entry[]): void {
    this.text += [...textsOf(entries)].join('')
  }

  durable(): undefined {}
}

/** A mock that goes on with what a log holds, and keeps what is done from now on in a log of its own. */
function open(text?: string) {
  const log = new TextLog()
  const kept = new KeptSessions(log, { outlivesRestarts: false, eventsKept: 1000 })
  const mock = createMock(FIXED)
  const core = mock[CORE]
  let dropped: readonly string[] = []
  if (text !== undefined) {
    const bytes = new TextEncoder().encode(text)
    const header = readHeader(bytes)
    if (header === undefined) throw new Error('no header')
    const read = replay(bytes, header)
    kept.adopt(read)
    dropped = read.dropped
  }
  core.keepWith(kept)
  log.add(kept.entries())
  return {
    mock,
    log,
    dropped,
    settle: () => {
      for (const session of core.sessions.all()) kept.keepAll(session)
    },
  }
}

const get = async (mock: Mock, path: string) =>
  (await mock.fetch(new Request(`http://localhost/__mock/${path}`))).json()

/** What can be seen of a world. The journal isn't kept, so neither is which request made a step. */
async function seen(mock: Mock) {
  const history = mock.history.list().map(({ requestId: _, ...entry }) => entry)
  const [state, rules] = [await get(mock, 'state'), await get(mock, 'forced')]
  return { history, state, rules, now: mock.clock.now(), scenario: mock.activeScenarios }
}

/** What can be seen of a world at each moment of its history, from the last to the first. It is left at the first. */
async function seenAtAll(mock: Mock) {
  const moments = []
  for (const { id } of mock.history.list().toReversed()) {
    mock.history.goTo(id)
    moments.push(await seen(mock))
  }
  return moments
}

const feature = (name: string) => ({ features: [{ name }] })

const actions: readonly ((mock: Mock, name: string) => unknown)[] = [
  (mock, name) => mock.add(feature(name)),
  (mock) => mock.clock.advance({ hours: 1 }),
  (mock) => mock.force({ operation: 'createFeature', status: 503 }),
  (mock) => mock.restore({ projects: [{ id: 'default' }], features: [{ name: 'lone' }] }),
  (mock) => mock.history.undo(),
  (mock) => mock.history.undo(),
  (mock) => mock.history.redo(),
  (mock) => mock.history.goTo(mock.history.list()[0]?.id ?? 0),
]

it(
  'whatever was done, undone and redone, the history goes on after a reload, and each of its moments is the same',
  () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(actions.length - 1), fc.boolean()), { maxLength: 20 }),
        async (steps) => {
          let page = open()
          for (const [at, [action, isReloaded]] of steps.entries()) {
            actions[action]?.(page.mock, `f-${at}`)
            page.settle()
            if (!isReloaded) continue
            const before = await seen(page.mock)
            page = open(page.log.text)
            expect(await seen(page.mock)).toEqual(before)
          }
          const reloaded = open(page.log.text)
          expect(await seenAtAll(reloaded.mock)).toEqual(await seenAtAll(page.mock))
        },
      ),
      { numRuns: 6 * RUNS },
    ),
  AMPLE,
)

it('a switch can be undone and redone after a reload', async () => {
  const page = open()
  page.mock.add(feature('mine'))
  page.mock.useScenario('empty')
  page.settle()
  const { mock, settle, log } = open(page.log.text)
  expect(mock.activeScenarios).toEqual(['empty'])
  mock.history.undo()
  expect([mock.activeScenarios, mock.features.get('mine')?.name]).toEqual([['default'], 'mine'])
  settle()
  const again = open(log.text).mock
  again.history.redo()
  expect(again.activeScenarios).toEqual(['empty'])
})

it('a world that started again has its history from there on', async () => {
  const page = open()
  page.mock.add(feature('before'))
  page.mock.useScenario('default')
  page.mock.add(feature('after'))
  page.settle()
  const { mock } = open(page.log.text)
  expect(mock.history.list().map(({ what }) => what)).toEqual(['restart', 'add'])
  mock.history.undo()
  expect([mock.features.get('after'), mock.features.get('before')]).toEqual([undefined, undefined])
  expect(mock.history.undo()).toBeUndefined()
})

it('ids of moments go on, over all worlds', () => {
  const page = open()
  page.mock.add(feature('mine'))
  page.mock.useScenario('empty')
  page.settle()
  const last = Math.max(...page.mock.history.list().map(({ id }) => id))
  const { mock } = open(page.log.text)
  mock.add({ projects: [{ id: 'new' }] })
  expect(mock.history.list().at(-1)?.id).toBeGreaterThan(last)
})

it.each([
  ['a record of another shape', (text: string) => text.replaceAll('"type":"release"', '"type":7')],
  ['a table that there is not', (text: string) => text.replaceAll('"features":[{"key"', '"fatures":[{"key"')],
])('a history with %s is dropped, and nothing else', (_, broken) => {
  const page = open()
  page.mock.add(feature('mine'))
  page.settle()
  const lines = page.log.text.split('\n')
  const text = lines.map((line) => (line.startsWith('{"step"') ? broken(line) : line)).join('\n')
  expect(text).not.toBe(page.log.text)
  const { mock, dropped } = open(text)
  expect(dropped).toEqual([expect.stringMatching(/^line \d+: the history: /)])
  expect(mock.features.get('mine')?.name).toBe('mine')
  expect(mock.history.list()).toHaveLength(1)
})

it('the history of another version is dropped with a line', () => {
  const page = open()
  page.mock.add(feature('mine'))
  page.settle()
  const { mock, dropped } = open(page.log.text.replace(/"version":"[^"]*"/, '"version":"0.0.1"'))
  expect(dropped).toEqual([expect.stringContaining('another version of flagdouble wrote it')])
  expect([mock.features.get('mine')?.name, mock.history.list()]).toEqual([
    'mine',
    [expect.objectContaining({ what: 'start' })],
  ])
})

it('of a history that has dropped its oldest steps, the log keeps no more', () => {
  const page = open()
  for (let made = 0; made < STEPS_KEPT + 5; made++) {
    page.mock.clock.advance({ hours: 1 })
    page.settle()
  }
  const { mock } = open(page.log.text)
  expect(mock.history.list()).toEqual(page.mock.history.list())
})

it('data that is nested as deep as it may be can be read again, and so can its history', () => {
  const page = open()
  const event = (levels: number) => ({
    type: 'deep',
    data: JSON.parse(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`),
  })
  const deepest = [...Array(100).keys()].findLast((levels) => {
    try {
      page.mock.add({ events: [{ id: 1000 + levels, ...event(levels) }] })
      return true
    } catch {
      return false
    }
  })
  expect(deepest).toBeGreaterThan(50)
  page.settle()
  const { mock, dropped } = open(page.log.text)
  expect(dropped).toEqual([])
  expect(mock.state()).toEqual(page.mock.state())
  expect(mock.history.list()).toEqual(page.mock.history.list())
})
