import { beforeEach, expect, it } from 'vitest'
import { Budget } from '../../src/engine/sessions/budget.js'
import { Collection, EVENTS_KEPT, ITEMS_KEPT } from '../../src/service/store/collection.js'
import { Database, inverse } from '../../src/service/store/database.js'
import type { Commit, TableKeys } from '../../src/service/store/table.js'

interface Book {
  title: string
  shelf: string
  pages?: readonly number[]
}

interface Noted {
  id: number
}

const books: TableKeys<Book, string, 'shelf'> = {
  key: ({ title }) => title,
  indexes: { shelf: ({ shelf }) => [shelf] },
}
const events: TableKeys<Noted, number, never> & { log: true } = { key: ({ id }) => id, indexes: {}, log: true }

const book = (title: string, shelf = 'left') => ({ title, shelf })
const noted = (...ids: number[]) => ids.map((id) => ({ id }))

let data: Database<{ books: typeof books; events: typeof events }>
beforeEach(() => {
  data = new Database({ books, events })
  data.load({ books: ['a', 'b', 'c', 'd'].map((title) => book(title)) }, { replacesAll: false })
})

const titles = () => data.tables.books.list().map(({ title }) => title)
const onShelf = (shelf: string) => data.tables.books.by('shelf', shelf).map(({ title }) => title)

it('reports a change of a table when it is emptied, and accepts records only in a transaction', () => {
  const { books } = data.tables
  for (const write of [() => books.insert(book('e')), () => books.replace(book('a', 'right'))]) {
    expect(write).toThrow('in a transaction only')
  }
  const { version } = books
  data.load({}, { replacesAll: true })
  expect(books.version).toBeGreaterThan(version)
})

it('loads records in place of some, or of all', () => {
  expect(onShelf('left')).toHaveLength(4)
  data.load({ books: [book('b', 'right')] }, { replacesAll: false, removed: { books: ['a', 'none'] } })
  expect([titles(), onShelf('left'), onShelf('right')]).toEqual([['b', 'c', 'd'], ['c', 'd'], ['b']])
  const commits: Commit[] = []
  data.onCommit((commit) => commits.push(commit))
  data.load({ books: [book('z', 'left')] }, { replacesAll: true })
  expect([titles(), onShelf('left'), onShelf('right')]).toEqual([['z'], ['z'], []])
  expect(commits).toMatchObject([{ replacesAll: true }])
  expect([...(commits[0]?.changes.keys() ?? [])]).toEqual(['books'])
  expect(Object.isFrozen(data.tables.books.get('z'))).toBe(true)
})

it('restores earlier contents, and notices each change', () => {
  const before = data.contents()
  const { version } = data.tables.books
  data.transact((tables) => tables.books.remove('b'))
  expect(data.tables.books.version).toBeGreaterThan(version)
  const after = data.tables.books.version
  data.load({ events: noted(1) }, { replacesAll: false })
  data.replaceBy(before)
  expect([titles(), data.tables.events.size]).toEqual([['a', 'b', 'c', 'd'], 0])
  expect(data.tables.books.version).toBeGreaterThan(after)
})

it('changes nothing if a guard throws', () => {
  const guarded: Commit[] = []
  data.guardWith((commit) => {
    guarded.push(commit)
    throw new Error('not now')
  })
  expect(() => data.transact((tables) => tables.books.remove('a'))).toThrow('not now')
  expect([titles(), guarded]).toMatchObject([['a', 'b', 'c', 'd'], [{ replacesAll: false }]])
  expect(() => data.transact(() => undefined)).not.toThrow()
  expect(guarded).toHaveLength(1)
})

it('undoes and redoes commits: each record keeps its place', () => {
  const commits: Commit[] = []
  const stop = data.onCommit((commit) => commits.push(commit))
  const held = () => JSON.stringify([[...data.contents()], onShelf('left'), onShelf('right')])
  const held0 = held()
  data.transact(({ books }) => {
    for (const title of ['c', 'a']) books.remove(title)
    books.replace(book('b', 'right'))
    books.insert(book('e'))
    books.insert(book('c', 'right'))
  })
  expect(titles()).toEqual(['b', 'c', 'd', 'e'])
  const moments = [held0, held()]
  data.load({ books: ['z', 'b', 'y'].map((title) => book(title)) }, { replacesAll: true })
  moments.push(held())
  expect(titles()).toEqual(['z', 'b', 'y'])
  data.transact(({ books }) => books.remove('b'))
  moments.push(held())
  stop()
  for (let round = 0; round < 2; round++) {
    for (const [at, commit] of [...commits.entries()].reverse()) {
      data.apply(inverse(commit))
      expect(held()).toBe(moments[at])
    }
    for (const [at, commit] of commits.entries()) {
      data.apply(commit)
      expect(held()).toBe(moments[at + 1])
    }
  }
})

