// Generates the parts of the documentation that come from the tables: `npm run docs`. A test keeps the files up to date.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { scenarios } from '../scenarios/index.js'
import { type OperationRow, operations } from '../src/api/operations.js'
import { flagTable } from '../src/cli/flags.js'
import { serviceVariables } from '../src/cli/service-variables.js'
import { mockErrors } from '../src/contract/mock-errors.js'
import { profiles } from '../src/contract/profiles.js'
import { controlRows } from '../src/control/rows.js'
import type { ForceRule } from '../src/scenarios/force-rule.js'
import type { Scenario } from '../src/scenarios/scenario.js'
import { fidelityTables } from './fidelity.js'
import { limitsTable } from './limits.js'
import { llmsPage } from './llms.js'
import { matrixPage } from './matrix.js'
import { skillPage } from './skill.js'
import { table } from './table.js'

/** A file of the documentation, with the text that it should contain. */
export interface Page {
  path: string
  text: string
}

/** The scenarios that the README shows. */
const LOOKED_FOR_FIRST = ['default', 'empty', 'expired-token', 'missing-permission', 'unsupported-content-type']

const controlTable = table(
  ['call', 'does'],
  controlRows.map(({ method, path, summary }) => [`${method} \`${path}\``, summary]),
)
const codeTable = table(
  ['code', 'status', 'meaning'],
  Object.entries(mockErrors).map(([code, { status, meaning }]) => [`\`${code}\``, String(status), meaning]),
)

const variablesTable = table(
  ['variable', 'means here', 'as'],
  Object.entries(serviceVariables).map(([name, { means, flag }]) => [
    `\`${name}\``,
    means,
    flag === undefined ? '–' : `\`${flagTable[flag].usage.replace(/^-\w, | <.*/g, '')}\``,
  ]),
)

/** Every page that is generated, wholly or in part. Pages written in part by hand are read from the root folder. */
export function pages(root: string): Page[] {
  return [
    filled(root, 'README.md', { scenarios: scenarioTable(LOOKED_FOR_FIRST) }),
    filled(root, 'docs/fidelity.md', fidelityTables(root)),
    filled(root, 'docs/without-the-container.md', { variables: variablesTable }),
    filled(root, 'docs/limits.md', { limits: limitsTable }),
    { path: 'docs/scenarios.md', text: scenariosPage() },
    { path: 'docs/operations.md', text: operationsPage() },
    { path: 'docs/control-api.md', text: controlPage() },
    { path: 'docs/errors.md', text: errorsPage() },
    { path: 'docs/skill.md', text: skillPage(root, controlPage()) },
    llmsPage(root),
    { path: 'test/matrix.md', text: matrixPage(root) },
  ]
}

export function writePages(root: string): void {
  for (const { path, text } of pages(root)) writeFileSync(join(root, path), text)
}

function scenarioTable(names: readonly string[]): string {
  const listed = scenarios.filter(({ name }) => names.includes(name))
  const rows = listed.map(({ name, promise }) => [`\`${name}\``, promise])
  return table(['scenario', 'promise'], rows)
}

/** A page written by hand, except for the tables between `<!-- name -->` and `<!-- /name -->`. */
function filled(root: string, path: string, tables: Record<string, string>): Page {
  const written = readFileSync(join(root, path), 'utf8')
  const text = Object.entries(tables).reduce((text, [name, content]) => fill(path, text, name, content), written)
  return { path, text }
}

function fill(path: string, text: string, name: string, content: string): string {
  const start = `<!-- ${name} -->\n`
  const end = `<!-- /${name} -->`
  const from = text.indexOf(start)
  const to = text.indexOf(end)
  if (from === -1 || to === -1) throw new Error(`${path} has no section <!-- ${name} -->.`)
  return `${text.slice(0, from + start.length)}${content}\n${text.slice(to)}`
}

function scenariosPage(): string {
  return `# Scenarios

Generated from \`scenarios/index.ts\`. Each scenario makes a promise, and a test proves it on every transport.
[Write your own](recipes.md#a-scenario-of-your-own-as-a-file). If several rules match a request,
[this](control-api.md#which-rule-wins) says which one wins.

${scenarios.map(scenarioSection).join('\n\n')}
`
}

function scenarioSection({ name, title, promise, extends: base, force, latency, generate }: Scenario): string {
  const facts = [
    base === undefined ? [] : [`Builds on \`${base}\`.`],
    forcedAnswers(force ?? []),
    latency === undefined ? [] : [`Every response takes ${JSON.stringify(latency)} ms.`],
    generate === undefined ? [] : [`Generates ${generate.features} features.`],
  ].flat()
  return `## \`${name}\`: ${title}\n\n${promise}\n${facts.map((fact) => `\n- ${fact}`).join('')}`.trimEnd()
}

