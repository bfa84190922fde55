import { visit } from 'jsonc-parser'

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
