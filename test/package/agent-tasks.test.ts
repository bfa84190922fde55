import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Consumer, createConsumer } from '../support/consumer.js'
import { root } from '../support/markdown.js'

const read = (file: string) => readFileSync(join(root, file), 'utf8')
const notes = read('AGENTS.md')

/**
 * Tasks as users write them, the page that the index in AGENTS.md has for them, and the words that the code needs. Each
 * word is in AGENTS.md or on that page.
 */
const tasks: [task: string, page: string, ...words: string[]][] = [
  [
    'Test that a viewer of our flags cannot copy a flag.',
    'vitest.md',
    'user:mock-viewer',
    'NoAccessError',
    'flagdouble/vitest',
  ],
  [
    'Test that copying retries while the service is down.',
    'simulate-errors.md',
    'mock.force(',
    "'cloneFeature'",
    'times',
  ],
  [
    'Test the page of an invite that expires in a month.',
    'vitest.md',
    '/api/admin/invite-link/tokens/live-invite',
    'advance({ days: 31 })',
  ],
  [
    'Run the test of the checkout with the flag on, off and deleted.',
    'test-with-flags.md',
    'mock.useScenario(',
    ':gone',
    'test.for',
  ],
  [
    'Test, without a server, that the Node SDK notices a flag that is switched off.',
    'sdks.md',
    'mock.setVariant(',
    'refreshInterval: 100',
    'destroy()',
  ],
  [
    'Test the list of flags with our user and our flags only.',
    'vitest.md',
    "scenario: 'empty'",
    "type: 'user'",
    'fixtures',
    'useMock',
  ],
  ['Test that the app says so if the service cannot be reached.', 'scenarios.md', '`offline`'],
  [
    'Start a server in a test of node:test, and switch a flag while the Node SDK runs.',
    'sdks.md',
    'server.mock.enable(',
    'server.url',
    'server.close()',
  ],
  ['Test how the app behaves if it is rate limited.', 'scenarios.md', '`rate-limited`', '?scenario='],
  ['Run our end-to-end tests in CI with a flag off.', 'ci.md', 'flagdouble exec', 'FLAGDOUBLE_URL', '--scenario'],
  ['Add flagdouble to our Jest tests.', 'jest.md', "preset: 'flagdouble/jest'", 'createHandlers', 'listenOptions'],
  ['Our jest.config.js already has the preset ts-jest. Add flagdouble.', 'jest.md', 'withFlagdouble', 'ts-jest'],
  ['Give each Playwright test its own flags.', 'end-to-end.md', 'flagdouble/playwright', 'mock'],
  ['Use it with Cypress.', 'end-to-end.md', 'flagdouble exec'],
  ['Show a story in which the user lacks a permission.', 'end-to-end.md', 'parameters', 'missing-permission'],
  ['Serve the mock from our Vite dev server.', 'dev-servers.md', 'flagdouble/vite', 'plugins'],
  ['Our app is on Next.js. Develop without Unleash.', 'dev-servers.md', 'Next.js', 'instrumentation.js'],
  ['Run the mock in the page, with a panel, without a server.', 'dev-servers.md', 'startWorker', 'panel'],
  ['Import the flags of our Unleash.', 'seed-data.md', 'flagdouble pull', '--fixtures'],
  ['Write a fixture with a segment and a constraint.', 'seed-data.md', 'segments', 'constraints'],
  ['Set a variant with a payload for everyone.', 'sdks.md', 'setVariant', 'payload'],
  ['Which flags do our tests never ask for?', 'test-with-flags.md', 'flagdouble/vitest/reporter', 'never asked'],
  [
    'Fail CI if fewer than 80 % of the flags are tested in both states.',
    'test-with-flags.md',
    '--min-flag-coverage 80',
  ],
  ['Compare our tests with production.', 'test-with-flags.md', '--against', 'flagdouble pull'],
  ['Wait until the app has sent its metrics.', 'test-runners.md', 'waitFor(', 'before the action'],
  ['Mock our own endpoint with the flags of the mock.', 'own-endpoints.md', 'mock.data()', 'http.get'],
  ['We have a setupServer of our own. Use it.', 'vitest.md', 'useMock({ server })'],
  ['Freeze the time in a test.', 'create-mock.md', 'clock', 'freezes'],
  ['Assert the body that the app sent.', 'vitest.md', 'toHaveReceived', 'body'],
  ['A response takes two seconds. Test the spinner.', 'simulate-errors.md', 'delay'],
  ['Cut the connection in the middle of a response.', 'simulate-errors.md', '`truncate`'],
  ['Test that a taken name is shown at the form.', 'scenarios.md', '`name-taken`', '409'],
  ['Behave as Unleash 8 does.', 'profiles.md', "profile: 'unleash-8'", 'PermissionError'],
  ['Give QA a link that switches a flag off in one browser.', 'test-with-flags.md', '/__mock/use/', 'redirect'],
  ['Deploy a mock for previews to Cloudflare.', 'workers.md', 'createWorker', 'FLAGDOUBLE_ACCESS'],
  ['Replace the Unleash container in docker-compose.', 'replace-unleash.md', 'compose'],
  ['Run it in GitHub Actions.', 'ci.md', 'GitHub Actions'],
  ['Keep changes over a restart.', 'persistence.md', '--state'],
  ['Undo the last change.', 'undo-and-share.md', 'undo'],
  ['Reset the server between tests over HTTP.', 'control-api.md', 'POST /__mock/reset'],
  ['Add a flag over HTTP while the server runs.', 'control-api.md', 'PATCH /__mock/state'],
  ['Sign in as another user in the browser.', 'qa.md', 'sign', 'flagdouble'],
  ['Use https in development.', 'proxy-and-https.md', '--cert', '--cert-key'],
  ['Send everything else to our real back end.', 'proxy-and-https.md', '--proxy'],
  ['Which operation ID has the request for a project?', 'operations.md', '`getProjectOverview`'],
  ['What does the error with x-mock-error mean?', 'errors.md', 'x-mock-error', 'UNKNOWN_SCENARIO'],
  ['Use the Python SDK with the mock.', 'sdks.md', 'Python'],
  ['Use OpenFeature.', 'sdks.md', 'OpenFeature'],
  ['Read the number of requests to an operation.', 'create-mock.md', 'mock.requests.count('],
  ['Is streaming modelled?', 'fidelity.md', 'Streaming'],
]

