import { describe, expect, it } from 'vitest'
import { Catalogue } from '../../src/engine/scenarios/catalogue.js'
import type { Scenario } from '../../src/engine/scenarios/scenario.js'

/** A scenario that seeds one feature with the scenario's name. */
function scenario(name: string, rest: Partial<Scenario> = {}): Scenario {
  return { name, title: name, promise: `It has ${name}.`, seed: { features: [{ name }] }, ...rest }
}

/** Without its own API tokens, a scenario extends the default scenario. */
const whole = (name: string) => scenario(name, { seed: { features: [{ name }], apiTokens: [] } })

const catalogue = new Catalogue([
  scenario('default', { now: '2026-01-01T00:00:00Z', latency: 1 }),
  scenario('one', { extends: 'default', force: [{ operation: 'getProjects', status: 500 }] }),
  scenario('two', { extends: 'one', now: '2027-01-01T00:00:00Z', force: [{ operation: 'getProjects', status: 503 }] }),
  scenario('implicit', { latency: { min: 2, max: 3 } }),
  whole('whole'),
  scenario('on-whole', { extends: 'whole' }),
  scenario('generated', { generate: { features: 5 } }),
])

/** The names of the scenarios whose seeds are loaded, in order. */
function seedsOf(...names: string[]): string[] {
  const { root, seeds } = catalogue.compose(names)
  return [root.seed ?? {}, ...seeds]
    .flatMap(({ features = [] }) => Object.values(features) as { name: string }[])
    .map(({ name }) => name)
}

describe('compose', () => {
  it.each([
    [['default'], ['default']],
    [['one'], ['default', 'one']],
    [['two'], ['default', 'one', 'two']],
    [['implicit'], ['default', 'implicit']],
    [['whole'], ['whole']],
    [['on-whole'], ['whole', 'on-whole']],
    [
      ['implicit', 'one'],
      ['default', 'implicit', 'one'],
    ],
    [
      ['implicit', 'two'],
      ['default', 'implicit', 'one', 'two'],
    ],
    [
      ['one', 'two'],
      ['default', 'one', 'two'],
    ],
    [
      ['two', 'one'],
      ['default', 'one', 'two'],
    ],
    [
      ['one', 'one'],
      ['default', 'one'],
    ],
    [['one', 'whole'], ['whole']],
    [
      ['whole', 'one'],
      ['whole', 'one'],
    ],
    [['one', 'default'], ['default']],
    [
      ['one', 'on-whole'],
      ['default', 'one', 'on-whole'],
    ],
  ])('compose merges the seeds of %j as %j', (names, expected) => {
    expect(seedsOf(...names)).toEqual(expected)
  })

  it('compose keeps the given names', () => {
    expect(catalogue.compose(['two', 'one', 'two']).names).toEqual(['two', 'one', 'two'])
  })

  it('compose keeps all rules, even of scenarios whose data another replaces', () => {
    const statusesOf = (...names: string[]) => catalogue.compose(names).force.map(({ status }) => status)
    expect(statusesOf('two')).toEqual([500, 503])
    expect(statusesOf('one', 'whole')).toEqual([500])
  })

  it('compose uses the time and the latency of the last scenario that has them', () => {
    expect(catalogue.compose(['two', 'implicit'])).toMatchObject({
      now: '2027-01-01T00:00:00Z',
      latency: { min: 2, max: 3 },
    })
    expect(catalogue.compose(['implicit', 'one'])).toMatchObject({ now: '2026-01-01T00:00:00Z' })
    expect(catalogue.compose(['whole'])).not.toHaveProperty('now')
  })

  it('compose generates only data that stays', () => {
    expect(catalogue.compose(['generated']).generate).toEqual([{ features: 5 }])
    expect(catalogue.compose(['generated', 'whole']).generate).toEqual([])
  })
})
