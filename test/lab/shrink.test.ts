import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { likelyParts, shrunk } from '../../lab/shrink.js'

describe('the smallest sequence', () => {
  it('has only the requests that are needed', async () => {
    const items = Array.from({ length: 100 }, (_, index) => index)
    const needed = [3, 41, 42]
    const small = await shrunk(items, async (part) => needed.every((item) => part.includes(item)))
    expect(small).toEqual([...needed, 99])
  })

  it('is found for any needed requests, in few runs', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.nat(148), { maxLength: 4 }), async (needed) => {
        const items = Array.from({ length: 150 }, (_, index) => index)
        let runs = 0
        const small = await shrunk(items, async (part) => {
          runs += 1
          return needed.every((item) => part.includes(item))
        })
        expect(small).toEqual([...needed.toSorted((a, b) => a - b), 149])
        expect(runs).toBeLessThanOrEqual(80)
      }),
    )
  })

  it('stays whole if each request is needed', async () => {
    expect(await shrunk(['a', 'b', 'c'], async (part) => part.length === 3)).toEqual(['a', 'b', 'c'])
  })
})

describe('the parts of a sequence that probably fail', () => {
  const parts = likelyParts(
    ['+flag-a', '+flag-b', '+tag-c', 'flag-a?', '+flag-a tag-c', 'flag-b?'],
    (item) => item,
    (item) => item.startsWith('+'),
  )

  it('end with the last item, have more items each time, and come to the whole', () => {
    expect(parts[0]).toEqual(['flag-b?'])
    expect(parts[1]).toEqual(['+flag-a tag-c', 'flag-b?'])
    expect(parts.at(-1)).toHaveLength(6)
    for (const part of parts) expect(part.at(-1)).toBe('flag-b?')
  })

  it('are the changes that have a rare word in common with the last ones', () => {
    const ofB = likelyParts(
      ['+flag-a', '+flag-b', '+flag-c', '+flag-d', '+note', 'flag-b?'],
      (item) => item,
      (item) => item.startsWith('+'),
    )
    expect(ofB).toContainEqual(['+flag-b', '+note', 'flag-b?'])
  })
})
