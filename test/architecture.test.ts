import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')

/** The layers, lowest first. A file may import its own layer and those above it in this list. */
const layers = [
  ['src/version.ts', 'package.json', 'src/support/'],
  ['src/evaluation/'],
  ['src/contract/errors.ts', 'src/contract/mock-errors.ts', 'src/contract/permissions.ts', 'src/contract/profile'],
  ['src/contract/operation.ts', 'src/contract/status-text.ts'],
  ['src/resources/'],
  ['src/contract/operations.ts', 'src/contract/openapi.ts', 'src/contract/service-paths.ts'],
  ['src/store/'],
  ['src/scenarios/', 'fixtures/'],
  ['src/generate/', 'scenarios/'],
  ['src/sessions/'],
  ['src/http/'],
  ['src/control/'],
  ['src/mock-options.ts'],
  ['src/mock.ts'],
  ['src/doors/'],
  ['src/cli/', 'src/index.ts'],
]

/** Who alone may import a package. Types count too, but for zod's and hono's. */
const owners: Record<string, string[]> = {
  '@msw/data': ['src/store/'],
  hono: ['src/http/', 'src/control/', 'src/support/cookie.ts'],
  '@hono/node-server': ['src/doors/node'],
  msw: ['src/doors/msw.ts', 'src/doors/browser', 'src/doors/vitest'],
  vitest: ['src/doors/vitest'],
  '@playwright/test': ['src/doors/playwright.ts'],
  'node:': ['src/doors/node', 'src/doors/playwright.ts', 'src/cli/'],
  '@faker-js/faker': ['src/generate/'],
  commander: ['src/cli/'],
}

interface Import {
  from: string
  to: string
  dynamic: boolean
}

function sourceFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => join(folder, file))
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8').replaceAll(/^\s*\*.*$/gm, '')
  const found = text.matchAll(/(?:\bfrom\s+|\bimport\s+|\bimport\s*(\()\s*)'([^']+)'/g)
  return [...found].map(([, parenthesis, specifier = '']) => ({
    from: file,
    to: specifier.startsWith('.') ? normalize(join(dirname(file), specifier)).replace(/\.js$/, '.ts') : specifier,
    dynamic: parenthesis !== undefined,
  }))
}

function layerOf(path: string): number {
  return layers.findIndex((prefixes) => prefixes.some((prefix) => path.startsWith(prefix)))
}

const files = [...sourceFiles('src'), ...sourceFiles('scenarios')]
const imports = files.flatMap(importsOf)

it('finds the imports that it judges', () => {
  expect(files.length).toBeGreaterThan(50)
  expect(imports).toContainEqual({
    from: 'src/http/app.ts',
    to: 'src/contract/operations.ts',
    dynamic: false,
  })
})

it('gives every file a layer', () => {
  expect(files.filter((file) => layerOf(file) === -1)).toEqual([])
})

it('lets a file import only its own layer and lower ones', () => {
  const inner = imports.filter(({ to, dynamic }) => /^(src|scenarios|fixtures)\//.test(to) && !dynamic)
  expect(inner.filter(({ from, to }) => layerOf(to) > layerOf(from))).toEqual([])
})

it('keeps every package with those that may import it', () => {
  const strays = imports.filter(({ from, to }) =>
    Object.entries(owners).some(
      ([name, allowed]) =>
        (to === name || to.startsWith(name.endsWith(':') ? name : `${name}/`)) &&
        !allowed.some((prefix) => from.startsWith(prefix)),
    ),
  )
  expect(strays).toEqual([])
})

it('loads what is large by dynamic import only', () => {
  const loaded = imports.filter(({ to, dynamic }) => !dynamic && /^src\/generate\//.test(to))
  expect(loaded).toEqual([])
})

it('has no circles', () => {
  const graph = new Map(files.map((file) => [file, imports.filter(({ from, dynamic }) => from === file && !dynamic)]))
  const circles: string[] = []
  const done = new Set<string>()
  const visit = (file: string, path: string[]): void => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' → '))
    if (done.has(file) || path.includes(file)) return
    for (const { to } of graph.get(file) ?? []) visit(to, [...path, file])
    done.add(file)
  }
  for (const file of files) visit(file, [])
  expect(circles).toEqual([])
})

it('leaves time and chance to src/support', () => {
  const readers = files.filter(
    (file) =>
      !file.startsWith('src/support/') &&
      /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bperformance\.now\(|\brandomUUID\(|\bgetRandomValues\(/.test(
        readFileSync(join(root, file), 'utf8'),
      ),
  )
  expect(readers).toEqual([])
})

it('asks nowhere but in contract/profile which profile it is', () => {
  const askers = files.filter(
    (file) =>
      !file.startsWith('src/contract/profile') &&
      /profile(\.name)?\s*(===|!==)\s*'|===\s*profiles\./.test(readFileSync(join(root, file), 'utf8')),
  )
  expect(askers).toEqual([])
})
