import { beforeEach, describe, expect, it } from 'vitest'
import { Database, inverse } from '../../src/service/store/database.js'
import type { Commit, TableKeys } from '../../src/service/store/table.js'

interface Book {
  title: string
  shelf: string
}

const keys: TableKeys<Book, string, 'shelf'> = {
  key: ({ title }) => title,
  indexes: { shelf: ({ shelf }) => [shelf] },
}
const TITLES = ['a', 'b', 'c', 'd', 'e']
const shelved = (titles: readonly string[], shelf = 'left') => titles.map((title) => ({ title, shelf }))

let data: Database<{ books: typeof keys; loans: typeof keys }>
beforeEach(() => {
  data = new Database({ books: keys, loans: keys })
  data.load({ books: shelved(TITLES), loans: shelved(['x', 'y']) }, { replacesAll: false })
})

/** All records as text, in their order: of the tables, and of an index. */
const held = () => JSON.stringify([[...data.contents()], data.tables.books.by('shelf', 'left')])
const titles = () => data.tables.books.list().map(({ title }) => title)

/** Makes a change, and returns it as it is kept for undoing it. */
function keptOf(change: () => void): Commit {
  let kept: Commit | undefined
  data.guardWith((commit) => {
    kept = data.reversible(commit)
  })
  change()
  data.guardWith(() => undefined)
  if (kept === undefined) throw new Error('Nothing was changed.')
  return kept
}

/** Makes a change, and goes back and forth twice. */
function goBackAndForth(change: () => void): Commit {
  const before = held()
  const commit = keptOf(change)
  const after = held()
  expect(after).not.toBe(before)
  for (const round of [1, 2]) {
    data.apply(inverse(commit))
    expect(held(), `undone, round ${round}`).toBe(before)
    data.apply(round === 1 ? commit : inverse(inverse(commit)))
    expect(held(), `done again, round ${round}`).toBe(after)
  }
  return commit
}

const removing = (gone: readonly string[]) => () =>
  data.transact((tables) => {
    for (const title of gone) tables.books.remove(title)
  })

/** Each way to remove some of them, or all. */
const subsets = Array.from({ length: 2 ** TITLES.length - 1 }, (_, picked) =>
  TITLES.filter((_title, position) => (picked + 1) & (1 << position)),
)

it.each(subsets.map((gone) => [gone.join(), gone] as const))('brings %s back to where they were', (_name, gone) => {
  goBackAndForth(removing(gone))
  expect(titles()).toEqual(TITLES.filter((title) => !gone.includes(title)))
})

it('brings records back in their order, in whichever order they were removed', () => {
  goBackAndForth(removing(['c', 'e', 'b']))
})

it('undoes what adds, replaces and removes in one commit', () => {
  goBackAndForth(() =>
    data.transact(({ books, loans }) => {
      books.replace({ title: 'a', shelf: 'right' })
      books.remove('b')
      books.insert({ title: 'f', shelf: 'left' })
      books.remove('e')
      loans.remove('x')
    }),
  )
  expect(titles()).toEqual(['a', 'c', 'd', 'f'])
})

describe('a commit that replaces all', () => {
  it('is undone, whether a key is there before, after or both', () => {
    const commit = goBackAndForth(() => data.load({ books: shelved(['z', 'b'], 'right') }, { replacesAll: true }))
    expect(titles()).toEqual(['z', 'b'])
    expect(data.tables.loans.size).toBe(0)
    expect(inverse(commit).replacesAll).toBe(true)
  })

  it('is undone if it leaves nothing', () => {
    goBackAndForth(() => data.load({}, { replacesAll: true }))
    expect(data.isEmpty).toBe(true)
  })
})
