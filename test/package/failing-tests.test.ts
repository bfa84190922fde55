import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Consumer, createConsumer } from '../support/consumer.js'
import { root } from '../support/markdown.js'

let consumer: Consumer
beforeAll(() => {
  consumer = createConsumer()
}, 30_000)
afterAll(() => consumer.remove())

const FAILING = `
import { test, useMock } from 'flagdouble/vitest'
import { UnleashClient } from 'unleash-proxy-client'
import { describe, expect, test as plainTest } from 'vitest'

const createSdk = () => new UnleashClient({
  url: 'https://flags.example.com/api/frontend',
  clientKey: '*:development.mock-frontend',
  appName: 'shop',
  refreshInterval: 0,
})

const clone = (name) => fetch('https://flags.example.com/api/admin/projects/default/features/checkout-redesign/clone', {
  method: 'POST',
  headers: { authorization: 'user:mock-viewer', 'content-type': 'application/json' },
  body: JSON.stringify({ name }),
})

describe('useMock', () => {
  const mock = useMock()
  plainTest('plain', async () => {
    expect((await clone('a')).status).toBe(200)
  })
  plainTest('swallowed', async () => {
    await fetch('https://flags.example.com/api/admin/projcts').catch(() => 'the code under test goes on')
  })
  plainTest('misuse', () => mock.useScenario('expird-token'))
  plainTest('another base URL', async () => {
    await fetch('https://flags.example.com/proxy/api/admin/projects?x=1').catch(() => 'the code under test goes on')
    expect(mock).toHaveReceived('getProjects')
  })
  plainTest('not awaited', () => {
    void clone('a')
    expect(mock).toHaveReceived('cloneFeature')
  })
  plainTest('an SDK that is not awaited', () => {
    mock.enable('new-checkout')
    const sdk = createSdk()
    void sdk.start()
    expect(sdk.isEnabled('new-checkout')).toBe(true)
  })
  plainTest('a flag that is off', async () => {
    mock.add({ features: [{ name: 'beta' }] })
    const sdk = createSdk()
    await sdk.start()
    expect(sdk.isEnabled('beta')).toBe(true)
  })
  plainTest('a rule for another operation', async () => {
    mock.force({ operation: 'deleteApiToken', status: 503 })
    mock.force({ operation: 'getProjects', status: 503, optional: true })
    expect((await clone('a')).status).toBe(403)
  })
  plainTest('a flag that is gone', () => {
    mock.enable('new-checkout')
    mock.useScenario('name-taken')
    expect(mock.features.get('new-checkout')).toBeDefined()
  })
  plainTest('no requests', () => expect(1).toBe(2))
  plainTest('passes', async () => {
    expect((await clone('a')).status).toBe(403)
  })
})

describe('an inner useMock', () => {
  useMock()
  describe('replaces the outer', () => {
    useMock()
    plainTest('inner', async () => {
      await clone('inner')
      expect(1).toBe(2)
    })
  })
})

describe('options below useMock', () => {
  useMock()
  test.override({ mockOptions: { scenario: 'empty' } })
  test('ignored options', ({ mock }) => mock)
})

const withServer = test.extend({ mockOptions: { server: { use() {} } } })
withServer('a server for the fixture', ({ mock }) => mock)

test('waits', { timeout: 5_000 }, async ({ mock }) => {
  mock.force({ operation: 'validatePublicSignupToken', delay: 60_000 })
  await fetch('https://flags.example.com/__mock/health')
  await fetch('https://flags.example.com/api/admin/projects')
  await fetch('https://flags.example.com/invite/live-invite/validate')
})
test('waits, with a matcher', async ({ mock }) => {
  mock.force({ operation: 'deleteApiToken', delay: 60_000 })
  void fetch('https://flags.example.com/api/admin/api-tokens/very-secret', { method: 'DELETE' }).catch(() => {})
  await fetch('https://flags.example.com/invite/live-invite/validate')
  expect(mock).toHaveReceived('deleteApiToken')
})

test.concurrent('concurrent one', async ({ mock, expect }) => {
  await clone('one')
  await clone('one')
  expect(mock).toHaveReceived('cloneFeature', 1)
})
test.concurrent('concurrent two', async ({ mock, expect }) => {
  await fetch('https://flags.example.com/invite/live-invite/validate')
  expect(mock.requests.all()).toEqual([])
})
`

