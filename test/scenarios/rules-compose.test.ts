import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createMock, defineScenario, type ForceRule, type Scenario } from '../../src/index.js'
import { onEveryAdapter } from '../support/adapters.js'
import { runCli, scratchFolder } from '../support/cli.js'

const features = '/api/admin/projects/default/features'
const clone = `${features}/checkout-redesign/clone`

const forbidden: ForceRule = { operation: 'cloneFeature', status: 403 }
const delayed: ForceRule = { operation: '*', delay: 40 }
const marked: ForceRule = { operation: '*', headers: { 'X-Own': 'yes' } }

function scenario(name: string, force: readonly ForceRule[], base = 'default'): Scenario {
  return { name, title: name, promise: `It is ${name}.`, extends: base, force }
}

onEveryAdapter(
  'rules compose',
  (client) => {
    const cloned = async () => client.send('POST', clone, { name: 'copy' })
    // Timers can fire up to a millisecond early.
    const waited = (ms: number) => expect(client.mock.requests.all().at(-1)?.durationMs).toBeGreaterThan(ms - 2)

    it.each([
      ['before', [delayed, marked, forbidden]],
      ['after', [forbidden, delayed, marked]],
      ['around', [delayed, forbidden, marked]],
    ] as const)('rules that delay and set headers apply, and another responds: %s it', async (_, rules) => {
      for (const rule of rules) client.mock.force(rule)
      const answer = await cloned()
      expect([answer.status, answer.headers.get('x-own')]).toEqual([403, 'yes'])
      expect(answer.headers.get('x-mock-forced')).toBe(String(rules.indexOf(forbidden) + 1))
      waited(40)
      expect((await client.send('GET', features)).headers.get('x-own')).toBe('yes')
    })

    it('a rule of the control API keeps those of the scenario active', async () => {
      await client.send('PUT', '/__mock/scenario', { name: 'missing-permission' })
      await client.send('POST', '/__mock/forced', { operation: '*', delay: 1 })
      expect((await cloned()).status).toBe(403)
    })

    it('rules of combined scenarios compose', async () => {
      for (const names of ['slowed,missing-permission', 'missing-permission,slowed']) {
        const headers = { 'x-mock-scenario': names }
        expect((await client.send('POST', clone, { name: 'copy' }, { headers })).status).toBe(403)
        waited(40)
      }
    })

    it('delays add up, and the newer of two headers with the same name is sent', async () => {
      client.mock.force({ operation: 'cloneFeature', delay: 25, headers: { 'x-own': 'older' } })
      client.mock.force({ operation: 'cloneFeature', status: 409, delay: 25, headers: { 'x-own': 'answering' } })
      client.mock.force({ operation: '*', delay: 25, headers: { 'X-Own': 'newer' } })
      const answer = await cloned()
      expect([answer.status, answer.headers.get('x-own')]).toEqual([409, 'newer'])
      waited(75)
    })

    it('every rule that applies counts, whether or not another responds', async () => {
      client.mock.force({ operation: '*', headers: { 'x-first': 'yes' }, times: 1 })
      client.mock.force({ operation: 'cloneFeature', status: 404 })
      client.mock.force({ operation: 'cloneFeature', status: 403, times: 2 })
      client.mock.force({ operation: '*', headers: { 'x-late': 'yes' }, after: 2 })
      const answers = [await cloned(), await cloned(), await cloned()]
      expect(answers.map(({ status }) => status)).toEqual([403, 403, 404])
      expect(answers.map(({ headers }) => headers.get('x-first'))).toEqual(['yes', null, null])
      expect(answers.map(({ headers }) => headers.get('x-late'))).toEqual([null, null, 'yes'])
      const { body } = await client.send('GET', '/__mock/forced')
      expect(body.map(({ seen }: { seen: number }) => seen)).toEqual([3, 1, 3, 3])
    })

    it('a rule with a match delays only matching requests', async () => {
      client.mock.force(forbidden)
      const match = { params: { featureName: 'legacy-export' } }
      client.mock.force({ operation: '*', match, headers: { 'x-own': 'yes' } })
      expect((await cloned()).headers.has('x-own')).toBe(false)
      const other = await client.send('POST', `${features}/legacy-export/clone`, { name: 'copy' })
      expect([other.status, other.headers.get('x-own')]).toEqual([403, 'yes'])
    })

    it('a switch to scenarios with rules that can never apply says so', async () => {
      const switchTo = (...names: string[]) => client.send('PUT', '/__mock/scenario', { names })
      const told = await switchTo('hidden')
      expect([told.status, told.body]).toEqual([200, { names: ['hidden'] }])
      expect(told.headers.get('x-mock-hint')).toBe(
        '1 rule of "hidden" can never apply: a later one of "hidden", for "*", always applies first.',
      )
      expect((await switchTo('name-taken', 'server-error')).headers.get('x-mock-hint')).toBe(
        '2 rules of "name-taken" can never apply: a later one of "server-error", for "*", always applies first.',
      )
      for (const names of [['server-error', 'name-taken'], ['flaky'], ['slowed', 'name-taken'], ['overriding']]) {
        expect((await switchTo(...names)).headers.get('x-mock-hint')).toBeNull()
      }
    })
  },
  {
    seed: 'tests',
    now: '2026-11-20T12:00:00.000Z',
    scenarios: [
      scenario('slowed', [delayed]),
      scenario('hidden', [forbidden, { operation: '*', status: 500 }]),
      scenario('overriding', [{ operation: '*', status: 503 }], 'name-taken'),
    ],
  },
)

