import { describe, expect, it } from 'vitest'
import { asksFor, filterBy } from '../../src/support/filters.js'

interface Item {
  name: string
  tags: string[]
}

const items: Item[] = [
  { name: 'none', tags: [] },
  { name: 'a', tags: ['a'] },
  { name: 'b', tags: ['b'] },
  { name: 'both', tags: ['a', 'b'] },
]

const facets = { tag: ({ tags }: Item) => tags, name: ({ name }: Item) => [name] }

function namesOf(query: { tag?: string; name?: string }): string[] {
  return items.filter(filterBy(query, facets)).map(({ name }) => name)
}

describe('filterBy', () => {
  it.each([
    ['IS:a', ['a', 'both']],
    ['IS_ANY_OF:a,b', ['a', 'b', 'both']],
    ['INCLUDE:b', ['b', 'both']],
    ['INCLUDE_ANY_OF:b,c', ['b', 'both']],
    ['INCLUDE_ALL_OF:a,b', ['both']],
    ['IS_NOT:a', ['none', 'b']],
    ['IS_NONE_OF:a,b', ['none']],
    ['DO_NOT_INCLUDE:b', ['none', 'a']],
    ['EXCLUDE_IF_ANY_OF:a,b', ['none']],
    ['EXCLUDE_ALL:a,b', ['none', 'a', 'b']],
    ['IS_BEFORE:b', ['a', 'both']],
    ['IS_ON_OR_AFTER:b', ['b', 'both']],
  ])('filterBy passes for "%s" the items with these tags: %j', (filter, expected) => {
    expect(namesOf({ tag: filter })).toEqual(expected)
  })

  it('filterBy ignores spaces around the values', () => {
    expect(namesOf({ tag: 'INCLUDE_ALL_OF: a , b ' })).toEqual(['both'])
  })

  it('filterBy takes everything after the first colon as values', () => {
    const byKey = filterBy({ key: 'IS:simple:a' }, { key: (key: string) => [key] })
    expect(['simple', 'simple:a'].filter(byKey)).toEqual(['simple:a'])
  })

  it('filterBy passes only what passes every filter', () => {
    expect(namesOf({ tag: 'IS:a', name: 'IS_NOT:both' })).toEqual(['a'])
  })

  it.each([{}, { tag: '' }, { tag: 'a' }, { tag: 'LIKE:a' }, { tag: 'is:a' }, { tag: '__PROTO__:a' }])(
    'filterBy passes everything where there is no filter: %j',
    (query) => {
      expect(namesOf(query)).toHaveLength(items.length)
    },
  )
})

describe('asksFor', () => {
  it.each([
    ['IS:archived', true],
    ['IS_ANY_OF:live,archived', true],
    ['IS:live', false],
    ['IS_NOT:archived', false],
    ['IS_NOT:live', false],
    ['EXCLUDE_ALL:archived', false],
    [undefined, false],
  ])('asksFor says of the filter %j whether it asks for "archived": %j', (filter, expected) => {
    expect(asksFor(filter, 'archived')).toBe(expected)
  })
})