it('failing tests give the reason', { timeout: 60_000 }, async () => {
  consumer.put('failing/a.test.js', FAILING)
  const vitest = `${root}/node_modules/vitest/vitest.mjs`
  const run = consumer.node(vitest, 'run', '--root', 'failing', '--reporter', 'json', '--includeTaskLocation')
  const output = await run.then(String, (error: Error) => error.message)
  const [json = ''] = /^\{.*\}$/m.exec(output) ?? []
  const { testResults } = JSON.parse(json) as { testResults: { assertionResults: Result[] }[] }
  const results = testResults.flatMap(({ assertionResults }) => assertionResults)
  const failures = Object.fromEntries(results.map(({ title, failureMessages }) => [title, failureMessages.join('\n')]))
  const rejected =
    'cloneFeature  403  This operation needs the permission "CREATE_FEATURE", which the caller does not have.'
  expect(failures.plain).toContain(rejected)
  expect(failures.swallowed).toContain('The nearest modelled route is GET /api/admin/projects.')
  expect(failures.misuse).toMatch(/"expired-token".*No requests reached the mock/s)
  expect(failures.misuse).not.toContain('node_modules/flagdouble')
  expect(failures['another base URL']).toContain("set `baseUrl: 'https://flags.example.com/proxy'`")
  expect(failures['not awaited']).toMatch(/cloneFeature.*\nThey arrived after the assertion\. Is an `await` missing/s)
  expect(failures['not awaited']?.match(/ cloneFeature /g)).toHaveLength(1)
  expect(failures['an SDK that is not awaited']).toMatch(/getFrontendFeatures.*\nThey arrived after the assertion\./s)
  expect(failures['a flag that is off']).toMatch(/getFrontendFeatures +200\nbeta is off: no environment is enabled /)
  expect(failures['a flag that is off']).not.toContain('after the assertion')
  expect(failures['a rule for another operation']).toContain(
    'No request matched the rule {"operation":"deleteApiToken","status":503}.',
  )
  expect(failures['a rule for another operation']).not.toContain('getProjects')
  expect(failures['a flag that is gone']).toContain(
    '1 flag that the test had created is gone: new-checkout. useScenario and reset start the data over:',
  )
  expect(failures['no requests']).toContain('No requests reached the mock. Is an `await` missing?')
  expect(failures.inner).toContain(rejected)
  expect(failures.inner).not.toContain('No requests')
  expect(failures.passes).toBe('')
  expect(failures['ignored options']).toContain('Pass the options to `useMock`')
  expect(failures['a server for the fixture']).toContain('Call `useMock({ server })`')
  expect(failures.waits).toMatch(
    /getProjects +401 .*\n +hint: .*\n +GET \/invite\/\[redacted\]\/validate +validatePublicSignupToken +no response yet$/m,
  )
  expect(failures.waits).not.toContain('__mock/health')
  expect(failures['waits, with a matcher']?.match(/validatePublicSignupToken/g)).toHaveLength(1)
  expect(failures['waits, with a matcher']).toMatch(/api-tokens\/\[redacted\] +deleteApiToken +no response yet/)
  expect(failures['concurrent one']?.match(/cloneFeature {2}403/g)).toHaveLength(2)
  expect(failures['concurrent two']).toContain('GET /invite/[redacted]/validate  validatePublicSignupToken  200')
  expect(failures['concurrent two']).not.toContain('cloneFeature')
})

const PLAYWRIGHT = `
import { expect, test } from 'flagdouble/playwright'

const report = (mock, name) => mock.fetch('/api/frontend/client/metrics', {
  method: 'POST',
  headers: { authorization: '*:development.mock-frontend', 'content-type': 'application/json' },
  body: JSON.stringify({
    appName: 'shop',
    bucket: { start: '2026-01-01T00:00:00Z', stop: '2026-01-01T01:00:00Z', toggles: { [name]: { yes: 0, no: 1 } } },
  }),
})

test('passes', async ({ mock }) => {
  expect((await report(mock, 'blackfriday')).status).toBe(200)
})

test('has a rule for another operation', ({ mock }) => {
  mock.force({ operation: 'getProjects', status: 503 })
})

test('a request without a session', async ({ mock, request }) => {
  expect((await request.get(mock.url + '/api/frontend')).status()).toBe(200)
})

test('an object in place of a context', ({ mock }) => mock.join({}))

test('fails', async ({ mock }) => {
  await report(mock, 'chekout-redesing')
  mock.force({ operation: 'cloneFeature', status: 503 })
  mock.enable('checkout-redesing')
  expect(1).toBe(2)
})
`

it('a failing test of Playwright gives the reasons, and none of the test before it', { timeout: 60_000 }, async () => {
  consumer.put('failing-playwright/a.spec.js', PLAYWRIGHT)
  const run = consumer.node(`${root}/node_modules/@playwright/test/cli.js`, 'test', 'failing-playwright', '--workers=1')
  const output = await run.then(String, (error: Error) => error.message)
  expect(output).toContain('1 passed')
  expect(output).toContain('POST /api/frontend/client/metrics')
  expect(output).toContain('No request matched the rule {"operation":"cloneFeature","status":503}.')
  expect(output).toContain(`The app asked for chekout-redesing, which doesn't exist. Did you mean "checkout-redesign"?`)
  expect(output).toContain(
    `The test created flags that didn't exist: checkout-redesing (did you mean "checkout-redesign"?).`,
  )
  expect(output).toContain('MockError: No request matched the rule {"operation":"getProjects","status":503}.')
  expect(output).toMatch(
    /Requests without the session of the test:\n +GET \/api\/frontend .*\n +hint: .*\n +Send mock\.headers with these requests\./,
  )
  expect(output).toContain('mock.join takes a browser context (of a page: page.context()), not an object.')
  expect(output).not.toContain('blackfriday')
})

interface Result {
  title: string
  failureMessages: string[]
}
