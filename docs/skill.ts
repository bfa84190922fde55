// docs/skill.md, for coding assistants: it consists of parts of other pages and of the table of the control API.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { controlRows } from '../src/engine/control/rows.js'
import { opening } from './llms.js'

const SERVER = 'http://127.0.0.1:4242'

/** The calls that an assistant needs most, in the order in which it needs them. */
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

/** How a test works with a mock in its own process. */
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
const ask = (path: string, init?: RequestInit) =>
  mock.fetch(
    new Request(\`http://localhost/api/admin\${path}\`, {
      ...init,
      headers: { authorization: 'user:mock-admin', 'content-type': 'application/json' },
    }),
  )

mock.useScenario('sale') // starts its data anew; mock.reset() goes back to the default scenario
mock.enable('dark-mode')
mock.force({ operation: 'cloneFeature', status: 503, times: 1 })
const clone = { method: 'POST', body: JSON.stringify({ name: 'copy' }) }
const path = '/projects/default/features/sale-banner/clone'
assert.equal((await ask(path, clone)).status, 503)
assert.equal((await ask(path, clone)).status, 200)
assert.equal(mock.requests.count({ operation: 'cloneFeature', status: 503 }), 1)
assert.ok(mock.features.get('copy'))

mock.clock.advance({ days: 31 })
assert.equal(mock.signupTokens.get('live-invite')?.enabled, false)
`

/** `examples` is a page with a command for each call that needs more than its path. */
export function skillPage(root: string, examples: string): string {
  const read = (page: string) => readFileSync(join(root, 'docs', page), 'utf8')
  const lines = examples.split('\n').filter((line) => line.startsWith('curl '))
  return `---
name: flagdouble
description: ${JSON.stringify(opening(root))}
---

# A skill for coding assistants

Generated from other pages. Copy it to where your assistant looks for skills. Its links lead to pages in \`node_modules/flagdouble/docs\`.

## When to reach for flagdouble

${section(read('README.md'), 'Getting started').split('\n').slice(0, 5).join('\n')}

## The ten calls that matter

\`\`\`sh
${CALLS.map((call) => commandOf(call, lines)).join('\n')}
\`\`\`

## In a test's own process

\`\`\`ts
${EXAMPLE}\`\`\`

[All members](create-mock.md#members-of-a-mock). Imports: \`flagdouble\` (anywhere), \`flagdouble/msw\` (\`createHandlers\`, \`listenOptions\`),
\`flagdouble/vitest\` (\`useMock\`), \`flagdouble/playwright\` (\`test\`), \`flagdouble/node\` (\`startServer\`), \`flagdouble/browser\` (\`startWorker\`),
\`flagdouble/vite\` (the plugin), \`preset: 'flagdouble/jest'\`. Keys: \`*:*.mock-admin\`, \`user:mock-admin\` (a person), \`user:mock-editor\`,
\`user:mock-viewer\` (reads only), \`*:development.mock-client\` (an SDK of a back-end), \`*:development.mock-frontend\` (of a page).

## Typical mistakes

- \`useMock()\` belongs at the top of a test file or into a \`describe\`, not into a test.
- A request needs a key in \`Authorization\`, and one with a body \`Content-Type: application/json\`. A person's operations need \`user:…\`.
- \`startServer(options of the mock, { port })\`: the port is in the second argument.
- \`mock.clock.advance({ days: 31 })\`: a number counts milliseconds.
- What \`mock.features.get(name)\` returns is a frozen copy. \`mock.add({ features: [{ name, stale: true }] })\` changes a record.

## How to check

${firstSnippet(section(read('start-tests.md'), 'What was asked'))}

${section(read('troubleshooting.md'), 'Troubleshooting')}
`
}

/** The text below a heading, up to the next one. */
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

/** A call as a command, below what it does. */
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
