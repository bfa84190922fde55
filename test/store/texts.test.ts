import { afterEach, beforeEach, expect, it } from 'vitest'
import { Collection } from '../../src/store/collection.js'
import { keeping } from '../../src/store/texts.js'
import { JsonText } from '../../src/support/json-text.js'

interface Item {
  id: number
  name: string
}

const before = { ...keeping }
afterEach(() => {
  Object.assign(keeping, before)
})

let items: Collection<Item, number, never>
let written: number[]
beforeEach(() => {
  Object.assign(keeping, { from: 3, characters: 1000 })
  items = new Collection<Item, number, never>({ key: ({ id }) => id, indexes: {} })
  for (const id of [1, 2, 3]) items.set(id, { id, name: `item ${id}` })
  written = []
})

/** Reads all records, and notes which of them are written. */
function read(view = 'plain', basis: readonly number[] = []): string[] {
  const textOf = items.texts.ofEach(view, basis, (item: Item) => {
    written.push(item.id)
    return `${view} ${item.name}`
  })
  return items.list().map((item) => textOf(item).text)
}

it('a record is written once, until it changes', () => {
  read()
  items.set(2, { id: 2, name: 'changed' })
  expect(read()).toEqual(['plain item 1', 'plain changed', 'plain item 3'])
  expect(written).toEqual([1, 2, 3, 2])
})

it('all records are written anew when something else changes that they depend on', () => {
  read('plain', [1])
  read('plain', [2])
  expect(written).toEqual([1, 2, 3, 1, 2, 3])
})

it('nothing is kept of a small table', () => {
  items.set(3, undefined)
  read()
  read()
  expect(written).toEqual([1, 2, 1, 2])
})

it('of a small table texts are kept when it has been used as often as another has records', () => {
  items.set(3, undefined)
  for (let use = 0; use < 3; use++) read()
  written = []
  read()
  read()
  expect(written).toEqual([1, 2])
})

it('nothing is kept of a table that is emptied', () => {
  read()
  const kept = items.list()
  items.clear()
  for (const item of kept) items.set(item.id, item)
  read()
  expect(written).toEqual([1, 2, 3, 1, 2, 3])
})

it('an answer is made again when any record has changed', () => {
  let made = 0
  const answer = () => items.texts.ofAll('count', [], () => new JsonText(String(++made))).text
  expect([answer(), answer()]).toEqual(['1', '1'])
  items.set(4, { id: 4, name: 'new' })
  expect(answer()).toBe('2')
})

it('where there is no room for two views, the one in use drives the other out', () => {
  keeping.characters = 40
  read('first')
  read('other')
  written = []
  read('other')
  expect(written).toEqual([])
  read('first')
  expect(written).toEqual([1, 2, 3])
})

it('what is too large is not kept', () => {
  keeping.characters = 30
  read()
  written = []
  expect(read()).toEqual(['plain item 1', 'plain item 2', 'plain item 3'])
  expect(written).toEqual([3])
})

it('records that come and go leave room for others', () => {
  keeping.characters = 40
  for (let name = 0; name < 9; name++) {
    items.set(3, { id: 3, name: `item ${name}` })
    read()
  }
  written = []
  read()
  expect(written).toEqual([])
})
