import { describe, expect, it } from 'vitest'
import { createMock, flagStates } from '../../src/index.js'

function pairsOf(lists: readonly (readonly string[])[]): Set<string> {
  return new Set(
    lists.flatMap((list) =>
      list.flatMap((one, at) => list.slice(at + 1).map((other) => JSON.stringify([one, other].sort()))),
    ),
  )
}

describe('flagStates', () => {
  it.each([
    [2, ['on', 'off'], 4],
    [3, ['on', 'off'], 4],
    [10, ['on', 'off'], 12],
    [10, ['on', 'off', 'gone'], 25],
    [40, ['on', 'off'], 31],
  ])('%i flags with %j: each pair occurs, in at most %i lists', (count, states, most) => {
    const flags = Array.from({ length: count }, (_, at) => `flag-${at}`)
    const lists = flagStates(flags, states)
    const all = flags.flatMap((one, at) =>
      flags
        .slice(at + 1)
        .flatMap((other) =>
          states.flatMap((state) =>
            states.map((next) => JSON.stringify([`${one}:${state}`, `${other}:${next}`].sort())),
          ),
        ),
    )
    expect([...pairsOf(lists)].toSorted()).toEqual(all.toSorted())
    for (const list of lists) expect(list.map((name) => name.split(':')[0])).toEqual(flags)
    expect(lists.length).toBeLessThanOrEqual(most)
    expect(flagStates(flags, states)).toEqual(lists)
  })

  it('a flag alone has a list for each state, and a repeated flag counts once', () => {
    expect(flagStates(['a'])).toEqual([['a:on'], ['a:off']])
    expect(flagStates(['a', 'a'], ['on', 'gone'])).toEqual([['a:on'], ['a:gone']])
  })

  it('a mock takes each list, also names with commas', () => {
    const environments = [{ name: 'development', variants: [{ name: 'x,y', weight: 1000 }] }]
    const mock = createMock({
      fixtures: [{ features: [{ name: 'a', environments }] }, { features: [{ name: 'b' }] }],
    })
    for (const list of flagStates(['a', 'b'], ['on', 'off'])) {
      mock.useScenario(list)
      expect(Object.entries(mock.toldFlags).map(([flag, state]) => `${flag}:${state}`)).toEqual(list)
    }
    const [list = []] = flagStates(['a'], ['x,y'])
    mock.useScenario(list)
    expect(mock.toldFlags).toEqual({ a: 'x,y' })
  })

  it.each([[[]], ['a'], [[1]], [['']]])('rejects %j', (flags) => {
    expect(() => Reflect.apply(flagStates, undefined, [flags])).toThrow('flagStates takes')
  })
})