it('shows a transaction all of its own changes, in every read', () => {
  data.transact(({ books }) => {
    books.remove('a')
    books.replace(book('b', 'right'))
    books.insert(book('e'))
    expect([...books.oldestFirst()]).toEqual(books.list())
    expect(books.list().map(({ title, shelf }) => title + shelf)).toEqual(['bright', 'cleft', 'dleft', 'eleft'])
    expect(books.by('shelf', 'left').map(({ title }) => title)).toEqual(['c', 'd', 'e'])
    expect([books.count('shelf', 'left'), books.count('shelf', 'right'), books.count('shelf', 'top')]).toEqual([
      3, 1, 0,
    ])
    expect([books.size, books.has('a'), books.get('a')]).toEqual([4, false, undefined])
    expect([books.has('e'), books.get('b')]).toEqual([true, book('b', 'right')])
  })
  expect(data.tables.books.count('shelf', 'top')).toBe(0)
})

it('limits the number of records, and the length of lists', () => {
  const table = new Collection(books, { cache: data.cache, isWriting: true }, 2)
  table.insert(book('a'))
  table.insert(book('b'))
  table.replace(book('b', 'right'))
  expect(() => table.insert(book('c'))).toThrow('at most 2')
  table.remove('a')
  expect(() => table.insert(book('c'))).not.toThrow()
  const withPages = (count: number) => ({ ...book('b'), pages: Array(count).fill(1) })
  expect(() => table.replace(withPages(ITEMS_KEPT))).not.toThrow()
  expect(() => table.replace(withPages(ITEMS_KEPT + 1))).toThrow('"pages"')
})

it('keeps events in the order of their numbers, and numbers the next event', () => {
  const ids = () => data.tables.events.list().map(({ id }) => id)
  expect(data.tables.events.nextId).toBe(1)
  data.load({ events: noted(3, 9) }, { replacesAll: false })
  data.load({ events: noted(5) }, { replacesAll: false })
  expect([ids(), [...data.tables.events.newestFirst()].map(({ id }) => id)]).toEqual([
    [3, 5, 9],
    [9, 5, 3],
  ])
  data.transact(({ events }) => {
    expect([events.nextId, events.total]).toEqual([10, 3])
    events.insert({ id: 10 })
    expect([events.nextId, events.total]).toEqual([11, 4])
  })
  const stored = data.tables.events.get(10)
  expect([data.tables.events.nextId, data.tables.events.total, Object.isFrozen(stored)]).toEqual([11, 4, true])
  expect(() =>
    data.transact(({ events }) => {
      events.insert({ id: 11 })
      throw new Error('a bug')
    }),
  ).toThrow('a bug')
  expect(data.transact(({ events }) => events.nextId)).toBe(11)
  data.load({}, { replacesAll: true })
  expect([ids(), data.tables.events.nextId, data.tables.events.total]).toEqual([[], 1, 0])
})

it('drops the oldest events, and still counts them', () => {
  const count = EVENTS_KEPT + 1500
  data.load({ events: noted(...Array.from({ length: count }, (_, i) => i + 1)) }, { replacesAll: true })
  const { events } = data.tables
  expect([events.total, events.size, events.list().length]).toEqual([count, EVENTS_KEPT, EVENTS_KEPT])
  expect([events.list()[0]?.id, [...events.newestFirst()].at(-1)?.id]).toEqual([1501, 1501])
  expect([...events.oldestFirst()].length).toBe(EVENTS_KEPT)
  expect(data.contents().get('events')).toHaveLength(EVENTS_KEPT)
  expect([events.has(1), events.nextId]).toEqual([false, count + 1])
  data.load({}, { replacesAll: true })
  expect(data.tables.events.total).toBe(0)
})

it('reverts a failed replacement of all records, with the number of events so far', () => {
  data.load({ events: noted(...Array.from({ length: EVENTS_KEPT + 1000 }, (_, at) => at + 1)) }, { replacesAll: false })
  const held = () => [
    titles(),
    onShelf('left'),
    data.tables.events.total,
    data.tables.events.list().map(({ id }) => id),
  ]
  const before = held()
  data.guardWith(() => {
    throw new Error('no room')
  })
  expect(() => data.load({ books: [book('z'), book('b')], events: noted(7) }, { replacesAll: true })).toThrow('no room')
  expect(held()).toEqual(before)
})

it('counts the size of events when they are committed, so that a rollback drops no event', () => {
  const budget = new Budget(20)
  data.tables.events.countIn(budget)
  data.load({ events: noted(1, 2) }, { replacesAll: false })
  const ids = () => data.tables.events.list().map(({ id }) => id)
  const used = budget.used
  const write = () => data.transact(({ events }) => [3, 4].map((id) => events.insert({ id })), false)
  write()
  expect([ids(), budget.used]).toEqual([[1, 2], used])
  data.load({ events: noted(3, 4) }, { replacesAll: false })
  expect([ids(), budget.used]).toEqual([[3, 4], used])
  data.load({}, { replacesAll: true })
  expect(budget.used).toBe(0)
})
