import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createMock, type Mock } from '../../src/index.js'
import { ADMIN, CLIENT, EDITOR, FIXED, VIEWER } from '../support/adapters.js'
import { RUNS } from '../support/runs.js'

const FEATURES = '/api/admin/projects/default/features'

type Act = [name: string, run: (mock: Mock) => unknown]

const send = (mock: Mock, method: string, path: string, body?: object, key = ADMIN) =>
  mock.fetch(
    new Request(`http://localhost${path}`, {
      method,
      headers: { authorization: key, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  )

const named = fc.constantFrom('one', 'two', 'three')
const anyRequest = fc.oneof(
  fc
    .tuple(named, fc.constantFrom(ADMIN, EDITOR, VIEWER))
    .map(
      ([name, key]): Act => [
        `clone to ${name}`,
        (mock) => send(mock, 'POST', `${FEATURES}/checkout-redesign/clone`, { name }, key),
      ],
    ),
  named.map((name): Act => [`archive ${name}`, (mock) => send(mock, 'DELETE', `${FEATURES}/${name}`)]),
  named.map(
    (name): Act => [
      `add a strategy to ${name}`,
      (mock) => send(mock, 'POST', `${FEATURES}/${name}/environments/development/strategies`, { name: 'default' }),
    ],
  ),
  named.map((name): Act => [`read ${name}`, (mock) => send(mock, 'GET', `${FEATURES}/${name}`)]),
  fc.constantFrom<Act>(
    ['list the features', (mock) => send(mock, 'GET', FEATURES)],
    ['ask as an SDK', (mock) => send(mock, 'GET', '/api/client/features', undefined, CLIENT)],
    [
      'disable the invitation',
      (mock) => send(mock, 'PUT', '/api/admin/invite-link/tokens/live-invite', { enabled: false }),
    ],
    ['read the invitations', (mock) => send(mock, 'GET', '/api/admin/invite-link/tokens')],
  ),
)
const anyMove = fc.constantFrom<Act>(
  ['undo', (mock) => mock.history.undo()],
  ['redo', (mock) => mock.history.redo()],
  ['go to the start', (mock) => mock.history.goTo(mock.history.list()[0]?.id ?? 0)],
  ['switch', (mock) => mock.useScenario('disabled-token')],
  ['switch to the default', (mock) => mock.useScenario('default')],
  ['reset', (mock) => mock.reset()],
  ['advance the clock', (mock) => mock.clock.advance({ days: 3 })],
  ['add', (mock) => mock.add({ features: { two: { stale: true }, __proto: { name: '__proto' } } })],
)
const anyHistory = fc.array(fc.oneof({ weight: 3, arbitrary: anyRequest }, anyMove), { minLength: 3, maxLength: 14 })

/** Runs the text of a test file in this process. Its only types stand in one line. */
function runTest(text: string): Promise<void> {
  const script = text
    .replaceAll(/^import .*$/gm, '')
    .replace(
      '(method: string, path: string, headers: Record<string, string>, body?: string)',
      '(method, path, headers, body)',
    )
  let running: Promise<void> | undefined
  const take = (_: string, run: () => Promise<void>) => {
    running = run()
  }
  new Function('createMock', 'expect', 'it', script)(createMock, expect, take)
  return running ?? Promise.reject(new Error('The file has no test.'))
}

it('a copied test passes, whatever lay between the requests', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(anyHistory, async (acts) => {
      const mock = createMock(FIXED)
      for (const [, run] of acts) {
        try {
          await run(mock)
        } catch {
          // There is nothing to go to, or the feature is not there.
        }
      }
      const answer = await mock.fetch(new Request('http://localhost/__mock/requests?format=vitest'))
      expect(answer.status).toBe(200)
      const text = await answer.text()
      await runTest(text).catch((error) => {
        throw new Error(`${acts.map(([name]) => name).join(', ')}: ${error.message}\n${text}`)
      })
    }),
    { numRuns: 30 * RUNS },
  )
})

it('a copied test begins with the data of its first request, also when that was undone', async () => {
  const mock = createMock(FIXED)
  mock.reset()
  await send(mock, 'POST', `${FEATURES}/checkout-redesign/clone`, { name: 'g1' })
  mock.history.undo()
  await send(mock, 'POST', `${FEATURES}/checkout-redesign/clone`, { name: 'g1' })
  mock.useScenario('slow')
  const answer = await mock.fetch(new Request('http://localhost/__mock/requests?format=vitest'))
  const text = await answer.text()
  expect(text.match(/toBe\(200\)/g)).toHaveLength(2)
  await runTest(text)
})

it('a record that is called __proto__ stays one in a copied test', async () => {
  const mock = createMock(FIXED)
  await send(mock, 'POST', FEATURES, { name: '__proto__', description: '"__proto__":' })
  await send(mock, 'PUT', `${FEATURES}/__proto__`, { description: 'changed' })
  await send(mock, 'GET', '/api/client/features', undefined, CLIENT)
  const answer = await mock.fetch(new Request('http://localhost/__mock/requests?format=vitest&ids=2,3'))
  const text = await answer.text()
  expect(text).toContain('["__proto__"]: {')
  await runTest(text)
})