it('AGENTS.md leads fifty tasks to a page, and the words that the code needs are there', () => {
  expect(tasks).toHaveLength(50)
  const missing = tasks.flatMap(([task, page, ...words]) => {
    const text = notes + read(`docs/${page}`)
    return words.filter((word) => !text.includes(word)).map((word) => `${task} ${page} lacks ${word}`)
  })
  expect(missing).toEqual([])
  expect(tasks.filter(([, page]) => !notes.includes(`- ${page}: `))).toEqual([])
})

describe('ten tasks, as code', () => {
  const folder = 'agent-tasks'
  let consumer: Consumer
  beforeAll(() => {
    consumer = createConsumer()
    cpSync(join(root, 'test/package/agent-tasks'), join(consumer.path, folder), { recursive: true })
  }, 30_000)
  afterAll(() => consumer.remove())

  it('seven run in Vitest', async () => {
    const output = await consumer.node('node_modules/vitest/vitest.mjs', 'run', '--root', folder, '--reporter=json')
    const { success, testResults } = JSON.parse(/^\{.*\}$/m.exec(output)?.[0] ?? '{}')
    const titles = testResults.flatMap(({ assertionResults }: { assertionResults: { title: string }[] }) =>
      assertionResults.map(({ title }) => title.replace(/:.*/, '.')),
    )
    expect(success).toBe(true)
    expect(new Set(titles)).toEqual(new Set(tasks.slice(0, 7).map(([task]) => task)))
  })

  it('two run in node:test', async () => {
    const output = await consumer.node('--test', '--test-reporter=tap', `${folder}/server.js`)
    expect([...output.matchAll(/^ *ok \d+ - (.+)$/gm)].map(([, title]) => title)).toEqual(
      expect.arrayContaining([tasks[7]?.[0], tasks[8]?.[0]]),
    )
  })

  it('one runs in flagdouble exec', async () => {
    const cli = 'node_modules/flagdouble/dist/cli.js'
    const run = (scenario: string) =>
      consumer.node(cli, 'exec', '--quiet', '--scenario', scenario, '--', process.execPath, `${folder}/e2e.js`)
    expect(await run('empty')).toBe('no flag is on\n')
    expect(await run('legacy-export:on,push-opt-in:off')).toContain('legacy-export')
    expect(await run('legacy-export:off,push-opt-in:off,checkout-redesign:off')).toBe('no flag is on\n')
  })
})
