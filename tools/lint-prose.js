// Part of `npm run lint`: finds words and phrases in pages, messages and help texts that aren't plain English.
import { execSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'rolldown/parseAst'

const root = join(import.meta.dirname, '..')

/** Each pattern, with the words to use instead. */
const RULES = [
  [/\bwhat (is|was|were|it|they|comes|came|stays|stands)\b|\bthat there (is|are)\b/, 'the noun that is meant'],
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
]

/** The text of a page, without code and without the names of tests, which SECURITY.md quotes. */
function phrasesOfPage(page) {
  const code = /^(`{3,}|~{3,})[\s\S]*?^\1|<!--[\s\S]*?-->|`[^`\n]+`: "[^"\n]*"|`[^`]*`|\]\([^)]*\)/gm
  return [[0, page.replace(code, (text) => text.replace(/[^\n]/g, ' '))]]
}

/** The texts of more than one word in a source file, each with its position. */
function phrasesOfSource(source, file) {
  const found = []
  const visit = (node) => {
    if (node === null || typeof node !== 'object') return
    const isText = node.type === 'TemplateElement' || node.type === 'JSXText' || typeof node.value === 'string'
    const text = isText ? source.slice(node.start, node.end).trim() : ''
    if (text.includes(' ')) found.push([node.start, text])
    Object.values(node).forEach(visit)
  }
  visit(parseAst(source, { lang: file.endsWith('x') ? 'tsx' : 'ts' }, file).body)
  return found
}

const files = execSync('git ls-files "*.md" "src/*.ts" "src/*.tsx" "scenarios/*.ts"', { cwd: root, encoding: 'utf8' })
const judged = /^(?!decisions|test|bench|CHANGELOG|.*panel\/client).+/gm
const findings = (files.match(judged) ?? []).flatMap((file) => {
  const text = readFileSync(join(root, file), 'utf8')
  const phrases = file.endsWith('.md') ? phrasesOfPage(text) : phrasesOfSource(text, file)
  return phrases.flatMap(([start, phrase]) =>
    RULES.flatMap(([pattern, instead]) => {
      const at = phrase.search(pattern)
      const line = text.slice(0, start + at).split('\n').length
      return at < 0 ? [] : [`${file}:${line} "${pattern.exec(phrase)?.[0]}": write ${instead}\n`]
    }),
  )
})
process.stdout.write(findings.join(''))
process.exitCode = findings.length === 0 ? 0 : 1
