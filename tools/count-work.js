// A Vite plugin that makes functions and loops of src/ count their runs, and object spreads count the copied keys. So
// test/properties/requests.work.ts can measure the work of a request, and gets the same count on each run.
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'vite'

const root = fileURLToPath(new URL('..', import.meta.url))
const counter = fileURLToPath(new URL('../test/support/work.ts', import.meta.url))
const LOOPS = new Set(['ForStatement', 'ForInStatement', 'ForOfStatement', 'WhileStatement', 'DoWhileStatement'])
const FUNCTIONS = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'])

export const countWork = {
  name: 'count-work',
  // Runs before types are removed, so that line numbers are those of the sources.
  enforce: 'pre',
  transform(code, id) {
    const file = relative(root, id)
    return /^src\/(service|engine|support)\/.*\.ts$/.test(file) ? { code: counted(code, file), map: null } : undefined
  },
}

function counted(code, file) {
  /** Insertions by position: closing texts come first, and those of the innermost node before the others. */
  const ends = new Map()
  const starts = new Map()
  const start = (at, text) => starts.set(at, (starts.get(at) ?? '') + text)
  const wrap = (node, before, after) => {
    start(node.start, before)
    ends.set(node.end, after + (ends.get(node.end) ?? ''))
  }
  const visit = (node) => {
    const { type, body } = node
    const isLoop = LOOPS.has(type)
    if (body && (isLoop || FUNCTIONS.has(type))) {
      const step = `__step(${JSON.stringify(`${file}:${code.slice(0, node.start).split('\n').length}`)})`
      if (body.type === 'BlockStatement') start(body.start + 1, `${step};`)
      else if (isLoop) wrap(body, `{${step};`, '}')
      else wrap(body, `(${step},`, ')')
    }
    if (type === 'ObjectExpression') {
      for (const one of node.properties) if (one.type === 'SpreadElement') wrap(one.argument, '__copied(', ')')
    }
    for (const value of Object.values(node)) {
      for (const child of Array.isArray(value) ? value : [value]) if (typeof child?.type === 'string') visit(child)
    }
  }
  visit(parseSync(file, code).program)
  const places = [...new Set([...starts.keys(), ...ends.keys()])].toSorted((one, other) => one - other)
  const pieces = places.map((at, i) => (ends.get(at) ?? '') + (starts.get(at) ?? '') + code.slice(at, places[i + 1]))
  const imports = `import { step as __step, copied as __copied } from ${JSON.stringify(counter)};`
  return imports + code.slice(0, places[0]) + pieces.join('')
}
