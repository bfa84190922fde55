import { beforeEach, expect, it } from 'vitest'
import { Collection, EVENTS_KEPT, ITEMS_KEPT } from '../../src/service/store/collection.js'
import { Database } from '../../src/service/store/database.js'
import type { TableKeys } from '../../src/service/store/table.js'

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

it('emptying a table changes its version', () => {
  const { version } = data.tables.books
  data.load({}, { replacesAll: true })
  expect(data.tables.books.version).toBeGreaterThan(version)
})

it('limits the number of records, and the length of lists', () => {
  const table = new Collection(books, { cache: data.cache, isWriting: true }, undefined, 2)
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
