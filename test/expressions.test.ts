import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { analyse } from 'scslre'
import { expect, it } from 'vitest'

interface Literal {
  pattern: string
  flags: string
}

const root = join(import.meta.dirname, '..')

/** The only files that compile expressions at run time: from our own text, or only to see whether it is one. */
const COMPILERS = [
  'src/remote/people.ts',
  'src/resources/projects/projects.ts',
  'src/sessions/redact.ts',
  'src/support/filters.ts',
]

const texts = ['src', 'scenarios']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'))
      .map((file) => join(folder, file)),
  )
  .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))

/** Every expression that is written in the code, with its file. */
const literals = texts.flatMap(({ file, text }) =>
  literalsIn(parseAst(text, { lang: file.endsWith('x') ? 'tsx' : 'ts' })).map((literal) => ({ file, ...literal })),
)

function literalsIn(node: unknown): Literal[] {
  if (typeof node !== 'object' || node === null) return []
  const own = 'regex' in node && node.regex ? [node.regex as Literal] : []
  return [...own, ...Object.values(node).flatMap(literalsIn)]
}

it('the expressions that these tests judge are found', () => {
  expect(literals.length).toBeGreaterThan(50)
  expect(slow({ pattern: '(a+)+$', flags: '' })).toBe(true)
  expect(slow({ pattern: '\\s*,', flags: '' })).toBe(true)
})

it('no expression in the code takes more than linear time on any text', () => {
  const bad = literals.filter(slow).map(({ file, pattern, flags }) => `${file}: /${pattern}/${flags}`)
  expect(bad).toEqual([])
})

it('text from outside is compiled by the linear engine', () => {
  const compilers = texts.filter(({ text }) => /\bRegExp\(/.test(text)).map(({ file }) => file)
  expect(compilers.toSorted()).toEqual(COMPILERS.toSorted())
})

/** Whether an expression can backtrack, or start again, so often that its time grows faster than the text. */
function slow({ pattern, flags }: Literal): boolean {
  return analyse({ source: pattern, flags }, { maxReports: 1 }).reports.length > 0
}
