import { expect, it } from 'vitest'
import { sessionOf } from '../../src/engine/mock/session.js'
import { createMock } from '../../src/index.js'
import type { AnyTableDefinition } from '../../src/service/resources/shared/table.js'
import { type TableName, tables } from '../../src/service/resources/tables.js'

it('a record is completed with others of the same state, in any order', () => {
  const mock = createMock({
    scenario: 'empty',
    fixtures: {
      features: [{ name: 'x', project: 'shop', createdBy: { id: 9 } }],
      projects: [{ id: 'shop', members: [{ user: 'ada', role: 'Tester' }] }],
      signupTokens: [{ secret: 's', role: 'Tester' }],
      users: [{ id: 9, name: 'Ada', username: 'ada', rootRole: 'Tester' }],
      roles: [{ id: 77, name: 'Tester' }],
      environments: [{ name: 'staging' }],
    },
  })
  const { roles, users, signupTokens, projects, features } = mock.state()
  const [id] = roles.flatMap((role) => (role.name === 'Tester' ? role.id : []))
  expect(id).toBe(77)
  expect(users.find((user) => user.id === 9)?.rootRole).toBe(id)
  expect(signupTokens).toMatchObject([{ role: { id } }])
  expect(projects.find((project) => project.id === 'shop')).toMatchObject({
    members: [{ id: 9, role: id }],
    environments: ['development', 'production', 'staging'],
  })
  expect(features).toMatchObject([{ createdBy: { name: 'Ada' } }])
  expect(features[0]?.environments.map(({ name }) => name)).toEqual(['development', 'production', 'staging'])
})

it('every reference of the sample data leads to an existing record', () => {
  const { data } = sessionOf(createMock()).world()
  const definitions: Readonly<Record<string, AnyTableDefinition>> = tables
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
