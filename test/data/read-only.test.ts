import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { SessionData } from '../../src/engine/data/data.js'
import type { MockData } from '../../src/engine/data/relations.js'
import { FakeSession, sample } from './world.js'

let data: MockData
let update: () => Promise<MockData>
beforeEach(async () => {
  const ofAllSessions = new SessionData()
  const session = new FakeSession(sample)
  update = () => ofAllSessions.collections(session, session.current)
  data = await update()
})

const everything = () => JSON.stringify(Object.values(data).map((collection) => collection.all()))

/** Like a user without types. */
const untyped = (value: object) => value as Record<string, (...given: unknown[]) => unknown>

afterEach(() => {
  vi.restoreAllMocks()
})

describe('writing to a collection changes no record of the mock, and disappears with the next call', () => {
  const query = (q: { where(condition: object): object }) => q.where({ stale: true })
  const change = { data: (draft: { stale: boolean }) => Object.assign(draft, { stale: false }) }
  it.each([
    ['create', [{ name: 'new' }]],
    ['create', ['banner']],
    ['createMany', [2, () => ({ name: 'new' })]],
    ['update', [query, change]],
    ['updateMany', [query, change]],
    ['delete', [query]],
    ['deleteMany', [query]],
    ['clear', []],
  ] as const)('%s %j', async (method, given) => {
    vi.spyOn(console, 'error').mockReturnValue()
    const before = everything()
    const { features } = data
    await Promise.allSettled([untyped(features)[method]?.(...given)])
    await update()
    expect(everything()).toBe(before)
  })

  it('an unknown record is rejected with a hint', async () => {
    const printed = vi.spyOn(console, 'error').mockReturnValue()
    await expect(untyped(data.features).create?.({ name: 'new' })).rejects.toThrow('does not match the schema')
    expect(printed.mock.calls).toEqual([[[{ message: expect.stringContaining('mock.add()') }]]])
    expect(data.features.count()).toBe(3)
  })
})

describe('a found record', () => {
  it('is frozen, with all its contents and relations', () => {
    const before = everything()
    const [found] = data.features.findMany((q) => q.where({ name: 'checkout' }))
    if (found === undefined) throw new Error('There is no checkout.')
    const { project, children, tags } = found
    for (const value of [found, project, children, tags, project.features, project.environments[0]]) {
      expect(Object.isFrozen(value)).toBe(true)
    }
    expect(() => Object.assign(found, { stale: true })).toThrow(TypeError)
    expect(() => Object.assign(found, { parents: [] })).toThrow(TypeError)
    expect(() => children.push(found)).toThrow(TypeError)
    expect(everything()).toBe(before)
  })

  it('comes in lists that belong to the caller', () => {
    data.features.findMany().length = 0
    expect(data.features.count()).toBe(3)
    expect(data.features.findMany()).toHaveLength(3)
  })

  it('can be compared, copied and printed', () => {
    const [found] = data.features.all()
    expect(found).toMatchObject({ name: 'banner', project: { id: 'default' } })
    expect(structuredClone(found)).toEqual(found)
    expect({ ...found }).toEqual(found)
    expect(String(found)).toBe('[object Object]')
  })
})
