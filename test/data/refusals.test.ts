import { beforeEach, describe, expect, it } from 'vitest'
import { SessionData } from '../../src/engine/data/data.js'
import { createMock } from '../../src/index.js'
import { tables } from '../../src/service/resources/tables.js'
import { FakeSession, sample } from './world.js'

/** As a user without types would call them. */
interface Query {
  where(condition: unknown): Query
  and(...conditions: unknown[]): Query
  or(...conditions: unknown[]): Query
}
type Find = (asked?: (q: Query) => Query, options?: unknown) => unknown
type Untyped = Record<string, Record<'findFirst' | 'findMany', Find>>

let data: Untyped
beforeEach(async () => {
  const session = new FakeSession(sample)
  data = (await new SessionData().of(session, session.current)) as unknown as Untyped
})

const ids = (found: unknown) => (found as { id?: number; name?: string }[]).map(({ id, name }) => name ?? id)

const wrong: [kind: string, condition: unknown, message: string][] = [
  ['features', { project: 'shop' }, 'project: must be an object of conditions. Did you mean { id: "shop" }?'],
  ['users', { rootRole: 'Admin' }, 'rootRole: must be an object of conditions. Did you mean { name: "Admin" }?'],
  ['features', { nmae: 'x' }, '"nmae" is not known here. Did you mean "name"?'],
  ['features', { project: { nmae: 'x' } }, 'project: "nmae" is not known here. Did you mean "name"?'],
  [
    'features',
    { environments: { enabeld: true } },
    'environments: "enabeld" is not known here. Did you mean "enabled"?',
  ],
  ['features', { lifecycle: { stage: 'intial' } }, 'Did you mean "initial"?'],
  ['features', { stale: 'yes' }, 'stale: must be true or false or a function, but is "yes"'],
  ['features', { name: 3 }, 'name: must be a string or a function, but is 3'],
  ['features', { name: undefined }, 'name: is undefined'],
  ['features', { project: () => true }, 'project: must be an object, but is a function'],
  ['features', { tags: [] }, 'tags: must be an object, but is an array'],
  ['segments', { project: null }, 'project: must be an object, but is null'],
  ['apiTokens', { projects: 'shop' }, 'projects: is a list of values'],
  ['features', 'banner', 'Did you mean { name: "banner" }?'],
]

describe('a condition that @msw/data would pass over is refused', () => {
  it.each(wrong)('%s %j', (kind, condition, message) => {
    const { findFirst, findMany } = data[kind] as Untyped[string]
    const everywhere: (() => unknown)[] = [
      () => findFirst((q) => q.where(condition)),
      () => findMany((q) => q.where(condition)),
      () => findMany((q) => q.where({}).where(condition)),
      () => findMany((q) => q.where(() => true).and({}, condition)),
      () => findMany((q) => q.or({}, condition)),
      () => findMany((q) => q.or({}, q.where(condition))),
    ]
    for (const find of everywhere) expect(find).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }))
    for (const find of everywhere) expect(find).toThrow(message)
  })

  it('even where the collection is empty', () => {
    expect(() => data.favorites?.findFirst((q) => q.where({ knid: 'feature' }))).toThrow('Did you mean "kind"?')
  })
})

it.each([
  [{ orderBy: { nmae: 'asc' } }, 'Did you mean "name"?'],
  [{ orderBy: [{ name: 'asc' }, { project: { nmae: 'desc' } }] }, 'Did you mean "name"?'],
  [{ orderBy: { name: 'ascending' } }, 'orderBy.name: must be "asc" or "desc", but is "ascending"'],
  [{ orderby: { name: 'asc' } }, 'Did you mean "orderBy"?'],
  [{ take: '1' }, 'take: must be a number, but is "1"'],
])('the options %j are refused', (options, message) => {
  expect(() => data.features?.findMany(undefined, options)).toThrow(message)
})

it('every field of every kind of record can be asked for what a record has, or by a function', async () => {
  await using mock = createMock({ scenario: 'default' })
  const collections = (await mock.data()) as unknown as Record<string, { all(): Record<string, unknown>[] }>
  expect(Object.keys(collections)).toEqual(Object.keys(tables))
  for (const [kind, { all }] of Object.entries(collections)) {
    for (const record of all.call(collections[kind])) {
      for (const [field, value] of Object.entries(record)) {
        if (typeof value === 'object' || value === undefined) continue
        const find = (collections as unknown as Untyped)[kind]?.findMany as Find
        expect(
          find((q) => q.where({ [field]: value })),
          `${kind}.${field}`,
        ).toContain(record)
        expect(find((q) => q.where({ [field]: (found: unknown) => found === value }))).toContain(record)
      }
    }
  }
})

it('a value that no record may have is a condition like any other, and finds nothing', () => {
  expect(data.features?.findMany((q) => q.where({ name: 'not a name!' }))).toEqual([])
  expect(ids(data.segments?.findMany((q) => q.where({ description: null, id: 1 })))).toEqual(['all'])
})

it.each<[string, () => unknown]>([
  ['a condition', () => data.features?.findMany((q) => q.where({ nmae: 'x' }))],
  ['an option', () => data.features?.findFirst(undefined, { strikt: true })],
])('the error about %s begins at the line that gives it', (_, find) => {
  let thrown: unknown
  try {
    find()
  } catch (error) {
    thrown = error
  }
  expect((thrown as Error).stack?.split('\n').find((line) => /^ +at /.test(line))).toContain('refusals.test.ts')
})
