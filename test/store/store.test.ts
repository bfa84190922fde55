import { beforeEach, expect, it } from 'vitest'
import type { Tables } from '../../src/resources/shared/context.js'
import { Store } from '../../src/store/store.js'
import { createIds } from '../../src/support/ids.js'
import { fail, ok } from '../../src/support/result.js'
import { NOW } from '../support/doors.js'

const options = { now: new Date(NOW), ids: createIds(1), source: 'The test', replaceAll: false }
const base = {
  environments: [{ name: 'development' }],
  projects: [{ id: 'default' }],
  roles: [{ id: 3 }],
  users: [{ id: 1 }],
  features: [{ name: 'one', tags: [{ type: 'simple', value: 'first' }] }, { name: 'two' }],
}

let store: Store
beforeEach(() => {
  store = new Store()
  store.load(base, options)
})

const names = () => store.tables.features.list().map(({ name }) => name)

function copyOf(tables: Tables, name: string) {
  const source = tables.features.get('one')
  if (source === undefined) throw new Error('There is no feature "one".')
  return { ...source, name }
}

it('shows a write when it is done, and to nobody before', async () => {
  const writing = store.write((tables) => {
    tables.features.insert(copyOf(tables, 'three'))
    expect(tables.features.has('three')).toBe(true)
    expect(tables.features.list()).toHaveLength(3)
    return ok({})
  })
  expect(names()).toEqual(['one', 'two'])
  await writing
  expect(names()).toEqual(['one', 'two', 'three'])
})

it('leaves nothing behind of an operation that fails', async () => {
  const before = store.snapshot()
  const failure = { kind: 'notFound', message: 'no' } as const
  const result = await store.write((tables) => {
    tables.features.insert(copyOf(tables, 'three'))
    tables.features.replace({ ...copyOf(tables, 'two'), stale: true })
    tables.features.remove('one')
    return fail(failure)
  })
  expect(result).toEqual({ ok: false, failure })
  expect(store.snapshot()).toEqual(before)
})

it('leaves nothing behind of an operation that throws, and goes on with the next one', async () => {
  const before = store.snapshot()
  const broken = store.write((tables) => {
    tables.features.insert(copyOf(tables, 'three'))
    throw new Error('a bug')
  })
  const next = store.write((tables) => {
    tables.features.insert(copyOf(tables, 'three'))
    return ok({})
  })
  await expect(broken).rejects.toThrow('a bug')
  expect((await next).ok).toBe(true)
  expect(store.snapshot().features).toHaveLength(before.features.length + 1)
})

it('does not insert under a key that is taken', async () => {
  const result = await store.write((tables) => {
    const again = tables.features.insert(copyOf(tables, 'two'))
    const first = tables.features.insert(copyOf(tables, 'three'))
    const second = tables.features.insert(copyOf(tables, 'three'))
    return ok({ body: [again, first, second] })
  })
  expect(result).toEqual({ ok: true, value: { body: [false, true, false] } })
})

it('hands out records that nobody can change', () => {
  const record = store.tables.features.get('one')
  const thief = record as unknown as { stale: boolean; tags: { value: string }[] }
  expect(() => {
    thief.stale = true
  }).toThrow(TypeError)
  expect(() => thief.tags.push({ value: 'x' })).toThrow(TypeError)
  expect(() => {
    if (thief.tags[0]) thief.tags[0].value = 'x'
  }).toThrow(TypeError)
  expect(store.tables.features.get('one')).toMatchObject({ stale: false, tags: [{ value: 'first' }] })
})

it('freezes what an operation gives it', async () => {
  const tags = [{ type: 'simple', value: 'given' }]
  await store.write((tables) => ok({ body: tables.features.insert({ ...copyOf(tables, 'three'), tags }) }))
  expect(() => tags.push({ type: 'simple', value: 'late' })).toThrow(TypeError)
  expect(store.tables.features.get('three')?.tags).toEqual([{ type: 'simple', value: 'given' }])
})

it('loads a copy of what it is given', () => {
  const tags = [{ type: 'simple', value: 'given' }]
  const data = { list: [1] }
  store.load({ features: [{ name: 'one', tags }], events: [{ id: 9, type: 'given', data }] }, options)
  data.list.push(2)
  tags.pop()
  expect(store.tables.features.get('one')?.tags).toEqual([{ type: 'simple', value: 'given' }])
  expect(store.snapshot().events).toMatchObject([{ data: { list: [1] } }])
})

it('hands out snapshots that are the caller’s own', () => {
  const first = store.snapshot()
  first.features.pop()
  if (first.features[0]) first.features[0].tags = []
  expect(store.snapshot().features).toMatchObject([{ tags: [{ value: 'first' }] }, { name: 'two' }])
})

it('runs a write again on state that was loaded meanwhile', async () => {
  let runs = 0
  const writing = store.write((tables) => {
    runs++
    const source = copyOf(tables, 'three')
    tables.features.insert(source)
    return ok({ body: source.type })
  })
  store.load({ ...base, features: [{ name: 'one', type: 'experiment' }] }, { ...options, replaceAll: true })
  expect(await writing).toEqual({ ok: true, value: { body: 'experiment' } })
  expect([runs, names()]).toEqual([2, ['one', 'three']])
})

it('keeps its order and its indexes through changes', async () => {
  const replace = (change: { project?: string; stale?: boolean }) =>
    store.write((tables) => {
      tables.features.replace({ ...copyOf(tables, 'one'), ...change })
      return ok({})
    })
  const inDefault = () => store.tables.features.by('project', 'default').map(({ name }) => name)
  expect(inDefault()).toEqual(['one', 'two'])
  await replace({ stale: true })
  expect([names(), inDefault()]).toEqual([
    ['one', 'two'],
    ['one', 'two'],
  ])
  store.load({ projects: [{ id: 'other' }] }, options)
  await replace({ project: 'other' })
  expect(inDefault()).toEqual(['two'])
  expect(store.tables.features.count('project', 'other')).toBe(1)
  await store.write((tables) => {
    tables.features.remove('two')
    return ok({})
  })
  expect([names(), inDefault()]).toEqual([['one'], []])
})

it('tells of each change, once', async () => {
  let changes = 0
  const stop = store.onChange(() => {
    changes++
  })
  await store.write((tables) => ok({ body: tables.features.insert(copyOf(tables, 'three')) }))
  await store.write(() => ok({}))
  store.load({ features: [{ name: 'four' }] }, options)
  expect(changes).toBe(2)
  stop()
  store.load({ features: [{ name: 'five' }] }, options)
  expect(changes).toBe(2)
})
