// Generates the parts of the documentation that come from the tables: `npm run docs`. A test keeps the files up to date.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { headingsByName, scenarios } from '../scenarios/index.js'
import { controlRows } from '../src/engine/control/rows.js'
import { mockErrors } from '../src/engine/errors/mock-errors.js'
import { kindsByStatus } from '../src/engine/http/forced.js'
import type { ForceRule } from '../src/engine/scenarios/force-rule.js'
import type { Scenario } from '../src/engine/scenarios/scenario.js'
import { flagTable } from '../src/entries/cli/flags.js'
import { serviceVariables } from '../src/entries/cli/service-variables.js'
import { type OperationRow, operations } from '../src/service/api/operations.js'
import { profiles } from '../src/service/contract/profiles.js'
import { agentsPage } from './agents.js'
import { commandLineTables } from './command-line.js'
import { coverageLists } from './coverage.js'
import { comparisons, differencesByReason } from './differences.js'
import { entryPoints } from './entry-points.js'
import { givenTypes } from './given-types.js'
import { limitsTable } from './limits.js'
import { llmsPage } from './llms.js'
import { matrixPage } from './matrix.js'
import { describeError, profileTables } from './profiles.js'
import { table } from './table.js'

/** A file of the documentation, with the text that it should contain. */
export interface Page {
  path: string
  text: string
}

/** The scenarios in the README. */
const LOOKED_FOR_FIRST = ['default', 'empty', 'expired-token', 'missing-permission', 'unsupported-content-type']

const controlTable = table(
  ['call', 'purpose'],
  controlRows.map(({ method, path, summary }) => [`${method} \`${path}\``, summary]),
)
const codeTable = table(
  ['code', 'status', 'meaning'],
  Object.entries(mockErrors).map(([code, { status, meaning }]) => [`\`${code}\``, String(status), meaning]),
)

const variablesTable = table(
  ['variable', 'meaning', 'option'],
  Object.entries(serviceVariables).map(([name, { means, flag }]) => [
    `\`${name}\``,
    means,
    flag === undefined ? '–' : `\`${flagTable[flag].usage.replace(/^-\w, | <.*/g, '')}\``,
  ]),
)

/** All pages that are generated, wholly or in part. The handwritten parts are read from the root folder. */
export function pages(root: string): Page[] {
  return [
    filled(root, 'README.md', { scenarios: scenarioTable(LOOKED_FOR_FIRST) }),
    filled(root, 'docs/profiles.md', profileTables(root)),
    filled(root, 'docs/fidelity.md', coverageLists(root)),
    filled(root, 'docs/replace-unleash.md', { variables: variablesTable }),
    filled(root, 'docs/command-line.md', commandLineTables()),
    filled(root, 'docs/entry-points.md', { 'entry-points': entryPoints(root) }),
    filled(root, 'docs/limits.md', { limits: limitsTable }),
    { path: 'docs/scenarios.md', text: scenariosPage() },
    filled(root, 'docs/differences.md', { differences: differencesByReason() }),
    filled(root, 'docs/operations.md', { operations: listOfOperations(root) }),
    filled(root, 'docs/control-api.md', { calls: controlTable }),
    filled(root, 'docs/errors.md', { names: namesOfErrors(), codes: codeTable }),
    agentsPage(root),
    llmsPage(root),
    { path: 'test/matrix.md', text: matrixPage(root) },
    { path: 'src/engine/state/partial-state.ts', text: givenTypes() },
    { path: 'src/engine/scenarios/built-in.ts', text: namesOfScenarios() },
  ]
}

export function writePages(root: string): void {
  for (const { path, text } of pages(root)) writeFileSync(join(root, path), text)
}

function scenarioTable(names: readonly string[]): string {
  const listed = scenarios.filter(({ name }) => names.includes(name))
  const rows = listed.map(({ name, promise }) => [`\`${name}\``, promise])
  return table(['scenario', 'description'], rows)
}

/** A handwritten page, with generated tables between `<!-- name -->` and `<!-- /name -->`. */
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

function namesOfScenarios(): string {
  const lines = [...headingsByName].map(([name, heading]) => {
    const key = /^\w+$/.test(name) ? name : `'${name}'`
    return `  ${key}: '${heading}',\n`
  })
  return `// Generated from scenarios/index.ts by \`npm run docs\`.

/** The panel's heading of each built-in scenario. */
export const headings = {
${lines.join('')}} as const

/** The name of a built-in scenario. */
export type BuiltInScenario = keyof typeof headings
`
}

function scenariosPage(): string {
  return `# Scenarios

Generated from \`scenarios/index.ts\`. A scenario is seeded data together with rules. Tests check the description of each scenario on
every transport. [Write your own scenario](seed-data.md#write-a-scenario), or see [how several scenarios combine](#combine-scenarios).

${scenarios.map(scenarioSection).join('\n\n')}

## The error of each scenario in each profile

Scenarios that force an error send the error of the active [profile](profiles.md).

${table(['scenario', '`documented`', '`unleash-8`'], scenarios.flatMap(errorsOfScenario))}

## Combine scenarios

\`?scenario=empty,slow\` combines scenarios from left to right. Records of a later scenario extend or replace those of an earlier one, and
[its rules win](simulate-errors.md#which-rule-wins). A combination is rejected with \`INVALID_STATE\` if a later scenario refers to a record
that an earlier one left out: \`empty,expired-token\` has no \`live-invite\` to expire.
`
}

function scenarioSection({ name, title, promise, extends: base, force, latency, generate }: Scenario): string {
  const facts = [
    base === undefined ? [] : [`Extends \`${base}\`.`],
    overriddenBy(force ?? []),
    latency === undefined ? [] : [`Every response takes ${JSON.stringify(latency)} ms.`],
    generate === undefined ? [] : [`Generates ${generate.features} flags.`],
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

/** A promise lists up to this many operations. */
const FEW_OPERATIONS = 10

/** One sentence per rule, with its operations. */
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

function listOfOperations(root: string): string {
  const comparison = comparisons(root)
  const lines = (operations as readonly OperationRow[]).map(({ id, method, path, permission }) => {
    const needed = [permission ?? []].flat().join('/')
    return `- \`${id}\`: ${method} \`${path}\`${needed && ` (${needed})`}${comparison(id)}`
  })
  return lines.join('\n')
}

/** The names of Unleash's errors, each with its status. */
function namesOfErrors(): string {
  const names = Object.values(profiles.documented.errors.table).map(({ status, name }) => [name, status] as const)
  return table(
    ['name', 'status'],
    [...new Map(names)].map(([name, status]) => [`\`${name}\``, String(status)]),
  )
}
