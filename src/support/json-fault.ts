import { visit } from 'jsonc-parser'

/** The position from which a text is no JSON. Undefined if it is JSON, or too deep to tell. JavaScript engines say it differently. */
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
