// Fills in what the documentation takes from the tables: `npm run docs`. A test keeps the files in step with it.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { scenarios } from '../scenarios/index.js'
import { mockErrors } from '../src/contract/mock-errors.js'
import { type OperationRow, operations } from '../src/contract/operations.js'
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
