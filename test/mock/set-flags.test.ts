import { expect, it } from 'vitest'
import { createMock, type Mock } from '../../src/index.js'
import { FRONTEND } from '../support/adapters.js'

/** The flags for a page's SDK: those that are on, each with its variant. */
async function flagsOf({ fetch }: Pick<Mock, 'fetch'>, query = '') {
  const url = `http://localhost:4242/api/frontend${query}`
  const response = await fetch(new Request(url, { headers: { authorization: FRONTEND } }))
  const { toggles } = (await response.json()) as { toggles: { name: string; variant: { name: string } }[] }
  return new Map(toggles.map(({ name, variant }) => [name, variant]))
}

const states = (mock: Mock, name: string) => mock.features.get(name)?.environments.map(({ enabled }) => enabled)

it('enable switches flags on in every environment, and disable off; both create missing flags', async () => {
  const mock = createMock()
  mock.enable('new-checkout', 'legacy-export')
  expect(states(mock, 'new-checkout')).toEqual([true, true])
  expect([...(await flagsOf(mock)).keys()]).toEqual(expect.arrayContaining(['new-checkout', 'legacy-export']))
  mock.disable('new-checkout', 'never-seen')
  expect(states(mock, 'new-checkout')).toEqual([false, false])
  expect(states(mock, 'never-seen')).toEqual([false, false])
  expect((await flagsOf(mock)).has('new-checkout')).toBe(false)
})

it('an enabled flag is on for everyone: its strategies stay, and it gets one for everyone if it has none', async () => {
  const mock = createMock({
    fixtures: {
      features: [
        {
          name: 'limited',
          environments: [
            {
              name: 'development',
              enabled: true,
              strategies: [
                { name: 'default', constraints: [{ contextName: 'userId', operator: 'IN', values: ['7'] }] },
              ],
            },
          ],
        },
      ],
    },
  })
  expect((await flagsOf(mock, '?userId=8')).has('limited')).toBe(false)
  mock.enable('limited')
  mock.enable('limited')
  expect((await flagsOf(mock, '?userId=8')).has('limited')).toBe(true)
  const [development] = mock.features.get('limited')?.environments ?? []
  expect(development?.strategies.map(({ name }) => name)).toEqual(['default', 'flexibleRollout'])
})

it('setVariant gives everyone one variant, in place of those of strategies', async () => {
  const mock = createMock()
  mock.setVariant('checkout-redesign', 'blue')
  const payload = { type: 'json', value: '{"a":1}' } as const
  mock.setVariant('new-checkout', { name: 'green', payload })
  const flags = await flagsOf(mock)
  expect(flags.get('checkout-redesign')).toMatchObject({ name: 'blue' })
  expect(flags.get('new-checkout')).toMatchObject({ name: 'green', payload })
})

it('an archived flag that is enabled is active again', async () => {
  const mock = createMock()
  mock.enable('archived-banner')
  expect((await flagsOf(mock)).has('archived-banner')).toBe(true)
})

it("each call is a step that can be undone, with the operations' events, in one session, without a journal entry", async () => {
  const mock = createMock()
  const session = mock.session('mine')
  const before = session.state()
  session.setVariant('new-checkout', 'blue')
  expect(session.history.list().at(-1)).toMatchObject({ title: 'new-checkout switched on everywhere with one variant' })
  const kinds = session.events.list({ featureName: 'new-checkout' }).map(({ type }) => type)
  expect(new Set(kinds)).toEqual(
    new Set([
      'feature-created',
      'feature-environment-variants-updated',
      'feature-strategy-add',
      'feature-environment-enabled',
    ]),
  )
  expect(mock.features.get('new-checkout')).toBeUndefined()
  expect(session.requests.all()).toEqual([])
  const after = session.state()
  session.restore(session.state())
  expect(session.state()).toEqual(after)
  session.history.goTo(session.history.list()[0]?.id ?? 0)
  expect(session.state()).toEqual(before)
  session.history.redo()
  expect(session.features.get('new-checkout')).toBeDefined()
  session.reset()
  expect(session.features.get('new-checkout')).toBeUndefined()
})

it('a flag is created in the first project if the default project is missing', () => {
  const mock = createMock({ scenario: 'empty' })
  mock.restore({ projects: [{ id: 'shop', environments: ['live'] }], environments: [{ name: 'live' }] })
  mock.enable('sale')
  expect(mock.features.get('sale')).toMatchObject({ project: 'shop', environments: [{ name: 'live', enabled: true }] })
  mock.restore({})
  expect(() => mock.enable('sale')).toThrow('There is no project to create it in.')
})

it('an invalid flag name is rejected, and nothing changes', () => {
  const mock = createMock()
  expect(() => mock.enable('good', 'not good')).toThrow('"not good"')
  expect(mock.features.get('good')).toBeUndefined()
  expect(() => mock.enable()).toThrow('mock.enable takes names of features, not nothing.')
  expect(() => mock.disable(['a'] as never)).toThrow('mock.disable takes names of features')
  expect(() => mock.setVariant('a', { name: 'b', payload: 5 } as never)).toThrow(
    "mock.setVariant can't take 5 as the payload.",
  )
  const payload = { type: 'number', value: 5 }
  expect(() => mock.setVariant('a', { name: 'b', payload } as never)).toThrow('the type "number" and the value 5.')
  expect(() => mock.tellFlags({ a: false } as never)).toThrow('The state of "a" can\'t be false.')
  expect(() => mock.setVariant('a', '')).toThrow('mock.setVariant takes the name of a')
  expect(mock.features.get('a')).toBeUndefined()
})
