import { beforeEach, describe, expect, it } from 'vitest'
import { CORE } from '../../src/engine/mock/session.js'
import { createMock } from '../../src/index.js'
import { Cache } from '../../src/service/store/cache.js'
import { Collection } from '../../src/service/store/collection.js'
import { JsonText } from '../../src/support/json-text.js'

interface Item {
  id: number
  name: string
}

function tableOf(size: number, cache = new Cache()): Collection<Item, number, never> {
  const items = new Collection<Item, number, never>({ key: ({ id }) => id, indexes: {} }, () => cache)
  for (let id = 1; id <= size; id++) items.set(id, { id, name: `item ${id}` })
  return items
}

let written: number[]
beforeEach(() => {
  written = []
})

/** Reads all records, and notes which of them are written. */
function read(items: Collection<Item, number, never>, basis: readonly number[] = [], view = 'plain'): string[] {
  const textOf = items.cache.texts(view, basis, (item: Item) => {
    written.push(item.id)
    return `${view} ${item.name}`
  })
  return items.list().map((item) => textOf(item).text)
}

/** Asks for an answer of ten characters, and says whether it was made. */
function isMade(items: Collection<Item, number, never>, name = 'all', basis: readonly number[] = []): boolean {
  let made = false
  items.cache.answer(name, basis, () => {
    made = true
    return new JsonText('0123456789')
  })
  return made
}

describe('where room is short', () => {
  it('all worlds of a mock share its room', () => {
    const { sessions } = createMock()[CORE]
    const caches = ['', 'one', 'other'].map((name) => {
      const session = sessions.open(name)
      const first = session.world().data.cache
      session.reset()
      return [first, session.world().data.cache]
    })
    expect(new Set(caches.flat()).size).toBe(1)
  })

  it('what was unused for longest goes first, whatever table it is of', () => {
    // An answer takes 13 characters, with its key.
    const cache = new Cache(60)
    const [one, other] = [tableOf(101, cache), tableOf(101, cache)]
    isMade(one, 'a')
    isMade(other, 'b')
    isMade(one, 'a')
    for (const name of ['c', 'd', 'e']) isMade(other, name)
    expect([isMade(one, 'a'), isMade(other, 'e'), isMade(other, 'b')]).toEqual([false, false, true])
  })

  it('what is too large alone is not cached, and drives nothing out', () => {
    const items = tableOf(101, new Cache(100))
    isMade(items)
    const large = () => items.cache.answer('large', [], () => new JsonText('-'.repeat(200)))
    expect(large()).not.toBe(large())
    expect(isMade(items)).toBe(false)
  })

  it('the texts of one view make room for those of another', () => {
    const items = tableOf(3, new Cache(60))
    for (const view of ['plain', 'plain', 'other', 'plain']) read(items, [], view)
    expect(written).toEqual([1, 2, 3, 1, 2, 3, 1, 2, 3])
  })

  it('texts of records that are gone count until their view has no room, and are never seen again', () => {
    const items = tableOf(3, new Cache(60))
    for (let number = 0; number < 9; number++) {
      items.set(3, { id: 3, name: `item ${number}` })
      expect(read(items)).toEqual(['plain item 1', 'plain item 2', `plain item ${number}`])
    }
    expect(written.length).toBeGreaterThan(3 + 8)
  })
})
