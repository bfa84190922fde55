// docs/skill.md, for coding assistants: it consists of parts of other pages and of the table of the control API.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { controlRows } from '../src/engine/control/rows.js'
import { opening } from './llms.js'

const SERVER = 'http://127.0.0.1:4242'

/** The calls that an assistant needs most, in order of use. */
const CALLS = [
  'GET /__mock/keys',
  'GET /__mock/operations',
  'GET /__mock/scenarios',
  'PUT /__mock/scenario',
  'GET /__mock/state',
  'PATCH /__mock/state',
  'POST /__mock/forced',
  'POST /__mock/clock/advance',
  'GET /__mock/requests',
  'POST /__mock/reset',
]

/** A test with a mock in its own process. */
const EXAMPLE = `import assert from 'node:assert/strict'
import { createMock, defineScenario } from 'flagdouble'

const sale = defineScenario({
  name: 'sale',
  title: 'Sale',
  promise: 'sale-banner is on.',
  seed: { features: [{ name: 'sale-banner', enabled: true }] },
})
const mock = createMock({
  fixtures: { features: [{ name: 'new-checkout', enabled: true }] }, // added to the built-in data
  scenarios: [sale],
})
const send = (path: string, init?: RequestInit) =>
  mock.fetch(
    new Request(\`http://localhost/api/admin\${path}\`, {
      ...init,
      headers: { authorization: 'user:mock-admin', 'content-type': 'application/json' },
    }),
  )

mock.useScenario('sale') // restarts its data; mock.reset() returns to the default scenario
mock.enable('dark-mode')
mock.force({ operation: 'cloneFeature', status: 503, times: 1 })
const clone = { method: 'POST', body: JSON.stringify({ name: 'copy' }) }
const path = '/projects/default/features/sale-banner/clone'
assert.equal((await send(path, clone)).status, 503)
assert.equal((await send(path, clone)).status, 200)
assert.equal(mock.requests.count({ operation: 'cloneFeature', status: 503 }), 1)
assert.ok(mock.features.get('copy'))

mock.clock.advance({ days: 31 })
assert.equal(mock.signupTokens.get('live-invite')?.enabled, false)
`

/** The pages that an assistant needs most. */
const PAGES = ['quick-start', 'vitest', 'jest', 'sdks', 'ci', 'seed-data', 'simulate-errors', 'troubleshooting']

/** The skill. It works as a copy, so it names pages by their paths in the package. */
export function skillPage(root: string): string {
  return text(root).replaceAll(
    /\[([^\]]+)\]\(([\w-]+\.md)(?:#[\w-]+)?\)/g,
    (_, title, page) => `${title} (\`node_modules/flagdouble/docs/${page}\`)`,
  )
}

function text(root: string): string {
  const read = (page: string) => readFileSync(join(root, 'docs', page), 'utf8')
  const examples = read('control-api.md').split('\n')
  const lines = examples.filter((line) => line.startsWith('curl '))
  const listed = read('README.md').split('\n')
  return `---
name: flagdouble
description: ${JSON.stringify(opening(root))}
---

# A skill for coding assistants

Generated from other pages. Copy this file to the folder where your assistant looks for skills.

## When to use flagdouble

${listed.filter((line) => PAGES.some((page) => line.includes(`(${page}.md)`))).join('\n')}

## The ten most useful calls

\`\`\`sh
${CALLS.map((call) => commandOf(call, lines)).join('\n')}
\`\`\`

## In a test's own process

\`\`\`ts
${EXAMPLE}\`\`\`

Members of a mock: [\`createMock\`](create-mock.md). Imports: \`flagdouble\` (anywhere), \`flagdouble/msw\` (\`createHandlers\`, \`listenOptions\`),
\`flagdouble/vitest\` (\`useMock\`), \`flagdouble/playwright\` (\`test\`), \`flagdouble/node\` (\`startServer\`), \`flagdouble/browser\` (\`startWorker\`),
\`flagdouble/vite\` (the plugin), \`preset: 'flagdouble/jest'\`. API tokens: \`*:*.mock-admin\`, \`user:mock-admin\` (a user), \`user:mock-editor\`,
\`user:mock-viewer\` (can only read), \`*:development.mock-client\` (back-end SDKs), \`*:development.mock-frontend\` (front-end SDKs).

## Typical mistakes

- Call \`useMock()\` at the top of a test file or in a \`describe\`, not in a test.
- Send an API token in \`Authorization\`, and \`Content-Type: application/json\` with a body. Operations that require a user need \`user:…\`.
- \`startServer(mockOptions, { port })\`: the port belongs in the second argument.
- \`mock.clock.advance({ days: 31 })\`: a plain number means milliseconds.
- \`mock.features.get(name)\` returns a frozen copy. To change a record, use \`mock.add({ features: [{ name, stale: true }] })\`.

## Assert on requests

${firstSnippet(section(read('vitest.md'), 'Assert on requests'))}

${section(read('troubleshooting.md'), 'Troubleshooting')}
`
}

/** The text below a heading, up to the next heading. */
function section(page: string, heading: string): string {
  const [, text] = page.split(new RegExp(`^#+ ${heading}\n\n`, 'm'))
  if (text === undefined) throw new Error(`No page has the heading "${heading}" any more.`)
  return (text.split(/\n+#+ /)[0] ?? '').trimEnd()
}

/** A text up to the end of its first code block. */
function firstSnippet(text: string): string {
  return (
    text
      .split('\n```\n')[0]
      ?.replace(/\n```$/, '')
      .concat('\n```') ?? ''
  )
}

/** A call as a command, below its description. */
function commandOf(call: string, examples: readonly string[]): string {
  const row = controlRows.find(({ method, path }) => call === `${method} ${path}`)
  if (row === undefined) throw new Error(`The control API has no ${call}.`)
  const example = examples.find((line) => {
    const [, method = line.includes(' -d ') ? 'POST' : 'GET'] = /-X (\w+)/.exec(line) ?? []
    const [, path] = /:4242([^ '?]+)/.exec(line) ?? []
    return call === `${method} ${path}`
  })
  return `# ${row.summary}\n${example ?? `curl ${SERVER}${row.path}`}`
}
