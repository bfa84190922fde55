import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { SCENARIOS_SAVED } from '../../src/engine/scenarios/saved-scenarios.js'
import { SESSIONS_KEPT } from '../../src/engine/sessions/sessions.js'
import { readSources } from '../../src/entries/files/sources.js'
import { createMock, type Mock, type Scenario } from '../../src/index.js'
import { CLIENT, FIXED, NOW, onEveryAdapter } from '../support/adapters.js'
import { anyWrite, MEETING } from '../support/any-request.js'
import { AMPLE, RUNS } from '../support/runs.js'

const TITLE = { name: 'broken-checkout', title: 'Broken checkout', promise: 'Nobody can clone a feature.' }

onEveryAdapter('Saving a world as a scenario', (client) => {
  const save = (given: object = TITLE) => client.send('POST', '/__mock/scenarios', given)

  it('contains only the differences of a project with another environment, and of its features', async () => {
    const environments = '/api/admin/projects/default/environments'
    client.mock.add({ environments: [{ name: 'qa', type: 'test' }] })
    expect((await client.send('POST', environments, { environment: 'qa' })).status).toBe(200)
    expect((await client.send('DELETE', `${environments}/production`)).status).toBe(200)
    const inWorld = client.mock.features
      .list()
      .map(({ name, environments }) => [name, environments.map((one) => one.name)])
    expect((await save()).body).toMatchObject({ extends: 'default' })
    client.mock.useScenario(TITLE.name)
    expect(
      client.mock.features.list().map(({ name, environments }) => [name, environments.map((one) => one.name)]),
    ).toEqual(inWorld)
  })

  it('contains only the differences from the scenario that it extends', async () => {
    client.mock.add({ features: [{ name: 'dark-mode' }] })
    client.mock.add({ features: { 'checkout-redesign': { stale: true }, 'archived-banner': null } })
    await client.send('POST', '/__mock/forced', { operation: 'cloneFeature', status: 503 })
    const { status, body } = await save()
    expect(status).toBe(201)
    expect(body).toEqual({
      ...TITLE,
      extends: 'default',
      now: NOW,
      seed: {
        features: {
          'archived-banner': null,
          'checkout-redesign': { stale: true },
          'dark-mode': expect.objectContaining({ name: 'dark-mode' }),
        },
      },
      force: [{ operation: 'cloneFeature', status: 503 }],
    })
  })

  it('opens on another mock with the same fixtures, though it was made from a custom scenario', async () => {
    const fixtures = { features: [{ name: 'new-nav' }] }
    const sale = { name: 'sale', title: 'Sale', promise: 'Sale.', seed: { features: { 'new-nav': { stale: true } } } }
    const rule = { operation: 'cloneFeature', status: 503 } as const
    const mock = createMock({ fixtures, scenarios: [{ ...sale, force: [rule] }], scenario: 'sale' })
    mock.enable('new-nav')
    const given = { method: 'POST', body: JSON.stringify(TITLE) }
    const saved = await mock.fetch(new Request('http://localhost/__mock/scenarios', given))
    const file = await saved.json()
    expect(file).toMatchObject({ extends: 'default', force: [rule] })
    const other = createMock({ fixtures, scenarios: [file], scenario: TITLE.name })
    expect(other.features.get('new-nav')?.stale).toBe(true)
    const enabledIn = (one: Mock) => one.features.get('new-nav')?.environments.map(({ enabled }) => enabled)
    expect(enabledIn(other)).toEqual([true, true])
    expect(enabledIn(other)).toEqual(enabledIn(mock))
    expect(other.state().features).toHaveLength(mock.state().features.length)
  })

  it('contains records with any names, including __proto__', async () => {
    client.mock.add({ contextFields: [{ name: '__proto__' }] })
    await save()
    client.mock.useScenario(TITLE.name)
    expect(client.mock.state().contextFields.map(({ name }) => name)).toContain('__proto__')
  })

  it('works at once, and is in the list', async () => {
    client.mock.add({ features: { 'checkout-redesign': { stale: true } } })
    await save()
    const feature = await client.send(
      'GET',
      `/api/admin/projects/default/features/checkout-redesign?scenario=${TITLE.name}`,
    )
    expect(feature.body.stale).toBe(true)
    const { body } = await client.send('GET', '/__mock/scenarios')
    expect(body).toContainEqual({ ...TITLE, active: false, saved: true })
  })

  it('contains only the differences, after any changes: a clone and two switches take under forty lines', async () => {
    const environments = '/api/admin/projects/default/features/checkout-redesign/environments'
    const metrics = { start: NOW, stop: NOW, toggles: { 'checkout-redesign': { yes: 3, no: 1 } } }
    const steps: [what: string, method: string, path: string, body?: object, headers?: Record<string, string>][] = [
      ['a clone', 'POST', '/api/admin/projects/default/features/checkout-redesign/clone', { name: 'copy' }],
      ['a switch', 'POST', `${environments}/production/on`],
      ['another one', 'POST', `${environments}/development/off`],
      ['metrics', 'POST', '/api/client/metrics', { appName: 'app', bucket: metrics }, { authorization: CLIENT }],
      ['a delay', 'POST', '/__mock/forced', { operation: '*', delay: 1 }],
      ['an error, once', 'POST', '/__mock/forced', { operation: 'getProjects', status: 500, times: 1 }],
      ['an error, after another', 'POST', '/__mock/forced', { operation: 'getFeature', status: 404, after: 1 }],
      [
        'a body for one feature',
        'POST',
        '/__mock/forced',
        {
          operation: 'getFeature',
          match: { params: { featureName: 'x' } },
          status: 200,
          body: { name: 'x' },
        },
      ],
      ['a fault', 'POST', '/__mock/forced', { operation: 'getSegments', fault: 'malformed' }],
      ['a stopped clock', 'PUT', '/__mock/clock', { now: '2026-12-24T00:00:00Z' }],
    ]
    const lines = async (name: string) => {
      expect((await save({ ...TITLE, name })).status).toBe(201)
      const text = await (await client.adapter.fetch(`/__mock/scenarios/${name}`, {})).text()
      expect(text).not.toMatch(/gravatar|lifecycle|passwordHash|clientMetrics|"events"/)
      return text.trim().split('\n').length
    }
    for (const [at, [what, method, path, body, headers = {}]] of steps.entries()) {
      expect([what, (await client.send(method, path, body, { headers })).status < 300]).toEqual([what, true])
      expect(await lines(`step-${at}`), what).toBeLessThan(at < 5 ? 40 : 50)
    }
    for (const built of ['missing-permission', 'flaky', 'slow', 'expired-token', 'empty', 'rate-limited']) {
      client.mock.useScenario(built)
      await client.send('POST', '/api/admin/projects/default/features/checkout-redesign/clone', { name: 'copy' })
      expect(await lines(`from-${built}`), built).toBeLessThan(40)
      client.mock.useScenario(`from-${built}`)
      expect(client.mock.features.get('copy') === undefined).toBe(built !== 'slow' && built !== 'expired-token')
    }
  })

  it.each<[what: string, strategies: { name: string; parameters?: Record<string, string> }[]]>([
    ['a rollout', [{ name: 'flexibleRollout', parameters: { rollout: '25' } }]],
    ['a strategy without parameters', [{ name: 'default' }]],
    ['nothing', []],
  ])('holds no default of a feature with %s in the last of its environments', async (_, strategies) => {
    const environments = [
      { name: 'development', strategies: [] },
      { name: 'production', strategies },
    ]
    client.mock.add({ features: [{ name: 'own', environments }] })
    const path = '/api/admin/projects/default/features/own/clone'
    expect((await client.send('POST', path, { name: 'copy' })).status).toBe(200)
    const { body } = await save()
    expect(JSON.stringify(body.seed.features)).not.toMatch(/null|false|\[\]|\{\}/)
    const settled = () =>
      client.mock.features
        .get('copy')
        ?.environments.map(({ name, enabled, strategies }) => [name, enabled, strategies.map((one) => one.parameters)])
    const before = settled()
    client.mock.useScenario(TITLE.name)
    expect(settled()).toEqual(before)
  })

  it('contains no credentials of an integration', async () => {
    const parameters = { accessToken: 'xoxb-1', defaultChannels: 'qa' }
    const addon = { provider: 'slack-app', parameters, events: ['feature-created'], enabled: true }
    expect((await client.send('POST', '/api/admin/addons', addon)).status).toBe(201)
    const { body } = await save()
    const download = await client.send('GET', `/__mock/scenarios/${TITLE.name}`)
    for (const file of [JSON.stringify(body), JSON.stringify(download.body)]) {
      expect(file).toContain('"defaultChannels":"qa"')
      expect(file).toContain('"accessToken":"[redacted]"')
      expect(file).not.toContain('xoxb')
    }
    client.mock.useScenario(TITLE.name)
    expect((await client.send('GET', '/api/admin/addons')).body.addons[0].parameters.accessToken).toBe('*****')
  })

  it('can be downloaded as a file for --scenarios', async () => {
    client.mock.add({ features: [{ name: 'dark-mode' }] })
    const saved = (await save()).body
    const { status, headers, body } = await client.send('GET', `/__mock/scenarios/${TITLE.name}`)
    expect([status, body]).toEqual([200, saved])
    expect(headers.get('content-disposition')).toBe(`attachment; filename="${TITLE.name}.json"`)
    const dir = mkdtempSync(join(tmpdir(), 'scenarios-'))
    writeFileSync(join(dir, `${TITLE.name}.json`), JSON.stringify(body))
    const { scenarios } = await readSources({ scenarios: dir, fixtures: [] })
    const other = createMock({ ...FIXED, scenarios, scenario: TITLE.name })
    expect(other.features.get('dark-mode')).toBeDefined()
  })

  it('a scenario file is added by PUT, replaces a saved scenario, and equals a download', async () => {
    const put = (given: object, name = 'sale') => client.send('PUT', `/__mock/scenarios/${name}`, given)
    const sale = { name: 'sale', title: 'The sale', promise: 'A banner.', seed: { features: [{ name: 'banner' }] } }
    const added = await put(sale)
    expect([added.status, added.body]).toEqual([201, sale])
    expect((await client.send('GET', '/__mock/scenarios')).body).toContainEqual(
      expect.objectContaining({ name: 'sale', active: false, saved: true }),
    )
    client.mock.useScenario('sale')
    expect(client.mock.features.get('banner')).toBeDefined()
    const changed = { ...sale, seed: { features: [{ name: 'poster' }] } }
    expect((await put(changed)).status).toBe(200)
    expect(client.mock.features.get('poster')).toBeUndefined()
    client.mock.useScenario('sale')
    expect(client.mock.features.get('poster')).toBeDefined()
    const { body } = await client.send('GET', '/__mock/scenarios/sale')
    expect((await put(body)).status).toBe(200)
  })

  it.each<[string, object, number, string, string]>([
    [
      'data that is invalid',
      { seed: { features: [{ name: 'x', project: 'y' }] } },
      400,
      'INVALID_STATE',
      '$.seed.features[0].project',
    ],
    ['an unknown field', { sed: {} }, 400, 'INVALID_SCENARIO', '$'],
    ['no title', { title: undefined }, 400, 'INVALID_SCENARIO', '$.title'],
    ['another name', { name: 'other' }, 400, 'INVALID_SCENARIO', '$.name'],
    ['an unknown base', { extends: 'nothing' }, 400, 'UNKNOWN_SCENARIO', '"nothing"'],
    ['itself as its base', { extends: 'sale' }, 400, 'INVALID_SCENARIO', 'extends itself'],
    [
      'a rule that is not well-formed',
      { force: [{ operation: 'nope', status: 500 }] },
      400,
      'INVALID_SCENARIO',
      '$.force[0].operation',
    ],
  ])('a scenario file with %s is rejected as a whole, with the place', async (_, given, status, code, place) => {
    const before = (await client.send('GET', '/__mock/scenarios')).body
    const file = { name: 'sale', title: 'The sale', promise: 'A banner.', ...given }
    const refused = await client.send('PUT', '/__mock/scenarios/sale', file)
    expect([refused.status, refused.body.code]).toEqual([status, code])
    expect(refused.body.message).toContain(place)
    expect((await client.send('GET', '/__mock/scenarios')).body).toEqual(before)
  })

  it('a scenario file never takes the name of a given scenario, or extends itself', async () => {
    const file = (name: string, base: string) => ({ name, title: 'x', promise: 'x', extends: base })
    const put = async (name: string, base: string) => {
      const { status, body } = await client.send('PUT', `/__mock/scenarios/${name}`, file(name, base))
      return [status, body.code]
    }
    expect(await put('empty', 'default')).toEqual([409, 'SCENARIO_EXISTS'])
    expect(await put('one', 'default')).toEqual([201, undefined])
    expect(await put('two', 'one')).toEqual([201, undefined])
    expect(await put('one', 'two')).toEqual([400, 'INVALID_SCENARIO'])
    expect((await client.send('PUT', '/__mock/scenario', { name: 'two' })).status).toBe(200)
  })

  it('a rule that has counted requests continues; a used-up rule is left out', async () => {
    await client.send('PUT', '/__mock/scenario', { name: 'flaky' })
    const [{ operation, times }] = (await client.send('GET', '/__mock/forced')).body
    expect([operation, times]).toEqual(['*', 2])
    await client.send('GET', '/api/admin/projects')
    expect((await save()).body.force).toEqual([expect.objectContaining({ operation: '*', times: 1 })])
    await client.send('GET', '/api/admin/projects')
    expect((await save({ ...TITLE, name: 'used-up' })).body).not.toHaveProperty('force')
  })

  it.each([
    ['a name that is taken', { ...TITLE, name: 'slow' }, 409, 'SCENARIO_EXISTS'],
    ['a name with other characters', { ...TITLE, name: 'Broken checkout' }, 400, 'INVALID_SCENARIO'],
    ['no promise', { name: 'x', title: 'x' }, 400, 'INVALID_REQUEST'],
    ['an empty title', { ...TITLE, title: '' }, 400, 'INVALID_SCENARIO'],
  ])('%s is an error, and nothing is saved', async (_, given, status, code) => {
    const before = (await client.send('GET', '/__mock/scenarios')).body
    const refused = await save(given)
    expect([refused.status, refused.body.code]).toEqual([status, code])
    expect((await client.send('GET', '/__mock/scenarios')).body).toEqual(before)
  })

  it("can be removed at any time, unless it wasn't saved", async () => {
    await save()
    await client.send('PUT', '/__mock/scenarios/above', { ...TITLE, name: 'above', extends: TITLE.name })
    const remove = (name: string) => client.send('DELETE', `/__mock/scenarios/${name}`)
    expect((await remove(TITLE.name)).status).toBe(204)
    expect((await client.send('GET', `/api/admin/projects?scenario=${TITLE.name}`)).body.code).toBe('UNKNOWN_SCENARIO')
    expect((await client.send('GET', '/api/admin/projects?scenario=above')).body.code).toBe('UNKNOWN_SCENARIO')
    expect(client.mock.scenarios.map(({ name }) => name)).not.toContain(TITLE.name)
    expect((await remove(TITLE.name)).body.code).toBe('UNKNOWN_SCENARIO')
    expect((await remove('default')).body).toMatchObject({
      code: 'INVALID_REQUEST',
      message: 'The scenario "default" was not saved here, so it can\'t be removed.',
    })
    const other = { ...TITLE, name: 'other' }
    expect((await client.send('PUT', '/__mock/scenarios/other', other)).status).toBe(201)
    expect((await save()).status).toBe(201)
    const around = await client.send('PUT', `/__mock/scenarios/${TITLE.name}`, { ...TITLE, extends: 'above' })
    expect(around.body.message).toMatch('extends itself')
  })

  it('a session in a removed scenario continues with its changes; a reset returns it to its start', async () => {
    await save()
    await client.send('PUT', '/__mock/scenario', { name: TITLE.name })
    client.mock.add({ features: [{ name: 'later' }] })
    expect((await client.send('DELETE', `/__mock/scenarios/${TITLE.name}`)).status).toBe(204)
    const read = await client.send('GET', '/api/admin/projects/default/features/later')
    expect([read.status, read.headers.get('x-mock-scenario')]).toEqual([200, TITLE.name])
    client.mock.history.undo()
    expect((await client.send('GET', '/api/admin/projects/default/features/later')).status).toBe(404)
    const again = await client.send('PUT', '/__mock/scenario', { name: TITLE.name })
    expect([again.status, again.body.code]).toEqual([400, 'UNKNOWN_SCENARIO'])
    await client.send('POST', '/__mock/reset')
    expect(client.mock.activeScenarios).toEqual(['default'])
  })

  it('a reload restarts a session in a removed scenario in its start scenario, with a notice', async () => {
    await save()
    await client.send('PUT', '/__mock/scenario', { name: TITLE.name })
    await client.send('DELETE', `/__mock/scenarios/${TITLE.name}`)
    client.mock.reload({ fixtures: { features: [{ name: 'of-a-fixture' }] } })
    const { names, notice } = (await client.send('GET', '/__mock/scenario')).body
    expect(names).toEqual(['default'])
    expect(notice).toMatch(
      `"${TITLE.name}" can't start any more, so this session is in "default": There is no scenario`,
    )
  })

  it('a scenario that does not exist cannot be downloaded', async () => {
    const { status, body } = await client.send('GET', '/__mock/scenarios/brokn')
    expect([status, body.code]).toEqual([400, 'UNKNOWN_SCENARIO'])
  })
})

