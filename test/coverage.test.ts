import { expect, it } from 'vitest'
import { type OperationRow, operations } from '../src/api/operations.js'
import { coveragePage, servicePaths } from './support/coverage-page.js'

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

it('keeps docs/coverage.md in step with the table', async () => {
  await expect(coveragePage()).toMatchFileSnapshot('../docs/coverage.md')
})
