// Generates the parts of the documentation that come from the tables: `npm run docs`. A test keeps the files up to date.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { scenarios } from '../scenarios/index.js'
import { controlRows } from '../src/engine/control/rows.js'
import { kindsByStatus } from '../src/engine/http/forced.js'
import type { ForceRule } from '../src/engine/scenarios/force-rule.js'
import type { Scenario } from '../src/engine/scenarios/scenario.js'
import { flagTable } from '../src/entries/cli/flags.js'
import { serviceVariables } from '../src/entries/cli/service-variables.js'
import { type OperationRow, operations } from '../src/service/api/operations.js'
import { mockErrors } from '../src/service/contract/mock-errors.js'
import { profiles } from '../src/service/contract/profiles.js'
import { describeError, fidelityTables } from './fidelity.js'
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

Generated from \`scenarios/index.ts\`. A scenario is seeded data together with response overrides. Tests check the promise of each scenario on
every transport. [Write your own scenario](your-own-data.md#a-scenario), or see [how several scenarios combine](#combine-scenarios).

${scenarios.map(scenarioSection).join('\n\n')}

## The error of each scenario in each profile

Scenarios that force an error send the error of the active [profile](fidelity.md).

${table(['scenario', '`documented`', '`unleash-8`'], scenarios.flatMap(errorsOfScenario))}

## Combine scenarios

\`?scenario=empty,slow\` combines scenarios from left to right. Records of a later scenario extend or replace those of an earlier one, and
[its rules win](control-api.md#which-rule-wins). A combination is rejected with \`INVALID_STATE\` if a later scenario refers to a record
that an earlier one left out: \`empty,expired-token\` has no \`live-invite\` to expire.
`
}

function scenarioSection({ name, title, promise, extends: base, force, latency, generate }: Scenario): string {
  const facts = [
    base === undefined ? [] : [`Extends \`${base}\`.`],
    overriddenBy(force ?? []),
    latency === undefined ? [] : [`Every response takes ${JSON.stringify(latency)} ms.`],
    generate === undefined ? [] : [`Generates ${generate.features} features.`],
  ].flat()
  return `## \`${name}\`: ${title}\n\n${promise}\n${facts.map((fact) => `\n- ${fact}`).join('')}`.trimEnd()
}

/** One row for a scenario that forces an error, with the error in both profiles. */
function errorsOfScenario({ name, force = [] }: Scenario): string[][] {
  const kind = kindsByStatus[force[0]?.status ?? 0]
  if (kind === undefined) return []
  const { documented, 'unleash-8': unleash8 } = profiles
  return [[`\`${name}\``, ...[documented, unleash8].map(({ errors }) => describeError(errors.table[kind]))]]
}

/** With more operations than these, a scenario's promise says which. */
const FEW_OPERATIONS = 10

/** One sentence per response override, with the operations that it is for. */
function overriddenBy(rules: readonly ForceRule[]): string[] {
  const operationsOf = new Map<string, string[]>()
  for (const { operation, ...override } of rules) {
    const key = JSON.stringify(override)
    operationsOf.set(key, [...(operationsOf.get(key) ?? []), operation])
  }
  return [...operationsOf].map(([override, names]) => {
    const listed = names.map((name) => `\`${name}\``).join(', ')
    return `Forces \`${override}\` for ${names.length > FEW_OPERATIONS ? `${names.length} operations` : listed}.`
  })
}

function operationsPage(): string {
  const lines = (operations as readonly OperationRow[]).map(({ id, method, path, permission }) => {
    const needed = [permission ?? []].flat().join('/')
    return `- \`${id}\`: ${method} \`${path}\`${needed && ` (${needed})`}`
  })
  return `# Operations

Generated from \`src/service/api/operations.ts\`. Use these names in force rules and when you query the journal. In brackets: the permission that a caller
needs, or several of which one is enough. \`GET /__mock/operations\` says in a sentence what each one does, and so does \`/__mock/openapi.json\`.

${lines.join('\n')}
`
}