it('beyond the limit, no more can be saved until one is removed', async () => {
  const mock = createMock(FIXED)
  const save = (name: string) =>
    act(mock, { method: 'POST', path: '/__mock/scenarios', body: JSON.stringify({ ...TITLE, name }) })
  for (let number = 0; number < SCENARIOS_SAVED; number++) expect((await save(`saved-${number}`)).status).toBe(201)
  const refused = await save('one-more')
  expect([refused.status, await refused.json()]).toMatchObject([507, { code: 'TOO_MUCH_DATA' }])
  expect(mock.scenarios.filter(({ saved }) => saved)).toHaveLength(SCENARIOS_SAVED)
  await act(mock, { method: 'DELETE', path: '/__mock/scenarios/saved-0' })
  expect((await save('one-more')).status).toBe(201)
})

it('a scenario outlives the session that saved it', async () => {
  const mock = createMock(FIXED)
  const headers = { 'content-type': 'application/json', 'x-mock-session': 'ada' }
  const body = JSON.stringify({ ...TITLE, name: 'of-ada' })
  await mock.fetch(new Request('http://localhost/__mock/scenarios', { method: 'POST', headers, body }))
  for (let number = 0; number < SESSIONS_KEPT; number++) mock.session(`session-${number}`)
  expect(mock.scenarios.map(({ name }) => name)).toContain('of-ada')
})

