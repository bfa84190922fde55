/** Lookarounds and backreferences, which RE2, the engine of the service, rejects. */
const UNSUPPORTED = /\(\?<?[=!]|\\[1-9]|\\k</

/** Flags for the whole expression, which RE2 accepts at its start: `(?im)…`, `^(?i)…`. */
const FLAGS = /^(\^?)\(\?([ims]+)\)/

/** The named character classes of RE2. */
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

/** Compiles an expression in RE2 syntax. Throws a `SyntaxError` if RE2 would reject it. */
export function compileExpression(source: string, caseInsensitive: boolean): RegExp {
  if (UNSUPPORTED.test(source)) throw new SyntaxError(`"${source}" has a lookaround or a backreference`)
  const flags = new Set([...(FLAGS.exec(source)?.[2] ?? ''), ...(caseInsensitive ? ['i'] : [])])
  const pattern = source
    .replace(FLAGS, '$1')
    .replaceAll(/\[:(\w+):\]/g, (whole, name: string) => (Object.hasOwn(CLASSES, name) ? (CLASSES[name] ?? '') : whole))
  return new RegExp(pattern, [...flags].join(''))
}
