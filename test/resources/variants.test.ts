import { describe, expect, it } from 'vitest'
import { balanceWeights, checkVariants } from '../../src/service/resources/flags/variants.js'

const variable = (name: string, weight = 0) => ({ name, weight, weightType: 'variable' as const })
const fix = (name: string, weight: number) => ({ name, weight, weightType: 'fix' as const })

/** The weights that variants get, by name. */
function weightsOf(variants: Parameters<typeof balanceWeights>[0]): Record<string, number> {
  return Object.fromEntries(balanceWeights(variants).map(({ name, weight }) => [name, weight]))
}

describe('balanceWeights', () => {
  it.each([
    ['gives a single variable variant the whole', [variable('a', 1)], { a: 1000 }],
    ['divides the whole equally', [variable('a'), variable('b', 999)], { a: 500, b: 500 }],
    ['divides what the fixed weights leave', [fix('a', 300), variable('b'), variable('c')], { a: 300, b: 350, c: 350 }],
    [
      'gives the remainder to the first ones',
      [variable('a'), variable('b'), variable('c')],
      { a: 334, b: 333, c: 333 },
    ],
    ['gives each one point of a remainder', [fix('a', 1), variable('b'), variable('c')], { a: 1, b: 500, c: 499 }],
    [
      'leaves variable variants nothing if the fixed ones take the whole',
      [fix('a', 1000), variable('b')],
      { a: 1000, b: 0 },
    ],
    ['never gives a negative weight', [fix('a', 1200), variable('b', 5)], { a: 1200, b: 0 }],
    ['changes nothing where all weights are fixed', [fix('a', 400), fix('b', 100)], { a: 400, b: 100 }],
  ])('balanceWeights %s', (_, variants, expected) => {
    expect(weightsOf(variants)).toEqual(expected)
  })

  it('balanceWeights gives the remainder in the sent order of variants, and returns them by name', () => {
    const balanced = balanceWeights([variable('c'), variable('a'), variable('b')])
    expect(balanced.map(({ name, weight }) => [name, weight])).toEqual([
      ['a', 333],
      ['b', 333],
      ['c', 334],
    ])
  })
})

describe('checkVariants', () => {
  it.each([
    ['no variants', []],
    ['a variable one', [variable('a')]],
    ['fixed weights up to the whole', [fix('a', 1000), variable('b')]],
  ])('checkVariants accepts %s', (_, variants) => {
    expect(checkVariants(variants)).toBeUndefined()
  })

  it.each([
    ['two variants of one name', [variable('a'), variable('a')], /names of variants must be unique/],
    ['fixed weights above the whole', [fix('a', 1001), variable('b')], /more than 1000/],
    ['only fixed weights', [fix('a', 1000)], /"variable"/],
  ])('checkVariants rejects %s', (_, variants, message) => {
    expect(checkVariants(variants)).toMatchObject({ kind: 'badData', message: expect.stringMatching(message) })
  })
})
