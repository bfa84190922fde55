// Shapes on first use (decisions/0018): in the bundle, `z.object({ … })` and the schemas derived by `extend`, `pick`,
// `omit` and `partial` build their fields when they are first read. A start reads few, so import and first mock take less
// processor time: 175 ms instead of 208 for the objects, 173 instead of 191 for derived schemas and metadata.
import { join } from 'node:path'
import { parseAst } from 'rolldown/parseAst'

const HELPER = join(import.meta.dirname, 'lazy-object.js')
const KINDS = ['object', 'strictObject', 'looseObject']
const DERIVATIONS = ['extend', 'pick', 'omit', 'partial']

/** A source file, rewritten without moving lines. */
export function withLazyShapes(text, path) {
  const edits = text.includes("import * as z from 'zod'") ? editsIn(parseAst(text, { lang: 'ts' }, path)) : []
  if (edits.length === 0) return text
  let at = 0
  let code = ''
  // The calls of a chain begin at the same place: insertions there belong to the outer calls.
  for (const edit of edits.toSorted((one, other) => one.from - other.from || one.to - other.to)) {
    code += text.slice(at, edit.from) + edit.code
    at = edit.to
  }
  return `${code}${text.slice(at)}\nimport { lazyDerived, lazyObject } from ${JSON.stringify(HELPER)}\n`
}

/** The edits in a syntax tree: `to` is the end of the replaced code. */
function editsIn(node) {
  if (node === null || typeof node !== 'object') return []
  if (isCall(node, ['meta']) && isMaker(node.callee.object)) {
    const { callee, arguments: given } = node
    return [...editsOf(callee.object, given[0], node.end), ...editsIn(given[0])]
  }
  return isMaker(node) ? editsOf(node, undefined, node.end) : Object.values(node).flatMap(editsIn)
}

/** The edits of a call that creates an object's schema, and of its contents. Metadata becomes its last argument. */
function editsOf({ start, callee, arguments: [shape] }, metadata, end) {
  const name = callee.property.name
  const opening = KINDS.includes(name)
    ? [{ from: start, to: shape.start, code: `lazyObject('${name}', () => (` }]
    : [
        { from: start, to: start, code: 'lazyDerived(' },
        { from: callee.object.end, to: shape.start, code: `, '${name}', () => (` },
      ]
  const closing =
    metadata === undefined
      ? [{ from: shape.end, to: end, code: '))' }]
      : [
          { from: shape.end, to: metadata.start, code: '), ' },
          { from: metadata.end, to: end, code: ')' },
        ]
  return [...opening, ...closing, ...editsIn(callee.object), ...editsIn(shape)]
}

function isMaker(node) {
  return isCall(node, DERIVATIONS) || (isCall(node, KINDS) && node.callee.object.name === 'z')
}

/** Whether a node calls a method with one of these names with an object literal. */
function isCall({ type, callee, arguments: given }, names) {
  if (type !== 'CallExpression' || !names.includes(callee.property?.name)) return false
  return given.length === 1 && given[0].type === 'ObjectExpression'
}
