import fc from 'fast-check'
import { expect, it } from 'vitest'
import { namesOf, selectionIn } from '../../src/engine/scenarios/selection.js'
import { headerText } from '../../src/support/text.js'
import { CLIENT } from '../support/adapters.js'
import { onEveryHome } from '../support/homes.js'
import { anyName } from '../support/names.js'

const name = anyName(20, 'שלום')

/** No flag of the data has such a name, so it can only be on, off or gone. */
const missing = name.filter((text) => !['*', 'button'].includes(text))

/** The other states can't be the names of variants. */
const variantName = name.filter((text) => !['on', 'off', 'gone'].includes(text))

/** The names of sessions have at most 64 characters, and a number that makes them unique. */
const sessionName = name.filter((text) => text.length < 60)

onEveryHome('names in any script', (home) => {
  it('of flags, variants, users and sessions are read back as set, also after a restart', async () => {
    let count = 0
    const property = fc.asyncProperty(missing, variantName, sessionName, name, async (flag, variant, own, user) => {
      const session = headerText(`${own}${++count}`)
      const states = [
        ['button', variant],
        [flag, 'gone'],
      ] as const
      const names = namesOf({ scenarios: [], states: new Map(states) })
      const text = names.join(',')
      // JSON with the key "__proto__" is an error everywhere.
      const inObject = flag === '__proto__' ? [] : [{ flags: Object.fromEntries(states) }]
      const environments = [{ name: 'development', variants: [{ name: variant, weight: 1000 }] }]
      const data = { features: [{ name: 'button', environments }], users: [{ id: 900, name: user }] }
      const patched = await home.send('PATCH', '/__mock/state', data, { session })
      expect([patched.status, await patched.text()]).toEqual([200, expect.any(String)])
      const expectTold = async (query = '', scenario?: string) => {
        const path = `/api/client/features${query}`
        const response = await home.send('GET', path, undefined, {
          session,
          key: CLIENT,
          ...(scenario !== undefined && { scenario }),
        })
        const { features } = (await response.json()) as { features: { name: string; variants: { name: string }[] }[] }
        const found = features.find((one) => one.name === 'button')
        expect([response.status, found?.variants.map((one) => one.name)]).toEqual([200, [variant]])
        const shown = decodeURIComponent(response.headers.get('x-mock-scenario') ?? '')
        expect(selectionIn(shown).states).toEqual(new Map(states))
      }
      const expectKept = async () => {
        expect(selectionIn(...(await home.activeScenarios({ session }))).states).toEqual(new Map(states))
        await expectTold()
      }
      await expectTold(`?scenario=${encodeURIComponent(text)}`)
      await expectTold('', headerText(text))
      for (const body of [{ names }, { name: text }, ...inObject]) {
        expect((await home.send('PUT', '/__mock/scenario', { flags: {} }, { session })).status).toBe(200)
        expect((await home.send('PUT', '/__mock/scenario', body, { session })).status).toBe(200)
        await expectKept()
      }
      expect((await home.send('GET', `/__mock/use/${encodeURIComponent(text)}`, undefined, { session })).status).toBe(
        302,
      )
      const users = (await home.read('/__mock/state', { session })).users as { name?: string }[]
      expect(users.map((one) => one.name)).toContain(user)
      if (count % 5 === 0) await home.restart()
      await expectKept()
      expect(await home.activeScenarios()).toEqual(['default'])
    })
    await fc.assert(property, { numRuns: 12 })
  })

  it('of scenarios that no file can have are errors, which quote them', async () => {
    const property = fc.asyncProperty(
      name.filter((text) => !/^[\sa-z0-9,-]*$/.test(text) && !text.includes(',') && !text.includes(':')),
      async (scenario) => {
        const answers = await Promise.all([
          home.send('PUT', '/__mock/scenario', { name: scenario }),
          home.send('GET', `/api/admin/projects?scenario=${encodeURIComponent(scenario)}`),
          home.send('GET', '/api/admin/projects', undefined, { scenario: headerText(scenario) }),
          home.send('GET', `/__mock/use/${encodeURIComponent(scenario)}`),
        ])
        for (const answer of answers) {
          expect(answer.status).toBe(400)
          const { message } = (await answer.json()) as { message: string }
          expect(message).toContain(JSON.stringify(scenario.trim()))
        }
        expect(await home.activeScenarios()).toEqual(['default'])
      },
    )
    await fc.assert(property, { numRuns: 12 })
  })
})
