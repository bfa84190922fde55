import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shrunk } from '../../lab/shrink.js'

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