it('a saved scenario starts again the same on the same fixtures, from its file', async () => {
  const fixtures = { projects: [{ id: 'shop' }], features: [{ name: 'on-shop', project: 'shop' }, { name: 'goes' }] }
  const mock = createMock({ ...FIXED, fixtures })
  mock.useScenario('empty', 'slow')
  mock.add({ features: { 'on-shop': { stale: true }, goes: null } })
  for (const scenario of [undefined, 'default']) {
    if (scenario !== undefined) mock.useScenario(scenario)
    mock.add({ features: [{ name: 'more', project: 'shop' }] })
    const name = `saved-${scenario}`
    const saved = await act(mock, {
      method: 'POST',
      path: '/__mock/scenarios',
      body: JSON.stringify({ ...TITLE, name }),
    })
    const again = createMock({ ...FIXED, fixtures, scenarios: [(await saved.json()) as Scenario], scenario: name })
    expect(comparable(again.state())).toEqual(comparable(mock.state()))
  }
})

const act = (
  mock: Mock,
  { method, path, key, body }: { method: string; path: string; key?: string | undefined; body?: string | undefined },
) =>
  mock.fetch(
    new Request(`http://localhost${path}`, {
      method,
      headers: { ...(key === undefined ? {} : { authorization: key }), 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body }),
    }),
  )

