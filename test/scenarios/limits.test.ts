import { describe, expect, it } from 'vitest'
import { MOST_SCENARIOS } from '../../src/engine/scenarios/selection.js'
import { createMock, type Scenario } from '../../src/index.js'
import { onEveryAdapter } from '../support/adapters.js'
import { errorOf } from '../support/errors.js'

const features = '/api/admin/projects/default/features'

/** One scenario more than can be combined. */
const own = Array.from({ length: MOST_SCENARIOS + 1 }, (_, i) => scenario(`own-${i}`))
const names = own.map(({ name }) => name)
const ten = names.slice(0, MOST_SCENARIOS)

function scenario(name: string, base = 'default'): Scenario {
  return { name, title: name, promise: `It is ${name}.`, extends: base }
}

onEveryAdapter(
  'at most ten scenarios are combined',
  (client) => {
    const chosen = async (path: string, headers: Record<string, string> = {}) =>
      (await client.send('GET', path, undefined, { headers })).headers

    const ways: Record<string, (list: string) => [path: string, headers?: Record<string, string>]> = {
      query: (list) => [`${features}?scenario=${list}`],
      header: (list) => [features, { 'x-mock-scenario': list }],
      cookie: (list) => [features, { cookie: `mock-scenario=${encodeURIComponent(list)}` }],
    }

    it.each(Object.keys(ways))('in the %s', async (way) => {
      const request = ways[way] ?? (() => [''])
      expect((await chosen(...request(ten.join(',')))).get('x-mock-scenario')).toBe(ten.join(','))
      const headers = await chosen(...request(names.join(',')))
      expect(headers.get('x-mock-error')).toBe('TOO_MANY_SCENARIOS')
      expect(headers.get('x-mock-scenario')).toBe('default')
    })

    it('by the control API, in one name or in several', async () => {
      for (const body of [{ names }, { name: names.join(',') }, { names: Array(3000).fill('default') }]) {
        const { status, headers } = await client.send('PUT', '/__mock/scenario', body)
        expect([status, headers.get('x-mock-error')]).toEqual([400, 'TOO_MANY_SCENARIOS'])
      }
      expect((await client.send('PUT', '/__mock/scenario', { names: ten })).body.names).toEqual(ten)
    })

    it('by the QA link', async () => {
      const headers = await chosen(`/__mock/use/${names.join(',')}`)
      expect(headers.get('x-mock-error')).toBe('TOO_MANY_SCENARIOS')
    })

    it('commas without a name between them are ignored', async () => {
      for (const list of ['empty,,,,,,,,,,,', ',,,,,,,,,,,empty', ' , , , , , , , , , , ,empty']) {
        for (const request of Object.values(ways)) {
          expect((await chosen(...request(list))).get('x-mock-scenario')).toBe('empty')
        }
      }
      expect((await client.send('PUT', '/__mock/scenario', { name: 'empty,,,,,,,,,,,' })).body.names).toEqual(['empty'])
    })

    it('a repeated name counts once, at its last place', async () => {
      const { body } = await client.send('PUT', '/__mock/scenario', { names: ['own-1', 'own-2,own-3', 'own-1'] })
      expect(body.names).toEqual(['own-2', 'own-3', 'own-1'])
      const sent = await chosen(`${features}?scenario=own-1,own-2,own-1`)
      expect(sent.get('x-mock-scenario')).toBe('own-2,own-1')
    })

    it('a long unknown name is quoted in part', async () => {
      const { body } = await client.send('PUT', '/__mock/scenario', { name: 'x'.repeat(5000) })
      expect(body.message.length).toBeLessThan(300)
    })
  },
  { scenarios: own },
)

describe('at most ten scenarios are combined, in process', () => {
  it('by useScenario, by name and as objects', () => {
    const mock = createMock({ scenarios: own })
    expect(errorOf(() => mock.useScenario(...names)).code).toBe('TOO_MANY_SCENARIOS')
    expect(errorOf(() => mock.useScenario(...own)).code).toBe('TOO_MANY_SCENARIOS')
    expect(mock.activeScenarios).toEqual(['default'])
    mock.useScenario(...ten)
    expect(mock.activeScenarios).toEqual(ten)
  })

  it('by createMock', () => {
    expect(errorOf(() => createMock({ scenarios: own, scenario: names.join(',') })).code).toBe('TOO_MANY_SCENARIOS')
    expect(createMock({ scenarios: own, scenario: ten.join(',') }).activeScenarios).toEqual(ten)
  })

  it('a list is not read further than it can be valid', () => {
    const list = 'default,'.repeat(4_000_000)
    expect(errorOf(() => createMock({ scenario: list })).code).toBe('TOO_MANY_SCENARIOS')
  })

  it('a chain of extends has at most twenty scenarios', () => {
    const chain = Array.from({ length: 20 }, (_, i) => scenario(`link-${i}`, i === 0 ? 'default' : `link-${i - 1}`))
    const mock = createMock({ scenarios: chain })
    mock.useScenario('link-18')
    const error = errorOf(() => mock.useScenario('link-19'))
    expect([error.code, error.message]).toEqual(['INVALID_SCENARIO', expect.stringContaining('"link-19"')])
    expect(mock.activeScenarios).toEqual(['link-18'])
  })
})
