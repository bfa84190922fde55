import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { servicePaths } from '../docs/coverage.js'
import { type OperationRow, operations } from '../src/service/api/operations.js'
import { root } from './support/markdown.js'

const documented = servicePaths(root)

/** A path with unnamed parameters, so that their names don't matter. */
function shape(path: string): string {
  return path.replaceAll(/\{[^}]+\}|:\w+/g, '{}')
}

it('every path of Unleash’s own document is modelled', () => {
  const modelled = new Set(operations.map(({ path }) => shape(path)))
  const paths = Object.keys(documented)
  expect(paths.length).toBeGreaterThan(100)
  expect(paths.filter((path) => !modelled.has(shape(path)))).toEqual([])
})

it('operations have the IDs, methods and paths of Unleash’s own document', () => {
  const known = Object.entries(documented).flatMap(([path, ids]) =>
    Object.entries(ids).map(([method, id]) => ({ id, route: `${method} ${shape(path)}` })),
  )
  const rows = (operations as readonly OperationRow[]).map(({ id, method, path }) => ({
    id,
    route: `${method} ${shape(path)}`,
  }))
  const strays = rows.filter((row) => {
    const named = known.find(({ id }) => id === row.id)
    return named === undefined ? known.some(({ route }) => route === row.route) : named.route !== row.route
  })
  expect(strays).toEqual([])
})

const folder = join(root, 'test/conformance')
const suites = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => readFileSync(join(folder, file), 'utf8'))

it('every operation is named in a suite: all words of its path, and its method', () => {
  const unnamed = (operations as readonly OperationRow[]).filter(({ method, path }) => {
    const words = path.split('/').filter((word) => word !== '' && !word.startsWith(':'))
    const named = [...words, ...(method === 'GET' ? [] : [`'${method}'`])]
    return !suites.some((suite) => named.every((word) => suite.includes(word)))
  })
  expect(unnamed.map(({ id }) => id)).toEqual([])
})
