// Part of `npm run lint`: finds words and phrases in pages, messages, comments and test titles that aren't plain English.
import { execSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { parseAst } from 'rolldown/parseAst'

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
  [/\bby chance\b/i, 'at random, in no fixed order'],
  [/\bbeside\b/i, 'next to, with, compared with, outside'],
  [/(?<!^\/[*/][\s\S]*)\b(an?|other|each|any) texts?\b/i, 'a string, characters, a response; comments can say it'],
  [/\bhere and there\b/i, 'in the mock and in Unleash'],
  [/\bends? the start\b|\bare as at the start\b/i, 'exits, is reset'],
  [/\bin vain\b/i, 'without a result'],
  [/\b(said|told|tried) with\b/i, 'suggested, tested with'],
]

/** The text of a page, without code and without the test titles in SECURITY.md. */
function phrasesOfPage(page) {
  const code = /^(`{3,}|~{3,})[\s\S]*?^\1|<!--[\s\S]*?-->|`[^`\n]+`: "[^"\n]*"|`[^`]*`|\]\([^)]*\)/gm
  return [[0, page.replace(code, (text) => text.replace(/[^\n]/g, ' '))]]
}

/** The comments and the texts of more than one word in a source file, each with its position. Of tests, only titles. */
function phrasesOfSource(source, file) {
  const hidden = source.replace(/`[^`\n]*`/g, (code) => '`'.repeat(code.length))
  const comments = hidden.matchAll(/\/\*\*[\s\S]*?\*\/|(?<=^|\s)\/\/ .*$/gm)
  const found = Array.from(comments, ({ index, 0: text }) => [index, text])
  const visit = (node) => {
    if (node === null || typeof node !== 'object') return
    const isText = node.type === 'TemplateElement' || node.type === 'JSXText' || typeof node.value === 'string'
    const text = isText ? source.slice(node.start, node.end).trim() : ''
    const isTitle = /\(\s*$/.test(source.slice(0, node.start).slice(-80)) && source[node.end] === ','
    if (text.includes(' ') && (isTitle || !file.startsWith('test'))) found.push([node.start, text])
    Object.values(node).forEach(visit)
  }
  visit(parseAst(source, { lang: file.endsWith('x') ? 'tsx' : 'ts' }, file).body)
  return found
}

/** The texts of more than one word in JSON, and the comments in YAML. */
function phrasesOfData(data) {
  const found = Array.from(data.matchAll(/"(?:[^"\\\n]|\\.)*"|# .*$/gm), ({ index, 0: text }) => [index, text])
  return found.filter(([, text]) => text.includes(' '))
}

function phrasesOf(text, file) {
  if (file.endsWith('.md')) return phrasesOfPage(text)
  return /\.(json|yaml)$/.test(file) ? phrasesOfData(text) : phrasesOfSource(text, file)
}

const folders = ['src', 'scenarios', 'test', 'tools', 'fixtures', 'examples', 'site']
const kinds = ['ts', 'tsx', 'js', 'json']
const patterns = folders.flatMap((folder) => kinds.map((kind) => `"${folder}/*.${kind}"`))
const listed = execSync(`git ls-files "*.md" package.json compose.yaml ${patterns.join(' ')}`).toString()
const findings = (listed.match(/^(?!bench|.*prose|.*(?:lock|tsconfig.*)\.json$).+/gm) ?? []).flatMap((file) => {
  const text = readFileSync(file, 'utf8')
  return phrasesOf(text, file).flatMap(([start, phrase]) =>
    RULES.map(([pattern, instead]) => {
      const { index, 0: words } = pattern.exec(phrase) ?? {}
      return words && `${file}:${text.slice(0, start + index).split('\n').length} "${words}": write ${instead}\n`
    }),
  )
})
process.stdout.write(findings.join(''))
process.exitCode = findings.join('') === '' ? 0 : 1
