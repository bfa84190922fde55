import { expect, it } from 'vitest'
import { scenarios } from '../../src/index.js'
import { NOW, onEveryAdapter } from '../support/adapters.js'

const features = '/api/admin/projects/default/features'
const deep = '['.repeat(100_000) + ']'.repeat(100_000)
const live = '/api/admin/invite-link/tokens/live-invite'

onEveryAdapter('the control API', (client) => {
  const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    client.send(method, `/__mock${path}`, body, { key: null, headers })

  it('a body with a key twice is rejected, with both lines', async () => {
    const twice = '{"features":[{"name":"one"}],\n"features":[{"name":"two"}]}'
    for (const method of ['PATCH', 'PUT']) {
      const { status, body } = await client.send(method, '/__mock/state', twice)
      expect([status, body.code, body.message]).toEqual([
        400,
        'INVALID_REQUEST',
        '$.features is there twice, in lines 1 and 2.',
      ])
    }
    expect(client.mock.features.get('two')).toBeUndefined()
  })

  it('the control API reports its health', async () => {
    const { status, body, headers } = await call('GET', '/health')
    expect([status, headers.get('x-mock-scenario')]).toEqual([200, 'default'])
    expect(body).toEqual({
      status: 'ok',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      scenario: 'default',
      uptime: expect.any(Number),
    })
  })

  it('the control API lists the scenarios, and marks the active ones', async () => {
    client.mock.useScenario('expired-token', 'slow')
    const { status, body } = await call('GET', '/scenarios')
    expect(status).toBe(200)
    expect(body).toEqual(
      scenarios.map(({ name, title, promise }) => ({
        name,
        title,
        promise,
        active: ['expired-token', 'slow'].includes(name),
      })),
    )
  })

  it('the control API switches the scenario of the session, and back', async () => {
    expect((await call('GET', '/scenario')).body).toEqual({ names: ['default'] })
    expect((await call('PUT', '/scenario', { name: 'empty' })).body).toEqual({ names: ['empty'] })
    expect(client.mock.activeScenarios).toEqual(['empty'])
    const both = await call('PUT', '/scenario', { names: ['expired-token', 'name-taken'] })
    expect([both.status, both.body]).toEqual([200, { names: ['expired-token', 'name-taken'] }])
    expect(both.headers.get('x-mock-scenario')).toBe('expired-token,name-taken')
    expect((await call('PUT', '/scenario', { name: 'empty,name-taken' })).body.names).toEqual(['empty', 'name-taken'])
    const back = await call('DELETE', '/scenario')
    expect([back.status, back.body]).toEqual([204, undefined])
    expect((await call('GET', '/scenario')).body).toEqual({ names: ['default'] })
  })

  it('the control API reads the state, replaces it, and adds to it', async () => {
    const { status, body: snapshot } = await call('GET', '/state')
    expect([status, snapshot]).toEqual([200, client.mock.state()])
    const added = await call('PATCH', '/state', { features: [{ name: 'added' }] })
    expect(added.status).toBe(200)
    expect(added.body.features).toHaveLength(5)
    expect((await client.send('GET', `${features}/added`)).status).toBe(200)
    const replaced = await call('PUT', '/state', snapshot)
    expect([replaced.status, replaced.body]).toEqual([200, snapshot])
    expect((await client.send('GET', `${features}/added`)).status).toBe(404)
  })

  it.each(['PUT', 'PATCH'])('the control API rejects broken state as a whole: %s', async (method) => {
    const before = client.mock.state()
    const { status, body } = await call(method, '/state', { features: [{ name: 'x', project: 'nowhere' }] })
    expect([status, body.code]).toEqual([400, 'INVALID_STATE'])
    expect(body.message).toContain('$.features[0].project')
    expect(client.mock.state()).toEqual(before)
  })

  it('the control API sets, advances and releases the clock', async () => {
    expect((await call('GET', '/clock')).body).toEqual({ now: NOW, frozen: true })
    const set = await call('PUT', '/clock', { now: '2027-01-01T00:00:00+01:00' })
    expect([set.status, set.body]).toEqual([200, { now: '2026-12-31T23:00:00.000Z', frozen: true }])
    expect((await client.send('GET', live)).body.enabled).toBe(false)
    expect((await call('POST', '/clock/advance', { days: 1, hours: 2, minutes: 3, seconds: 4, ms: 5 })).body).toEqual({
      now: '2027-01-02T01:03:04.005Z',
      frozen: true,
    })
    expect((await call('POST', '/clock/advance', { ms: -5 })).body.now).toBe('2027-01-02T01:03:04.000Z')
    expect((await call('PUT', '/clock', { now: 0 })).body.now).toBe('1970-01-01T00:00:00.000Z')
    const released = await call('DELETE', '/clock')
    expect([released.status, released.body]).toEqual([204, undefined])
    expect((await call('GET', '/clock')).body.frozen).toBe(false)
  })

  it('a clock that is set without freezing it continues from there', async () => {
    const set = await call('PUT', '/clock', { now: '2027-01-01T00:00:00Z', frozen: false })
    expect(set.body).toEqual({ now: expect.stringMatching(/^2027-01-01T00:0/), frozen: false })
    const { body } = await call('POST', '/clock/advance', { days: 1 })
    expect(body).toEqual({ now: expect.stringMatching(/^2027-01-02T00:0/), frozen: false })
    expect((await call('PUT', '/clock', { now: NOW, frozen: true })).body).toEqual({ now: NOW, frozen: true })
  })

  it.each([
    ['PUT', '/clock', { now: 'soon' }, 'INVALID_CLOCK'],
    ['PUT', '/clock', { now: null }, 'INVALID_REQUEST'],
    ['PUT', '/clock', {}, 'INVALID_REQUEST'],
    ['POST', '/clock/advance', {}, 'INVALID_REQUEST'],
    ['POST', '/clock/advance', { weeks: 1 }, 'INVALID_REQUEST'],
    ['POST', '/clock/advance', { days: '1' }, 'INVALID_REQUEST'],
    ['POST', '/clock/advance', { days: 1e15 }, 'INVALID_CLOCK'],
    ['POST', '/clock/advance', { ms: Number.MAX_SAFE_INTEGER }, 'INVALID_CLOCK'],
    ['PUT', '/clock', { now: '+010000-01-01T00:00:00Z' }, 'INVALID_CLOCK'],
    ['PUT', '/clock', { now: '-000001-12-31T23:59:59Z' }, 'INVALID_CLOCK'],
    ['PUT', '/clock', { now: '2030-02-30' }, 'INVALID_CLOCK'],
    ['PUT', '/clock', { now: '2027-13-01T00:00:00Z' }, 'INVALID_CLOCK'],
    ['PUT', '/clock', { now: '2030-01-01T24:61:00Z' }, 'INVALID_CLOCK'],
    ['PUT', '/clock', { now: 'Feb 30 2030' }, 'INVALID_CLOCK'],
    ['PUT', '/clock', { now: NOW, frozen: 'no' }, 'INVALID_REQUEST'],
    ['PUT', '/clock', { now: NOW, freeze: false }, 'INVALID_REQUEST'],
    ['GET', '/requests?since=2030-02-30', undefined, 'INVALID_REQUEST'],
    ['GET', '/requests?since=2030-01-01T24:61:00Z', undefined, 'INVALID_REQUEST'],
    ['PATCH', '/state', { signupTokens: [{ secret: 'x', expiresAt: '2030-02-30T00:00:00Z' }] }, 'INVALID_STATE'],
    ['POST', '/clock/advance', 5, 'INVALID_REQUEST'],
    ['PUT', '/scenario', {}, 'INVALID_REQUEST'],
    ['PUT', '/scenario', { name: '' }, 'INVALID_REQUEST'],
    ['PUT', '/scenario', { name: ',' }, 'INVALID_REQUEST'],
    ['PUT', '/scenario', { names: [] }, 'INVALID_REQUEST'],
    ['PUT', '/scenario', { names: 'empty' }, 'INVALID_REQUEST'],
    ['PUT', '/scenario', { name: 'empty', names: ['slow'] }, 'INVALID_REQUEST'],
    ['PUT', '/scenario', { name: 'emty' }, 'UNKNOWN_SCENARIO'],
    ['PUT', '/scenario', { names: ['empty', 'emty'] }, 'UNKNOWN_SCENARIO'],
    ['PUT', '/scenario', '{', 'INVALID_REQUEST'],
    ['PUT', '/state', deep, 'INVALID_STATE'],
    ['PATCH', '/state', `{"features":{"legacy-export":${deep}}}`, 'INVALID_STATE'],
    ['POST', '/forced', `{"operation":"*","body":${deep}}`, 'INVALID_RULE'],
    ['PUT', '/state', '', 'INVALID_REQUEST'],
    ['PUT', '/state', '[]', 'INVALID_STATE'],
    ['GET', '/requests?status=ok', undefined, 'INVALID_REQUEST'],
    ['GET', '/requests?matched=maybe', undefined, 'INVALID_REQUEST'],
    ['GET', '/requests?since=then', undefined, 'INVALID_REQUEST'],
    ['GET', '/requests?operatoin=x', undefined, 'INVALID_REQUEST'],
  ])('the control API rejects %s %s %j with 400 %s', async (method, path, body, code) => {
    const before = client.mock.state()
    const answer = await call(method, path, body)
    expect([answer.status, answer.body.code, answer.headers.get('x-mock-error')]).toEqual([400, code, code])
    expect([client.mock.activeScenarios, client.mock.clock.now().toISOString()]).toEqual([['default'], NOW])
    expect(client.mock.state()).toEqual(before)
  })

  it('rules of the scenario are marked', async () => {
    await call('POST', '/forced?scenario=rate-limited', { operation: 'getProjects', status: 500 })
    const { body } = await call('GET', '/forced?scenario=rate-limited')
    const marks = body.map(({ byScenario }: { byScenario?: true }) => byScenario)
    expect([marks[0], marks.at(-1)]).toEqual([true, undefined])
  })

  it('the control API creates, lists and removes rules', async () => {
    const made = await call('POST', '/forced', { operation: 'getFeatures', status: 500, times: 3 })
    expect([made.status, made.body]).toEqual([
      201,
      { id: '1', operation: 'getFeatures', status: 500, times: 3, seen: 0 },
    ])
    await call('POST', '/forced', { operation: '*', delay: 1 })
    await client.send('GET', features)
    const { body: listed } = await call('GET', '/forced')
    expect(listed.map(({ id, seen }: { id: string; seen: number }) => [id, seen])).toEqual([
      ['1', 1],
      ['2', 1],
    ])
    expect((await call('DELETE', '/forced/2')).status).toBe(204)
    expect((await client.send('GET', features)).status).toBe(500)
    const again = await call('DELETE', '/forced/2')
    expect([again.status, again.body.code]).toEqual([404, 'UNKNOWN_RULE'])
    expect((await call('DELETE', '/forced')).status).toBe(204)
    expect((await call('GET', '/forced')).body).toEqual([])
    expect((await client.send('GET', features)).status).toBe(200)
  })

  it.each([
    ['GET', '/nothing'],
    ['POST', '/state'],
    ['PUT', '/reset'],
    ['GET', '/forced/1/x'],
    ['DELETE', '/health'],
  ])('the control API returns 404 for %s %s', async (method, path) => {
    const { status, body } = await call(method, path)
    expect([status, body.code]).toEqual([404, 'UNKNOWN_CONTROL_PATH'])
  })

  it('the journal of an unknown operation is empty, and a header says that it is unknown', async () => {
    await client.send('POST', '/api/admin/projects/default/features/legacy-export/clone', { name: 'copy' })
    const { status, body, headers } = await call('GET', '/requests?operation=clone')
    expect([status, body]).toEqual([200, []])
    expect(headers.get('x-mock-hint')).toBe('There is no such operation. Did you mean "cloneFeature"?')
    expect((await call('GET', '/requests?operation=cloneFeature')).headers.get('x-mock-hint')).toBeNull()
  })

  it('the response to a body with an unknown property names a similar one', async () => {
    const { body } = await call('PUT', '/clock', { now: 5, frozn: false })
    expect(body.message).toBe('The body of /clock is invalid: $: "frozn" is unknown. Did you mean "frozen"?')
  })

  it.each([
    [
      'GET',
      '/export?projekt=default',
      'GET /__mock/export has no parameter "projekt". Did you mean "project"?',
      'It takes project, environment, scenario.',
    ],
    [
      'GET',
      '/requests?opration=getFeatures',
      'GET /__mock/requests has no parameter "opration". Did you mean "operation"?',
      'It takes operation, status, matched, since, ids, format, wait, scenario.',
    ],
    ['PUT', '/scenario?session=nora', 'PUT /__mock/scenario has no parameter "session".', 'It takes scenario.'],
    ['DELETE', '/forced/1?all', 'DELETE /__mock/forced/:id has no parameter "all".', 'It takes scenario.'],
    [
      'GET',
      '/requests?operation=getFeatures&operation=getFeature',
      'GET /__mock/requests takes the parameter "operation" once.',
      'Send a request for each value.',
    ],
    [
      'POST',
      '/reset?scenario=empty&scenario=default',
      'POST /__mock/reset takes the parameter "scenario" once.',
      'Send a request for each value.',
    ],
  ])('the control API rejects %s %s, whose query it would misread', async (method, path, message, hint) => {
    await call('POST', '/forced', { operation: 'getFeatures', delay: 1 })
    const before = [client.mock.history.list(), client.mock.activeScenarios]
    const { status, body } = await call(method, path, method === 'PUT' ? { name: 'empty' } : undefined)
    expect([status, body]).toEqual([400, { name: 'MockError', code: 'INVALID_REQUEST', message, hint }])
    expect([client.mock.history.list(), client.mock.activeScenarios]).toEqual(before)
  })

  it.each(['abc', '%20', '98765', '1x'])('the history has no entry with the ID: %s', async (id) => {
    const { status, body } = await call('GET', `/history/${id}`)
    expect([status, body.code]).toEqual([404, 'UNKNOWN_COMMIT'])
    const sent = id === '98765' ? id : JSON.stringify(decodeURIComponent(id))
    expect(body.message).toBe(`The history has no entry with the id ${sent}.`)
  })

  it("in process, the history has no entry with an ID that isn't a number", () => {
    expect(() => client.mock.history.goTo(Number.NaN)).toThrow('The history has no entry with the id NaN.')
  })

  it('the response to a control call without a similar one names none', async () => {
    expect((await call('GET', '/xyz')).body.hint).toBe('docs/control-api.md lists all calls.')
  })

  it('the response to an unknown control call names the nearest', async () => {
    expect((await call('PUT', '/scenaro')).body.hint).toContain('The nearest call is PUT /__mock/scenario;')
    expect((await call('POST', '/clock/advanced')).body.hint).toContain(
      'The nearest call is POST /__mock/clock/advance;',
    )
  })

  it('a control call acts on the world that it names, or else on the active world', async () => {
    const inEmpty = { 'x-mock-scenario': 'empty' }
    await call('PUT', '/clock?scenario=empty', { now: 0 })
    await call('PATCH', '/state', { features: [{ name: 'only-here' }] }, inEmpty)
    await call('POST', '/forced', { operation: 'getProjects', status: 500 }, { cookie: 'mock-scenario=empty' })
    const named = await call('GET', '/state?scenario=empty')
    expect(named.body.features.map(({ name }: { name: string }) => name)).toEqual(['only-here'])
    expect((await call('GET', '/clock', undefined, inEmpty)).body.now).toBe('1970-01-01T00:00:00.000Z')
    expect((await call('GET', '/forced', undefined, inEmpty)).body).toHaveLength(1)
    expect((await call('GET', '/clock')).body.now).toBe(NOW)
    expect((await call('GET', '/forced')).body).toEqual([])
    expect(client.mock.features.get('only-here')).toBeUndefined()
    await call('PUT', '/scenario', { name: 'empty' })
    expect(client.mock.features.list()).toEqual([])
    const unknown = await call('GET', '/state?scenario=emty')
    expect([unknown.status, unknown.body.code]).toEqual([400, 'UNKNOWN_SCENARIO'])
  })

  it('a control call acts on the session that it names', async () => {
    const ada = { 'x-mock-session': 'ada' }
    await call('PUT', '/scenario', { name: 'empty' }, ada)
    expect((await call('GET', '/scenario', undefined, ada)).body).toEqual({ names: ['empty'] })
    expect((await call('GET', '/health', undefined, ada)).body.scenario).toBe('empty')
    expect((await call('GET', '/scenario')).body).toEqual({ names: ['default'] })
    await client.send('GET', features, undefined, { headers: ada })
    expect((await call('GET', '/requests', undefined, ada)).body).toHaveLength(1)
    expect((await call('GET', '/requests')).body).toEqual([])
  })

  it('a control call accepts up to 32 MiB', async () => {
    const fill = (bytes: number) => `{"features":[{"name":"big","description":"`.padEnd(bytes - 4, 'x').concat('"}]}')
    const limit = 32 * 1024 * 1024
    const { status, body } = await call('PATCH', '/state', fill(limit + 1))
    expect([status, body.code]).toEqual([413, 'BODY_TOO_LARGE'])
    expect((await call('PATCH', '/state', fill(4_000_000))).status).toBe(200)
  })
})