function controlPage(): string {
  return `# The control API

Generated from \`src/engine/control/rows.ts\`. The server, msw handlers and \`mock.fetch\` all answer these calls. In process, the [members of a mock](create-mock.md#members-of-a-mock) do the same.

${controlTable}

There are also:

| address | is |
|---|---|
| \`/__mock/\` | the control panel |
| \`/__mock/health\` | a health check |
| \`/__mock/events\` | server-sent events: \`request\` per journal entry, \`scenario\` per switch, \`missed\` with the ids of requests no longer in the journal |
| \`/__mock/use/:scenario?redirect=/path\` | the QA link: sets the scenario's cookie, starts its data over (unless \`--state\` keeps it), and redirects; \`&session=NAME\` also sets the session's |
| \`/__mock/use?session=NAME&redirect=/path\` | sets only the session's cookie, and redirects |
| \`/__mock/leave?redirect=/path\` | removes both cookies, and redirects |
| \`/__mock/openapi.json\` | the OpenAPI document of the running profile, also at \`/docs/openapi.json\`; \`?version=3.0\` gives OpenAPI 3.0.3 |

## Which data a call acts on

Each session keeps separate data, a clock and force rules for each scenario that it has used: a *world*. A call acts on the world that
its own \`?scenario=\`, \`x-mock-scenario\` header or cookie names, otherwise on the one that the session is switched to. The header
\`x-mock-session\` (or the cookie \`mock-session\`) chooses the session. The journal belongs to the session.

A login counts in all worlds of its session that have its user, by e-mail address or username. So people stay signed in when the scenario
changes or files are reloaded. A logout or a reset ends it in all of them, and so does a restored snapshot without that user.

## Responses

| status | when |
|---|---|
| 200 | the call worked; the body is the new state of what the call concerns |
| 201 | a force rule was created |
| 204 | after DELETE and after a reset |
| 4xx | the call was wrong; the header \`x-mock-error\` and the body give a [code](errors.md#flagdoubles-own) |

The header \`x-mock-hint\` gives advice on other responses: on a 401, that the login has ended or its user is not in the scenario; on an empty
journal, that the operation in the filter doesn't exist, and which one may be meant.

Each call in the first table takes \`scenario\`, and rejects parameters that it doesn't take or that are given twice.

In the journal, an entry has \`forced: true\` if a force rule answered, and \`sent\` if the request caused messages of
[integrations](recipes.md#integrations-webhooks-slack-and-others). A rule has \`byScenario: true\` if the scenario brought it.

## Examples

Bodies are JSON, whatever the content type says.

\`\`\`sh
curl -X PUT http://127.0.0.1:4242/__mock/scenario -d '{"name":"expired-token"}'
curl -X PUT http://127.0.0.1:4242/__mock/scenario -d '{"names":["empty","slow"]}'
curl -X PATCH http://127.0.0.1:4242/__mock/state -d '{"features":[{"name":"dark-mode"}]}'
curl -X PATCH http://127.0.0.1:4242/__mock/state -d '{"features":{"dark-mode":{"stale":true}}}'
curl -X PUT http://127.0.0.1:4242/__mock/clock -d '{"now":"2026-11-20T12:00:00Z"}'
curl http://127.0.0.1:4242/__mock/clock/advance -d '{"days":31}'
curl http://127.0.0.1:4242/__mock/forced -d '{"operation":"*","delay":300}'
curl 'http://127.0.0.1:4242/__mock/requests?operation=cloneFeature&status=409'
curl -OJ http://127.0.0.1:4242/__mock/scenarios/expired-token
curl -X POST http://127.0.0.1:4242/__mock/reset
\`\`\`

## A force rule

\`{ operation, match?: { params?, query?, headers?, body? }, status?, error?: { permission?, environment?, message? }, body?, headers?, delay?, fault?, after?, times? }\`

| field | meaning |
|---|---|
| \`operation\` | the [operation's id](operations.md), or \`*\` for every operation |
| \`match\` | limits the rule to some requests |
| \`status\`, \`error\`, \`body\` | the response; without a \`body\`, the service's own error for this status |
| \`headers\` | headers of the response; they replace others of the same name |
| \`delay\` | milliseconds to wait before the response |
| \`fault\` | \`reset\`: the connection breaks; \`hang\`: no response comes; \`truncate\`: the response breaks off; \`malformed\`: the body is not valid JSON |
| \`after\` | matching requests to let through first |
| \`times\` | matching requests to apply to |

This rule is only for the feature \`checkout-redesign\`:

\`\`\`sh
curl http://127.0.0.1:4242/__mock/forced -d '{"operation":"cloneFeature","match":{"params":{"featureName":"checkout-redesign"}},"status":503}'
\`\`\`

\`match\` compares decoded \`params\` of the path, \`query\` parameters and \`headers\`. A \`body\` matches if it contains what is given: objects may
have more fields, lists must have the same length. A body that the service would not read never matches. A rule is rejected if it would change
nothing (nothing but \`status: 200\` is nothing), or if it matches a parameter that its operation doesn't have.

### Which rule wins

Of all rules that match a request:

- The newest with \`status\`, \`error\`, \`body\` or \`fault\` **answers**, before every check, even a 401. The answer carries \`x-mock-forced\`.
- Every rule with only \`delay\` and \`headers\` **changes** the answer, whoever gives it. Delays add up; of two headers with the same name, the
  newer rule's is sent.

So \`[{"operation":"cloneFeature","status":403},{"operation":"*","delay":300}]\` means a late 403 for a clone and a late response for
everything else, in either order.

From old to new: the rules of the scenario that another \`extends\`, its own in their order, those of the next combined scenario, and what
\`force\` or \`POST /__mock/forced\` adds. A scenario's \`latency\` comes on top of all delays.

\`after\`, \`times\` and \`seen\` (in the list) count the requests that match, but for an answering rule not those that a newer one has answered. So a
rule whose \`times\` are used up gives way to the next.

A rule **can never apply** if a newer one answers every request that it is for, or if its \`times\` are 0. \`flagdouble validate\` and
\`defineScenario\` warn of it, and so does \`PUT /__mock/scenario\` in \`x-mock-hint\`.
`
}

function errorsPage(): string {
  const names = Object.values(profiles.documented.errors.table).map(({ status, name }) => [name, status] as const)
  const service = [...new Map(names)].map(([name, status]) => [`\`${name}\``, String(status)])
  return `# Errors

Generated from \`src/service/contract/profile-documented.ts\` and \`src/service/contract/mock-errors.ts\`.

## The service's own

The body is \`{ id, name, message }\`. A 400 also has \`details: [{ message, path }]\`, one entry per fault. These are the names in the profile
\`documented\`; [fidelity](fidelity.md#errors) compares them with those of \`unleash-8\`.

${table(['name', 'status'], service)}

## flagdouble's own

These carry the header \`x-mock-error: CODE\` and the body \`{ name: "MockError", code, message, hint }\`. In process, they are thrown as a
\`MockError\`.

${codeTable}
`
}
