// Fills in what the documentation takes from the tables: `npm run docs`. A test keeps the files in step with it.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { scenarios } from '../scenarios/index.js'
import { mockErrors } from '../src/contract/mock-errors.js'
import { type OperationRow, operations } from '../src/contract/operations.js'
import { profiles } from '../src/contract/profiles.js'
import { controlRows } from '../src/control/rows.js'

/** A file of the documentation, and what it should hold. */
export interface Page {
  path: string
  text: string
}

const cell = (text: string) => text.replaceAll('|', '\\|')
const row = (...cells: string[]) => `| ${cells.map(cell).join(' | ')} |`

const scenarioRows = scenarios.map(({ name, promise }) => row(`\`${name}\``, promise))
const controlTable = controlRows.map(({ method, path, summary }) => row(`${method} \`/__mock${path}\``, summary))
const codeRows = Object.entries(mockErrors).map(([code, { status, meaning }]) =>
  row(`\`${code}\``, String(status), meaning),
)

/** Every generated page, from a root folder's own text where only a part of it is generated. */
export function pages(root: string): Page[] {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  return [
    {
      path: 'README.md',
      text: [
        ['scenarios', [row('scenario', 'promise'), '|---|---|', ...scenarioRows]],
        ['control', [row('call', 'does'), '|---|---|', ...controlTable]],
        ['codes', [row('code', 'status', 'meaning'), '|---|---|---|', ...codeRows]],
      ].reduce((text, [name, rows]) => fill(text, name as string, rows as string[]), readme),
    },
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

function fill(text: string, name: string, rows: string[]): string {
  const start = `<!-- ${name} -->\n`
  const end = `<!-- /${name} -->`
  const from = text.indexOf(start)
  const to = text.indexOf(end)
  if (from === -1 || to === -1) throw new Error(`README.md has no place for ${name}.`)
  return `${text.slice(0, from + start.length)}${rows.join('\n')}\n${text.slice(to)}`
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
  const rows = (operations as readonly OperationRow[]).map(({ id, method, path, summary, permission }) =>
    row(`\`${id}\``, `${method} \`${path}\``, permission ?? '', summary),
  )
  const head = '| operation | route | permission | |\n|---|---|---|---|'
  return `# Operations\n\nGenerated from the table in \`src/contract/operations.ts\`. These are the names that force rules and the journal use.\n\n${head}\n${rows.join('\n')}\n`
}

function controlPage(): string {
  const rows = [row('call', 'does'), '|---|---|', ...controlTable].join('\n')
  return `# The control API

Generated from its table in \`src/control/rows.ts\`. It is there by every door, and the same things can be done in process.

A call acts on the world that its own \`?scenario=\`, \`x-mock-scenario\` or cookie names, else on the one that the session is
switched to; \`x-mock-session\` chooses the session. Answers: 200 with the new state of what was asked for, 201 for a rule
that was made, 204 for DELETE and reset, 4xx with \`x-mock-error\` and a code for a wrong call ([codes](errors.md)).

${rows}

Beside it: GET \`/__mock/\` is the panel, GET \`/__mock/health\` says that it runs, GET \`/__mock/events\` streams each journal entry and
each switch as server-sent events, GET \`/__mock/use/:scenario?redirect=/path\` is the QA link, GET \`/__mock/openapi.json\`
the OpenAPI document.

## A force rule

\`{ operation, status?, error?: { permission?, environment?, message? }, body?, headers?, delay?, fault?, after?, times? }\`

\`operation\` is an [operation's id](operations.md) or \`*\`. The newest rule that applies answers, before every check. \`after\` lets so many
requests pass, \`times\` ends it after so many. \`delay\` is in milliseconds; a rule with nothing else only delays. \`fault\` is \`reset\`
(the connection breaks), \`hang\` (no answer comes), \`truncate\` (it breaks off) or \`malformed\` (it is not JSON). A forced answer
carries \`x-mock-forced\`.
`
}

function errorsPage(): string {
  const service = Object.values(profiles.documented.errors.table).map(({ status, name }) =>
    row(`\`${name}\``, String(status)),
  )
  return `# Errors

Generated from \`src/contract/profile-documented.ts\` and \`src/contract/mock-errors.ts\`.

## The service's

\`{ id, name, message }\`, and for a 400 \`details: [{ message, path }]\` with every fault found. Names as in the profile \`documented\`.

| name | status |
|---|---|
${[...new Set(service)].join('\n')}

## The kit's own

They carry \`x-mock-error: CODE\` and \`{ name: "MockError", code, message, hint }\`; in process they are thrown as a \`MockError\`.

${[row('code', 'status', 'meaning'), '|---|---|---|', ...codeRows].join('\n')}
`
}
