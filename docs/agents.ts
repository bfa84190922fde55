// AGENTS.md, for the coding assistants of users: facts, two examples, and an index of the pages in the package.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { scenarios } from '../scenarios/index.js'
import type { Page } from './generate.js'
import { opening } from './llms.js'

/** `AGENTS.md`. `flagdouble init --agents` copies it into a project, so it names pages by their paths in the package. */
export function agentsPage(root: string): Page {
  return { path: 'AGENTS.md', text: text(root) }
}

function text(root: string): string {
  return `# flagdouble

${opening(root)}

Read the page of a task before you write its code. Pages are in \`node_modules/flagdouble/docs/\`.

## Imports

| task | import | page |
|---|---|---|
| Vitest | \`useMock\` or \`test\` from \`flagdouble/vitest\` | vitest.md |
| Jest | \`withFlagdouble\` from \`flagdouble/jest\`, \`createHandlers\` from \`flagdouble/msw\` | jest.md |
| other runners, Storybook | \`createHandlers\` from \`flagdouble/msw\` | test-runners.md, end-to-end.md |
| Playwright, Cypress | \`test\`, \`expect\` from \`flagdouble/playwright\`; \`flagdouble exec\` | end-to-end.md |
| a server in code | \`startServer\` from \`flagdouble/node\` | entry-points.md |
| Vite's dev server | \`flagdouble\` from \`flagdouble/vite\` in \`plugins\` | dev-servers.md |
| in the page, without a server | \`startWorker\` from \`flagdouble/browser\` | dev-servers.md |
| a server in CI | \`flagdouble exec -- COMMAND\` (sets \`FLAGDOUBLE_URL\`) | ci.md |

## A browser SDK in a Vitest test, without a server

\`\`\`ts
import { test } from 'flagdouble/vitest'
import { UnleashClient } from 'unleash-proxy-client'
import { expect } from 'vitest'

test('the new checkout is on', async ({ mock }) => {
  mock.enable('new-checkout') // creates the flag if it doesn't exist
  const sdk = new UnleashClient({
    url: 'http://flags.example.com/api/frontend',
    clientKey: '*:development.mock-frontend',
    appName: 'shop',
  })
  await sdk.start()
  expect(sdk.isEnabled('new-checkout')).toBe(true)
  sdk.stop() // else it polls the mock of the next test
  expect(mock).toHaveReceived('getFrontendFeatures', { status: 200 })
})
\`\`\`

## The Node SDK with a server

\`\`\`ts
import assert from 'node:assert/strict'
import { startServer } from 'flagdouble/node'
import { startUnleash } from 'unleash-client'

const server = await startServer({ scenario: 'empty' }, { port: 0 }) // the port is in the second argument
server.mock.enable('new-checkout')
const sdk = await startUnleash({
  url: \`\${server.url}/api\`,
  appName: 'shop',
  customHeaders: { authorization: '*:development.mock-client' },
  refreshInterval: 100, // with 0 it sends no request
  disableMetrics: true,
})
assert.equal(sdk.isEnabled('new-checkout'), true)
sdk.destroy()
await server.close()
\`\`\`

## Your own flags, users and API tokens

\`\`\`ts
import assert from 'node:assert/strict'
import { createMock } from 'flagdouble'

const forAda = { name: 'default', constraints: [{ contextName: 'userId', operator: 'IN' as const, values: ['100'] }] }
const mock = createMock({
  fixtures: {
    environments: [{ name: 'qa' }], // next to development and production
    features: [{ name: 'new-search', environments: [{ name: 'development', enabled: true, strategies: [forAda] }] }],
    users: [{ id: 100, username: 'ada', rootRole: 'Editor' }],
    apiTokens: [
      { secret: 'user:ada', type: 'user', userId: 100 },
      { secret: '*:qa.mine', type: 'client', environment: 'qa' },
    ],
  },
})
mock.setVariant('button', { name: 'blue', payload: { type: 'string', value: '#00f' } })
const sdk = mock.client({ userId: '100' }) // like unleash-proxy-client, without requests
assert.equal(sdk.isEnabled('new-search'), true)
assert.equal(mock.client({ userId: '8' }).isEnabled('new-search'), false)
assert.equal(sdk.getVariant('button').payload?.value, '#00f')
for (const [authorization, path] of [['user:ada', '/api/admin/user'], ['*:qa.mine', '/api/client/features']] as const)
  assert.equal((await mock.fetch(path, { headers: { authorization } })).status, 200)
\`\`\`

## Facts

- **Profiles:** the default, \`documented\`, responds as a document says: a clone is 200, a missing permission is 403 \`NoAccessError\`, an expired
  invite reads \`enabled: false\`, a wrong content type is 415 \`ContentTypeerror\`. With \`profile: 'unleash-8'\` they are as in Unleash 8.2: 201,
  \`PermissionError\`, \`true\`, \`ContentTypeError\`. Ask which Unleash the app must work with.
- **API tokens** (\`Authorization\`): \`*:*.mock-admin\`; \`user:mock-admin\`, \`user:mock-editor\`, \`user:mock-viewer\` for operations that need a user;
  \`*:development.mock-client\`, \`*:development.mock-frontend\` for SDKs. Your own: as above. Users sign in
  with the password \`flagdouble\`.
- **Scenarios:** ${scenarios.map(({ name }) => `\`${name}\``).join(', ')}. Name them by \`createMock({ scenario })\`, \`mock.useScenario(…)\`, \`?scenario=\`,
  \`x-mock-scenario\`, \`--scenario\`. \`new-checkout:off\`, \`:on\`, \`:gone\` and \`button:blue\` (a variant) tell SDKs
  a flag's state, and change no data: \`slow,new-checkout:off\`, \`*:off\`, \`mock.tellFlags({ 'new-checkout': 'off' })\`. In a scenario: \`flags\`.
- **Flags:** \`mock.enable(name)\`, \`mock.disable(name)\`, \`mock.setVariant(name, variant)\`; other records: \`mock.add({ features: [{ name, stale: true }] })\`.
  \`mock.features.get(name)\` is a frozen copy.
- **Flag coverage:** add the reporter \`flagdouble/vitest/reporter\`. It observes the SDKs of the tests; where a bundler copies an SDK, call
  \`observeFlags(UnleashClient)\` of \`flagdouble\` in a setup file (test-with-flags.md).
- **Errors:** \`mock.force({ operation: 'cloneFeature', status: 503, delay: 200, times: 1 })\`. operations.md lists the IDs.
- **Time:** \`mock.clock.advance({ days: 31 })\`; a plain number means milliseconds.
- **Requests:** \`mock.requests.count({ operation, status })\`, \`expect(mock).toHaveReceived(operation, 1)\`. \`mock.requests.waitFor({ operation })\`
  waits for the next request: call it before the action, and \`await\` it after.
- **Useful paths:** \`POST /api/admin/projects/default/features/checkout-redesign/clone\`, \`GET /api/admin/invite-link/tokens/live-invite\`.
- **Over HTTP:** \`GET /__mock/keys\`, \`PUT /__mock/scenario\`, \`PATCH /__mock/state\`, \`POST /__mock/forced\`, \`POST /__mock/reset\` (control-api.md).

## Mistakes

- \`useMock()\` belongs at the top of a file or in a \`describe\`, not in a test. Each test has a new mock: don't reset it.
- A body needs \`Content-Type: application/json\`, or the response is 415.
- A response with the header \`x-mock-error\` comes from flagdouble; its \`hint\` says how to fix the request. A 401 names a token that works.
- Destroy each SDK at the end of its test.
- \`useMock()\` and \`test\` also serve the Node SDK: give it \`url: 'http://flags.example.com/api'\`. Requests to a \`startServer\` of the same process
  reach that server; \`mock.enable\` then has no effect on it, but \`server.mock.enable\` has.
- Options of the fixture \`mock\`: \`test.override({ mockOptions: { scenario: 'empty' } })\`.

## Pages

${indexOf(readFileSync(join(root, 'docs/README.md'), 'utf8'))}
`
}

/** Each page with its file and its line. */
function indexOf(list: string): string {
  const lines = [...list.matchAll(/^- \[(.+?)\]\(([\w-]+\.md)\): (.+)$/gm)]
  return lines.map(([, , file, about]) => `- ${file}: ${about}`).join('\n')
}
