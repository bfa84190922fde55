import { expect, it } from 'vitest'
import { createMock } from '../../src/index.js'
import { sessionOf } from '../../src/mock/session.js'
import type { AnyTableDefinition } from '../../src/resources/shared/table.js'
import { kinds, type TableName, tables } from '../../src/resources/tables.js'
import { loadOrder } from '../../src/state/load-state.js'

it('loads each kind of record after those that its completion needs', () => {
  const order = loadOrder(kinds)
  expect(order.toSorted()).toEqual(Object.keys(kinds).toSorted())
  for (const [name, { needs = [] }] of Object.entries<{ needs?: readonly string[] }>(kinds)) {
    for (const needed of needs) expect(order.indexOf(needed)).toBeLessThan(order.indexOf(name))
  }
})

it('rejects kinds of records that need each other', () => {
  expect(() => loadOrder({ users: { needs: ['roles'] }, roles: { needs: ['users'] } })).toThrow(
    'Kinds of records need each other: users → roles → users.',
  )
})

it('every reference of the sample data leads to a record that exists', () => {
  const { data } = sessionOf(createMock()).world()
  const definitions: Readonly<Record<string, AnyTableDefinition>> = kinds
  const references = Object.keys(tables).flatMap((name) =>
    data.tables[name as TableName].list().flatMap((record) => [...(definitions[name]?.references?.(record) ?? [])]),
  )
  const dangling = references.filter(
    ({ to, key }) =>
      !(to in tables) || data.tables[to as TableName].list().every((record) => definitions[to]?.key(record) !== key),
  )
  expect(new Set(references.map(({ to }) => to)).size).toBeGreaterThan(3)
  expect(dangling).toEqual([])
})
