import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LONGEST_NAME } from '../../src/engine/scenarios/scenario.js'
import { LONGEST_STATES, namesOf, selectionIn, stateName } from '../../src/engine/scenarios/selection.js'
import { headerText } from '../../src/support/text.js'
import { CLIENT, FIXED, onEveryAdapter } from '../support/adapters.js'
import { anyName } from '../support/names.js'

const name = anyName(300, '*', 'Ада')

/** The states that every flag can have: a variant of such a name can't be told. */
const variant = name.filter((text) => !['on', 'off', 'gone'].includes(text))

describe('names of flags and states', () => {
  it('are read back unchanged, whatever characters they have', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.tuple(name, name), { selector: ([flag]) => flag, maxLength: 4 }), (pairs) => {
        const states = new Map(pairs)
        fc.pre(headerText(namesOf({ scenarios: [], states }).join()).length <= LONGEST_STATES)
        const names = namesOf({ scenarios: ['slow'], states })
        expect([...selectionIn(names.join(',')).states]).toEqual(pairs)
        expect([...selectionIn(decodeURIComponent(headerText(names.join(',')))).states]).toEqual(pairs)
      }),
    )
  })
})

onEveryAdapter(
  'a state with a name in any script',
  (client) => {
    const path = '/api/client/features/button'
    type Way = (text: string, state: string) => Promise<[query: string, headers?: Record<string, string>]>
    const ways: Record<string, Way> = {
      query: async (text) => [`?scenario=${encodeURIComponent(text)}`],
      header: async (text) => ['', { 'x-mock-scenario': headerText(text) }],
      cookie: async (text) => ['', { cookie: `mock-scenario=${encodeURIComponent(text)}` }],
      link: async (text) => {
        const address = `/__mock/use/${encodeURIComponent(text)}`
        const { status, headers } = await client.adapter.fetch(address, { redirect: 'manual' })
        const [cookie = ''] = headers.getSetCookie()
        expect(status).toBe(302)
        return ['', { cookie: cookie.split(';')[0] ?? '' }]
      },
      names: async (text) => {
        expect((await client.send('PUT', '/__mock/scenario', { names: [text] })).status).toBe(200)
        return ['']
      },
      flags: async (_, state) => {
        expect((await client.send('PUT', '/__mock/scenario', { flags: { button: state } })).status).toBe(200)
        return ['']
      },
      useScenario: async (text) => {
        client.mock.useScenario(text)
        return ['']
      },
      tellFlags: async (_, state) => {
        client.mock.tellFlags({ button: state })
        expect(client.mock.toldFlags).toEqual({ button: state })
        return ['']
      },
    }

    it.each(Object.keys(ways))('by the %s', async (way) => {
      await fc.assert(
        fc.asyncProperty(variant, async (state) => {
          client.mock.tellFlags({})
          const environments = [{ name: 'development', variants: [{ name: state, weight: 1000 }] }]
          client.mock.add({ features: [{ name: 'button', environments }] })
          const [query = '', headers = {}] = (await ways[way]?.(stateName('button', state), state)) ?? []
          const {
            status,
            body,
            headers: answered,
          } = await client.send('GET', path + query, undefined, {
            key: CLIENT,
            headers,
          })
          expect([status, body.enabled, body.variants?.[0]?.name]).toEqual([200, true, state])
          const shown = selectionIn(decodeURIComponent(answered.get('x-mock-scenario') ?? ''))
          expect([...shown.states]).toEqual([['button', state]])
          const [entry] = client.mock.requests.all().slice(-1)
          expect([...selectionIn(entry?.scenario ?? '').states]).toEqual([['button', state]])
          expect((await client.send('GET', '/health', undefined, { key: null })).status).toBe(200)
          expect((await client.send('GET', '/__mock/scenario')).status).toBe(200)
        }),
        { numRuns: 25 },
      )
    })

    it('a session with a name in any script is told its own states', async () => {
      const names = name.filter((text) => text !== '__proto__' && text.length <= LONGEST_NAME)
      const property = fc.asyncProperty(names, async (session) => {
        const headers = { 'x-mock-session': headerText(session) }
        const { status } = await client.send('PUT', '/__mock/scenario', { flags: { b: 'off' } }, { headers })
        const { body } = await client.send('GET', '/__mock/sessions')
        expect([status, body.map((one: { name: string }) => one.name)]).toEqual([
          200,
          expect.arrayContaining([session]),
        ])
        expect([client.mock.session(session).toldFlags, client.mock.toldFlags]).toEqual([{ b: 'off' }, {}])
      })
      await fc.assert(property, { numRuns: 25 })
    })

    it.each(['Ада', 'a\r\nb', '__proto__', '100%', 'a,b:c'])(
      'a hint about the flag %j is percent-encoded',
      async (flag) => {
        client.mock.tellFlags(Object.fromEntries([[flag, 'off']]))
        const { status, headers } = await client.send('GET', '/api/client/features', undefined, { key: CLIENT })
        const hint = decodeURIComponent(headers.get('x-mock-hint') ?? '')
        expect([status, hint]).toEqual([
          200,
          `SDKs are told ${stateName(flag, 'off')}, but there is no flag ${JSON.stringify(flag)}.`,
        ])
        expect((await client.send('PUT', '/__mock/scenario', { names: [stateName(flag, 'gone')] })).status).toBe(200)
        expect(Object.entries(client.mock.toldFlags)).toEqual([[flag, 'gone']])
      },
    )

    it(`at most ${LONGEST_STATES} characters of states are told`, async () => {
      const flag = 'f'.repeat(LONGEST_STATES - ':off'.length)
      client.mock.tellFlags({ [flag]: 'off' })
      expect(client.mock.toldFlags).toEqual({ [flag]: 'off' })
      for (const more of [{ [`${flag}f`]: 'off' }, { [`${flag.slice(1)}я`]: 'off' }]) {
        expect(() => client.mock.tellFlags(more)).toThrow('The states of flags have more than 4096 characters')
      }
      const { status, body } = await client.send('GET', '/api/client/features?scenario=b:off', undefined, {
        key: CLIENT,
      })
      expect([status, body.code]).toEqual([400, 'TOO_MANY_SCENARIOS'])
      expect(client.mock.toldFlags).toEqual({ [flag]: 'off' })
    })
  },
  FIXED,
)
