// Fills in what the documentation takes from the tables: `npm run docs`. A test keeps the files in step with it.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { scenarios } from '../scenarios/index.js'
import { type OperationRow, operations } from '../src/api/operations.js'
import { mockErrors } from '../src/contract/mock-errors.js'
import { profiles } from '../src/contract/profiles.js'
import { controlRows } from '../src/control/rows.js'
import { fidelityTables } from './fidelity.js'
import { table } from './table.js'

/** A file of the documentation, and what it should hold. */
export interface Page {
  path: string
  text: string
}

const scenarioTable = table(
  ['scenario', 'promise'],
  scenarios.map(({ name, promise }) => [`\`${name}\``, promise]),
)
const controlTable = table(
  ['call', 'does'],
  controlRows.map(({ method, path, summary }) => [`${method} \`/__mock${path}\``, summary]),
)
const codeTable = table(
  ['code', 'status', 'meaning'],
  Object.entries(mockErrors).map(([code, { status, meaning }]) => [`\`${code}\``, String(status), meaning]),
)

/** Every generated page, from a root folder's own text where only a part of it is generated. */
export function pages(root: string): Page[] {
  return [
    filled(root, 'README.md', { scenarios: scenarioTable, control: controlTable, codes: codeTable }),
    filled(root, 'docs/fidelity.md', fidelityTables(root)),
    { path: 'docs/scenarios.md', text: scenariosPage() },
    { path: 'docs/operations.md', text: operationsPage() },
    { path: 'docs/control-api.md', text: controlPage() },
    { path: 'docs/errors.md', text: errorsPage() },
  ]
}

/** Writes every page. */
export function writePages(root: string): void {
  for (const { path, text } of pages(root)) writeFileSync(join(root, path), text)
}

/** A page written by hand, but for the tables between `<!-- name -->` and `<!-- /name -->`. */
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
  if (from === -1 || to === -1) throw new Error(`${path} has no place for ${name}.`)
  return `${text.slice(0, from + start.length)}${content}\n${text.slice(to)}`
}

function scenariosPage(): string {
  const sections = scenarios.map(({ name, title, promise, extends: base, force, latency, generate }) => {
    const facts = [
      base === undefined ? [] : [`Builds on \`${base}\`.`],
      (force ?? []).map((rule) => `Forces \`${JSON.stringify(rule)}\`.`),
      latency === undefined ? [] : [`Every answer takes ${JSON.stringify(latency)} ms.`],
      generate === undefined ? [] : [`Generates ${generate.features} features.`],
    ].flat()
    return `## \`${name}\`: ${title}\n\n${promise}\n${facts.map((fact) => `\n- ${fact}`).join('')}`.trimEnd()
  })
  return `# Scenarios\n\nGenerated from \`scenarios/\`. A test keeps each promise, by every door.\n\n${sections.join('\n\n')}\n`
}

function operationsPage(): string {
  const rows = (operations as readonly OperationRow[]).map(({ id, method, path, summary, permission }) => [
    `\`${id}\``,
    `${method} \`${path}\``,
    [permission ?? []].flat().join(' or '),
    summary,
  ])
  return `# Operations\n\nGenerated from the table in \`src/contract/operations.ts\`. These are the names that force rules and the journal use.\n\n${table(['operation', 'route', 'permission', ''], rows)}\n`
}

function controlPage(): string {
  return `# The control API

Generated from its table in \`src/control/rows.ts\`. It is there by every door, and the same things can be done in process.

A call acts on the world that its own \`?scenario=\`, \`x-mock-scenario\` or cookie names, else on the one that the session is
switched to; \`x-mock-session\` chooses the session. Answers: 200 with the new state of what was asked for, 201 for a rule
that was made, 204 for DELETE and reset, 4xx with \`x-mock-error\` and a code for a wrong call ([codes](errors.md)).

${controlTable}

Beside it: GET \`/__mock/\` is the panel, GET \`/__mock/health\` says that it runs, GET \`/__mock/events\` streams each journal entry and
each switch as server-sent events, GET \`/__mock/use/:scenario?redirect=/path\` is the QA link, GET \`/__mock/openapi.json\`
the OpenAPI document.

## By hand

Bodies are JSON, whatever the content type says.

\`\`\`sh
curl -X PUT http://127.0.0.1:4242/__mock/scenario -d '{"name":"expired-token"}'
curl -X PUT http://127.0.0.1:4242/__mock/scenario -d '{"names":["empty","slow"]}'
curl -X DELETE http://127.0.0.1:4242/__mock/scenario
curl -X PATCH http://127.0.0.1:4242/__mock/state -d '{"features":[{"name":"dark-mode"}]}'
curl -X PATCH http://127.0.0.1:4242/__mock/state -d '{"features":{"dark-mode":{"stale":true}}}'
curl -X PUT http://127.0.0.1:4242/__mock/clock -d '{"now":"2026-11-20T12:00:00Z"}'
curl http://127.0.0.1:4242/__mock/clock/advance -d '{"days":31}'
curl http://127.0.0.1:4242/__mock/forced -d '{"operation":"*","delay":300}'
curl 'http://127.0.0.1:4242/__mock/requests?operation=cloneFeature&status=409'
curl -X POST http://127.0.0.1:4242/__mock/reset
\`\`\`

## A force rule

\`{ operation, status?, error?: { permission?, environment?, message? }, body?, headers?, delay?, fault?, after?, times? }\`

\`operation\` is an [operation's id](operations.md) or \`*\`. The newest rule that applies answers, before every check. \`after\` lets so many
requests pass, \`times\` ends it after so many. \`delay\` is in milliseconds; a rule with nothing else only delays, and one with
\`headers\` alone adds them to the operation's own answer. \`fault\` is \`reset\`
(the connection breaks), \`hang\` (no answer comes), \`truncate\` (it breaks off) or \`malformed\` (it is not JSON). A forced answer
carries \`x-mock-forced\`.
`
}

function errorsPage(): string {
  const names = Object.values(profiles.documented.errors.table).map(({ status, name }) => [name, status] as const)
  const service = [...new Map(names)].map(([name, status]) => [`\`${name}\``, String(status)])
  return `# Errors

Generated from \`src/contract/profile-documented.ts\` and \`src/contract/mock-errors.ts\`.

## The service's

\`{ id, name, message }\`, and for a 400 \`details: [{ message, path }]\` with every fault found. Names as in the profile \`documented\`;
[fidelity](fidelity.md#errors) sets those of \`unleash-8\` beside them.

${table(['name', 'status'], service)}

## The kit's own

They carry \`x-mock-error: CODE\` and \`{ name: "MockError", code, message, hint }\`; in process they are thrown as a \`MockError\`.

${codeTable}
`
}
