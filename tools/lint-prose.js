// Part of `npm run lint`: finds words and phrases in pages, messages and help texts that aren't plain English.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'rolldown/parseAst'

const root = join(import.meta.dirname, '..')

/** Each pattern, with the words to use instead. */
const RULES = [
  [/\bwhat there (is|are|was|were)\b|\b(those|ones?) that there (is|are)\b/i, 'the current …, the existing …'],
  [/\bwhat (is|was|were|it|they|comes|came|stays|stands|matters)\b/, 'the noun that is meant'],
  [/\bas (it|they) (is|are|was|were)\b/i, 'current, unchanged'],
  [/\banswer(s|ed|ing)?\b/i, 'response, respond, match'],
  [/\b(persons?|people|somebody)\b/i, 'user, caller, tester'],
  [/, too\b/i, 'also, including'],
  [/(?<!there )\bis (no|none)\b(?! longer)/i, "isn't a …, invalid"],
  [/\bmay\b(?! not contain)/, 'can, is allowed to'],
  [/\brefus(e[sd]?|ing|als?)\b/i, 'reject'],
  [/(?<!separated )\bby (commas|kind|HTTP|CORS|msw)\b/i, 'comma-separated, by type, over HTTP, via CORS'],
  [/\bof (its|their|your) own\b/i, 'its own …, separate'],
  [/\botherwise than\b|\bsays? otherwise\b/i, 'differs from, unless'],
  [/\bservice's own\b|\b(real|own) service\b/i, "Unleash's, an Unleash instance"],
  [/(?<!at the )\bmoments?\b/i, 'history entry'],
  [
    /\b(kept|keeps|held) (in|by) mind\b|\bnothing of (it|them)\b|\bput aside\b/i,
    'a plain verb: remember, contain, move',
  ],
]

const tracked = (...paths) =>
  execFileSync('git', ['ls-files', ...paths], { cwd: root, encoding: 'utf8' })
    .trim()
    .split('\n')
const read = (file) => readFileSync(join(root, file), 'utf8')
const blank = (text) => text.replace(/[^\n]/g, ' ')

/** A page without code, and without the names of tests, which SECURITY.md quotes. */
function proseOf(page) {
  const code = /^(`{3,}|~{3,})[\s\S]*?^\1|<!--[\s\S]*?-->|`[^`\n]+`: "[^"\n]*"|`[^`]*`|\]\([^)]*\)/gm
  return [[0, page.replace(code, blank)]]
}

/** The phrases in the string literals of a source file, each with its position. */
function phrasesOf(source, file) {
  const found = []
  const visit = (node) => {
    if (Array.isArray(node)) for (const item of node) visit(item)
    else if (node !== null && typeof node === 'object') {
      const isText = node.type === 'TemplateElement' || node.type === 'JSXText' || typeof node.value === 'string'
      if (isText && / /.test(source.slice(node.start, node.end).trim()))
        found.push([node.start, source.slice(node.start, node.end)])
      Object.values(node).forEach(visit)
    }
  }
  visit(parseAst(source, { lang: file.endsWith('x') ? 'tsx' : 'ts' }, file).body)
  return found
}

const pages = tracked('*.md', 'docs/*.md', 'examples/*.md').filter(
  (file) => !/^(decisions|test)\/|CHANGELOG|bench/.test(file),
)
const sources = tracked('src/*.ts', 'src/*.tsx', 'scenarios/*.ts').filter((file) => !file.includes('panel/client'))
const faults = [...pages, ...sources].flatMap((file) => {
  const text = read(file)
  return (file.endsWith('.md') ? proseOf(text) : phrasesOf(text, file)).flatMap(([start, phrase]) =>
    RULES.flatMap(([pattern, instead]) => {
      const match = pattern.exec(phrase)
      const line = text.slice(0, start + (match?.index ?? 0)).split('\n').length
      return match === null ? [] : [`${file}:${line} "${match[0].trim()}": write ${instead}\n`]
    }),
  )
})
process.stdout.write(faults.join(''))
process.exitCode = faults.length === 0 ? 0 : 1
