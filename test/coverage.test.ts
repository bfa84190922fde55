import { expect, it } from 'vitest'
import { type OperationRow, operations } from '../src/api/operations.js'
import { isServicePath } from '../src/api/service-paths.js'
import { coveragePage, servicePaths } from './support/coverage-page.js'

/** A path with its parameters unnamed, so that they may go by other names. */
function shape(path: string): string {
  return path.replaceAll(/\{[^}]+\}|:\w+/g, '{}')
}

/** Whether the list of the service's paths has a path of this form. */
function isListed(path: string): boolean {
  return Object.keys(servicePaths).some((known) =>
    new RegExp(`^${known.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`).test(path),
  )
}

it('the code knows exactly the paths of docs/service-paths.json', () => {
  const paths = Object.keys(servicePaths).map((path) => path.replaceAll(/\{[^}]+\}/g, 'anything'))
  const beginnings = paths.flatMap((path) => path.split('/').map((_, end, parts) => parts.slice(0, end).join('/')))
  const longer = paths.map((path) => `${path}/more`)
  const asked = new Set([...paths, ...beginnings, ...longer].filter((path) => path !== ''))
  expect(paths.length).toBeGreaterThan(100)
  expect([...asked].filter((path) => isServicePath(path) !== isListed(path))).toEqual([])
})

it('operations have the ids, methods and paths of the service’s own document', () => {
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

it('docs/coverage.md is in step with the table of operations', async () => {
  await expect(coveragePage()).toMatchFileSnapshot('../docs/coverage.md')
})
