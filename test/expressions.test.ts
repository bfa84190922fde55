import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { analyse } from 'scslre'
import { expect, it } from 'vitest'
import { controlRows } from '../src/engine/control/rows.js'
import { stateSchema } from '../src/engine/state/state.js'
import { isAmbiguous } from './support/ambiguity.js'
import { rows } from './support/requests.js'

interface Literal {
  pattern: string
  flags: string
}

const root = join(import.meta.dirname, '..')

/**
 * The only files that compile expressions at run time: of filters, which are in the schemas below; of fixed texts side by
 * side; or only to check whether a text is an expression.
 */
const COMPILERS = ['src/service/resources/projects/projects.ts', 'src/support/filters.ts']

const texts = ['src', 'scenarios']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'))
      .map((file) => join(folder, file)),
  )
  .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))

/** Every expression in the code, with its file. */
const literals = texts.flatMap(({ file, text }) =>
  literalsIn(parseAst(text, { lang: file.endsWith('x') ? 'tsx' : 'ts' })).map((literal) => ({ file, ...literal })),
)

function literalsIn(node: unknown): Literal[] {
  if (typeof node !== 'object' || node === null) return []
  const own = 'regex' in node && node.regex ? [node.regex as Literal] : []
  return [...own, ...Object.values(node).flatMap(literalsIn)]
}

/** Every expression of a schema for input, compiled from any text. */
const ofSchemas = [
  ...[...rows, ...controlRows].flatMap((row) => [row.body, 'query' in row ? row.query : undefined]),
  stateSchema,
].flatMap((schema) => [...expressionsIn(schema)])

/** The expressions in a schema, which refers to others by its definition, and to lazy ones by a function. */
function* expressionsIn(part: unknown, seen = new Set<unknown>()): Generator<RegExp> {
  if (typeof part !== 'object' || part === null || seen.has(part)) return
  seen.add(part)
  if (part instanceof RegExp) yield part
  else if ('_zod' in part) yield* expressionsIn((part._zod as { def: unknown }).def, seen)
  else {
    for (const [name, value] of Object.entries(part)) {
      yield* expressionsIn(name === 'getter' && typeof value === 'function' ? value() : value, seen)
    }
  }
}

it('the expressions for these tests are found', () => {
  expect(literals.length).toBeGreaterThan(50)
  const sources = ofSchemas.map(({ source }) => source).join('\n')
  expect(sources).toContain('EXCLUDE_IF_ANY_OF')
  expect(sources).toContain('#[0-9A-Fa-f]{6}')
})

it.each(['(a+)+$', '\\s*,', '^.*?(,\\w+)*$', '^(ab)*a?b?(ab)*$'])('%s takes more than linear time', (pattern) => {
  expect(isSlow({ pattern, flags: '' })).toBe(true)
})

it('no expression in the code takes more than linear time on any string', () => {
  const bad = literals.filter(isSlow).map(({ file, pattern, flags }) => `${file}: /${pattern}/${flags}`)
  expect(bad).toEqual([])
})

it('no expression in a schema takes more than linear time on any string', () => {
  const bad = ofSchemas.filter(({ source, flags }) => isSlow({ pattern: source, flags }))
  expect(bad).toEqual([])
})

it('text from outside is compiled by the linear engine', () => {
  const compilers = texts.filter(({ text }) => /\bRegExp\(/.test(text)).map(({ file }) => file)
  expect(compilers.toSorted()).toEqual(COMPILERS.toSorted())
})

/** Whether an expression can backtrack, or start again, so often that its time grows faster than the text. */
function isSlow({ pattern, flags }: Literal): boolean {
  return analyse({ source: pattern, flags }, { maxReports: 1 }).reports.length > 0 || isAmbiguous(pattern, flags)
}
