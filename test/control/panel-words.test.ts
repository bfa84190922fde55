import { describe, expect, it } from 'vitest'
import { scenarios } from '../../scenarios/index.js'
import { createMock, type Mock } from '../../src/engine/mock/mock.js'
import { differences } from '../../src/panel/differences.js'
import { readRule } from '../../src/panel/rule-form.js'
import { ruleWords } from '../../src/panel/rules.js'
import { groupScenarios } from '../../src/panel/scenarios.js'
import { agoWords, durationWords, instantWords, offsetSign, offsetWords, relativeWords } from '../../src/panel/words.js'

const HOUR = 3_600_000

describe('The words of the panel', () => {
  it.each([
    [30 * 24 * HOUR, 'in 30 days'],
    [24 * HOUR, 'in 1 day'],
    [24 * HOUR - 1, 'in 23 hours'],
    [90_000, 'in 1 minute'],
    [999, 'in 0 seconds'],
    [-2 * HOUR, '2 hours ago'],
  ])('the panel writes %i ms as: %s', (ms, words) => {
    expect(relativeWords(ms)).toBe(words)
  })

  it.each([
    [7 * 24 * HOUR, '1 week ahead'],
    [-14 * 24 * HOUR + 400, '2 weeks behind'],
    [8 * 24 * HOUR, '8 days ahead'],
    [3 * HOUR + 20_000, '3 hours ahead'],
    [-120_000, '2 minutes behind'],
  ])('the panel writes that a clock is off by %i ms as: %s', (ms, words) => {
    expect(offsetWords(ms)).toBe(words)
  })

  it('the panel writes past times and clock offsets in brief', () => {
    expect([agoWords(59_000), agoWords(120_000), agoWords(3 * HOUR)]).toEqual(['just now', '2 min. ago', '3 hr. ago'])
    expect([offsetSign(7 * 24 * HOUR), offsetSign(-3 * HOUR)]).toEqual(['+7 d', '−3 h'])
  })

  it('every built-in scenario has a heading, and others are the user’s own', () => {
    const states = [...scenarios, { name: 'mine', title: 'Mine', promise: 'Mine.' }]
    const groups = groupScenarios(states.map((scenario) => ({ ...scenario, active: false })))
    expect(groups.map(({ title }) => title)).toEqual(['Your own', 'Data', 'Errors', 'Network'])
    expect(groups[0]?.scenarios.map(({ name }) => name)).toEqual(['mine'])
    expect(groups.flatMap((group) => group.scenarios)).toHaveLength(states.length)
  })

  it('the panel writes the time of a request and its duration', () => {
    expect(instantWords('2026-11-20T12:00:00.000Z')).toBe('20 Nov 2026, 12:00:00 UTC')
    expect(durationWords(12.4)).toBe('12 ms')
    expect(durationWords(1500)).toBe('1.5 s')
  })
})

