import { beforeEach, expect, it } from 'vitest'
import { loadState } from '../../src/engine/state/load-state.js'
import { takeSnapshot, WorldData } from '../../src/engine/state/state.js'
import { notFound, Rejection, reject } from '../../src/service/contract/errors.js'
import type { Tables } from '../../src/service/resources/shared/context.js'
import type { Commit } from '../../src/service/store/table.js'
import { createIds } from '../../src/support/ids.js'
import { NOW } from '../support/adapters.js'

const options = { now: new Date(NOW), ids: createIds(1), source: 'The test', replacesAll: false }
const base = {
  environments: [{ name: 'development' }],
  projects: [{ id: 'default' }],
  roles: [{ id: 3 }],
  users: [{ id: 1 }],
  features: [{ name: 'one', tags: [{ type: 'simple', value: 'first' }] }, { name: 'two' }],
}

let data: WorldData
beforeEach(() => {
  data = new WorldData()
  loadState(data, base, options)
})

const names = () => data.tables.features.list().map(({ name }) => name)

function write<Result>(run: (tables: Tables) => Result): Result {
  return data.transact(run)
}

function copyOf(tables: Tables, name: string) {
  const source = tables.features.get('one')
  if (source === undefined) throw new Error('There is no feature "one".')
  return { ...source, name }
}

it('keeps no changes of an operation that rejects its request', () => {
  const before = takeSnapshot(data)
  const rejected = () =>
    write((tables) => {
      tables.features.insert(copyOf(tables, 'three'))
      tables.features.replace({ ...copyOf(tables, 'two'), stale: true })
      tables.features.remove('one')
      reject(notFound('no'))
    })
  expect(rejected).toThrow(Rejection)
  expect(takeSnapshot(data)).toEqual(before)
})

it('keeps no changes of an operation that throws', () => {
  const before = takeSnapshot(data)
  const broken = () =>
    write((tables) => {
      tables.features.insert(copyOf(tables, 'three'))
      throw new Error('a bug')
    })
  expect(broken).toThrow('a bug')
  expect(takeSnapshot(data)).toEqual(before)
})

it('removes a record and inserts another one under its key in one transaction', () => {
  write((tables) => {
    const again = { ...copyOf(tables, 'two'), stale: true }
    tables.features.remove('two')
    tables.features.insert(again)
  })
  expect(data.tables.features.get('two')).toMatchObject({ stale: true })
  expect(names()).toEqual(['one', 'two'])
})

it('rejects a write outside a transaction', () => {
  expect(() => data.tables.features.remove('one')).toThrow('in a transaction only')
  expect(names()).toEqual(['one', 'two'])
})

it('does not insert under a taken key, and changes nothing', () => {
  for (const names of [['two'], ['three', 'three']]) {
    const insert = () =>
      write((tables) => {
        for (const name of names) tables.features.insert(copyOf(tables, name))
      })
    expect(insert).toThrow('already exists')
  }
  expect(names()).toEqual(['one', 'two'])
})

it('returns records that nobody can change', () => {
  const record = data.tables.features.get('one')
  const thief = record as unknown as { stale: boolean; tags: { value: string }[] }
  expect(() => {
    thief.stale = true
  }).toThrow(TypeError)
  expect(() => thief.tags.push({ value: 'x' })).toThrow(TypeError)
  expect(() => {
    if (thief.tags[0]) thief.tags[0].value = 'x'
  }).toThrow(TypeError)
  expect(data.tables.features.get('one')).toMatchObject({ stale: false, tags: [{ value: 'first' }] })
})

it("freezes an operation's records", () => {
  const tags = [{ type: 'simple', value: 'given' }]
  write((tables) => tables.features.insert({ ...copyOf(tables, 'three'), tags }))
  expect(() => tags.push({ type: 'simple', value: 'late' })).toThrow(TypeError)
  expect(data.tables.features.get('three')?.tags).toEqual([{ type: 'simple', value: 'given' }])
})

it('loads a copy of its input', () => {
  const tags = [{ type: 'simple', value: 'given' }]
  const details = { list: [1] }
  loadState(data, { features: [{ name: 'one', tags }], events: [{ id: 9, type: 'given', data: details }] }, options)
  details.list.push(2)
  tags.pop()
  expect(data.tables.features.get('one')?.tags).toEqual([{ type: 'simple', value: 'given' }])
  expect(takeSnapshot(data).events).toMatchObject([{ data: { list: [1] } }])
})

it('returns snapshots that belong to the caller', () => {
  const first = takeSnapshot(data)
  first.features.pop()
  if (first.features[0]) first.features[0].tags = []
  expect(takeSnapshot(data).features).toMatchObject([{ tags: [{ value: 'first' }] }, { name: 'two' }])
})

it('keeps its order and its indexes through changes', () => {
  const replace = (change: { project?: string; stale?: boolean }) =>
    write((tables) => {
      tables.features.replace({ ...copyOf(tables, 'one'), ...change })
    })
  const inDefault = () => data.tables.features.by('project', 'default').map(({ name }) => name)
  expect(inDefault()).toEqual(['one', 'two'])
  replace({ stale: true })
  expect([names(), inDefault()]).toEqual([
    ['one', 'two'],
    ['one', 'two'],
  ])
  loadState(data, { projects: [{ id: 'other' }] }, options)
  replace({ project: 'other' })
  expect(inDefault()).toEqual(['two'])
  expect(data.tables.features.count('project', 'other')).toBe(1)
  write((tables) => {
    tables.features.remove('two')
  })
  expect([names(), inDefault()]).toEqual([['one'], []])
})

it('passes each commit to its listeners: every record before and after, and the events', () => {
  const commits: Commit[] = []
  const stop = data.onCommit((commit) => commits.push(commit))
  write((tables) => {
    tables.features.insert(copyOf(tables, 'three'))
    tables.features.remove('two')
    tables.features.remove('unknown')
  })
  write(() => undefined)
  expect(commits).toHaveLength(1)
  expect(commits[0]?.replacesAll).toBe(false)
  expect([...(commits[0]?.changes ?? [])]).toMatchObject([
    [
      'features',
      [
        { key: 'three', before: undefined, after: expect.objectContaining({ name: 'three' }) },
        { key: 'two', before: expect.objectContaining({ name: 'two' }), after: undefined },
      ],
    ],
  ])

  loadState(data, { features: [{ name: 'one', stale: true }], events: [{ id: 1, type: 'given' }] }, options)
  expect(commits[1]?.changes.get('features')).toMatchObject([{ before: { stale: false }, after: { stale: true } }])
  expect(commits[1]?.changes.get('events')).toMatchObject([{ key: 1, before: undefined, after: { type: 'given' } }])
  stop()
  loadState(data, { features: [{ name: 'five' }] }, options)
  expect(commits).toHaveLength(2)
})
