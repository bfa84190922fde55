// The lists of docs/fidelity.md: the modelled part of Unleash's own OpenAPI document.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type OperationRow, operations } from '../src/service/api/operations.js'

const rows: readonly OperationRow[] = operations

/** Every path of the OpenAPI document of Unleash 8.2.0: method → operation id. */
export function servicePaths(root: string): Record<string, Record<string, string>> {
  return JSON.parse(readFileSync(join(root, 'docs/service-paths.json'), 'utf8'))
}

type Extent = 'modelled' | 'partly' | 'not modelled'

interface PathCoverage {
  path: string
  extent: Extent
  /** The modelled operations, or the gaps. */
  remark: string
}

/** The number of modelled paths, with the gaps, and the operations that the document lacks. */
export function coverageLists(root: string): Record<string, string> {
  const documented = servicePaths(root)
  const paths = Object.entries(documented).map(([path, ids]) => coverageOf(path, ids))
  const count = (extent: Extent) => paths.filter((path) => path.extent === extent).length
  const known = new Set(Object.values(documented).flatMap((ids) => Object.values(ids)))
  const beside = rows.filter(({ id }) => !known.has(id))
  const gaps = paths.filter(({ extent }) => extent !== 'modelled')
  const counts = `Of ${paths.length} paths, ${count('modelled')} are modelled, ${count('partly')} are partly modelled, and ${count('not modelled')} are not.`
  return {
    coverage: [counts, '', ...gaps.map(({ path, extent, remark }) => `- \`${path}\`, ${extent}: ${remark}`)].join('\n'),
    undocumented: beside.map(({ method, path, id }) => `- ${method} \`${path}\`: ${id}`).join('\n'),
  }
}

function coverageOf(path: string, ids: Readonly<Record<string, string>>): PathCoverage {
  const entries = Object.entries(ids).map(([method, id]) => ({ method, id, row: rows.find((row) => row.id === id) }))
  const missing = entries.filter(({ row }) => row === undefined)
  const modelled = entries.filter(({ row }) => row !== undefined)
  const whole = modelled.filter(({ row }) => row?.leavesOut === undefined).map(({ id }) => id)
  const gaps = entries.flatMap(({ id, row }) => (row?.leavesOut === undefined ? [] : `${id} without ${row.leavesOut}`))
  const without = missing.map(({ method, id }) => `not ${id} (${method})`)
  const extent = modelled.length === 0 ? 'not modelled' : missing.length + gaps.length > 0 ? 'partly' : 'modelled'
  return {
    path,
    extent,
    remark: (extent === 'not modelled' ? Object.values(ids) : [...whole, ...gaps, ...without]).join('; '),
  }
}