const match = { params: { featureName: 'a' } }
const gone: ForceRule = { operation: '*', status: 404 }

/** Lists of rules, and the positions of those that can never apply. */
const lists: [name: string, rules: readonly ForceRule[], idle: readonly number[]][] = [
  ['a later one for the same operation', [forbidden, { operation: 'cloneFeature', body: {} }], [0]],
  ['a later one for every operation', [forbidden, gone], [0]],
  ['two of them', [forbidden, gone, { operation: '*', fault: 'hang' }], [0, 1]],
  ['an earlier one', [gone, forbidden], []],
  ['a later one for another operation', [forbidden, { operation: 'getFeature', status: 404 }], []],
  ['a later one that only delays', [forbidden, delayed, marked], []],
  ['a rule that only delays, before one that answers', [delayed, marked, gone], []],
  ['a later one that begins later', [forbidden, { ...gone, after: 1 }], []],
  ['a later one that ends', [forbidden, { ...gone, times: 3 }], []],
  [
    'a rule for no requests',
    [
      { ...forbidden, times: 0 },
      { ...delayed, times: 0 },
    ],
    [0, 1],
  ],
  ['a later one that asks for more', [forbidden, { ...forbidden, match }], []],
  ['a later one that asks for less', [{ ...forbidden, match }, forbidden], [0]],
  [
    'a later one that asks for the same',
    [
      { ...forbidden, match },
      { ...gone, match },
    ],
    [0],
  ],
  [
    'a later one that asks for something else',
    [
      { ...gone, match },
      { ...gone, match: { query: { a: 1 } } },
    ],
    [],
  ],
  [
    'a later one that asks for less of the body: conditions are compared as a whole',
    [
      { ...gone, match: { body: { a: 1, b: 2 } } },
      { ...gone, match: { body: { b: 2 } } },
    ],
    [],
  ],
  [
    'a later one for all of the Admin API that asks for the same',
    [
      { ...forbidden, match },
      { operation: '/api/admin/*', status: 404, match },
    ],
    [0],
  ],
]

describe('a rule that can never apply', () => {
  it.each(lists)('is found, and no others: %s', async (_, rules, idle) => {
    const file = scratchFolder().put('mine.json', scenario('mine', rules))
    const { done, stdout, stderr } = runCli(['validate', file])
    expect([await done, stderr()]).toEqual([0, ''])
    const [first, ...told] = stdout().trimEnd().split('\n')
    expect(first).toBe(`${idle.length === 0 ? 'ok  ' : 'warn'} ${file} (scenario)`)
    expect(told.map((line) => /^ {5}\S*\$\.force\[(\d+)\] \(line 1\): can never apply: /.exec(line)?.[1])).toEqual(
      idle.map(String),
    )
  })

  it('validate names the file, the rule, and the rule that responds first', async () => {
    const file = scratchFolder().put('mine.json', scenario('mine', [forbidden, gone]))
    const { done, stdout } = runCli(['validate', file])
    await done
    expect(stdout()).toBe(
      `warn ${file} (scenario)\n     $.force[0] (line 1): can never apply: $.force[1] is later and handles all of its requests\n`,
    )
  })

  it('defineScenario warns about it, and the scenario still works', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
    try {
      const mine = defineScenario(scenario('mine', [forbidden, gone]))
      expect(warn.mock.calls).toEqual([
        [expect.stringMatching(/^\[flagdouble\] The scenario "mine": \$\.force\[0\] can never apply: \$\.force\[1\]/)],
      ])
      const response = await createMock({ scenario: mine }).fetch(new Request(`http://localhost${features}`))
      expect(response.status).toBe(404)
      defineScenario(scenario('other', [gone, forbidden, delayed]))
      expect(warn).toHaveBeenCalledTimes(1)
    } finally {
      warn.mockRestore()
    }
  })
})

it('a sum of delays beyond the limit of timers also works', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const mock = createMock()
  for (let i = 0; i < 600; i++) mock.force({ operation: '*', delay: 3_600_000 })
  let isAnswered = false
  const answer = mock.fetch(new Request('http://localhost/health')).finally(() => {
    isAnswered = true
  })
  await vi.advanceTimersByTimeAsync(1000)
  expect(isAnswered).toBe(false)
  await vi.advanceTimersByTimeAsync(2 ** 31)
  expect((await answer).status).toBe(200)
})