/** Kinds and fields that only report events: a saved scenario doesn't contain them. */
const HAPPENED =
  /^(logins|resetTokens|events|integrationEvents|client.*|applications|unknownFlags|impactMetrics|lastSeenAt|seenAt|lifecycle|pastStages|collaborators|imageUrl|createdAt|createdBy|updatedAt)$/

/** Everything else, without IDs that each world generates, and without the secrets of integrations. Records in any order. */
function comparable(state: object): unknown {
  const hidden = (value: unknown) =>
    Object.fromEntries(Object.keys(value as object).map((name) => [name, '[redacted]']))
  const text = JSON.stringify(state, (name, value) => {
    if (HAPPENED.test(name)) return undefined
    return name === 'parameters' && Object.hasOwn(value, 'url') ? hidden(value) : value
  })
  const lists = JSON.parse(text.replaceAll(/"01[0-9A-Z]{24}"/g, '"an id"'))
  const sorted = (records: unknown[]) => new Map(records.map((one) => [JSON.stringify(one).slice(0, 60), one]))
  return Object.entries(lists).map(([kind, list]) => [kind, Array.isArray(list) ? sorted(list) : list])
}

it("after any changes, the saved scenario starts in the world's current state", { timeout: AMPLE }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyWrite, { maxLength: 12 }), async (requests) => {
      const mock = createMock({ ...FIXED, fixtures: MEETING })
      for (const request of requests) await act(mock, request)
      const was = comparable(mock.state())
      const body = JSON.stringify(TITLE)
      expect((await act(mock, { method: 'POST', path: '/__mock/scenarios', body })).status).toBe(201)
      mock.useScenario(TITLE.name)
      expect(comparable(mock.state())).toEqual(was)
    }),
    { numRuns: 6 * RUNS },
  )
})
