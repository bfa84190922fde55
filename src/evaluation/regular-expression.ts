/** What RE2, which the service uses, refuses: looking around and referring back. */
const REFUSED = /\(\?<?[=!]|\\[1-9]|\\k</

/** Flags for the whole expression, as RE2 takes them at its start (`(?im)…`, `^(?i)…`). */
const FLAGS = /^(\^?)\(\?([ims]+)\)/

/** Classes that RE2 knows by name, within brackets. */
const CLASSES: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  ascii: '\\x00-\\x7F',
  blank: '\\t ',
  digit: '0-9',
  lower: 'a-z',
  space: '\\t\\n\\v\\f\\r ',
  upper: 'A-Z',
  word: '\\w',
  xdigit: '0-9A-Fa-f',
}

/** An expression in the syntax of RE2. Throws a `SyntaxError` for what it refuses. */
export function compileExpression(source: string, caseInsensitive: boolean): RegExp {
  if (REFUSED.test(source)) throw new SyntaxError(`"${source}" looks around or refers back`)
  const flags = new Set([...(FLAGS.exec(source)?.[2] ?? ''), ...(caseInsensitive ? ['i'] : [])])
  const pattern = source
    .replace(FLAGS, '$1')
    .replaceAll(/\[:(\w+):\]/g, (whole, name: string) => (Object.hasOwn(CLASSES, name) ? (CLASSES[name] ?? '') : whole))
  return new RegExp(pattern, [...flags].join(''))
}