/** One sentence per forced answer, with all operations that get it. */
function forcedAnswers(rules: readonly ForceRule[]): string[] {
  const operationsOf = new Map<string, string[]>()
  for (const { operation, ...answer } of rules) {
    const key = JSON.stringify(answer)
    operationsOf.set(key, [...(operationsOf.get(key) ?? []), operation])
  }
  return [...operationsOf].map(
    ([answer, names]) => `Forces \`${answer}\` on ${names.map((name) => `\`${name}\``).join(', ')}.`,
  )
}

function operationsPage(): string {
  const lines = (operations as readonly OperationRow[]).map(({ id, method, path, summary, permission }) => {
    const needed = [permission ?? []].flat().join(' or ')
    return `- \`${id}\`: ${method} \`${path}\`. ${summary}${needed && ` (${needed})`}`
  })
  return `# Operations

Generated from the table in \`src/api/operations.ts\`. Use these names in force rules and when you query the journal. In brackets, the permission
that a caller needs.

${lines.join('\n')}
`
}

function controlPage(): string {
  return `# The control API

Generated from the table in \`src/control/rows.ts\`. The control API is available on every transport: the server, msw handlers and
\`mock.fetch\`. In process, the [members of a mock](create-mock.md#members-of-a-mock) do the same.

${controlTable}

There are also:

| address | is |
|---|---|
| \`/__mock/\` | the control panel |
| \`/__mock/health\` | a health check |
| \`/__mock/events\` | server-sent events: \`request\` per journal entry, \`scenario\` per switch, \`missed\` with the ids of requests that are gone from the journal |
| \`/__mock/use/:scenario?redirect=/path\` | the QA link: sets the scenario in a cookie, starts its data over (unless \`--state\` keeps it), and redirects; with \`&session=NAME\`, in that session, with a second cookie |
| \`/__mock/use?session=NAME&redirect=/path\` | sets only the session, in a cookie, and redirects |
| \`/__mock/use#…\` | the page of a link from \`GET /__mock/share\`: says what would change, and asks |
| \`/__mock/leave?redirect=/path\` | back to normal: removes both cookies, and redirects |
| \`/__mock/openapi.json\` | the OpenAPI document of what is modelled, in the profile that is running; also at \`/docs/openapi.json\`. With \`?version=3.0\`, in OpenAPI 3.0.3 |

## Which data a call acts on

Each session keeps separate data, a clock and force rules for each scenario that it has used: a *world*. A call acts on the world that
its own \`?scenario=\`, \`x-mock-scenario\` header or cookie names, otherwise on the one that the session is switched to. The header
\`x-mock-session\` (or the cookie \`mock-session\`) chooses the session. The journal belongs to the session.

A login counts in all worlds of its session that have its user. So whoever signed in stays signed in when the scenario changes, by whatever
means, and when files are reloaded. A logout ends the login in all of them. A reset ends all logins of the session, and so does a restored
snapshot for those that it doesn't have. A user is the same if an e-mail address or a username is.

## Responses

| status | when |
|---|---|
| 200 | the call worked; the body is the new state of what the call concerns |
| 201 | a force rule was created |
| 204 | after DELETE and after a reset |
| 4xx | the call was wrong; the header \`x-mock-error\` and the body give a [code](errors.md#flagdoubles-own) |

The header \`x-mock-hint\` gives advice on a response that is not an error of flagdouble's own. A 401 has it if the request's login has ended,
or is that of a user whom the scenario doesn't have.

A call that the table lists rejects a query that it would misread: a parameter that it doesn't take, or one that is given twice. Each of them
takes \`scenario\`.

The journal, filtered by an operation that doesn't exist, is an empty list, because a client may know operations of another version. The
header \`x-mock-hint\` then says so and names the operation that may be meant.

An entry of the journal has \`forced: true\` if a force rule gave the answer; a rule has \`byScenario: true\` if the scenario brought it.
An entry has \`sent\` if the request caused messages of [integrations](recipes.md#integrations-webhooks-slack-and-others).

## Examples

Bodies are JSON, whatever the content type says.

\`\`\`sh
curl -X PUT http://127.0.0.1:4242/__mock/scenario -d '{"name":"expired-token"}'
curl -X PUT http://127.0.0.1:4242/__mock/scenario -d '{"names":["empty","slow"]}'
curl -X DELETE http://127.0.0.1:4242/__mock/scenario
curl -X PATCH http://127.0.0.1:4242/__mock/state -d '{"features":[{"name":"dark-mode"}]}'
curl -X PATCH http://127.0.0.1:4242/__mock/state -d '{"features":{"dark-mode":{"stale":true}}}'
curl -X PUT http://127.0.0.1:4242/__mock/clock -d '{"now":"2026-11-20T12:00:00Z"}'
curl -X PUT http://127.0.0.1:4242/__mock/clock -d '{"now":"2026-11-20T12:00:00Z","frozen":false}'
curl http://127.0.0.1:4242/__mock/clock/advance -d '{"days":31}'
curl http://127.0.0.1:4242/__mock/forced -d '{"operation":"*","delay":300}'
curl 'http://127.0.0.1:4242/__mock/requests?operation=cloneFeature&status=409'
curl -OJ 'http://127.0.0.1:4242/__mock/requests?format=har'
curl -X POST http://127.0.0.1:4242/__mock/reset
\`\`\`

## A force rule

\`{ operation, match?: { params?, query?, headers?, body? }, status?, error?: { permission?, environment?, message? }, body?, headers?, delay?, fault?, after?, times? }\`

| field | meaning |
|---|---|
| \`operation\` | the [operation's id](operations.md), or \`*\` for every operation |
| \`match\` | limits the rule to some requests; see below |
| \`status\`, \`error\`, \`body\` | the response; without a \`body\`, it is the service's own error for this status |
| \`headers\` | headers of the response, which replace those of the same name |
| \`delay\` | milliseconds to wait before the response |
| \`fault\` | \`reset\`: the connection breaks; \`hang\`: no response comes; \`truncate\`: the response breaks off; \`malformed\`: the body is not valid JSON |
| \`after\` | how many matching requests to let through first |
| \`times\` | how many matching requests the rule applies to |

A rule applies to every request for its operation, unless it has a \`match\`. This one is only for the feature \`checkout-redesign\`:

\`\`\`sh
curl http://127.0.0.1:4242/__mock/forced -d '{"operation":"cloneFeature","match":{"params":{"featureName":"checkout-redesign"}},"status":503}'
\`\`\`

\`match\` compares decoded \`params\` of the path, \`query\` parameters and \`headers\` with the values given. A \`body\` matches if it contains what
is given: objects may have more fields, lists must have the same length. A body that the service would not read, such as one that is not
JSON, never matches. A rule that would change nothing is rejected: one without an answer, headers, a delay or a fault, one with nothing but
\`status: 200\`, and one that matches a parameter its operation doesn't have.

### Which rule wins

All rules that match a request are looked at, from the newest to the oldest:

- A rule with \`status\`, \`error\`, \`body\` or \`fault\` **answers**. The newest of these wins. A forced answer comes before every check, even a
  401, and carries the header \`x-mock-forced\`.
- A rule with nothing but \`delay\` and \`headers\` **changes** the answer, whoever gives it: another rule, older or newer, or the operation.
  All such rules apply. Their delays add up, and of two headers with the same name, that of the newer rule is sent.

So \`[{"operation":"cloneFeature","status":403},{"operation":"*","delay":300}]\` means a late 403 for a clone and a late response for
everything else, in either order.

The rules of a scenario are in force from its start; of two in its list, the later one counts as newer. A scenario's own rules are newer than
those of the scenario that it \`extends\`; of combined scenarios, the one that is named last has the newest. What \`force\` or
\`POST /__mock/forced\` adds is newer still. A scenario's \`latency\` comes on top of all delays.

A request counts for a rule (\`after\`, \`times\`, and \`seen\` in the list) if it matches it. But an answering rule doesn't count what a newer one
has answered already. So a rule whose \`times\` are used up gives way to the next one.

A rule **can never apply** if a newer one answers every request that it is for, or if its \`times\` are 0. \`flagdouble validate\` and
\`defineScenario\` warn of such rules, and \`PUT /__mock/scenario\` tells of them in the header \`x-mock-hint\`.
`
}

function errorsPage(): string {
  const names = Object.values(profiles.documented.errors.table).map(({ status, name }) => [name, status] as const)
  const service = [...new Map(names)].map(([name, status]) => [`\`${name}\``, String(status)])
  return `# Errors

Generated from \`src/contract/profile-documented.ts\` and \`src/contract/mock-errors.ts\`.

## The service's own

The body is \`{ id, name, message }\`. A 400 also has \`details: [{ message, path }]\`, one entry per fault. These are the names in the profile
\`documented\`; [fidelity](fidelity.md#errors) compares them with those of \`unleash-8\`.

${table(['name', 'status'], service)}

## flagdouble's own

These carry the header \`x-mock-error: CODE\` and the body \`{ name: "MockError", code, message, hint }\`, so that no test mistakes them for
the service's responses. In process, they are thrown as a \`MockError\`.

${codeTable}
`
}
