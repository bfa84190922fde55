import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createMock, type Mock } from '../../src/index.js'
import { CORE } from '../../src/mock/session.js'
import { FIXED } from '../support/adapters.js'
import { anyWrite, MEETING } from '../support/any-request.js'
import { RUNS } from '../support/runs.js'

type Act = (mock: Mock) => unknown

const origin = 'http://localhost'

const anyRequest = anyWrite.map(
  ({ method, path, key, body }): Act =>
    (mock) => {
      const headers = { ...(key === undefined ? {} : { authorization: key }), 'content-type': 'application/json' }
      return mock.fetch(new Request(origin + path, { method, headers, ...(body === undefined ? {} : { body }) }))
    },
)
const anyScenario = fc.constantFrom('default', 'missing-permission', 'slow', 'flaky', 'expired-token')
const anyAct = fc.oneof(
  { weight: 8, arbitrary: anyRequest },
  anyScenario.map(
    (name): Act =>
      (mock) =>
        mock.useScenario(name),
  ),
  anyScenario.map(
    (name): Act =>
      (mock) =>
        mock.fetch(new Request(`${origin}/__mock/use/${name}`)),
  ),
  fc.constant<Act>((mock) => mock.reset()),
  fc.constant<Act>((mock) => mock.restore({ projects: [{ id: 'default' }], environments: [], apiTokens: [] })),
  fc.nat(9).map(
    (number): Act =>
      (mock) =>
        mock.add({ features: [{ name: `added-${number}` }] }),
  ),
  fc.constant<Act>((mock) => mock.force({ operation: 'cloneFeature', status: 503 })),
  fc.nat(9).map(
    (days): Act =>
      (mock) =>
        mock.clock.advance({ days }),
  ),
  fc.constant<Act>((mock) => mock.undo()),
  fc.constant<Act>((mock) => mock.redo()),
)

/** Everything of a session that is undone and redone. */
function whole(mock: Mock): string {
  const { rules, latency } = mock[CORE].sessions.unnamed.world()
  const forced = rules.all().map(({ id, rule }) => ({ id, rule }))
  return JSON.stringify([mock.activeScenarios, mock.clock.now(), forced, latency, mock.state()])
}

function now(mock: Mock): number {
  return mock.history.list().findIndex(({ current }) => current)
}

it('whatever is done, undone and redone, each moment is the same again, byte by byte', {
  timeout: 60_000,
}, async () => {
  const jumps = fc.array(fc.nat(), { maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(fc.array(anyAct, { minLength: 1, maxLength: 20 }), jumps, async (acts, places) => {
      const mock = createMock({ ...FIXED, fixtures: MEETING })
      const wholes = new Map<number | undefined, string>()
      const idOf = (at: number) => mock.history.list()[at]?.id
      wholes.set(idOf(0), whole(mock))
      for (const act of acts) {
        await act(mock)
        wholes.set(idOf(now(mock)), whole(mock))
      }
      const expectKnown = () => expect(whole(mock) === wholes.get(idOf(now(mock)))).toBe(true)
      const last = mock.history.list().length - 1
      while (mock.redo() !== undefined) expectKnown()
      while (mock.undo() !== undefined) expectKnown()
      expect(now(mock)).toBe(0)
      while (mock.redo() !== undefined) expectKnown()
      expect(now(mock)).toBe(last)
      for (const place of places) {
        mock.goTo(idOf(place % (last + 1)) ?? -1)
        expectKnown()
      }
    }),
    { numRuns: 8 * RUNS },
  )
})
