import { beforeEach, describe, expect, it } from 'vitest'
import { SessionData } from '../../src/data/data.js'
import type { MockData } from '../../src/data/relations.js'
import { FakeSession, sample } from './world.js'

let data: MockData
beforeEach(async () => {
  data = await new SessionData().of({}, new FakeSession(sample).current)
})

const everything = () => JSON.stringify(Object.values(data).map((collection) => collection.all()))

/** As a user without types would call them. */
const untyped = (value: object) => value as Record<string, (...given: unknown[]) => unknown>

describe('writing through a collection is rejected with a hint, and changes nothing', () => {
  const query = (q: { where(condition: object): object }) => q.where({ stale: true })
  const change = { data: (draft: { stale: boolean }) => Object.assign(draft, { stale: false }) }
  it.each([
    ['create', [{ name: 'new' }]],
    ['createMany', [2, () => ({ name: 'new' })]],
    ['update', [query, change]],
    ['updateMany', [query, change]],
    ['delete', [query]],
    ['deleteMany', [query]],
    ['clear', []],
    ['defineRelations', [() => ({})]],
  ] as const)('%s', async (method, given) => {
    const before = everything()
    const { features } = data
    const calling = async () => untyped(features)[method]?.(...given)
    await expect(calling()).rejects.toMatchObject({
      name: 'MockError',
      hint: expect.stringContaining('mock.add({ features'),
    })
    await expect(calling()).rejects.toThrow(`features.${method}()`)
    expect(everything()).toBe(before)
  })
})

describe('a found record', () => {
  it('is frozen, with all that it holds and leads to', () => {
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

  it('comes in lists that are the caller’s own', () => {
    data.features.all().length = 0
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
