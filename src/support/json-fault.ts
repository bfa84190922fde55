import { type JSONVisitor, visit } from 'jsonc-parser'

/**
 * The position of the first syntax error in a JSON text. Undefined if the text is valid, or too deep to check. JavaScript
 * engines report it differently.
 */
export function findJsonFault(text: string): number | undefined {
  let first: number | undefined
  const onError = (_: unknown, position: number) => {
    first ??= position
  }
  try {
    visit(text, { onError }, { disallowComments: true })
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  return first
}

/** A key that an object of a JSON text has twice: its place, and the lines of both. */
export interface RepeatedKey {
  readonly path: readonly (string | number)[]
  readonly lines: readonly [first: number, second: number]
}

/** The first keys of a JSON text that an object has twice: parsing would silently drop the first value. */
export function findRepeatedKeys(text: string, most: number): RepeatedKey[] {
  const found: RepeatedKey[] = []
  const open: Map<string, number>[] = []
  const visitor: JSONVisitor = {
    onObjectBegin() {
      open.push(new Map())
    },
    onObjectEnd() {
      open.pop()
    },
    onObjectProperty(key, _offset, _length, line, _character, pathTo) {
      const lines = open.at(-1)
      const first = lines?.get(key)
      lines?.set(key, line + 1)
      if (first !== undefined && found.length < most) found.push({ path: [...pathTo(), key], lines: [first, line + 1] })
    },
  }
  try {
    visit(text, visitor, { allowTrailingComma: true })
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  return found
}
