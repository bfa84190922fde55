import { expect, it, vi } from 'vitest'
import type { ForceRule } from '../../src/index.js'
import { CLIENT, expectErrorObject, onEveryAdapter } from '../support/adapters.js'
import { collect } from '../support/collect.js'
import { errorOf } from '../support/errors.js'

const features = '/api/admin/projects/default/features'
const clone = `${features}/checkout-redesign/clone`

onEveryAdapter('rules', (client) => {
  const statuses = async (count: number, path = features) => {
    const found: number[] = []
    for (let i = 0; i < count; i++) found.push((await client.send('GET', path)).status)
    return found
  }

  it('a rule applies to one operation, or to all', async () => {
    client.mock.force({ operation: 'getFeatures', status: 500 })
    expect(await statuses(2)).toEqual([500, 500])
    expect(await statuses(1, '/api/admin/projects')).toEqual([200])
    client.mock.force({ operation: '*', status: 429 })
    expect(await statuses(1, '/api/admin/projects')).toEqual([429])
    expect(await statuses(1)).toEqual([429])
  })

  it('a rule for the Admin API leaves requests of SDKs alone', async () => {
    client.mock.force({ operation: '/api/admin/*', status: 403, times: 1 })
    const poll = await client.send('GET', '/api/client/features', undefined, { key: CLIENT })
    expect(poll.status).toBe(200)
    expect(await statuses(2)).toEqual([403, 200])
  })

  it('a rule starts and ends after a number of requests', async () => {
    client.mock.force({ operation: 'getFeatures', status: 503, after: 1, times: 2 })
    expect(await statuses(5)).toEqual([200, 503, 503, 200, 200])
  })

  it('a rule for zero requests never applies', async () => {
    client.mock.force({ operation: 'getFeatures', status: 503, times: 0 })
    expect(await statuses(2)).toEqual([200, 200])
  })

  it('a rule that has ended gives way to older ones', async () => {
    client.mock.force({ operation: 'getFeatures', status: 500 })
    client.mock.force({ operation: 'getFeatures', status: 503, times: 1 })
    expect(await statuses(2)).toEqual([503, 500])
  })

  it('force returns a function that removes the rule', async () => {
    const undo = client.mock.force({ operation: '*', status: 500 })
    undo()
    undo()
    expect(await statuses(1)).toEqual([200])
  })

  it('a rule precedes every check, and changes nothing', async () => {
    client.mock.force({ operation: 'cloneFeature', status: 409 })
    const answer = await client.send('POST', clone, '{', { key: null, headers: { 'content-type': 'text/plain' } })
    expect([answer.status, answer.body.name]).toEqual([409, 'NameExistsError'])
    expect(answer.headers.get('x-mock-forced')).toBe('1')
    expect(client.mock.events.list()).toEqual([])
    await client.send('GET', '/api/admin/projects')
    expect(client.mock.requests.all().map(({ forced }) => forced)).toEqual([true, undefined])
  })

  it.each([
    [400, 'BadDataError'],
    [401, 'AuthenticationRequired'],
    [403, 'NoAccessError'],
    [404, 'NotFoundError'],
    [409, 'NameExistsError'],
    [413, 'PayloadTooLargeError'],
    [415, 'ContentTypeerror'],
    [429, 'TooManyRequestsError'],
    [500, 'InternalServerError'],
    [503, 'ServiceUnavailableError'],
  ])('a rule returns %i with a whole error object, %s', async (status, name) => {
    client.mock.force({ operation: 'cloneFeature', status })
    const answer = await client.send('POST', clone, { name: 'copy' })
    expect([answer.status, answer.body.name]).toEqual([status, name])
    expectErrorObject(answer)
  })

  it.each([418, 451, 502, 599])('a rule also returns %i, although Unleash never does', async (status) => {
    client.mock.force({ operation: 'cloneFeature', status })
    const answer = await client.send('POST', clone, { name: 'copy' })
    expect([answer.status, typeof answer.body.id, typeof answer.body.name]).toEqual([status, 'string', 'string'])
  })

  it('a rule can set the message, permission and environment of an error', async () => {
    client.mock.force({
      operation: 'cloneFeature',
      error: { permission: 'CREATE_FEATURE_STRATEGY', environment: 'production' },
    })
    const named = await client.send('POST', clone, { name: 'copy' })
    expect([named.status, named.body.name]).toEqual([403, 'NoAccessError'])
    expect(named.body.message).toMatch(/"CREATE_FEATURE_STRATEGY".*"production"/)
    client.mock.force({ operation: 'cloneFeature', status: 500, error: { message: 'The disk is full.' } })
    const told = await client.send('POST', clone, { name: 'copy' })
    expect([told.status, told.body.message]).toEqual([500, 'The disk is full.'])
  })

  it('a rule can return any body and headers', async () => {
    const headers = { 'x-own': 'yes', 'content-type': 'application/problem+json' }
    client.mock.force({ operation: 'getFeatures', body: { any: ['thing'] }, headers })
    const response = await client.adapter.fetch(features)
    expect([response.status, response.headers.get('x-own')]).toEqual([200, 'yes'])
    expect(response.headers.get('content-type')).toBe('application/problem+json')
    expect(await response.json()).toEqual({ any: ['thing'] })
    client.mock.force({ operation: 'getFeatures', status: 404, body: null })
    const none = await client.adapter.fetch(features)
    expect([none.status, await none.json()]).toEqual([404, null])
    client.mock.force({ operation: 'getFeatures', status: 204 })
    expect((await client.adapter.fetch(features)).status).toBe(204)
  })

  it('a rule replaces headers in any case', async () => {
    client.mock.force({ operation: 'getFeatures', body: {}, headers: { 'Content-Type': 'text/plain' } })
    expect((await client.adapter.fetch(features)).headers.get('content-type')).toBe('text/plain')
  })

  it('a rule with headers only adds them to the operation’s own response', async () => {
    client.mock.force({ operation: 'getFeatures', headers: { 'X-Own': 'yes' } })
    const { status, headers, body } = await client.send('GET', features)
    expect([status, headers.get('x-own'), headers.has('x-mock-forced')]).toEqual([200, 'yes', false])
    expect(body.features).toHaveLength(2)
  })

  it('a rule with a delay only delays the response', async () => {
    client.mock.force({ operation: 'getFeatures', delay: 30 })
    const { status, headers } = await client.send('GET', features)
    expect([status, headers.has('x-mock-forced')]).toEqual([200, false])
    // Timers can fire up to a millisecond early.
    expect(client.mock.requests.all()[0]?.durationMs).toBeGreaterThan(28)
  })

  it('a rule breaks the connection: reset', async () => {
    client.mock.force({ operation: 'getFeatures', fault: 'reset', times: 1 })
    const error = await client.adapter.fetch(features).then(String, (reason: unknown) => reason)
    expect(error).toBeInstanceOf(TypeError)
    const { cause } = error as { cause?: { code?: string } }
    if (!client.adapter.origin.startsWith('https://flags')) expect(cause?.code).toBe('ECONNRESET')
    expect(client.mock.requests.all()).toMatchObject([{ operation: 'getFeatures', status: 0, matched: true }])
    expect(await statuses(1)).toEqual([200])
  })

  it('a rule never responds until the client gives up: hang', async () => {
    client.mock.force({ operation: 'getFeatures', fault: 'hang' })
    const abort = new AbortController()
    const hanging = client.adapter.fetch(features, { signal: abort.signal })
    const settled = hanging.then(
      () => 'answered',
      (reason: Error) => reason.name,
    )
    const other = client.send('GET', '/api/admin/projects').then(() => 'the other one is answered')
    expect(await Promise.race([settled, other])).toBe('the other one is answered')
    // Only the mock refers to the request now.
    await collect()
    abort.abort()
    expect(await settled).toBe('AbortError')
  })

  it('the delay of a rule ends when the client gives up', async () => {
    client.mock.force({ operation: 'getFeatures', status: 500, delay: 3_600_000 })
    const abort = new AbortController()
    const waiting = client.adapter.fetch(features, { signal: abort.signal })
    const settled = waiting.catch((reason: Error) => reason.name)
    const rules = async () => (await client.send('GET', '/__mock/forced')).body
    await vi.waitFor(async () => expect(await rules()).toMatchObject([{ seen: 1 }]), { timeout: 10_000 })
    abort.abort()
    expect(await settled).toBe('AbortError')
    const entry = { operation: 'getFeatures', status: 0, responseHeaders: {}, responseBody: null }
    await vi.waitFor(() => expect(client.mock.requests.all()).toMatchObject([entry]), { timeout: 10_000 })
  })

  it('a rule cuts the response in the middle: truncate', async () => {
    client.mock.force({ operation: 'getFeatures', body: { long: 'x'.repeat(1000) }, fault: 'truncate' })
    const response = await client.adapter.fetch(features)
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toThrow()
  })

  it('a rule breaks the connection if the response has no body: truncate', async () => {
    client.mock.force({ operation: 'getFeatures', status: 204, fault: 'truncate' })
    await expect(client.adapter.fetch(features)).rejects.toThrow(TypeError)
  })

  it('a rule returns malformed JSON: malformed', async () => {
    client.mock.force({ operation: 'getFeatures', status: 200, fault: 'malformed' })
    const response = await client.adapter.fetch(features)
    expect([response.status, response.headers.get('x-mock-forced')]).toEqual([200, '1'])
    const text = await response.text()
    expect(text).not.toBe('')
    expect(() => JSON.parse(text)).toThrow(SyntaxError)
  })

  it('a rule belongs to one world', async () => {
    client.mock.force({ operation: '*', status: 500 })
    const other = { headers: { 'x-mock-scenario': 'disabled-token' } }
    expect((await client.send('GET', features, undefined, other)).status).toBe(200)
    expect(await statuses(1)).toEqual([500])
    client.mock.useScenario('default')
    expect(await statuses(1)).toEqual([200])
  })

  it.each<[string, unknown, string]>([
    ['no operation', { status: 500 }, '$.operation'],
    ['an unknown operation', { operation: 'cloneFlag' }, '$.operation'],
    ['a status out of range', { operation: '*', status: 42 }, '$.status'],
    ['an informational status', { operation: '*', status: 101 }, '$.status'],
    ['an unknown fault', { operation: '*', fault: 'explode' }, '$.fault'],
    ['a negative delay', { operation: '*', delay: -1 }, '$.delay'],
    ['a fraction of a request', { operation: '*', status: 500, times: 0.5 }, '$.times'],
    ['an unknown property', { operation: '*', statsu: 500 }, '$: "statsu" is unknown. Did you mean "status"?'],
    ['an invalid header name', { operation: '*', status: 500, headers: { 'a b': 'c' } }, '$.headers'],
    [
      'a header that no request has',
      { operation: '*', status: 500, match: { headers: { 'a b': 'c' } } },
      '$.match.headers',
    ],
    ['a header with a line break', { operation: '*', status: 500, headers: { a: 'b\r\nc: d' } }, '$.headers'],
    ['no object', 'cloneFeature', '$'],
    ...[
      'Transfer-Encoding',
      'content-length',
      'connection',
      'keep-alive',
      'proxy-connection',
      'te',
      'trailer',
      'upgrade',
    ].map((name): [string, unknown, string] => [
      `the header ${name}`,
      { operation: 'getHealth', status: 204, headers: { [name]: 'x' } },
      `$.headers.${name}: must not be forced, because the server sets it so that clients can read the response`,
    ]),
  ])('an invalid rule is rejected: %s', async (_, rule, fact) => {
    const error = errorOf(() => client.mock.force(rule as ForceRule))
    expect(error.code).toBe('INVALID_RULE')
    expect(error.message).toContain(fact)
    const posted = await client.send('POST', '/__mock/forced', JSON.stringify(rule))
    expect([posted.status, posted.headers.get('x-mock-error')]).toEqual([400, 'INVALID_RULE'])
    expect(posted.body.message).toBe(error.problem)
    expect(await statuses(1)).toEqual([200])
  })
})
