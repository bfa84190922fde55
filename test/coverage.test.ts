import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type OperationRow, operations } from '../src/contract/operations.js'

/** Every path of the service's own OpenAPI document: method → operation id. */
const servicePaths = JSON.parse(
  readFileSync(join(import.meta.dirname, '../docs/service-paths.json'), 'utf8'),
) as Record<string, Record<string, string>>

/** A path with its parameters unnamed, so that they may go by other names. */
function shape(path: string): string {
  return path.replaceAll(/\{[^}]+\}|:\w+/g, '{}')
}

it('lists every path of the document', () => {
  expect(Object.keys(servicePaths)).toHaveLength(162)
})

it('calls operations by the ids of the document, at their method and path', () => {
  const known = Object.entries(servicePaths).flatMap(([path, ids]) =>
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
