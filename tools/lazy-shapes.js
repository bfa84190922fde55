// Shapes on first use (decisions/0018): in the bundle, `z.object({ … })` makes its fields when they are first read. Most are
// never read by a start, which takes a sixth less processor time for it: import and first mock 175 ms instead of 208.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseAst } from 'rolldown/parseAst'

const HELPER = join(import.meta.dirname, 'lazy-object.js')
const KINDS = ['object', 'strictObject', 'looseObject']

/** For esbuild: rewrites the sources, each in its own lines. */
export const lazyShapes = {
  name: 'lazy-shapes',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8')
      return { contents: text.includes("import * as z from 'zod'") ? withLazyShapes(text, path) : text, loader: 'ts' }
    })
  },
}

function withLazyShapes(text, path) {
  const edits = calls(parseAst(text, { lang: 'ts' }, path)).flatMap(({ start, end, callee, arguments: [shape] }) => [
    { from: start, to: shape.start, code: `lazyObject('${callee.property.name}', () => (` },
    { from: shape.end, to: end, code: '))' },
  ])
  if (edits.length === 0) return text
  let at = 0
  let code = ''
  for (const edit of edits.toSorted((one, other) => one.from - other.from)) {
    code += text.slice(at, edit.from) + edit.code
    at = edit.to
  }
  return `${code}${text.slice(at)}\nimport { lazyObject } from ${JSON.stringify(HELPER)}\n`
}

/** The calls in a syntax tree that make an object's schema of a shape alone. */
function calls(node) {
  if (node === null || typeof node !== 'object') return []
  const inner = Object.values(node).flatMap(calls)
  return isObjectCall(node) ? [node, ...inner] : inner
}

function isObjectCall({ type, callee, arguments: given }) {
  if (type !== 'CallExpression' || callee.object?.name !== 'z' || !KINDS.includes(callee.property.name)) return false
  return given.length === 1 && given[0].type === 'ObjectExpression'
}
