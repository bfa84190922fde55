import { expect } from 'vitest'

/** Compares the called operations with a list, which test/matrix.md shows. With `--update` it writes the list. */
export async function expectListed(called: Iterable<string>, file: string): Promise<void> {
  const ids = [...new Set(called)].toSorted()
  await expect(`${ids.join('\n')}\n`).toMatchFileSnapshot(file)
}
