/** A token of JSON: a bracket, colon or comma; a string; another scalar. */
const TOKEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON allows none in a string
  /[ \t\n\r]*(?:([{}[\]:,])|("[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\u0000-\u001f]*)*")|(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null))/y

const SPACE = /[ \t\n\r]*/y

/** The position from which a text can't be JSON any more. Undefined if it is JSON. JavaScript engines say it differently. */
export function findJsonFault(text: string): number | undefined {
  const closers: string[] = []
  let before = ''
  for (let at = 0; ; at = TOKEN.lastIndex) {
    TOKEN.lastIndex = at
    const found = TOKEN.exec(text)
    if (found === null) {
      const rest = skipSpace(text, at)
      return rest === text.length && before === 'value' && closers.length === 0 ? undefined : rest
    }
    const [, mark, quoted] = found
    const closer = closers.at(-1)
    const isKey = before === '{' || (before === ',' && closer === '}')
    const isValue = !isKey && before !== 'value' && before !== 'key'
    if (mark === '{' || mark === '[') {
      if (!isValue) return skipSpace(text, at)
      closers.push(mark === '{' ? '}' : ']')
      before = mark
    } else if (mark === undefined && (isValue || (isKey && quoted !== undefined))) {
      before = isKey ? 'key' : 'value'
    } else if (mark !== undefined && mark === closer && ['value', '{', '['].includes(before)) {
      closers.pop()
      before = 'value'
    } else if ((mark === ',' && before === 'value' && closer !== undefined) || (mark === ':' && before === 'key')) {
      before = mark
    } else return skipSpace(text, at)
  }
}

function skipSpace(text: string, at: number): number {
  SPACE.lastIndex = at
  SPACE.test(text)
  return SPACE.lastIndex
}
