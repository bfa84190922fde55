import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { expect, it } from 'vitest'
import { mockErrors } from '../src/engine/errors/mock-errors.js'
import { documentedErrors } from '../src/service/contract/errors.js'

const root = join(import.meta.dirname, '..')

/** The layers, lowest first. A file can import from its own layer and from those above it in this list. */
const layers = [
  ['src/version.ts', 'package.json', 'src/support/'],
  ['src/service/evaluation/'],
  ['src/service/contract/'],
  ['src/service/store/'],
  ['src/service/resources/'],
  ['src/service/api/'],
  ['src/engine/errors/'],
  ['src/engine/state/'],
  ['src/engine/transfer/', 'src/engine/scenarios/', 'fixtures/'],
  ['src/engine/generate/', 'scenarios/'],
  ['src/engine/sessions/'],
  ['src/engine/http/'],
  ['src/engine/data/'],
  ['src/engine/mock/'],
  ['src/engine/control/'],
  ['src/engine/persistence/'],
  ['src/panel/'],
  ['src/entries/files/'],
  ['src/entries/adapters/', 'src/entries/remote/'],
  ['src/entries/cli/', 'src/index.ts'],
]

/** The only files that can import a package. */
const owners: Record<string, string[]> = {
  '@msw/data': ['src/engine/data/'],
  hono: [
    'src/engine/http/',
    'src/engine/control/',
    'src/panel/',
    'src/entries/adapters/node/',
    'src/support/cookie.ts',
  ],
  '@hono/node-server': ['src/entries/adapters/node'],
  preact: ['src/panel/'],
  msw: ['src/entries/adapters/msw', 'src/entries/adapters/browser', 'src/entries/adapters/vitest'],
  vitest: ['src/entries/adapters/vitest'],
  '@playwright/test': ['src/entries/adapters/playwright.ts'],
  vite: ['src/entries/adapters/vite'],
  'node:': [
    'src/entries/adapters/node',
    'src/entries/adapters/playwright.ts',
    'src/entries/adapters/vite',
    'src/entries/adapters/jest',
    'src/entries/files/',
    'src/entries/cli/',
  ],
  '@faker-js/faker': ['src/engine/generate/'],
  commander: ['src/entries/cli/'],
  'cross-spawn': ['src/entries/cli/exec.ts'],
  re2js: ['src/support/linear-expression.ts'],
}

interface Import {
  from: string
  to: string
  kind: 'value' | 'type' | 'dynamic'
}

function sourceFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => join(folder, file))
}

const texts = new Map(
  [...sourceFiles('src'), ...sourceFiles('scenarios')].map((file) => [file, readFileSync(join(root, file), 'utf8')]),
)
const files = [...texts.keys()]

/** A file's text, without its comments. */
function codeOf(file: string): string {
  return (texts.get(file) ?? '').replaceAll(/^\s*(\/\*\*|\*|\/\/).*$/gm, '')
}