describe('A request as curl', () => {
  /** The lines of the command that repeats the last request of a session. */
  const linesOf = async (mock: Mock, session: string) => {
    const headers = { 'x-mock-session': encodeURIComponent(session) }
    const response = await mock.fetch(new Request('http://localhost/__mock/requests?format=curl', { headers }))
    return (await response.text()).split(' \\\n  ')
  }

  it('a request as curl is quoted for the shell, and has no API token if it was sent without one', async () => {
    const mock = createMock({ scenario: 'slow', latency: 0 })
    await mock.session("o'hara").fetch(new Request("http://localhost/api/admin/projects/o'1/features?q=$(id)"))
    expect(await linesOf(mock, "o'hara")).toEqual([
      `curl --globoff -X GET 'http://localhost/api/admin/projects/o'\\''1/features?q=$(id)'`,
      `-H 'x-mock-session: o'\\''hara'`,
      "-H 'x-mock-scenario: slow'",
    ])
  })

  it('the command has the API token of the caller and the sent content type, and names the session in a header', async () => {
    const mock = createMock()
    const path = '/api/admin/projects/default/features/checkout-redesign/clone'
    const send = (headers: Record<string, string>) =>
      mock
        .session('Łukasz')
        .fetch(new Request(`http://localhost${path}`, { method: 'POST', headers, body: '{"name":"copy"}' }))
    await send({ authorization: 'user:mock-viewer', 'content-type': 'text/plain' })
    const selected = ["-H 'x-mock-session: %C5%81ukasz'", "-H 'x-mock-scenario: default'"]
    expect((await linesOf(mock, 'Łukasz')).slice(1)).toEqual([
      "-H 'Authorization: user:mock-viewer'",
      ...selected,
      "-H 'Content-Type: text/plain'",
      `--data-raw '{"name":"copy"}'`,
    ])
  })

  it("a signed-in caller is replaced by one of their API tokens, or by an administrator's", async () => {
    const mock = createMock()
    const user = { username: 'editor', password: 'flagdouble' }
    const signIn = new Request('http://localhost/auth/simple/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(user),
    })
    const cookie = (await mock.fetch(signIn)).headers.get('set-cookie')?.split(';', 1)[0] ?? ''
    await mock.fetch(new Request('http://localhost/api/admin/projects', { headers: { cookie } }))
    expect((await linesOf(mock, ''))[1]).toMatch(/^-H 'Authorization: \S+'$/)
  })
})

describe('The form for a rule', () => {
  const rule = (fields: Record<string, string>) => {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.set(name, value)
    return readRule(form)
  }

  it('the form limits a rule to the requests that its fields describe', () => {
    const fields = {
      answer: '409',
      'params.featureName': 'checkout-redesign',
      'params.projectId': '',
      query: 'dryRun=true',
      headers: 'x-team: a:b',
      body: '{ "name": "copy" }',
    }
    expect(rule(fields)).toEqual({
      status: 409,
      match: {
        params: { featureName: 'checkout-redesign' },
        query: { dryRun: 'true' },
        headers: { 'x-team': 'a:b' },
        body: { name: 'copy' },
      },
    })
  })

  it('a rule in words names the requests that it is limited to', () => {
    const match = { params: { featureName: 'x' }, headers: { 'x-team': 'a' }, body: { name: 'copy' } }
    expect(ruleWords({ id: '1', seen: 0, operation: 'cloneFeature', status: 409, match })).toBe(
      '409 (The name is taken) · only with featureName: x, x-team: a, a body with {"name":"copy"} · matched 0 times',
    )
  })

  it('a rule is described in words', () => {
    const active = { id: '1', seen: 1, operation: '*', status: 409, delay: 5, after: 2, times: 1 } as const
    expect(ruleWords(active)).toBe(
      '409 (The name is taken) · delayed by 5 ms · after 2 requests · for 1 request · matched 1 time',
    )
  })
})

describe('The changes of a step', () => {
  const feature = {
    name: 'checkout',
    description: null,
    createdBy: { id: 1, imageUrl: 'https://gravatar.com/avatar/1' },
    environments: [
      { name: 'development', enabled: true, strategies: [{ id: 'a', name: 'default' }] },
      { name: 'production', enabled: false, strategies: [] },
    ],
  }

  it('changed fields are named down to the value, and lists by the names in them', () => {
    const [development, production] = feature.environments
    const after = {
      ...feature,
      description: 'New',
      createdBy: { id: 1, imageUrl: 'https://gravatar.com/avatar/2' },
      environments: [development, { ...production, enabled: true }],
    }
    expect(differences({ before: feature, after })).toEqual([
      { field: 'description', before: 'null', after: '"New"' },
      { field: 'environments.production.enabled', before: 'false', after: 'true' },
    ])
  })

  it('an added or removed record shows only its informative fields', () => {
    const { name, description } = feature
    const told = { field: 'name', before: undefined, after: '"checkout"' }
    expect(differences({ after: { name, description, tags: [] } })).toEqual([told])
    expect(differences({ before: { name } })).toEqual([{ ...told, before: '"checkout"', after: undefined }])
  })
})
