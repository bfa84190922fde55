import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { readSources } from '../../src/entries/files/sources.js'
import { createMock, type Mock, type MockOptions } from '../../src/index.js'
import { ADMIN, CLIENT, EDITOR, FIXED, VIEWER } from '../support/adapters.js'
import { AMPLE, RUNS } from '../support/runs.js'

const FEATURES = '/api/admin/projects/default/features'

/** Flags with strategies that give no ids: two of them, so that their order is seen. */
const FLAGS = {
  features: Array.from({ length: 24 }, (_, at) => ({
    name: `flag-${at}`,
    environments: [
      { name: 'development', enabled: true, strategies: [{ name: 'default' }, { name: 'flexibleRollout' }] },
    ],
  })),
}
const folder = mkdtempSync(join(tmpdir(), 'flagdouble-'))
afterAll(() => rmSync(folder, { recursive: true }))
const flagFile = join(folder, 'flags.json')
writeFileSync(flagFile, JSON.stringify(FLAGS))
const fromFile = await readSources({ fixtures: [flagFile] })
const mine = { name: 'mine', title: 'Mine', promise: 'Nobody sees flag-1.', seed: { features: { 'flag-1': null } } }

const anyStart = fc.constantFrom<MockOptions>(
  FIXED,
  { fixtures: FLAGS },
  fromFile,
  { ...fromFile, scenario: 'empty' },
  { ...fromFile, scenario: { ...mine, extends: 'default' } },
  { ...fromFile, scenario: { ...mine, extends: 'empty' } },
)

type Act = [name: string, run: (mock: Mock) => unknown]

const send = (mock: Mock, method: string, path: string, body?: object, key = ADMIN) =>
  mock.fetch(
    new Request(`http://localhost${path}`, {
      method,
      headers: { authorization: key, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  )

const named = fc.constantFrom('one', 'two', 'three', 'flag-1', 'flag-2')
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
  named.map(
    (name): Act => [
      `change a strategy of ${name}`,
      async (mock) => {
        const path = `${FEATURES}/${name}/environments/development/strategies`
        const [strategy] = (await (await send(mock, 'GET', path)).json()) as { id: string }[]
        await send(mock, 'PUT', `${path}/${strategy?.id}`, { name: 'default', title: 'Changed' })
      },
    ],
  ),
  named.map((name): Act => [`create ${name}`, (mock) => send(mock, 'POST', FEATURES, { name })]),
  named.map((name): Act => [`read the events of ${name}`, (mock) => send(mock, 'GET', `/api/admin/events/${name}`)]),
  fc
    .tuple(named, named)
    .map(
      ([child, feature]): Act => [
        `have ${child} depend on ${feature}`,
        (mock) => send(mock, 'POST', `${FEATURES}/${child}/dependencies`, { feature }),
      ],
    ),
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
  new Function('createMock', 'expect', 'it', 'readFileSync', script)(createMock, expect, take, readFileSync)
  return running ?? Promise.reject(new Error('The file has no test.'))
}

it('a copied test passes, whatever lay between the requests', { timeout: AMPLE }, async () => {
  await fc.assert(
    fc.asyncProperty(anyStart, anyHistory, fc.nat({ max: 4 }), async (options, acts, most) => {
      const mock = createMock(options)
      for (const [, run] of acts) {
        try {
          await run(mock)
        } catch {
          // There is nothing to go to, or the feature is not there.
        }
      }
      // All of them, or only the last few.
      const ids = mock.requests.all().map(({ id }) => id)
      const selected = most === 0 || ids.length === 0 ? '' : `&ids=${ids.slice(-most).join(',')}`
      const answer = await mock.fetch(new Request(`http://localhost/__mock/requests?format=vitest${selected}`))
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

it('a copied test reads fixtures from their files, and says only what was done to them', async () => {
  const mock = createMock({ ...fromFile, scenario: 'empty' })
  await send(mock, 'POST', `${FEATURES}/flag-2/environments/development/off`)
  await send(mock, 'DELETE', `${FEATURES}/flag-3`)
  await send(mock, 'GET', `${FEATURES}/flag-2`)
  const answer = await mock.fetch(new Request('http://localhost/__mock/requests?format=vitest&ids=3'))
  const text = await answer.text()
  expect(text).toContain('flags.json')
  expect(new Set(text.match(/flag-\d+/g))).toEqual(new Set(['flag-2', 'flag-3']))
  expect(text.split('\n').filter((line) => line.length > 160)).toEqual([])
  await runTest(text)
})

it.each(['before', 'in fixtures'])('a copied test of one feature holds no other that was made %s', async (when) => {
  const features = ['mine', 'other', 'third'].map((name) => ({ name }))
  const mock = createMock(when === 'before' ? FIXED : { ...FIXED, fixtures: { features } })
  if (when === 'before') for (const feature of features) await send(mock, 'POST', FEATURES, feature)
  await send(mock, 'POST', `${FEATURES}/mine/environments/development/on`)
  const { id } = mock.requests.all().at(-1) ?? {}
  const answer = await mock.fetch(new Request(`http://localhost/__mock/requests?format=vitest&ids=${id}`))
  const text = await answer.text()
  expect(text).toContain('"mine": {')
  expect(text).not.toContain('"other"')
  await runTest(text)
})