const STATEMENT = /^(?:import|export)\b(?<type> type\b)?[^'"();=]*?(?:\bfrom )?'(?<path>[^']+)'/gm
const CALL = /\bimport\(\s*'(?<path>[^']+)'/g

function importsOf(file: string): Import[] {
  const resolve = (path: string) =>
    path.startsWith('.') ? existing(normalize(join(dirname(file), path)).replace(/\.js$/, '.ts')) : path
  const statements = [...codeOf(file).matchAll(STATEMENT)].map(({ groups = {} }) => ({
    from: file,
    to: resolve(groups.path ?? ''),
    kind: groups.type === undefined ? ('value' as const) : ('type' as const),
  }))
  const calls = [...codeOf(file).matchAll(CALL)].map(({ groups = {} }) => ({
    from: file,
    to: resolve(groups.path ?? ''),
    kind: 'dynamic' as const,
  }))
  return [...statements, ...calls]
}

/** A module of the panel's page is a `.tsx` file. */
function existing(path: string): string {
  return !texts.has(path) && texts.has(`${path}x`) ? `${path}x` : path
}

const imports = files.flatMap(importsOf)

function arrow({ from, to }: Pick<Import, 'from' | 'to'>): string {
  return `${from} → ${to}`
}

function layerOf(path: string): number {
  return layers.findIndex((prefixes) => prefixes.some((prefix) => path.startsWith(prefix)))
}

it('finds the imports that it checks', () => {
  expect(files.length).toBeGreaterThan(50)
  const found = imports.map(({ kind, ...one }) => `${kind}: ${arrow(one)}`)
  expect(found).toContain('value: src/service/api/openapi.ts → src/service/api/operations.ts')
  expect(found).toContain('type: src/service/contract/profile.ts → src/service/contract/errors.ts')
  expect(found).toContain('dynamic: src/entries/cli/program.ts → src/entries/cli/start.ts')
  const mentioned = files.flatMap((file) => codeOf(file).match(/\bfrom '/g) ?? [])
  expect(imports.filter(({ kind }) => kind !== 'dynamic').length).toBeGreaterThanOrEqual(mentioned.length)
})

it('every source file belongs to a layer', () => {
  expect(files.filter((file) => layerOf(file) === -1)).toEqual([])
})

it('a file imports only from its own layer and from lower ones', () => {
  const inner = imports.filter(({ to, kind }) => /^(src|scenarios|fixtures)\//.test(to) && kind !== 'dynamic')
  expect(inner.filter(({ from, to }) => layerOf(to) > layerOf(from)).map(arrow)).toEqual([])
})

it('the service names none of the errors of flagdouble itself', () => {
  const names = new RegExp(`\\bMockError\\b|'(?:${Object.keys(mockErrors).join('|')})'`)
  const inService = files.filter((file) => file.startsWith('src/service/'))
  expect(inService.filter((file) => names.test(codeOf(file)))).toEqual([])
})

it('no code reads `z.core` when it runs: the bundle would contain all of zod, with its messages in every language', () => {
  const read = /\binstanceof z\.core\.|\bz\.core\.\w+\(/
  expect(files.filter((file) => read.test(codeOf(file)))).toEqual([])
})

it('the shapes of the service wait until they are read: a start needs few of them', () => {
  const early = /^(export )?const \w+ = z\.(object|strictObject)\(/m
  expect(files.filter((file) => file.startsWith('src/service/resources/') && early.test(codeOf(file)))).toEqual([])
})

it('a package is imported only by the files that own it', () => {
  const strays = imports.filter(({ from, to }) =>
    Object.entries(owners).some(
      ([name, allowed]) =>
        (to === name || to.startsWith(name.endsWith(':') ? name : `${name}/`)) &&
        !allowed.some((prefix) => from.startsWith(prefix)),
    ),
  )
  expect(strays.map(arrow)).toEqual([])
})

it('generated data is loaded by dynamic import only', () => {
  const loaded = imports.filter(
    ({ from, to, kind }) =>
      kind === 'value' && to.startsWith('src/engine/generate/') && !from.startsWith('src/engine/generate/'),
  )
  expect(loaded.map(arrow)).toEqual([])
})

/** The circles of imports of these kinds among files, each as a path back to its start. */
function circles(kinds: readonly Import['kind'][]): string[] {
  const found: string[] = []
  const done = new Set<string>()
  const visit = (file: string, path: string[]): void => {
    if (path.includes(file)) found.push([...path.slice(path.indexOf(file)), file].join(' → '))
    if (done.has(file) || path.includes(file)) return
    for (const { to, kind } of importsOf(file)) {
      if (kinds.includes(kind) && texts.has(to)) visit(to, [...path, file])
    }
    done.add(file)
  }
  for (const file of files) visit(file, [])
  return found
}

it('no files import each other in a circle, including imports of types', () => {
  expect(circles(['value', 'type'])).toEqual([])
})

it('only src/support reads the time or draws random numbers', () => {
  const reads = /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bperformance\.now\(|\brandomUUID\(|\bgetRandomValues\(/
  expect(files.filter((file) => !file.startsWith('src/support/') && reads.test(codeOf(file)))).toEqual([])
})

it('only src/service/contract/profile* checks which profile is active', () => {
  const asks = /profile(\.name)?\s*(===|!==)\s*'|===\s*profiles\./
  expect(files.filter((file) => !file.startsWith('src/service/contract/profile') && asks.test(codeOf(file)))).toEqual(
    [],
  )
})

interface Node {
  type: string
  start: number
  end: number
  id?: { name: string }
  returnType?: Node
  left?: Node
  right?: Node
  consequent?: Node
  alternate?: Node
  callee?: Node
  expression?: Node
  argument?: Node
}

/** The nodes of a tree that are of these types. */
function nodesIn(tree: unknown, ...types: string[]): Node[] {
  if (typeof tree !== 'object' || tree === null) return []
  const own = types.includes((tree as Node).type) ? [tree as Node] : []
  return [...own, ...Object.values(tree).flatMap((part) => nodesIn(part, ...types))]
}

/** The functions whose result is an expression's value. */
function calledBy({ left, right, consequent, alternate, callee }: Node): Node[] {
  const parts = [left, right, consequent, alternate].filter((part) => part !== undefined)
  return callee === undefined ? parts.flatMap(calledBy) : [callee]
}

it('no function of the service ignores a failure that another returns, or throws it', () => {
  const service = files.filter((file) => file.startsWith('src/service/'))
  const trees = service.map((file) => ({
    file,
    text: texts.get(file) ?? '',
    tree: parseAst(texts.get(file) ?? '', { lang: 'ts' }),
  }))
  const failing = trees.flatMap(({ text, tree }) =>
    nodesIn(tree, 'FunctionDeclaration').flatMap(({ id, returnType }) =>
      /^: (Failure|Outcome)\b/.test(text.slice(returnType?.start, returnType?.end)) ? (id?.name ?? []) : [],
    ),
  )
  expect(failing).toEqual(expect.arrayContaining(['badData', 'checkNameIsFree', 'checkSwitchable']))
  const found = trees.flatMap(({ file, text, tree }) =>
    nodesIn(tree, 'ExpressionStatement', 'ThrowStatement')
      .flatMap(({ expression, argument }) => calledBy(expression ?? (argument as Node)))
      .map(({ start, end }) => text.slice(start, end))
      .filter((name) => failing.includes(name) || name.endsWith('.check'))
      .map((name) => `${file}: ${name}`),
  )
  expect(found).toEqual([])
})

it('every kind of error is used', () => {
  // The tables name the kinds without quotes.
  const code = files.filter((file) => !file.startsWith('src/service/contract/profile')).map(codeOf)
  const isUsed = (kind: string) => code.some((text) => text.includes(`'${kind}'`))
  expect(Object.keys(documentedErrors).filter((kind) => !isUsed(kind))).toEqual([])
})

/** The names that several files declare and export, or only declare, each with its files. */
function twins(kinds: string, exported = 'export '): string[] {
  const declaration = new RegExp(`^${exported}(?:declare |abstract )*(?:${kinds}) (?<name>\\w+)`, 'gm')
  const places = new Map<string, Set<string>>()
  for (const file of files) {
    for (const { groups = {} } of codeOf(file).matchAll(declaration)) {
      const { name = '' } = groups
      places.set(name, (places.get(name) ?? new Set()).add(file))
    }
  }
  expect(places.size).toBeGreaterThan(50)
  return [...places].filter(([, at]) => at.size > 1).map(([name, at]) => `${name}: ${[...at].join(', ')}`)
}

it('no two types have the same name, exported or not', () => {
  expect(twins('type|interface|class', '(?:export )?')).toEqual([])
})

it('no two exported functions have the same name', () => {
  expect(twins('(?:async )?function')).toEqual([])
})

it('no two functions of a folder have the same name, exported or not', () => {
  const declaration = /^(?:export )?(?:async )?function\*? (?<name>\w+)/gm
  const places = new Map<string, Set<string>>()
  for (const file of files) {
    for (const { groups = {} } of codeOf(file).matchAll(declaration)) {
      const place = join(dirname(file), groups.name ?? '')
      places.set(place, (places.get(place) ?? new Set()).add(file))
    }
  }
  expect(places.size).toBeGreaterThan(1000)
  const shared = [...places].filter(([, at]) => at.size > 1)
  expect(shared.map(([place, at]) => `${place}: ${[...at].join(', ')}`)).toEqual([])
})

it('no export has a second name', () => {
  const renamed = /^export (?:type )?\{[^}]*\bas (?!default\b)\w/m
  expect(files.filter((file) => renamed.test(codeOf(file)))).toEqual([])
})

it('no two exported constants have the same name, except for the public ones of the entry points', () => {
  const wanted = [
    'scenarioSchema: src/index.ts, src/engine/scenarios/scenario.ts',
    'stateSchema: src/index.ts, src/engine/state/state.ts',
    'test: src/entries/adapters/playwright.ts, src/entries/adapters/vitest.ts',
  ]
  expect(twins('const').sort()).toEqual(wanted)
})
